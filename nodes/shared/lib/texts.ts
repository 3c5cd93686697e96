/** Invisible characters, such as zero-width ones and direction marks. */
const UNSEEN = /(?!\s)[\p{Cc}\p{Cf}\p{DI}]|\ufeff/gu;

/** A name in the form for comparison: Unicode NFC, no invisible characters, single spaces. */
export const nameForm = (name: unknown): string =>
	String(name ?? '')
		.replace(UNSEEN, '')
		.normalize('NFC')
		.replace(/\s+/g, ' ')
		.trim();

/** Spellings that look the same, which a filter of the service may distinguish. */
export const spellings = (text: string): string[] => [
	...new Set([text, text.normalize('NFC'), text.normalize('NFD')]),
];

/** Parses a URL. `URL.canParse` of Node.js 20 fails for letters such as ü after many calls. */
export function urlFrom(text: string, base?: string): URL | undefined {
	try {
		return new URL(text, base);
	} catch {
		return undefined;
	}
}

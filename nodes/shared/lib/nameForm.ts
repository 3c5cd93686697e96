/** Signs that nobody sees, such as zero-width ones and marks of direction. */
const UNSEEN = /(?!\s)[\p{Cc}\p{Cf}\p{DI}]|\ufeff/gu;

/** A name as it is compared: letters and accents in one form, no unseen signs, and one blank for any white space. */
export const nameForm = (name: unknown): string =>
	String(name ?? '')
		.replace(UNSEEN, '')
		.normalize('NFC')
		.replace(/\s+/g, ' ')
		.trim();

/** The spellings of a text that look the same and that a filter of the service may tell apart. */
export const spellings = (text: string): string[] => [
	...new Set([text, text.normalize('NFC'), text.normalize('NFD')]),
];

/** Parses a URL. `URL.canParse` of Node.js 20 fails for letters such as ü after many calls. */
export function urlFrom(text: string, base?: string): URL | undefined {
	try {
		return new URL(text, base);
	} catch {
		return undefined;
	}
}

/** A URL, if it is one. `URL.canParse` of Node.js 20 is wrong about letters such as ü once it has been called often. */
export function urlFrom(text: string, base?: string): URL | undefined {
	try {
		return new URL(text, base);
	} catch {
		return undefined;
	}
}

/** What a resource locator holds, whatever form n8n or an expression gives it: the trimmed text, and whether it is a URL. */
export function heldIn(locator: unknown): { text: string; isUrl: boolean } {
	const { mode, value } =
		typeof locator === 'object' && locator !== null
			? (locator as { mode?: unknown; value?: unknown })
			: { mode: 'id', value: locator };
	return { text: String(value ?? '').trim(), isUrl: mode === 'url' };
}

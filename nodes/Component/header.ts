/** The headers of main files, as the CMS reads them. */

/** The CMS reads this many bytes of a file; a header further down does not count. */
export const HEADER_BYTES = 8_192;

/** The value of a field in its line, after a comment's marks. */
function valueIn(head: string, field: string): string {
	const line =
		new RegExp(`^(?:[ \\t]*<\\?php)?[ \\t/*#@]*${field}:(.*)$`, 'im').exec(head)?.[1] ?? '';
	return line.replace(/\s*(?:\*\/|\?>).*/, '').trim();
}

/** The header of a file, with texts that are empty where it has none; undefined if the file is not a main file. @param bytes its beginning */
export function headerIn(bytes: Buffer, isTheme: boolean) {
	const head = bytes.toString('utf8', 0, HEADER_BYTES).replaceAll('\r', '\n');
	const name = valueIn(head, isTheme ? 'Theme Name' : 'Plugin Name');
	if (name === '') return undefined;
	return {
		name,
		version: valueIn(head, 'Version'),
		parent: isTheme ? valueIn(head, 'Template') : '',
	};
}

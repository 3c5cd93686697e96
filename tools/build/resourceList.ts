import { filesIn, readText } from '../../test/support/reference';

/** The list of all tables, which `npm run build` makes of their files. */

export const FILE = 'nodes/resources.ts';

/** `nodes/Tag/resources/tag.ts` has `export const tag = resource(`; others have `resourceInBackups(` or `resourceWith(`. */
export function listed(): string {
	const files = filesIn('nodes')
		.filter((file) => /^nodes\/[^/]+\/resources\/\w+\.ts$/.test(file))
		.sort();
	const tables = files.flatMap((file) =>
		[...readText(file).matchAll(/^export const (\w+) = resource(?:InBackups|With)?\(/gm)].map(
			([, name]) => ({ name: name!, from: file.replace(/^nodes(.*)\.ts$/, '.$1') }),
		),
	);
	return [
		'/** All that the nodes can do; made by `npm run build`. */',
		...tables.map(({ name, from }) => `export { ${name} } from '${from}';`),
		'',
	].join('\n');
}

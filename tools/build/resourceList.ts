import { readdirSync } from 'node:fs';
import path from 'node:path';
import { readText, root } from '../../test/support/reference';

/** The list of all tables, which `npm run build` makes of their files. */

export const FILE = 'nodes/resources.ts';

/** `nodes/Tag/resources/tag.ts` has `export const tag = resource(`; others have `resourceInBackups(` or `resourceWith(`. */
export function listed(): string {
	const files = readdirSync(path.join(root, 'nodes'), { recursive: true, encoding: 'utf8' })
		.map((file) => file.replaceAll(path.sep, '/'))
		.filter((file) => /^[^/]+\/resources\/\w+\.ts$/.test(file))
		.sort();
	const tables = files.flatMap((file) =>
		[
			...readText(`nodes/${file}`).matchAll(
				/^export const (\w+) = resource(?:InBackups|With)?\(/gm,
			),
		].map(([, name]) => ({ name: name!, from: `./${file.replace(/\.ts$/, '')}` })),
	);
	return [
		'/** All that the nodes can do; made by `npm run build`. */',
		...tables.map(({ name, from }) => `export { ${name} } from '${from}';`),
		'',
	].join('\n');
}

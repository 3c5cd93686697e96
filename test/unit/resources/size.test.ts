import { readdirSync } from 'node:fs';
import path from 'node:path';
import { resources } from '../../../nodes/resources';
import { composed, counts } from '../../support/composed';
import { anyId, readText, reference, root } from '../../support/reference';

/** Resource files are tables: they stay short because what operations have in common is in the kit. */
const LINES_PER_OPERATION = 30;

const read = (file: string) => readText(file).trimEnd().split('\n');

/** The operations of the API reference that the nodes offer. */
function offered(): Set<string> {
	const known = reference.map(({ route }) => anyId(route));
	const routes = resources.flatMap(({ operations }) => operations.map(({ route }) => anyId(route)));
	return new Set(routes.filter((each) => known.includes(each)));
}

/** The files that a file takes something from, its own folder and those of other nodes only. */
function importsOf(file: string): string[] {
	const from = [
		...read(file)
			.join('\n')
			.matchAll(/from '(\.[^']*resources\/[^']*|\.\/[^']*)'/g),
	];
	return from.map(([, name]) => path.posix.join(path.posix.dirname(file), `${name}.ts`));
}

/** What the action nodes are made of; triggers have tables of their own. */
function tables(): Set<string> {
	const { n8n } = JSON.parse(read('package.json').join('\n')) as { n8n: { nodes: string[] } };
	const nodes = n8n.nodes.filter((file) => !file.includes('Trigger'));
	const found = new Set<string>();
	const follow = (file: string) => {
		for (const each of importsOf(file)) {
			if (found.has(each)) continue;
			found.add(each);
			follow(each);
		}
	};
	for (const file of nodes) follow(file.replace('dist/', '').replace('.js', '.ts'));
	return found;
}

function resourceFiles() {
	const counted = tables();
	return (
		readdirSync(path.join(root, 'nodes'), { recursive: true, encoding: 'utf8' })
			.map((file) => `nodes/${file}`)
			// What a node does beside its tables is no table; a list of the service's values is as long as the service has it.
			.filter((file) => counted.has(file) && /\/resources\/\w+(?<!Values)\.ts$/.test(file))
			.map((file) => ({ file, lines: read(file).length }))
			.sort((a, b) => b.lines - a.lines)
	);
}

it(`resource files have no more than ${LINES_PER_OPERATION} lines an operation together`, () => {
	const files = resourceFiles();
	const lines = files.reduce((sum, file) => sum + file.lines, 0);
	// Count comes with each list, and needs no line.
	const operations = offered().size + composed.length - counts.length;
	expect(operations).toBeGreaterThan(0);
	const surplus = lines - LINES_PER_OPERATION * operations;
	const longest = files.slice(0, 5).map(({ file, lines: count }) => `${file} (${count})`);
	const advice = `${lines} lines for ${operations} operations are ${surplus} too many. Move what repeats into a constant of the folder, into nodes/shared/resources or into a word of nodes/shared/describe; the longest files are ${longest.join(', ')}.`;
	expect(surplus > 0 ? advice : '').toBe('');
});

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { composed } from './composed';
import { further, operations, type Row } from './operations';

/** Where all of that stands. */
export const TABLE = 'test/support/operations.ts';

export const root = path.resolve(__dirname, '../..');

export const readText = (file: string) => readFileSync(path.join(root, file), 'utf8');

/** `/sites/{siteId}` and `/sites/{site_id}` are the same. */
export const anyId = (route: string) => route.replace(/\{\w+\}/g, '{}');

/** The operations of the API reference, from which everything that counts them is derived. */
export const reference = operations;

/** With those that the nodes have besides; each is one request. */
export const allOperations = [...operations, ...further];

/** With those that take several requests. */
export const everyOperation: Row[] = [...allOperations, ...composed];

/** Whether an operation takes several requests. */
export const isComposed = (operation: string) =>
	composed.some((each) => each.operation === operation);

/** Whether an operation sends any request. */
export const asksSomething = (operation: string) =>
	!composed.some((each) => each.operation === operation && each.takes.length === 0);

/** What the reference says that an operation of the nodes, such as `tag/tag/assign`, does. */
export function rowOf(operation: string): Row {
	const row = everyOperation.find((each) => each.operation === operation);
	if (!row) throw new Error(`${TABLE}: add ${operation}`);
	return row;
}

/** The kinds of what it does; `reads` for one that only reads. */
export const effectsOf = (operation: string): string[] =>
	(rowOf(operation).does ?? 'reads').split(' ');

export interface List extends Row {
	filters: Record<string, string>;
}

export const lists = reference.filter((row): row is List => row.filters !== undefined);

/** The query keys of what a list can be filtered by: `filters[name:eq]`. */
export const filterKeys = ({ filters }: List): string[] =>
	Object.entries(filters).flatMap(([field, operators]) =>
		operators.split(' ').map((operator) => `filters[${field}:${operator}]`),
	);

export const wordsOf = (cell = '') => cell.split(' ').filter(Boolean);

/** The one whose path begins like that of the route for the longest, which tells where a missing one belongs. */
export function nearest<T extends { route: string }>(route: string, others: T[]): T | undefined {
	const segments = (of: string) => anyId(of).split('/').slice(1);
	const wanted = segments(route);
	const shared = (other: T) => {
		const found = segments(other.route);
		const end = wanted.findIndex((segment, index) => segment !== found[index]);
		return end < 0 ? wanted.length : end;
	};
	const ranked = others
		.map((other) => ({ other, score: shared(other) - segments(other.route).length / 100 }))
		.filter(({ score }) => score > 0.5)
		.sort((a, b) => b.score - a.score);
	return ranked[0]?.other;
}

/** The files below a folder, from the root of the repository. */
export const filesIn = (folder: string) =>
	readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map(
		(file) => `${folder}/${file.replaceAll(path.sep, '/')}`,
	);

/** The file below a folder that has a text in it. */
export const fileWith = (folder: string, text: string) =>
	filesIn(folder).find((file) => file.endsWith('.ts') && readText(file).includes(text));

/** Where an action node describes a resource; `operation` is `backup/backup/restore`. */
export function resourceFile(operation: string): string {
	const [node, resource] = operation.split('/') as [string, string];
	const file = `nodes/${node[0]!.toUpperCase()}${node.slice(1)}/resources/${resource}.ts`;
	return existsSync(path.join(root, file)) ? file : `${file} (which is not there yet)`;
}

/** Where the service has an operation, by its id, or by that of the one nearest to its route. */
export function routesFile(
	{ id, route }: { id: string; route: string },
	served: Array<{ id: string; route: string }>,
): string {
	const folder = 'sandbox/service/domain';
	const near = nearest(route, served)?.id;
	return (
		fileWith(folder, `'${id}'`) ??
		(near && fileWith(folder, `'${near}'`)) ??
		`${folder}/<resource>/routes.ts, which sandbox/service/modules.ts lists`
	);
}

/** What a file lacks of what is wanted, and what it has besides. */
export function differences(file: string, wanted: string[], found: string[]): string[] {
	return [
		...wanted.filter((each) => !found.includes(each)).map((each) => `${file}: add ${each}`),
		...found
			.filter((each, index) => !wanted.includes(each) || found.indexOf(each) !== index)
			.map((each) => `${file}: remove ${each}, or add it to ${TABLE}`),
	];
}

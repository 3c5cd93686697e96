import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { actionNodes } from '../support/engine';
import { lists } from '../support/lists';

/** The nodes of the built package against the API reference: nothing missing, nothing made up. */

interface Covered {
	/** `site/backup/restore` */
	name: string;
	/** `POST /sites/{}/backups/{}/restore`: the names of the ids do not matter. */
	route: string;
	/** As the node has it: `POST /sites/{siteId}/backups/{snapshotId}/restore`. */
	url: string;
	fields: INodeProperties[];
}

const anyId = (route: string) => route.replace(/\{\w+\}/g, '{}');

const [, ...rows] = readFileSync(path.resolve(__dirname, '../support/operations.tsv'), 'utf8')
	.trim()
	.split('\n')
	.map((line) => line.split('\t') as [id: string, method: string, path: string]);
const reference = new Map(rows.map(([id, method, url]) => [anyId(`${method} ${url}`), id]));

let operations: Covered[];

beforeAll(async () => {
	operations = (await actionNodes()).flatMap(({ name: node, properties }) =>
		properties
			.filter(({ name }) => name === 'operation')
			.flatMap((selector) => {
				const [resource] = selector.displayOptions!.show!.resource as string[];
				return (selector.options as INodePropertyOptions[]).map(({ value, routing }) => {
					const url = `${routing!.request!.method!} ${String(routing!.request!.url)}`;
					const fields = properties.filter(
						({ displayOptions }) =>
							displayOptions?.show?.resource?.includes(resource!) &&
							displayOptions.show.operation?.includes(value),
					);
					return { name: `${node}/${resource}/${String(value)}`, route: anyId(url), url, fields };
				});
			}),
	);
});

it('there are 14 action nodes', async () => {
	expect((await actionNodes()).map(({ name }) => name)).toHaveLength(14);
});

/** Operations of ours on a route that another operation has, too. */
const further = ['task/task/wait'];

it('every operation of the reference has a node, once', () => {
	const own = operations.filter(({ name }) => !further.includes(name));
	const counted = own.map(({ route }) => route);
	const missing = [...reference].filter(([route]) => !counted.includes(route));
	expect(
		missing.map(([route, id]) => `add ${id} (${route}) to the resource file of its node`),
	).toEqual([]);
	const twice = counted.filter((route, index) => counted.indexOf(route) !== index);
	expect(twice.map((route) => `${route} has more than one operation: remove one`)).toEqual([]);
	expect(own).toHaveLength(123);
});

it('no operation has a route that the reference does not know', () => {
	const unknown = operations.filter(({ route }) => !reference.has(route));
	expect(unknown.map(({ name, url }) => `${name}: no operation has the route ${url}`)).toEqual([]);
});

/** The query keys of the options in a collection: `filters[name:eq]`, `timezone`. */
function keysIn({ fields }: Covered, collection: string): string[] {
	const options = fields.find(({ name }) => name === collection)?.options as
		INodeProperties[] | undefined;
	// What is read, such as Ignore Blank Filters, has no key.
	const keys = (options ?? []).flatMap(({ routing }) => routing?.send?.property ?? []);
	return keys.sort();
}

describe.each(Object.entries(lists))('%s', (route, { filters, sortBy, timezone, query = '' }) => {
	const operation = () => {
		const found = operations.find((candidate) => candidate.route === anyId(route));
		if (!found) throw new Error(`No node has the list ${route}: add it with getMany`);
		return found;
	};

	it('offers every filter of the reference with every operator, and no other', () => {
		const wanted = Object.entries(filters).flatMap(([field, operators]) =>
			operators.split(' ').map((operator) => `filters[${field}:${operator}]`),
		);
		expect(keysIn(operation(), 'filters')).toEqual(wanted.sort());
	});

	it('sorts by every field of the reference, and no other', () => {
		const sort = operation().fields.find(({ name }) => name === 'sort');
		const [group] = (sort?.options ?? []) as Array<{ values: INodeProperties[] }>;
		const field = group?.values.find(({ name }) => name === 'field');
		const values = ((field?.options ?? []) as INodePropertyOptions[]).map(({ value }) => value);
		expect(values.sort()).toEqual(sortBy.split(' ').filter(Boolean).sort());
	});

	it('takes the other query parameters of the reference', () => {
		const wanted = [...query.split(' ').filter(Boolean), ...(timezone ? ['timezone'] : [])];
		const found = [
			...keysIn(operation(), 'options'),
			...operation()
				.fields.filter(({ routing }) => routing?.send?.type === 'query')
				.map(({ routing }) => String(routing!.send!.property)),
		];
		expect(found.sort()).toEqual(wanted.sort());
	});

	it('is paged: Return All, Limit with 50 as default', () => {
		const names = operation().fields.map(({ name }) => name);
		expect(names).toEqual(expect.arrayContaining(['returnAll', 'limit']));
		const limit = operation().fields.find(({ name }) => name === 'limit');
		expect(limit!.default).toBe(50);
	});
});

it('every id in a path is a required resource locator of that name', () => {
	const wrong = operations.flatMap(({ name, url, fields }) =>
		[...url.matchAll(/\{(\w+)\}/g)]
			.map(([, id]) => fields.find((field) => field.name === id))
			.filter((field) => field?.type !== 'resourceLocator' || !field.required)
			.map(() => `${name}: give ${url} a locator`),
	);
	expect(wrong).toEqual([]);
});

it('every delete and every other operation that the service cannot undo carries a notice', () => {
	const bare = operations.filter(
		({ route, fields }) =>
			(/^DELETE|\/(delete|restore|migrate|disconnect|skip|reset)$/.test(route) ||
				/\/(disable)$/.test(route)) &&
			!fields.some(({ type }) => type === 'notice'),
	);
	expect(bare.map(({ name }) => `${name}: say in a notice what happens to the live site`)).toEqual(
		[],
	);
});

import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { actionNodes } from '../support/engine';
import { lists } from '../support/lists';
import { pages } from '../support/pages';
import {
	anyId,
	differences,
	fileWith,
	nearest,
	readText,
	reference,
	resourceFile,
	root,
} from '../support/reference';

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

const { nodes: registered } = (JSON.parse(readText('package.json')) as { n8n: { nodes: string[] } })
	.n8n;

it('n8n is told of every node', () => {
	const written = readdirSync(path.resolve(__dirname, '../../nodes'), {
		recursive: true,
		encoding: 'utf8',
	}).filter((file) => file.endsWith('.node.ts'));
	const wanted = written.map(
		(file) => `dist/nodes/${file.replaceAll(path.sep, '/').replace(/ts$/, 'js')}`,
	);
	expect(
		registered
			.filter((file) => !wanted.includes(file))
			.map((file) => `package.json: remove ${file} from n8n.nodes`),
	).toEqual([]);
	expect(
		wanted
			.filter((file) => !registered.includes(file))
			.map((file) => `package.json: add ${file} to n8n.nodes`),
	).toEqual([]);
});

it('the documentation counts operations and nodes as they are', async () => {
	const nodes = (await actionNodes()).length;
	const triggers = registered.length - nodes;
	const words = [
		'no',
		'one',
		'two',
		'three',
		'four',
		'five',
		'six',
		'seven',
		'eight',
		'nine',
		'ten',
	];
	const count = `All ${reference.length} operations of the API on ${nodes} nodes, and ${words[triggers]} triggers`;
	expect(readText('README.md').includes(count) ? [] : [`README.md: say "${count}"`]).toEqual([]);
	const numbers = pages.flatMap((page) =>
		[...readText(page).matchAll(/(\d+) operations/g)].map(([, number]) => [page, Number(number)]),
	);
	// The generated table counts operations of ours as well.
	const right = [reference.length, operations.length];
	expect(numbers.filter(([, number]) => !right.includes(Number(number)))).toEqual([]);
});

/** Operations of ours on a route that another operation has, too. */
const further = ['task/task/wait'];

it('every operation of the reference has a node, once', () => {
	const own = operations.filter(({ name }) => !further.includes(name));
	const counted = own.map(({ route }) => route);
	const missing = reference.filter(({ route }) => !counted.includes(anyId(route)));
	const fileFor = (route: string) => {
		const near = nearest(route, own)?.name;
		return near ? resourceFile(near) : 'nodes/<Node>/resources/<resource>.ts';
	};
	expect(missing.map(({ id, route }) => `${fileFor(route)}: add ${id} (${route})`)).toEqual([]);
	const twice = own.filter(({ route }, index) => counted.indexOf(route) !== index);
	expect(
		twice.map(({ name, url }) => `${resourceFile(name)}: remove the second operation with ${url}`),
	).toEqual([]);
	expect(own).toHaveLength(reference.length);
});

it('no operation has a route that the reference does not know', () => {
	const known = reference.map(({ route }) => anyId(route));
	const unknown = operations.filter(({ route }) => !known.includes(route));
	expect(
		unknown.map(
			({ name, url }) =>
				`${resourceFile(name)}: the route ${url} of ${name} is not in test/support/operations.tsv`,
		),
	).toEqual([]);
});

const CASES = 'test/contract/operations';

it('every operation has a case', () => {
	const files = readdirSync(path.join(__dirname, 'operations'));
	const texts = files.map((file) => readText(`${CASES}/${file}`));
	const isThere = (name: string) =>
		texts.some((text) => new RegExp(`^\\t'${name}[' ]`, 'm').test(text));
	const fileFor = (name: string) => {
		const [node, resource] = name.split('/') as [string, string];
		return (
			fileWith(CASES, `\t'${node}/${resource}/`) ??
			fileWith(CASES, `\t'${node}/`) ??
			`${CASES}/<family>.test.ts`
		);
	};
	const missing = operations.filter(({ name }) => !isThere(name));
	expect(missing.map(({ name }) => `${fileFor(name)}: add a case named '${name}'`)).toEqual([]);
});

it('every trigger has its histories and its examples', () => {
	const triggers = registered
		.map((file) => path.basename(file, '.node.js'))
		.filter((name) => name.endsWith('Trigger'))
		.map((name) => `${name[0]!.toLowerCase()}${name.slice(1, -'Trigger'.length)}`);
	expect(triggers).not.toEqual([]);
	const folder = 'test/contract/triggers';
	const lacks = (file: string, text: string, what: string) =>
		existsSync(path.join(root, file)) && readText(file).includes(text) ? [] : [`${file}: ${what}`];
	expect(
		triggers.flatMap((name) => [
			...lacks(`${folder}/exactlyOnce/${name}.test.ts`, 'histories(world)', 'run its histories'),
			...lacks(
				`${folder}/${name}.test.ts`,
				`everyEventHasExample('${name}Trigger')`,
				'give examples',
			),
		]),
	).toEqual([]);
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
		if (found) return found;
		const near = nearest(route, operations)?.name;
		throw new Error(
			`${near ? resourceFile(near) : 'nodes/<Node>/resources/<resource>.ts'}: add ${route} with getMany`,
		);
	};

	const file = () => resourceFile(operation().name);

	it('offers every filter of the reference with every operator, and no other', () => {
		const wanted = Object.entries(filters).flatMap(([field, operators]) =>
			operators.split(' ').map((operator) => `filters[${field}:${operator}]`),
		);
		expect(differences(file(), wanted, keysIn(operation(), 'filters'))).toEqual([]);
	});

	it('sorts by every field of the reference, and no other', () => {
		const sort = operation().fields.find(({ name }) => name === 'sort');
		const [group] = (sort?.options ?? []) as Array<{ values: INodeProperties[] }>;
		const field = group?.values.find(({ name }) => name === 'field');
		const values = ((field?.options ?? []) as INodePropertyOptions[]).map(
			({ value }) => `sort by ${String(value)}`,
		);
		const keys = sortBy.split(' ').filter(Boolean);
		const sorted = keys.map((key) => `sort by ${key}`);
		expect(differences(file(), sorted, values)).toEqual([]);
	});

	it('takes the other query parameters of the reference', () => {
		const wanted = [...query.split(' ').filter(Boolean), ...(timezone ? ['timezone'] : [])];
		const found = [
			...keysIn(operation(), 'options'),
			...operation()
				.fields.filter(({ routing }) => routing?.send?.type === 'query')
				.map(({ routing }) => String(routing!.send!.property)),
		];
		expect(differences(file(), wanted, found)).toEqual([]);
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
			.map(() => `${resourceFile(name)}: give ${url} a locator`),
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
	expect(
		bare.map(
			({ name }) =>
				`${resourceFile(name)}: say in a notice of ${name} what happens to the live site`,
		),
	).toEqual([]);
});

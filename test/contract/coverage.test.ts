import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { builtOperations, type BuiltOperation } from '../support/builtOperations';
import { caseFile, hasCase } from '../support/onlyIds';
import {
	anyId,
	differences,
	everyOperation,
	filterKeys,
	lists,
	readText,
	resourceFile,
	root,
	TABLE,
	wordsOf,
} from '../support/reference';

/** The nodes of the built package against the API reference: nothing missing, nothing made up. */

let operations: BuiltOperation[];

beforeAll(async () => void (operations = await builtOperations()));

const { nodes: registered } = (JSON.parse(readText('package.json')) as { n8n: { nodes: string[] } })
	.n8n;

it('package.json lists every node', () => {
	const written = readdirSync(path.resolve(__dirname, '../../nodes'), {
		recursive: true,
		encoding: 'utf8',
	}).filter((file) => file.endsWith('.node.ts'));
	const wanted = written.map(
		(file) => `dist/nodes/${file.replaceAll(path.sep, '/').replace(/ts$/, 'js')}`,
	);
	expect([...registered].sort()).toEqual(wanted.sort());
});

it('every operation of the reference is one of the nodes, with that request', () => {
	const missing = everyOperation.flatMap(({ operation, id, route }) => {
		const found = operations.filter(({ name }) => name === operation);
		if (found.length === 0) return [`${resourceFile(operation)}: add ${id} (${route})`];
		return found
			.filter((each) => each.route !== anyId(route))
			.map(({ url }) => `${resourceFile(operation)}: ${operation} has ${url}, not ${route}`);
	});
	expect(missing).toEqual([]);
});

it('the nodes have no operation that the reference does not know', () => {
	const known = everyOperation.map(({ operation }) => operation);
	expect(
		operations
			.filter(({ name }) => !known.includes(name))
			.map(({ name, url }) => `${TABLE}: add ${name} (${url}), or remove it from the node`),
	).toEqual([]);
	expect(operations).toHaveLength(everyOperation.length);
});

it('every operation has a case', () => {
	const missing = operations.filter(({ name }) => !hasCase(name));
	expect(missing.map(({ name }) => `${caseFile(name)}: add a case named '${name}'`)).toEqual([]);
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
function keysIn({ fields }: BuiltOperation, collection: string): string[] {
	const options = fields.find(({ name }) => name === collection)?.options as
		INodeProperties[] | undefined;
	// What is read, such as Ignore Blank Filters, has no key.
	const keys = (options ?? []).flatMap(({ routing }) => routing?.send?.property ?? []);
	return keys.sort();
}

describe.each(lists)('$route', (list) => {
	const file = resourceFile(list.operation);
	const built = () => {
		const found = operations.find(({ name }) => name === list.operation);
		if (!found) throw new Error(`${file}: add ${list.route} with getMany`);
		return found;
	};

	it('offers every filter of the reference with every operator, and no other', () => {
		expect(differences(file, filterKeys(list), keysIn(built(), 'filters'))).toEqual([]);
	});

	it('sorts by every field of the reference, and no other', () => {
		const sort = built().fields.find(({ name }) => name === 'sort');
		const [group] = (sort?.options ?? []) as Array<{ values: INodeProperties[] }>;
		const field = group?.values.find(({ name }) => name === 'field');
		const values = ((field?.options ?? []) as INodePropertyOptions[]).map(
			({ value }) => `sort by ${String(value)}`,
		);
		const sorted = wordsOf(list.sortBy).map((key) => `sort by ${key}`);
		expect(differences(file, sorted, values)).toEqual([]);
	});

	it('takes the other query parameters of the reference', () => {
		const found = [
			...keysIn(built(), 'options'),
			...built()
				.fields.filter(({ routing }) => routing?.send?.type === 'query')
				.map(({ routing }) => String(routing!.send!.property)),
		];
		expect(differences(file, wordsOf(list.query), found)).toEqual([]);
	});
});

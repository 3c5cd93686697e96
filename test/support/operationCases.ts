import type { INodeParameters } from 'n8n-workflow';
import { runNode, type NodeResult, type NodeRun } from './engine';
import { startFleet, type Fleet, type Sent } from './fleet';
import { locator } from './locator';
import { expectSafe } from './safetyCases';
import { savedNodes, type Names } from './savedNodes';
import { builtSchema, strangers } from './schemaCheck';
import { startWayward, type Answer, type Wayward } from './wayward';

/** One operation: what is sent to the letter, and what comes out. */
export interface OperationCase<Ids> {
	parameters: (ids: Ids) => INodeParameters;
	sent: (ids: Ids) => Sent | Sent[];
	output: (result: NodeResult, ids: Ids) => void | Promise<void>;
	/** Binary data of the input item. */
	binary?: NodeRun['binary'];
}

/** The cases of an operation by `node/resource/operation`, with a word after a space where it has several. */
export type OperationCases<Ids> = Record<string, OperationCase<Ids>>;

/** The request, the ids in its path by their names in `Ids`, and the record that comes out unless it is deleted. */
type IdCase<Ids> = [route: string, idNames: Array<keyof Ids>, record?: (ids: Ids) => object];

/** The cases of operations that take nothing but ids, each a resource locator named as in the path. */
export function idCases<Ids extends object>(
	rows: Record<string, IdCase<Ids>>,
): OperationCases<Ids> {
	const cases = Object.entries(rows).map(([name, row]) => [name, idCase(row)] as const);
	return Object.fromEntries(cases);
}

function idCase<Ids extends object>([route, idNames, record]: IdCase<Ids>): OperationCase<Ids> {
	const locators = [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
	const valuesOf = (ids: Ids) => idNames.map((name) => String(ids[name]));
	const deleted = (ids: Ids) => ({ deleted: true, id: valuesOf(ids).at(-1) });
	return {
		parameters: (ids) =>
			Object.fromEntries(valuesOf(ids).map((value, index) => [locators[index]!, locator(value)])),
		sent: (ids) => {
			const values = valuesOf(ids);
			return request(route.replace(/\{\w+\}/g, () => values.shift()!));
		},
		output: ({ json }, ids) => expect(json).toEqual([(record ?? deleted)(ids)]),
	};
}

/** A record that has these fields, and perhaps others. */
export const having = (fields: object): object => expect.objectContaining(fields);

/** A request without a query. */
export const request = (route: string, body?: unknown): Sent => ({ route, query: {}, body });

/** A request with only a query. */
export const query = (route: string, values: Sent['query']): Sent => ({
	route,
	query: values,
	body: undefined,
});

/** The request for the first 50 records of a list. */
export const list = (route: string, values: Sent['query'] = {}): Sent =>
	query(route, { page: '1', perPage: '50', ...values });

/** Otherwise the nodes would pause after 200 requests. */
const unlimited = { 'X-RateLimit-Limit': '100000', 'X-RateLimit-Remaining': '99999' };

const page = { 'Content-Type': 'text/html' };
const json = { 'Content-Type': 'application/json' };

/** What networks and half-written services answer instead of the truth, all but the redirects with success. */
const wrongAnswers: Record<string, Answer> = {
	'a login page': { headers: page, body: '<!DOCTYPE html><title>Sign in</title>' },
	nothing: { body: '' },
	'no content': { status: 204 },
	null: { headers: json, body: 'null' },
	'a number': { headers: json, body: '7' },
	text: { body: 'OK' },
	'a bare list': { body: [{ id: '1' }] },
	'an empty object': { body: {} },
	'an error': { body: { error: { message: 'no' } } },
	'an error of another form': { body: { error: 'no', status: 500 } },
	'cut JSON': { headers: json, body: '{"tags":[{"id":"1"},{"id":' },
	'another wrapper': { body: { result: { id: '1' }, meta: {} } },
	'blank records of every name': {
		body: Object.fromEntries(
			['site', 'tag', 'client', 'task', 'sync', 'note', 'report'].map((name) => [name, {}]),
		),
	},
	'lists without paging': {
		body: Object.fromEntries(
			['sites', 'tags', 'clients', 'tasks', 'notes', 'reports', 'files', 'tables'].map((name) => [
				name,
				Array.from({ length: 100 }, (_, id) => ({ id: `${id}`, name: `${id}` })),
			]),
		),
	},
	'a redirect to nowhere': { status: 302 },
	...Object.fromEntries(
		[301, 302, 303, 307, 308].map((status) => [
			`a redirect with ${status}`,
			{ status, headers: { Location: 'ftp://127.0.0.1/login' } },
		]),
	),
};

/** What is no wrong answer for an operation: a delete has no content, and a file of a site can be any text. */
function isRight(name: string, route: string, what: string): boolean {
	if (what === 'no content') return route.startsWith('DELETE ');
	return name.startsWith('site/file/download') && what === 'text';
}

/** What only the items of a bulk operation have that did not succeed. */
const ON_FAILURE = ['code', 'message'];

/**
 * Runs every case through n8n's engine against a fleet of its own; coverage.test.ts misses operations without one.
 * @param family the name of the test file, and of what has been saved of its cases
 * @param prepare makes what the cases work on; its requests are not counted
 */
export function operationCases<Ids extends object>(
	family: string,
	prepare: (fleet: Fleet) => Promise<Ids>,
	cases: OperationCases<Ids>,
): void {
	let fleet: Fleet;
	let ids: Ids;

	let wayward: Wayward & { answer: Answer };
	beforeAll(async () => {
		const service = await startWayward(() => wayward.answer, unlimited);
		wayward = Object.assign(service, { answer: {} });
	});
	afterAll(async () => await wayward.close());

	beforeEach(async () => {
		fleet = await startFleet({ sites: 20 });
		ids = await prepare(fleet);
		fleet.forget();
	});
	afterEach(async () => await fleet.close());

	describe.each(Object.keys(cases))('%s', (name) => {
		const [node, resource, operation] = name.split(' ')[0]!.split('/') as [string, string, string];
		const { parameters, sent, output, binary } = cases[name]!;

		it('sends what the API reference says and gives its records, paired', async () => {
			const result = await runNode(fleet, {
				node,
				parameters: { resource, operation, output: 'raw', ...parameters(ids) },
				items: [{ position: 0 }],
				binary,
			});
			expect(result.error).toBeUndefined();
			expect(fleet.sent()).toEqual([sent(ids)].flat());
			await output(result, ids);
			for (const item of result.items) expect(item.pairedItem).toEqual({ item: 0 });
		});
	});

	const first = new Map(
		Object.entries(cases)
			.reverse()
			.map(([name, each]) => [name.split(' ')[0]!, each]),
	);

	it.each([...first])('%s gives by default what its schema says', async (name, each) => {
		const [node, resource, operation] = name.split('/') as [string, string, string];
		const { parameters, binary } = each;
		const set = { resource, operation, ...parameters(ids), output: 'simplified' };
		const { items } = await runNode(fleet, { node, parameters: set, binary });
		expect(items).not.toEqual([]);
		const schema = builtSchema(name);
		for (const { json } of items) {
			expect(strangers(schema, json)).toEqual([]);
			const names = Object.keys(schema.properties!);
			expect(names.filter((key) => !(key in json) && !ON_FAILURE.includes(key))).toEqual([]);
		}
	});

	it.each(Object.keys(cases))('%s does no more than it is allowed to', async (name) => {
		const [operationName] = name.split(' ') as [string];
		const [node, resource, operation] = operationName.split('/') as [string, string, string];
		const { parameters, binary, sent } = cases[name]!;
		const run = {
			node,
			parameters: { resource, operation, output: 'raw', ...parameters(ids) },
			binary,
		};
		await expectSafe(fleet, operationName, run, [sent(ids)].flat());
	});

	it.each(Object.keys(cases))('%s believes no wrong answer', async (name) => {
		const [node, resource, operation] = name.split(' ')[0]!.split('/') as [string, string, string];
		const { parameters, binary, sent } = cases[name]!;
		const [{ route }] = [sent(ids)].flat() as [Sent];
		const isChange = !route.startsWith('GET ');
		for (const [what, answer] of Object.entries(wrongAnswers)) {
			if (isRight(name, route, what)) continue;
			wayward.answer = answer;
			wayward.requests.length = 0;
			const { error, items } = await runNode(wayward, {
				node,
				parameters: { resource, operation, output: 'raw', ...parameters(ids) },
				binary,
			});
			const told = `${name} answered with ${what}: ${error?.message}`;
			expect(told).toMatch(
				/: (The answer is not what the API promises|The answer is a web page|The service answered with a redirect)/,
			);
			expect(items).toEqual([]);
			expect(wayward.requests).toHaveLength(1);
			if (isChange) expect(told).toContain('may have been applied: look at /');
			else expect(told).not.toMatch(/applied|changed/);
		}
	});

	const given = Object.entries(cases).map(([name, { parameters, binary }]) => [
		name,
		(names: Names) => ({ parameters: parameters(names as Ids), binary }),
	]);
	savedNodes(family, () => ({ fleet, names: ids }), Object.fromEntries(given));
}

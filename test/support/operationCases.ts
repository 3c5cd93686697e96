import type { INodeParameters } from 'n8n-workflow';
import { lastAnswer } from './checkAnswers';
import { runNode, type NodeResult, type NodeRun } from './engine';
import { startFleet, type Fleet, type Sent } from './fleet';
import { locator } from './locator';
import { counts } from './composed';
import { caseFile, hasOutput, locatorsOf, onlyIds, resourceOf } from './onlyIds';
import { expectProof, hasProof } from './proofs';
import words from '../../nodes/shared/vocabulary/realWords.json';
import { allOperations } from './reference';
import { expectPreview } from './safetyCases';
import { savedNodes, type Names } from './savedNodes';
import { builtSchema, strangers } from './schemaCheck';
import { withoutWaiting } from './transportClock';
import { startWayward, withHeaders, type Answer, type Wayward } from './wayward';

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

/** What is special of an operation that takes nothing but ids. */
interface Special<Ids> {
	/** The records that it works on, by their names in `Ids`. */
	on?: Array<keyof Ids>;
	/** What it makes of them, beyond that the answer of the service comes out. */
	record?: (ids: Ids) => object;
}

/** The names in `Ids` of records that are not called as in a path: `{ stagingSite: 'staging' }`. */
export type Called<Ids> = Record<string, keyof Ids>;

/** The cases of operations that take nothing but ids, of which something is special. */
export function idCases<Ids extends object>(
	called: Called<Ids>,
	specials: Record<string, Special<Ids>>,
): OperationCases<Ids> {
	const cases = Object.entries(specials).map(
		([name, special]) => [name, idCase(name, special, called)] as const,
	);
	return Object.fromEntries(cases);
}

/** The cases of one file, with those that nobody wrote, and what makes the records that they work on. */
export interface Family {
	prepare: (fleet: Fleet) => Promise<Names>;
	cases: OperationCases<Names>;
}

let gathered: Family[] | undefined;

/** The cases of files as data: none of their tests is made. @param load imports the files */
export function familiesIn(load: () => void): Family[] {
	const families: Family[] = (gathered = []);
	load();
	gathered = undefined;
	return families;
}

/** The cases that nobody wrote: of operations that take nothing but ids, on resources that have others. */
function madeCases<Ids extends object>(
	cases: OperationCases<Ids>,
	called: Called<Ids>,
): OperationCases<Ids> {
	const own = new Set(Object.keys(cases).map(resourceOf));
	const written = Object.keys(cases).map((name) => name.split(' ')[0]!);
	const made = onlyIds
		.filter((name) => own.has(resourceOf(name)) && !written.includes(name))
		.map((name) => [name, idCase(name, {}, called)] as const);
	const counted = counts
		.map(({ operation }) => operation)
		.filter((name) => own.has(resourceOf(name)) && !written.includes(name))
		.map((name) => [name, countCase(name, called)] as const);
	return Object.fromEntries([...made, ...counted]);
}

/** One record says how many there are. */
function countCase<Ids extends object>(name: string, called: Called<Ids>): OperationCase<Ids> {
	const { route } = counts.find(({ operation }) => operation === name)!;
	const locators = locatorsOf(name);
	const idOf = (locator: string, ids: Ids) => String(ids[nameOf(locator, called)]);
	return {
		parameters: (ids) =>
			Object.fromEntries(locators.map((each) => [each, locator(idOf(each, ids))])),
		sent: (ids) => {
			const values = locators.map((each) => idOf(each, ids));
			const path = route.replace(/\{\w+\}/g, () => values.shift()!);
			return query(path, { page: '1', perPage: '1' });
		},
		output: ({ json }, ids) => {
			const { meta } = JSON.parse(lastAnswer()) as { meta: any };
			const above = locators.map((each) => [each.replace('Id', '_id'), idOf(each, ids)]);
			const count = meta.pagination.totalItems as number;
			expect(json).toEqual([{ ...Object.fromEntries(above), count }]);
		},
	};
}

function idCase<Ids extends object>(
	name: string,
	{ on, record }: Special<Ids>,
	called: Called<Ids>,
): OperationCase<Ids> {
	const { route } = allOperations.find(({ operation }) => operation === name)!;
	const locators = locatorsOf(name);
	const names = on ?? locators.map((each) => nameOf(each, called));
	const valuesOf = (ids: Ids) =>
		names.map((each) => {
			const value = ids[each];
			if (value !== undefined) return String(value);
			throw new Error(`${caseFile(name)}: have prepare() make "${String(each)}" for ${name}`);
		});
	return {
		parameters: (ids) =>
			Object.fromEntries(valuesOf(ids).map((value, index) => [locators[index]!, locator(value)])),
		sent: (ids) => {
			const values = valuesOf(ids);
			return request(route.replace(/\{\w+\}/g, () => values.shift()!));
		},
		output: ({ json }, ids) => {
			if (record) return expect(json).toEqual([record(ids)]);
			const values = valuesOf(ids);
			const isDeleted = route.startsWith('DELETE ');
			const above = values
				.slice(0, -1)
				.map((value, index) => [snakeCase(locators[index]!), value] as const);
			if (!isDeleted) return asAnswered(name)({ json });
			expect(json).toEqual([{ deleted: true, id: values.at(-1), ...Object.fromEntries(above) }]);
		},
	};
}

/** An item for each record of the answer, in its order, with all that it has. */
export const asAnswered =
	(name: string) =>
	({ json }: Pick<NodeResult, 'json'>) =>
		expect(json).toEqual(
			recordsIn(lastAnswer()).map((given) => having(asGiven(name.split(' ')[0]!, given))),
		);

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A record as it comes out with Raw: where there is no such choice, without nesting. */
function asGiven(name: string, record: object): object {
	if (hasOutput(name)) return record;
	const flat = Object.entries(record as Record<string, unknown>).flatMap(([key, value]) =>
		typeof value === 'object' && value !== null && !Array.isArray(value)
			? Object.entries(asGiven(name, value)).map(([inner, each]) => [`${key}_${inner}`, each])
			: [[key, value]],
	);
	return Object.fromEntries(flat) as object;
}

/** `tagId` is called `tag`. */
export const nameOf = <Ids>(idName: string, called: Called<Ids>) => {
	const name = idName.replace(/Id$/, '');
	return called[name] ?? (name as keyof Ids);
};

/** What is in the wrapper of an answer (Part A, 4.1): a record or several. */
function recordsIn(answer: string): object[] {
	const { meta: _, ...wrapped } = JSON.parse(answer) as Record<string, object>;
	const values = Object.values(wrapped);
	expect(values).toHaveLength(1);
	return values.flat();
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

/** From the service itself this is an answer in another form (test/contract/receive/differences.test.ts). */
function isForm(route: string, what: string): boolean {
	if (route.startsWith('DELETE ')) return ['nothing', 'an empty object'].includes(what);
	return what === 'no content' && isSettled(route);
}

/** Whether a response without a record leaves nothing open: a change of which the request says all. */
export const isSettled = (route: string) =>
	/\/(update|enable|disable|pause|resume|reset|accept|reject|disconnect|cancel|extend-expiry|resend-verification)$/.test(
		route,
	) && !route.startsWith('POST /team-members/');

/** What is no wrong answer for an operation: a delete has no content, and a file of a site can be any text. */
function isRight(name: string, route: string, what: string): boolean {
	if (what === 'no content') return route.startsWith('DELETE ');
	return name.startsWith('backupContent/file/download') && what === 'text';
}

/** A text, a number, true or false, or a list of texts; blank where there is none. */
export const isFlat = (value: unknown) =>
	Array.isArray(value)
		? value.every((each) => typeof each === 'string')
		: value === null || typeof value !== 'object';

/** What the running service has beyond the reference comes out as it is (Part D). */
const BEYOND = /^json[.]security_hardening_\w+ is not there$/;

/** What only the items of a bulk operation have that did not succeed. */
const ON_FAILURE = ['code', 'message'];

/**
 * Runs every case through n8n's engine against a fleet of its own; coverage.test.ts misses operations without one.
 * @param family the name of the test file, and of what has been saved of its cases
 * @param prepare makes what the cases work on; its requests are not counted
 * @param written besides those that take only ids, which are made
 */
export function operationCases<Ids extends object>(
	family: string,
	prepare: (fleet: Fleet) => Promise<Ids>,
	written: OperationCases<Ids>,
	called: Called<Ids> = {},
): void {
	const cases = { ...written, ...madeCases(written, called) };
	if (gathered) return void gathered.push({ prepare, cases } as unknown as Family);
	let fleet: Fleet;
	let ids: Ids;

	// Some look again after a while.
	beforeAll(withoutWaiting);

	let wayward: Wayward & { answer: Answer; right: Answer[] };
	beforeAll(async () => {
		const service = await startWayward((_, count) => wayward.right[count - 1] ?? wayward.answer);
		wayward = Object.assign(service, { answer: {}, right: [] });
	});
	beforeEach(() => void (wayward.right = []));
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
			const asked = Object.entries(parameters(ids)).map(([key, value]) => [snakeCase(key), value]);
			for (const { json, pairedItem } of result.items) {
				expect(pairedItem).toEqual({ item: 0 });
				// The ids of what was asked, where they come out as such.
				for (const [key, value] of asked as Array<[string, any]>) {
					if (value?.mode === 'id' && key in json)
						expect([key, json[key]]).toEqual([key, value.value]);
				}
			}
		});
	});

	// In other words it is the same service: what follows is true of it as well.
	if (Object.keys(words).length > 0) return;

	const first = new Map(
		Object.entries(cases)
			.reverse()
			.map(([name, each]) => [name.split(' ')[0]!, each]),
	);

	it.each([...first])('%s returns the fields of its schema by default', async (name, each) => {
		const [node, resource, operation] = name.split('/') as [string, string, string];
		const { parameters, binary } = each;
		const set = { resource, operation, ...parameters(ids), output: 'simplified' };
		const { items } = await runNode(fleet, { node, parameters: set, binary });
		expect(items).not.toEqual([]);
		const schema = builtSchema(name);
		for (const { json } of items) {
			expect(strangers(schema, json).filter((each) => !BEYOND.test(each))).toEqual([]);
			expect(Object.entries(json).filter(([, value]) => !isFlat(value))).toEqual([]);
			const names = Object.keys(schema.properties!);
			expect(names.filter((key) => !(key in json) && !ON_FAILURE.includes(key))).toEqual([]);
		}
	});

	it.each(Object.keys(cases))('%s with Preview changes nothing', async (name) => {
		const [operationName] = name.split(' ') as [string];
		const [node, resource, operation] = operationName.split('/') as [string, string, string];
		const { parameters, binary, sent } = cases[name]!;
		const run = {
			node,
			parameters: { resource, operation, output: 'raw', ...parameters(ids) },
			binary,
		};
		await expectPreview(fleet, operationName, run, [sent(ids)].flat());
	});

	it.each(Object.keys(cases))('%s rejects a wrong response', async (name) => {
		const [node, resource, operation] = name.split(' ')[0]!.split('/') as [string, string, string];
		const { parameters, binary, sent } = cases[name]!;
		const all = [sent(ids)].flat();
		const place = Math.max(
			0,
			all.findIndex((each) => !each.route.startsWith('GET ')),
		);
		const { route } = all[place]!;
		const isChange = !route.startsWith('GET ');
		// What is read before a change is right, so that the change is sent.
		for (const before of all.slice(0, place)) {
			const { data } = await fleet.api.get(before.route.slice(4), { params: before.query });
			wayward.right.push({ headers: unlimited, body: data });
		}
		for (const [what, answer] of Object.entries(wrongAnswers)) {
			if (isRight(name, route, what)) continue;
			// Without the headers of the service it comes from somebody else.
			const isForeign = isForm(route, what);
			wayward.answer = isForeign ? answer : withHeaders(answer, unlimited);
			wayward.requests.length = 0;
			const { error, items } = await runNode(wayward, {
				node,
				parameters: { resource, operation, output: 'raw', ...parameters(ids) },
				binary,
			});
			const told = `${name} answered with ${what}: ${error?.message}`;
			expect(told).toMatch(
				/: (The response does not match the API|The response is a web page|The service responded with a redirect|The file is empty)/,
			);
			expect(items).toEqual([]);
			expect(wayward.requests).toHaveLength(place + 1);
			if (isChange) expect(told).toContain('may have been applied: check /');
			else expect(told).not.toMatch(/applied|changed/);
		}
	});

	const proven = [...first].filter(([name]) => hasProof(name));
	it.each(proven)('%s rejects a response about something else', async (name, each) => {
		const [node, resource, operation] = name.split('/') as [string, string, string];
		const { parameters, binary } = each;
		const set = { resource, operation, output: 'raw', ...parameters(ids) };
		await expectProof(name, { node, parameters: set, binary }, { fleet, wayward });
	});

	const given = Object.entries(cases).map(([name, { parameters, binary }]) => [
		name,
		(names: Names) => ({ parameters: parameters(names as Ids), binary }),
	]);
	savedNodes(family, () => ({ fleet, names: ids }), Object.fromEntries(given));
}

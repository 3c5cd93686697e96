import type { INodeParameters } from 'n8n-workflow';
import { mapValues } from '../../nodes/shared/lib';
import { JSON_TYPE, OF_SERVICE } from './apiNode';
import { lastAnswer } from './checkAnswers';
import { runNode, type NodeResult, type NodeRun } from './engine';
import { inStep, startFleet, type Fleet, type Sent } from './fleet';
import { locator } from './locator';
import { caseFile, hasOutput, onlyIds, resourceOf } from './onlyIds';
import type { Row } from './operations';
import { expectProof, hasProof, NEW_ID, OTHERS, STATES } from './proofs';
import words from '../../nodes/shared/vocabulary/realWords.json';
import { allOperations, asksSomething, effectsOf, rowOf } from './reference';
import { expectPreview } from './safetyCases';
import { savedNodes, type Names } from './savedNodes';
import { builtSchema, strangers } from './schemaCheck';
import { startWayward, withHeaders, type Answer, type Wayward } from './wayward';

type Given<T> = T | ((ids: Names) => T);

const given = <T>(value: Given<T>, ids: Names): T =>
	typeof value === 'function' ? (value as (ids: Names) => T)(ids) : value;

/** One operation; what it sends is in `contract/saved`. */
interface WrittenCase {
	/** The records of the path by their names in `Names`, where they are not called as in the path. */
	on?: string[];
	/** What is set besides them. */
	set?: Given<object>;
	/** What comes out; without it what was answered. */
	output?: (result: NodeResult, ids: Names) => void | Promise<void>;
	/** Binary data of the input item. */
	binary?: NodeRun['binary'];
	/** The input items, where the operation reads them. */
	items?: NodeRun['items'];
}

/** The cases of an operation by `node/resource/operation`, with a word after a space where it has several. */
export type OperationCases = Record<string, WrittenCase>;

/** The names of records that are not called as in a path: `{ stagingSite: 'staging' }`. */
type Called = Record<string, string>;

export interface OperationCase extends Pick<NodeRun, 'binary' | 'items'> {
	parameters: (ids: Names) => INodeParameters;
	output: NonNullable<WrittenCase['output']>;
}

/** The cases of one file, with those that nobody wrote, and what makes the records that they work on. */
export interface Family {
	prepare: (fleet: Fleet) => Promise<Names>;
	cases: Record<string, OperationCase>;
}

let gathered: Family[] | undefined;

/** The files of cases. */
export const FAMILIES = ['account', 'backups', 'content', 'fleet', 'reports'];

/** The cases of these files as data: none of their tests is made. */
export function allFamilies(): Family[] {
	const families: Family[] = (gathered = []);
	for (const name of FAMILIES) require(`../contract/operations/${name}.test`);
	gathered = undefined;
	return families;
}

const operationOf = (name: string) => name.split(' ')[0]!;

/** With those that nobody wrote: of operations that take nothing but ids, on resources that have others. */
function withMade(written: OperationCases): OperationCases {
	const own = new Set(Object.keys(written).map(resourceOf));
	const known = Object.keys(written).map(operationOf);
	const made = onlyIds.filter((name) => own.has(resourceOf(name)) && !known.includes(name));
	return { ...written, ...Object.fromEntries(made.map((name) => [name, {}])) };
}

const camelCase = (name: string) =>
	name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The parameters for the ids in the path, and what is set besides. */
export const caseOf = (name: string, written: WrittenCase, called: Called = {}): OperationCase => {
	const { on, set = {}, output, binary, items } = written;
	const { route } = rowOf(operationOf(name));
	const idsOf = (ids: Names) => {
		const names = [...(on ?? [])];
		const inPath = [...route.matchAll(/\{(?:auto_update_)?(\w+)_id\}/g)];
		return inPath.map(([, word]) => {
			const record = camelCase(word!);
			const of = names.shift() ?? called[record] ?? record;
			const id = ids[of] as string | undefined;
			if (id === undefined) throw new Error(`${caseFile(name)}: have prepare() make "${of}"`);
			return [`${record}Id`, id] as const;
		});
	};
	return {
		parameters: (ids) => ({
			...Object.fromEntries(idsOf(ids).map(([parameter, id]) => [parameter, locator(id)])),
			...(given(set, ids) as INodeParameters),
		}),
		output:
			output ??
			((result, ids) => {
				const fields = idsOf(ids).map(([parameter, id]) => [snakeCase(parameter), id] as const);
				if (name.endsWith('/count')) return isCounted(result, Object.fromEntries(fields));
				if (!route.startsWith('DELETE ')) return asAnswered(name)(result);
				const above = Object.fromEntries(fields.slice(0, -1));
				const deleted = { deleted: true, id: fields.at(-1)![1], ...above };
				// Which fields its record is known by is in the schema.
				const known = Object.keys(builtSchema(operationOf(name)).properties!)
					.filter((field) => !(field in deleted))
					.map((field) => [field, expect.any(String)] as const);
				expect(result.json).toEqual([{ ...deleted, ...Object.fromEntries(known) }]);
			}),
		binary,
		items,
	};
};

function isCounted({ json }: NodeResult, above: object): void {
	const { meta } = JSON.parse(lastAnswer()) as { meta: any };
	expect(json).toEqual([{ ...above, count: meta.pagination.totalItems as number }]);
}

/** What a change gives for a site: also its title and URL, if it has one. */
function named(record: Record<string, unknown>): object {
	if (!('site_id' in record)) return record;
	const name = record.site_id === GONE ? null : expect.any(String);
	return { ...record, site_title: name, site_url: name };
}

/** A change of a site gives this. */
export const ofItsSite =
	(values: object): WrittenCase['output'] =>
	({ json }, { site }) =>
		expect(json).toEqual([named({ site_id: site, ...values })]);

/** A task has been started. @param above what is said besides, such as the ids of what it is started for */
export const startedTask =
	(status: string, above: (ids: Names) => object): WrittenCase['output'] =>
	({ json }, ids) =>
		expect(json).toEqual([
			named({
				task_id: expect.any(String),
				task_status: status,
				task_started_at: expect.stringContaining('2026-03-01T'),
				...above(ids),
			}),
		]);

/** An id that no record has. */
export const GONE = 'f0f0f0f0f0f0f0f0f0f0f0f0';

/** A change of many records: an item for each, in the order in which they were asked for, with what became of it. */
export const outcomes =
	(
		above: Given<object>,
		idName: string,
		done: string,
		became: (ids: Names) => Array<[id: string, code?: string]>,
	): WrittenCase['output'] =>
	({ json }, ids) =>
		expect(json).toEqual(
			became(ids).map(([id, code]) =>
				named({
					...given(above, ids),
					[idName]: id,
					[done]: code === undefined,
					success: code === undefined,
					...(code !== undefined && { code, message: expect.any(String) }),
				}),
			),
		);

/** An item for each record of the answer, in its order, with all that it has. */
const asAnswered =
	(name: string) =>
	({ json }: Pick<NodeResult, 'json'>) =>
		expect(json).toEqual(
			recordsIn(lastAnswer(rowOf(operationOf(name)).id)).map((each) =>
				expect.objectContaining(asGiven(operationOf(name), each)),
			),
		);

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

/** What is in the wrapper of an answer (Part A, 4.1): a record or several. */
function recordsIn(answer: string): object[] {
	const { meta: _, ...wrapped } = JSON.parse(answer) as Record<string, object>;
	const values = Object.values(wrapped);
	expect(values).toHaveLength(1);
	return values.flat();
}

const page = { 'Content-Type': 'text/html' };

/** What networks and half-written services answer instead of the truth, all but the redirects with success. */
const wrongAnswers: Record<string, Answer> = {
	'a login page': { headers: page, body: '<!DOCTYPE html><title>Sign in</title>' },
	nothing: { body: '' },
	'no content': { status: 204 },
	null: { headers: JSON_TYPE, body: 'null' },
	'a number': { headers: JSON_TYPE, body: '7' },
	text: { body: 'OK' },
	'a bare list': { body: [{ id: '1' }] },
	'an empty object': { body: {} },
	'an error': { body: { error: { message: 'no' } } },
	'an error of another form': { body: { error: 'no', status: 500 } },
	'cut JSON': { headers: JSON_TYPE, body: '{"tags":[{"id":"1"},{"id":' },
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

/** What is answered to these is in the request already; a task, a new key or another ID is not. */
const isOrder = ({ id }: Row) =>
	id !== 'rotateSenderEmailDkim' && (id in STATES || /^(update|extend|resendSender)/.test(id));

const settled = allOperations
	.filter((row) => isOrder(row) && !(row.id in NEW_ID) && !(row.id in OTHERS))
	.map(({ route }) => new RegExp(`^${route.replace(/\{\w+\}/g, '[^/]+')}$`));

/** Whether a response without a record leaves nothing open: a change of which the request says all. */
export const isSettled = (route: string) => settled.some((each) => each.test(route));

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
export function operationCases(
	family: string,
	prepare: (fleet: Fleet) => Promise<Names>,
	written: OperationCases,
	called: Called = {},
): void {
	const cases = mapValues(withMade(written), (each, name) => caseOf(name, each, called));
	if (gathered) return void gathered.push({ prepare, cases });
	let fleet: Fleet;
	let ids: Names;

	let wayward: Wayward & { answer: Answer; right: Answer[] };
	beforeAll(async () => {
		const service = await startWayward((_, count) => wayward.right[count - 1] ?? wayward.answer);
		wayward = Object.assign(service, { answer: {}, right: [] });
	});
	beforeEach(() => void (wayward.right = []));

	const begin = async () => {
		await fleet?.close();
		fleet = await startFleet({ sites: 20 });
		ids = await prepare(fleet);
		// Some look again after a while.
		inStep(fleet);
		fleet.forget();
	};
	beforeEach(begin);
	afterEach(async () => await fleet.close());

	const runOf = (name: string, more: object = { output: 'raw' }): NodeRun => {
		const [node, resource, operation] = operationOf(name).split('/') as [string, string, string];
		const { parameters, binary, items } = cases[name]!;
		const all = { resource, operation, ...parameters(ids), ...more };
		return { node, parameters: all, binary, items };
	};

	const sent = new Map<string, Sent[]>();
	/** What a case sends, the same on each new fleet. */
	const sentBy = async (name: string): Promise<Sent[]> => {
		if (!sent.has(name)) {
			expect((await runNode(fleet, runOf(name))).error).toBeUndefined();
			sent.set(name, fleet.sent());
			await begin();
		}
		return sent.get(name)!;
	};

	it.each(Object.keys(cases))('%s gives the records of the service, paired', async (name) => {
		const run = runOf(name);
		const result = await runNode(fleet, { ...run, items: run.items ?? [{ position: 0 }] });
		expect(result.error).toBeUndefined();
		sent.set(name, fleet.sent());
		expect(result.json).not.toEqual([]);
		await cases[name]!.output(result, ids);
		const asked = Object.entries(run.parameters as object);
		for (const { json, pairedItem } of result.items) {
			expect(pairedItem).toEqual({ item: 0 });
			// The ids of what was asked, where they come out as such.
			for (const [key, value] of asked as Array<[string, any]>) {
				const field = snakeCase(key);
				if (value?.mode === 'id' && field in json)
					expect([field, json[field]]).toEqual([field, value.value]);
			}
		}
	});

	const saved = mapValues(cases, ({ parameters, ...more }) => (names: Names) => ({
		parameters: parameters(names),
		...more,
	}));
	savedNodes(family, () => ({ fleet, names: ids }), saved);

	// In other words it is the same service: what follows is true of it as well.
	if (Object.keys(words).length > 0) return;

	const first = Object.keys(cases).filter(
		(name, index, all) => all.findIndex((one) => operationOf(one) === operationOf(name)) === index,
	);

	it.each(first)('%s returns the fields of its schema by default', async (name) => {
		const { items } = await runNode(fleet, runOf(name, { output: 'simplified' }));
		expect(items).not.toEqual([]);
		const schema = builtSchema(operationOf(name));
		for (const { json } of items) {
			expect(strangers(schema, json).filter((each) => !BEYOND.test(each))).toEqual([]);
			expect(Object.entries(json).filter(([, value]) => !isFlat(value))).toEqual([]);
			const names = Object.keys(schema.properties!);
			expect(names.filter((key) => !(key in json) && !ON_FAILURE.includes(key))).toEqual([]);
		}
	});

	const changing = Object.keys(cases).filter(
		(name) => !effectsOf(operationOf(name)).includes('reads'),
	);
	it.each(changing)('%s with Preview changes nothing', async (name) => {
		await expectPreview(fleet, operationOf(name), runOf(name), await sentBy(name));
	});

	const asking = Object.keys(cases).filter((name) => asksSomething(operationOf(name)));
	it.each(asking)('%s rejects a wrong response', async (name) => {
		const all = await sentBy(name);
		const place = Math.max(
			0,
			all.findIndex(({ route }) => !route.startsWith('GET ') || /reports.*download$/.test(route)),
		);
		const { route } = all[place]!;
		const isChange = !route.startsWith('GET ');
		// What is read before is right, so that this is sent.
		for (const before of all.slice(0, place)) {
			const { data } = await fleet.api.get(before.route.slice(4), { params: before.query });
			wayward.right.push({ headers: OF_SERVICE, body: data });
		}
		for (const [what, answer] of Object.entries(wrongAnswers)) {
			if (isRight(name, route, what)) continue;
			// Without the headers of the service it comes from somebody else.
			wayward.answer = isForm(route, what) ? answer : withHeaders(answer, OF_SERVICE);
			wayward.requests.length = 0;
			const { error, items } = await runNode(wayward, runOf(name));
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

	const proven = first.filter((name) => hasProof(operationOf(name)));
	it.each(proven)('%s rejects a response about something else', async (name) => {
		await expectProof(operationOf(name), runOf(name), { fleet, wayward });
	});
}

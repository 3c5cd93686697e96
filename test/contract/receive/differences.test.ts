import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { startTaskNow } from '../../../sandbox/service/engine/tasks';
import { Random } from '../../../sandbox/service/engine/random';
import { type HarmlessName, harmlessNames } from '../../../sandbox/service/otherService/forms';
import { casesOf, seed } from '../../support/effort';
import {
	activate,
	contentOf,
	type NodeRun,
	operationRun,
	runNode,
	runOf,
} from '../../support/engine';
import { START, startFleet, type Fleet } from '../../support/fleet';
import { locator } from '../../support/locator';
import { allFamilies, GONE, isSettled } from '../../support/operationCases';
import { allOperations } from '../../support/reference';
import { useClock } from '../../support/transportClock';
import { type Answer, startWayward, withHeaders } from '../../support/wayward';

/** Answers of the service in another form than the reference has: which ones are accepted, and from whom. */

const families = allFamilies();

let fleet: Fleet;

/** The time of n8n never goes back, whatever service comes next: what it knows of their limits has times in it. */
let now = START;
function pass(ms: number): void {
	now += ms;
	fleet.clock.advance(ms);
}
beforeAll(() => useClock({ now: () => now, sleep: pass }));

async function turnOn(faults: object): Promise<void> {
	await fleet.admin.delete('/faults');
	expect((await fleet.admin.post('/faults', faults)).status).toBe(200);
}

/** So many answers differ; fewer are left when some have. */
const MANY = 1_000_000;

interface Example {
	operation: string;
	sites?: number;
	more?: INodeParameters;
}

async function carriedOut({ operation: name, sites = 20, more }: Example, faults: object) {
	const named = families.map(({ cases, prepare }) => ({
		prepare,
		of: Object.entries(cases).find(([each]) => each.split(' ')[0] === name)?.[1],
	}));
	const { prepare, of } = named.find((each) => each.of)!;
	fleet = await startFleet({ sites });
	const ids = await prepare(fleet);
	fleet.forget();
	await turnOn(faults);
	const set = { output: 'raw', ...of!.parameters(ids), ...more };
	const run = runOf(name, set, { binary: of!.binary });
	const { error, json, items } = await runNode(fleet, run);
	const files = items.flatMap((item) =>
		Object.keys(item.binary ?? {}).map((key) => contentOf(item, key).toString('base64')),
	);
	const { harmless } = (await fleet.admin.get('/faults')).data.faults;
	const changes = JSON.stringify(fleet.sent().filter(({ route }) => !route.startsWith('GET ')));
	await fleet.close();
	return { error: error?.message, json, files, changes, isMet: harmless?.next < MANY };
}

type Came = Awaited<ReturnType<typeof carriedOut>>;

const usual = new Map<string, Came>();
async function usually(example: Example): Promise<Came> {
	const key = JSON.stringify(example);
	const known = usual.get(key) ?? (await carriedOut(example, {}));
	usual.set(key, known);
	expect([example.operation, known.error]).toEqual([example.operation, undefined]);
	return known;
}

/** What comes of an operation where the service leaves something out. */
function due(name: string, { json }: Came, came: Came, ways: readonly string[]): IDataObject[] {
	const { route } = allOperations.find(({ operation }) => operation === name)!;
	const isEmpty = ways.includes('change_empty') && isSettled(route) && route.startsWith('POST ');
	if (isEmpty && came.json[0]?.success === true) {
		// The id is that of the path, which the record need not have.
		const { id } = came.json[0];
		const isOfPath = id === undefined || came.changes.includes(`/${String(id)}/`);
		return [{ success: true, ...(isOfPath && id !== undefined && { id }) }];
	}
	if (!ways.includes('task_without_status')) return json;
	return json.map((item) => ('task_status' in item ? { ...item, task_status: null } : item));
}

/** What differs from the same operation on a plain service, by that operation. */
async function failuresOf(example: Example, ways: readonly HarmlessName[]): Promise<unknown[]> {
	const plain = await usually(example);
	const came = await carriedOut(example, { harmless: { all: ways } });
	const wanted = due(example.operation, plain, came, ways);
	const asText = ({ error, files, changes }: Came) => JSON.stringify([error, files, changes]);
	const isSame =
		asText(came) === asText(plain) && JSON.stringify(came.json) === JSON.stringify(wanted);
	return isSame ? [] : [{ ...example, came, wanted }];
}

const GET_SITES = 'site/site/getAll';
const all = { returnAll: true };
const every = { ...all, filters: {} };

/** The first one whose pattern fits the name of a difference shows it. */
const EXAMPLES: Array<[names: RegExp, example: Example]> = [
	[/^delete_/, { operation: 'tag/tag/delete' }],
	[/^bulk_(errors_by_id|all_failed)$/, { operation: 'tag/tag/assign', more: { siteIds: GONE } }],
	[/^bulk_/, { operation: 'tag/tag/remove' }],
	[/^change_/, { operation: 'tag/tag/update' }],
	[/^read_/, { operation: 'tag/tag/get' }],
	[/^no_meta$/, { operation: GET_SITES, more: every }],
	[/^null_list$/, { operation: GET_SITES, more: { filters: { phpVersion: '1.0' } } }],
	[/^one_less$/, { operation: GET_SITES, sites: 200, more: every }],
	[/^task_late$/, { operation: 'backup/backup/restore', more: { waitForCompletion: true } }],
	[/^task_without_status$/, { operation: 'backup/backup/restore' }],
	[/^pdf_type$/, { operation: 'report/report/download' }],
	[/^file_inline$/, { operation: 'backupContent/file/download' }],
	[/^/, { operation: GET_SITES, sites: 205, more: every }],
];

/** What anybody may answer: only the last page shows it, the task comes later, bytes of no known kind. */
const FROM_ALL = ['one_less', 'task_late', 'file_inline'];

it.each(harmlessNames)('%s is accepted from the service, and from nobody else', async (name) => {
	const [, example] = EXAMPLES.find(([names]) => names.test(name))!;
	expect(await failuresOf(example, [name])).toEqual([]);
	const faults = { harmless: { only: name, next: MANY }, odd_rate_headers: { kind: 'missing' } };
	const { error, isMet } = await carriedOut(example, faults);
	expect(isMet).toBe(true);
	const isRefused = error?.includes('the rate-limit headers of the service are missing') ?? false;
	expect([error, isRefused]).toEqual([error, !FROM_ALL.includes(name)]);
});

const onTag = (operation: string, more: INodeParameters = {}) =>
	operationRun('tag', operation, { tagId: locator('7'), output: 'raw', ...more });
const create = operationRun('tag', 'create', { name: 'A' });
const assign = onTag('assign', { siteIds: GONE });
const sync = operationRun('backup', 'sync', { siteId: locator('s1') });
const getStarted = operationRun('stagingSite', 'download', { stagingSiteId: locator('s1') });
const failed = { task: { id: '9', status: 'failed' } };

/** What leaves in doubt, although the service said it. */
it.each<[what: string, run: NodeRun, answer: Answer, why: RegExp]>([
	['a creation without an ID', create, { body: { tag: { name: 'A' } } }, /a record without id/],
	[
		'another wrapper',
		create,
		{ body: { data: { id: '1', name: 'A' } } },
		/an object without "tag"/,
	],
	['a start without an ID', getStarted, { body: { task: { status: 'queued' } } }, /without id/],
	['a sync without its snapshot', sync, { body: { sync: { id: '1' } } }, /without snapshot_id/],
	['no result', assign, { body: { assign: { a: 1 } } }, /a response without site_ids and errors/],
	['another record', onTag('get'), { body: { id: '8', name: 'B' } }, /an object without "tag"/],
	['a failure', onTag('delete'), { body: { message: 'No', success: false } }, /status 200, not/],
	['a failed task', onTag('delete'), { status: 202, body: failed }, /status 202, not an empty 204/],
])('%s is refused, also from the service, and the keys are named', async (_, run, answer, why) => {
	const service = await startWayward(() => withHeaders(answer, { 'X-RateLimit-Limit': '100000' }));
	const { error, items } = await runNode(service, run);
	expect(error?.message).toMatch(why);
	expect(error?.message).toContain('(received: ');
	expect(error?.message).toContain('the node "Site Management API" shows the full response');
	expect(items).toEqual([]);
	const [method = ''] = service.requests.at(-1)!.split(' ');
	expect(service.requests.filter((each) => each.startsWith(method))).toHaveLength(1);
});

/** Of these a service has one, for the next would change what the first has made. */
const alternatives: HarmlessName[][] = [
	harmlessNames.filter((name) => name.startsWith('delete_')),
	['bulk_errors_missing', 'bulk_errors_null', 'bulk_errors_object'],
	['no_total_pages', 'no_totals'],
	['other_per_page', 'one_more', 'one_less', 'empty_page'],
	['change_empty', 'change_unwrapped'],
	['read_wrapper', 'read_unwrapped'],
];
const alone = harmlessNames.filter((name) => !alternatives.flat().includes(name));

function waysOf(random: Random): HarmlessName[] {
	const slots = [...alternatives, ...alone.map((name) => [name])];
	while (slots.length > 10) slots.splice(random.integer(0, slots.length - 1), 1);
	const ways = slots.map((names) => names[random.integer(0, names.length - 1)]!);
	// Of an empty list in another wrapper and without meta nobody can tell of what it is one: it is refused.
	return ways.includes('no_meta') ? ways.filter((name) => name !== 'read_wrapper') : ways;
}

const random = new Random(seed);
const count = casesOf('SERVICES', { quick: 2, long: 30 });
const services = Array.from({ length: count }, () => waysOf(random));

describe.each(services.map((ways) => [ways.join(' '), ways] as const))('%s', (_, ways) => {
	it('all operations go as on a plain service', async () => {
		const failures: unknown[] = [];
		for (const { operation, filters } of allOperations) {
			failures.push(...(await failuresOf({ operation, ...(filters && { more: all }) }, ways)));
		}
		expect(failures).toEqual([]);
	}, 300_000);

	it('a trigger emits what it emits on a plain service', async () => {
		const plain = await emitted({});
		expect(plain.flat().length).toBeGreaterThan(100);
		expect(await emitted({ harmless: { all: ways } })).toEqual(plain);
	}, 300_000);
});

/** What the polls of a trigger emit while tasks start, end and fail: none, one, some, and more than a page of them. */
async function emitted(faults: object): Promise<string[][]> {
	fleet = await startFleet({ sites: 5 });
	const siteIds = (await fleet.sites(5)).map(({ id }) => id as string);
	await turnOn(faults);
	const { poll } = await activate(fleet, {
		node: 'taskTrigger',
		parameters: { output: 'raw', events: ['started', 'completed', 'failed'] },
	});
	const polls: string[][] = [];
	for (const tasks of [0, 1, 3, 0, 130, 0, 0, 99, 0, 0]) {
		const items = await poll();
		polls.push((items ?? []).map(({ event, id }) => `${event as string} ${id as string}`).sort());
		for (let index = 0; index < tasks; index++) {
			pass(100);
			startTaskNow(fleet.world, {
				...{ type: 'download', siteIds: [siteIds[index % 5]!], durationMs: 30_000 + 1_000 * index },
				...(index % 7 === 3 && { outcome: 'failed' }),
			});
		}
		pass(60_000);
	}
	await fleet.close();
	return polls;
}

import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { startTaskNow } from '../../../sandbox/service/engine/tasks';
import { Random } from '../../../sandbox/service/engine/random';
import { type HarmlessName, harmlessNames } from '../../../sandbox/service/otherService/forms';
import { casesOf, seed } from '../../support/effort';
import { activate, contentOf, runNode, type NodeResult } from '../../support/engine';
import { START, startFleet, type Fleet } from '../../support/fleet';
import { familiesIn, isSettled } from '../../support/operationCases';
import type { Row } from '../../support/operations';
import { allOperations } from '../../support/reference';
import { useClock } from '../../support/transportClock';

/*
 * Services that differ from the reference in ten harmless ways at once, each in others: all operations, and a trigger
 * from poll to poll, go on them as on a plain one. `SERVICES` says how many, and `SEED` which.
 */

const COUNT = casesOf('SERVICES', { quick: 2, long: 30 });
const WAYS = 10;

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
	while (slots.length > WAYS) slots.splice(random.integer(0, slots.length - 1), 1);
	const ways = slots.map((names) => names[random.integer(0, names.length - 1)]!);
	// Of an empty list in another wrapper and without meta nobody can tell of what it is one: it is refused.
	return ways.includes('no_meta') ? ways.filter((name) => name !== 'read_wrapper') : ways;
}

const random = new Random(seed);
const services = Array.from({ length: COUNT }, () => waysOf(random));

const families = familiesIn(() => {
	for (const name of ['account', 'backups', 'content', 'fleet', 'reports']) {
		require(`../operations/${name}.test`);
	}
});

let fleet: Fleet;
afterEach(async () => await fleet.close());

/** The time of n8n never goes back, whatever service comes next: what it knows of their limits has times in it. */
let now = START;
function pass(ms: number): void {
	now += ms;
	fleet.clock.advance(ms);
}
beforeAll(() => useClock({ now: () => now, sleep: pass }));

/** From now on the service answers in these ways; in those of the reference where there are none. */
async function differ(ways: HarmlessName[]): Promise<void> {
	await fleet.admin.delete('/faults');
	if (ways.length === 0) return;
	const { status } = await fleet.admin.post('/faults', { harmless: { all: ways } });
	expect(status).toBe(200);
}

interface Came {
	error?: string;
	json: IDataObject[];
	files: string[];
	/** The changes that were asked for. */
	changes: string;
}

/** Carries an operation out on a service that differs in these ways. */
async function carriedOut({ operation: name, filters }: Row, ways: HarmlessName[]): Promise<Came> {
	const family = families.find(({ cases }) => caseIn(cases, name))!;
	const { parameters, binary } = family.cases[caseIn(family.cases, name)!]!;
	fleet = await startFleet({ sites: 20 });
	const ids = await family.prepare(fleet);
	fleet.forget();
	await differ(ways);
	const [node, resource, operation] = name.split('/') as [string, string, string];
	const whole = filters && { returnAll: true };
	const set = { resource, operation, output: 'raw', ...parameters(ids), ...whole };
	const { error, json, items } = await runNode(fleet, {
		node,
		parameters: set as INodeParameters,
		binary,
	});
	const changes = fleet.sent().filter(({ route }) => !route.startsWith('GET '));
	await fleet.close();
	return { error: error?.message, json, files: filesIn(items), changes: JSON.stringify(changes) };
}

const caseIn = (cases: object, name: string) =>
	Object.keys(cases).find((each) => each.split(' ')[0] === name);

const filesIn = (items: NodeResult['items']) =>
	items.flatMap((item) =>
		Object.keys(item.binary ?? {}).map((key) => contentOf(item, key).toString('base64')),
	);

const usual = new Map<string, Came>();

/** What comes of an operation where the service leaves something out. */
function due({ route }: Row, { json }: Came, came: Came, ways: HarmlessName[]): IDataObject[] {
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

const sorted = (records: IDataObject[]) =>
	records.map((record) =>
		Object.fromEntries(
			Object.entries(record)
				.filter(([, value]) => value !== undefined)
				.sort(([a], [b]) => (a < b ? -1 : 1)),
		),
	);

const brief = (value: unknown) => JSON.stringify(value).slice(0, 900);

describe.each(services.map((ways) => [ways.join(' '), ways] as const))('%s', (_, ways) => {
	it('all operations go as on a plain service', async () => {
		const failed: string[] = [];
		for (const row of allOperations) {
			const plain = usual.get(row.operation) ?? (await carriedOut(row, []));
			usual.set(row.operation, plain);
			expect([row.operation, plain.error]).toEqual([row.operation, undefined]);
			const came = await carriedOut(row, ways);
			const wanted = sorted(due(row, plain, came, ways));
			const found = sorted(came.json);
			const fail = (why: string) => failed.push(`${row.operation}: ${why}`);
			if (came.error) fail(came.error);
			else if (brief(found) !== brief(wanted)) fail(`gives ${brief(found)}, not ${brief(wanted)}`);
			else expect(found).toEqual(wanted);
			if (came.files.join() !== plain.files.join()) fail('gives another file');
			if (came.changes !== plain.changes) fail(`asks for ${came.changes}, not ${plain.changes}`);
		}
		expect(failed).toEqual([]);
	}, 300_000);

	it('a trigger emits what it emits on a plain service', async () => {
		const plain = await emitted([]);
		expect(plain.flat().length).toBeGreaterThan(100);
		expect(await emitted(ways)).toEqual(plain);
	}, 300_000);
});

/** What the polls of a trigger emit while tasks start, end and fail: none, one, some, and more than a page of them. */
async function emitted(ways: HarmlessName[]): Promise<string[][]> {
	fleet = await startFleet({ sites: 5 });
	const siteIds = (await fleet.sites(5)).map(({ id }) => id as string);
	const begin = (index: number) =>
		startTaskNow(fleet.world, {
			type: 'download',
			siteIds: [siteIds[index % 5]!],
			durationMs: 30_000 + 1_000 * index,
			...(index % 7 === 3 && { outcome: 'failed' }),
		});
	await differ(ways);
	const { poll } = await activate(fleet, {
		node: 'taskTrigger',
		parameters: { output: 'raw', events: ['started', 'completed', 'failed'] },
	});
	const polls: string[][] = [];
	for (const count of [0, 1, 3, 0, 130, 0, 0, 99, 0, 0]) {
		const items = await poll();
		polls.push((items ?? []).map(({ event, id }) => `${event as string} ${id as string}`).sort());
		for (let index = 0; index < count; index++) {
			pass(100);
			begin(index);
		}
		pass(60_000);
	}
	await fleet.close();
	return polls;
}

import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { startService, type RecordedRequest, type Service } from '../../sandbox/service';
import { setLiving } from '../../sandbox/service/engine/living';
import type { Faults } from '../../sandbox/service/http/faults';
import { casesOf } from '../support/effort';
import { ends } from '../support/ending';
import { setFaults } from '../support/faults';
import { locator } from '../support/locator';
import {
	begunWith,
	finishedExecutions,
	startTestN8n,
	type Execution,
	type TestN8n,
} from '../support/n8n';
import { until } from '../support/until';
import { addActive, chain, nodeOf, pollEvery, saveAccount } from '../support/workflow';

/**
 * Mixed workflows and triggers in a real n8n, on a fleet that lives, while the service does everything wrong that it
 * can: nothing may get lost, nothing be done twice, and nothing be done that nobody asked for. `npm test -- soak --minutes
 * 30` makes it long; so does `LONG=1`.
 */

const MINUTES = casesOf('SOAK_MINUTES', { quick: 1, long: 30 });
const SOAK_MS = MINUTES * 60_000;
/** Two for each kind of weather, so that all of them come in a minute. */
const BEAT_MS = 2_800;
const POLL_EVERY_S = 5;
/** Short runs show what n8n takes for its start. */
const LONG_MINUTES = 10;
const MOST_GROWTH = 1.25;
const START = 'Start';
const CREATE = 'Create notes';
const DELETE = 'Delete notes';

const rate = (share: number) => ({ rate: share });

/** What goes wrong in turn; in between the light faults stay. */
const weather: Faults[] = [
	{ wrong_answers: { kind: 'html', rate: 0.1 } },
	{ wrong_answers: { kind: 'empty', rate: 0.1 }, odd_rate_headers: { kind: 'text', rate: 0.3 } },
	{ dropped_after: rate(0.1), dropped_before: rate(0.1) },
	{ wrong_answers: { kind: 'truncated', rate: 0.1 }, slow_bodies: { ms: 2_000, rate: 0.1 } },
	{ redirects: rate(0.1), odd_rate_headers: { kind: 'zero', rate: 0.1 } },
	{ wrong_answers: { kind: 'shape', rate: 0.1 }, rate_limited: rate(0.2) },
	{ server_errors: rate(0.2), odd_rate_headers: { kind: 'year', rate: 0.1 } },
	{ wrong_answers: { kind: 'error', rate: 0.1 }, latency: { ms: 5, upTo: 3_000 } },
	{ harmless: rate(0.3) },
	{ token_expired: true },
	{ account_inactive: true },
];

const light: Faults = {
	latency: { ms: 5, upTo: 150 },
	server_errors: rate(0.03),
	dropped_before: rate(0.02),
	dropped_after: rate(0.02),
	rate_limited: rate(0.03),
	// Polls that last longer than the time until the next one.
	slow_bodies: { ms: 7_000, rate: 0.3, path: '/tasks' },
};

jest.setTimeout(SOAK_MS + 15 * 60_000);

let service: Service;
let n8n: TestN8n;
let credentialId: string;

const node = (name: string, type: string, parameters: object, more?: object) =>
	nodeOf(credentialId, name, type, parameters, more);

const every = (seconds: number) =>
	node(START, 'n8n-nodes-base.scheduleTrigger', {
		rule: { interval: [{ field: 'seconds', secondsInterval: seconds }] },
	});

const pollTimes = pollEvery(POLL_EVERY_S);

/** A node that goes on to the next one also with items that have failed. */
const going = (name: string, resource: string, parameters: object) =>
	node(name, resource, { resource, ...parameters }, { onError: 'continueRegularOutput' });

const sites = (limit: number) =>
	node('Sites', 'site', { resource: 'site', operation: 'getAll', limit }, { executeOnce: true });

const siteId = locator('={{ $json.id }}');

const trigger = (type: string, ...events: string[]) => [
	node('Trigger', type, { pollTimes, events }),
	node('End', 'n8n-nodes-base.noOp', {}),
];

const workflows = () => [
	chain(
		'soak-notes',
		every(4),
		sites(8),
		going(CREATE, 'note', {
			...{ operation: 'create', siteId },
			content: '=soak {{ $execution.id }}-{{ $itemIndex }}',
		}),
	),
	chain(
		'soak-deletes',
		every(6),
		sites(3),
		node('Notes', 'note', {
			...{ resource: 'note', operation: 'getAll', siteId, limit: 1 },
			filters: { contentContains: 'soak' },
		}),
		going(DELETE, 'note', {
			...{ operation: 'delete', siteId: locator('={{ $("Sites").item.json.id }}') },
			noteId: locator('={{ $json.id }}'),
			...{ onlyIfUrl: '={{ $("Sites").item.json.url }}' },
		}),
	),
	chain(
		'soak-reads',
		every(5),
		node('All', 'site', { resource: 'site', operation: 'getAll', returnAll: true }),
		// More would be asked for than the account allows, and executions would pile up.
		sites(20),
		going('Each', 'site', { operation: 'get', siteId }),
	),
	chain(
		'soak-waits',
		every(7),
		sites(2),
		going('Back Up', 'backup', {
			...{ operation: 'sync', siteId },
			...{ waitForCompletion: true, waitOptions: { timeLimit: 2 } },
		}),
	),
	chain('soak-tasks', ...trigger('taskTrigger', 'completed', 'failed')),
	chain('soak-reports', ...trigger('reportTrigger', 'created')),
];

/** Resident memory of n8n in bytes, where the system tells. */
function memory(): number | undefined {
	const file = `/proc/${n8n.pid}/status`;
	if (!existsSync(file)) return undefined;
	return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(file, 'utf8'))![1]) * 1024;
}

beforeAll(async () => {
	n8n = ends(await startTestN8n('soak'));
	const settings = { recordedRequests: 10_000_000, syncsPerDay: 1_000_000 };
	const rateLimit = { limit: 200, windowMs: 5_000 };
	service = ends(await startService({ sites: 150, speed: 60, rateLimit, settings }));
	credentialId = await saveAccount(n8n, service);
});

/** Executions that have not ended, up to a hundred. */
async function running(): Promise<number> {
	const filter = JSON.stringify({ status: ['running', 'new', 'waiting'] });
	const { data } = await n8n.rest.get('/executions', { params: { filter, limit: 100 } });
	return data.data.results.length;
}

/** By the ids of their workflows. */
type Executions = Record<string, Execution[]>;

async function soak() {
	const all = workflows();
	const [schedules, triggers] = [all.slice(0, 4), all.slice(4)];
	// First, for the schedules make tasks.
	for (const workflow of triggers) await addActive(n8n, workflow);
	begun = service.world.timestamp();
	for (const workflow of schedules) await addActive(n8n, workflow);
	setLiving(service.world, true);
	const samples: number[] = [];
	let atOnce = 0;
	const start = Date.now();
	for (let beat = 0; beat * BEAT_MS < SOAK_MS; beat++) {
		await pause(Math.max(0, start + beat * BEAT_MS - Date.now()));
		const turn = beat % 2 === 0 ? {} : weather[(beat >> 1) % weather.length];
		await setFaults(service, { ...light, ...turn });
		const now = memory();
		if (now) samples.push(now);
		atOnce = Math.max(atOnce, await running());
	}
	setLiving(service.world, false);
	await setFaults(service);
	for (const { id } of schedules) await n8n.rest.post(`/workflows/${id}/deactivate`);
	const tasks = () => service.world.store.tasks.peek();
	await until('the last tasks', () =>
		tasks().every(({ status }) => !/initializing|running/.test(status)),
	);
	const executions: Executions = {};
	const read = async () => {
		for (const { id } of all) {
			executions[id] = await finishedExecutions(n8n.rest, id, executions[id]);
		}
	};
	const areAllThere = async () => {
		if ((await running()) > 0) return false;
		await read();
		return missing(executions).length === 0;
	};
	const last = until('the last executions and events', areAllThere, 180_000, 1_000);
	await last.catch(() => undefined);
	// Polls after which nothing may come again.
	await pause(3.2 * POLL_EVERY_S * 1_000);
	await read();
	return { executions, memory: samples, atOnce };
}

/** The keys of what the triggers have handed on. */
const handedOn = (executions: Executions, id: string) =>
	(executions[id] ?? []).flatMap((execution) =>
		begunWith(execution, 'Trigger').map((item) => String(item.id)),
	);

let begun = '';

const ended = () =>
	service.world.store.tasks
		.peek()
		.filter(({ status, updated_at: at }) => /completed|failed|aborted/.test(status) && at > begun)
		.map(({ id }) => id);

const made = () =>
	service.world.store.reports
		.peek()
		.filter(({ created_at: at }) => at > begun)
		.map(({ id }) => id);

const missing = (executions: Executions) => [
	...ended().filter((id) => !handedOn(executions, 'soak-tasks').includes(id)),
	...made().filter((id) => !handedOn(executions, 'soak-reports').includes(id)),
];

/** The items that a node gave in all runs of an execution. */
const itemsOf = ({ data }: Execution, name: string) =>
	(data.resultData.runData[name] ?? []).flatMap((run) => run.data?.main?.[0] ?? []);

const changesAt = (pattern: RegExp): RecordedRequest[] =>
	service.requests.filter(({ method, path }) => method !== 'GET' && pattern.test(path));

/** What was carried out: whatever the answer became, its body was read only then. */
const carriedOut = (requests: RecordedRequest[]) =>
	requests
		.filter(({ method, body, status }) => (method === 'POST' ? body !== undefined : status === 204))
		.map(({ method, path, body }) => `${method} ${path} ${JSON.stringify(body ?? null)}`);

const repeated = (keys: string[]) => keys.filter((key, index) => keys.indexOf(key) !== index);

const mean = (values: number[]) => values.reduce((sum, each) => sum + each, 0) / values.length;

it('nothing is lost, done twice, or done without a request', async () => {
	const { executions, memory: samples, atOnce } = await soak();
	const texts = new Map<string, number>();
	for (const { content } of service.world.store.notes.peek()) {
		if (content.startsWith('soak ')) texts.set(content, (texts.get(content) ?? 0) + 1);
	}
	const created = changesAt(/\/notes$/);
	const deleted = changesAt(/\/notes\/[^/]+$/);
	const gone = new Set(
		deleted.filter(({ status }) => status !== 429).map(({ path }) => path.split('/').pop()!),
	);

	// What became of each item, as its workflow was told.
	const outcome = { made: 0, unsure: 0, refused: 0 };
	const faults: string[] = [];
	for (const execution of executions['soak-notes'] ?? []) {
		const items = itemsOf(execution, CREATE);
		for (const [index, { json }] of items.entries()) {
			const text = `soak ${execution.id}-${index}`;
			const count = texts.get(text) ?? 0;
			if (json.error === undefined) {
				outcome.made += 1;
				if (json.content !== text) faults.push(`${text} has the answer of another`);
				if (count === 0 && !gone.has(String(json.id))) faults.push(`${text} is lost`);
			} else if (/may have been applied/.test(String(json.error))) outcome.unsure += 1;
			else {
				outcome.refused += 1;
				if (count > 0) faults.push(`${text} is there although: ${String(json.error)}`);
			}
		}
	}
	const asked = new Set(created.map(({ body }) => (body as any)?.note?.content));
	for (const [text, count] of texts) {
		if (count > 1) faults.push(`${text} is there ${count} times`);
		if (!asked.has(text)) faults.push(`${text} was never asked for`);
	}
	const done = carriedOut([...created, ...deleted]);
	faults.push(...repeated(done).map((key) => `done again: ${key}`));

	for (const id of ['soak-tasks', 'soak-reports']) {
		const twice = repeated(handedOn(executions, id));
		faults.push(...twice.map((key) => `${id}: ${key} twice`));
	}
	faults.push(...missing(executions).map((id) => `${id} started nothing`));
	// The end of a poll takes from the others of its node what evaluates the credential.
	const spoilt = Object.values(executions)
		.flat()
		.filter(({ data }) => data.resultData.error?.message.includes('No bridge acquired'));
	faults.push(...spoilt.map(({ id }) => `${id} was spoilt by another poll`));

	const third = Math.floor(samples.length / 3);
	const [first, last] = [mean(samples.slice(0, third)), mean(samples.slice(-third))];
	const count = Object.values(executions).flat().length;
	const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;
	process.stdout.write(
		[
			`soak: ${MINUTES} minutes, ${count} executions, ${atOnce} at once at most, ${service.requests.length} requests`,
			`notes: ${outcome.made} made, ${outcome.unsure} unsure, ${outcome.refused} refused, ${gone.size} deleted`,
			`events: ${ended().length} tasks, ${made().length} reports`,
			`memory: ${megabytes(first)} in the first third, ${megabytes(last)} in the last`,
			`faults: ${faults.length}`,
		].join('\n') + '\n',
	);
	expect(faults.slice(0, 20)).toEqual([]);
	// Otherwise it would have shown nothing.
	expect(outcome.made).toBeGreaterThan(5 * MINUTES);
	expect(gone.size).toBeGreaterThan(0);
	expect(ended().length).toBeGreaterThan(0);
	if (MINUTES >= LONG_MINUTES && samples.length > 0) expect(last / first).toBeLessThan(MOST_GROWTH);
});

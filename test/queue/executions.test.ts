import { resolve } from 'node:path';
import axios from 'axios';
import { importWorkflow, withCredentials, type Workflow } from '../../sandbox/lib/content';
import { startService, type Service, type ServiceOptions } from '../../sandbox/service';
import { startTask, stopTask } from '../../sandbox/service/engine/tasks';
import { ends } from '../support/ending';
import {
	begunWith,
	ended,
	finishedExecutions,
	output,
	reached,
	runWorkflow,
	type Execution,
} from '../support/n8n';
import { readText } from '../support/reference';
import { locator } from '../support/locator';
import { setFaults } from '../support/faults';
import { startTestQueue, WORKERS, type SettingsOf, type TestQueue } from '../support/queue';
import { until } from '../support/until';
import { addActive, AS_TEXT, chain, CREDENTIAL, nodeOf } from '../support/workflow';
import { pollEvery, saveAccount } from '../support/workflow';

/** n8n in queue mode, with a real Redis and PostgreSQL: one main process that starts, two workers that execute. */

const NAME = 'queue';
const COMES_WITHIN_MS = 120_000;
/** As often as the service allows in a minute, but in less time. */
const RATE_LIMIT = { limit: 200, windowMs: 5_000 };
/** Seconds between two polls. */
const POLL_EVERY = 10;

/** Milliseconds: so soon n8n sees that a worker is gone. */
const FORGETS_SOON = {
	QUEUE_WORKER_LOCK_DURATION: '6000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '2000',
	QUEUE_WORKER_STALLED_INTERVAL: '3000',
};
/** Where n8n keeps files. */
const inDatabase: SettingsOf = () => ({ N8N_DEFAULT_BINARY_DATA_MODE: 'database' });
/** What the last test needs besides is nothing to the one before, which shares its start. */
const inOneFolder: SettingsOf = () => ({
	N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
	N8N_STORAGE_PATH: resolve(__dirname, '../.tmp', NAME, 'files'),
	...FORGETS_SOON,
});
/** Where an execution that pauses is told to go on. */
const RESUME_URL = {
	...{ id: 'resumeUrl', name: 'resumeUrl', type: 'string' },
	value: '={{ $execution.resumeUrl }}',
};

let queue: TestQueue;
let service: Service;
let credentialId = '';

const node = (name: string, type: string, parameters: object, more?: object) =>
	nodeOf(credentialId, name, type, parameters, more);

/** Starts an execution with each request, as in production. */
const webhook = (path: string) =>
	node(
		'Webhook',
		'n8n-nodes-base.webhook',
		{ httpMethod: 'POST', path, responseMode: 'onReceived' },
		{ typeVersion: 2, webhookId: path },
	);

const someSites = (limit: number) =>
	node('Sites', 'site', { resource: 'site', operation: 'getAll', limit });

/** A service for one test, which the credential leads to. */
async function useService(options: ServiceOptions = {}): Promise<void> {
	service = ends(await startService({ sites: 60, rateLimit: RATE_LIMIT, ...options }));
	credentialId = await saveAccount(queue.main(), service);
}

const switchOn = async (workflow: Workflow) => await addActive(queue.main(), workflow);

const switchOff = async (workflowId: string) =>
	void (await queue.main().rest.post(`/workflows/${workflowId}/deactivate`));

const send = async (path: string, body: object = {}) =>
	void (await axios.post(`${queue.main().baseUrl}/webhook/${path}`, body, { proxy: false }));

/** The executions of a workflow, once so many have ended. */
async function executionsOf(workflowId: string, count: number): Promise<Execution[]> {
	let found: Execution[] = [];
	const haveCome = async () => {
		found = await finishedExecutions(queue.main().rest, workflowId, found);
		return found.length >= count && found;
	};
	return await until(`${count} executions of ${workflowId}`, haveCome, COMES_WITHIN_MS, 1_000);
}

const newestExecution = async (workflowId: string) =>
	await until(`an execution of ${workflowId}`, async () => {
		const params = { filter: JSON.stringify({ workflowId }), limit: 1 };
		const { data } = await queue.main().rest.get('/executions', { params });
		const id = data.data.results[0]?.id as string | undefined;
		return id && queue.ranOn(id).length > 0 && id;
	});

const statuses = (executions: Execution[]) => [...new Set(executions.map(({ status }) => status))];

const workersOf = (executions: Execution[]) =>
	[...new Set(executions.flatMap(({ id }) => queue.ranOn(id)))].sort();

beforeAll(async () => {
	queue = ends(await startTestQueue(NAME, inDatabase));
});

it('twenty executions on two workers share the rate limit, and none fails', async () => {
	await useService();
	const reads = { resource: 'site', operation: 'get', siteId: locator('={{ $json.id }}') };
	await switchOn(chain('reads', webhook('reads'), someSites(40), node('Each', 'site', reads)));
	await Promise.all(Array.from({ length: 20 }, async () => await send('reads')));
	const executions = await executionsOf('reads', 20);

	expect(statuses(executions)).toEqual(['success']);
	expect(executions.map((each) => output(each, 'Each').length)).toEqual(executions.map(() => 40));
	expect(workersOf(executions)).toEqual(WORKERS);
	const refused = service.requests.filter(({ status }) => status === 429).length;
	process.stdout.write(`${service.requests.length} requests, ${refused} of them refused\n`);
	expect(refused).toBeLessThan(service.requests.length / 3);
});

it.each<[string, ServiceOptions]>([
	['though requests are refused', { faults: { rate_limited: { rate: 0.1 } } }],
	['though answers are lost', { faults: { dropped_after: { rate: 0.2, method: 'POST' } } }],
])('a hundred changes of five executions are each made once, %s', async (name, options) => {
	await useService({ ...options, rateLimit: { limit: 1_000, windowMs: 1_000 } });
	const path = name.replaceAll(' ', '-');
	const notes = {
		resource: 'note',
		operation: 'create',
		siteId: locator('={{ $json.id }}'),
		content: '=change {{ $execution.id }}-{{ $itemIndex }}',
	};
	const goesOn = { onError: 'continueRegularOutput' };
	const steps = [webhook(path), someSites(20), node('Notes', 'note', notes, goesOn)];
	await switchOn(chain(path, ...steps));
	await Promise.all(Array.from({ length: 5 }, async () => await send(path)));
	const executions = await executionsOf(path, 5);

	expect(statuses(executions)).toEqual(['success']);
	expect(workersOf(executions)).toEqual(WORKERS);
	const made = service.world.store.notes.peek().map(({ content }) => content);
	const wanted = executions.flatMap(({ id }) =>
		Array.from({ length: 20 }, (_, index) => `change ${id}-${index}`),
	);
	expect(made.filter((content) => content.startsWith('change ')).sort()).toEqual(wanted.sort());
	const unknown = executions.flatMap((each) =>
		output(each, 'Notes').filter(({ error }) => String(error).includes('may have been applied')),
	);
	process.stdout.write(
		`${name}: ${service.requests.length} requests, ${unknown.length} of unknown outcome\n`,
	);
	// The fault did strike.
	expect(service.requests.length + unknown.length).toBeGreaterThan(wanted.length + 5);
});

it('every event has one execution, though the main process is killed', async () => {
	await useService();
	const pollTimes = pollEvery(POLL_EVERY);
	const trigger = node('Trigger', 'taskTrigger', { events: ['started', 'cancelled'], pollTimes });
	await switchOn(chain('events', trigger, node('End', 'n8n-nodes-base.noOp', {})));
	const { world } = service;
	const events: string[] = [];
	const begin = (count: number) => {
		const [site] = world.store.sites.peek();
		const order = { type: 'wp_site_update' as const, siteIds: [site!.id], durationMs: 3_600_000 };
		const tasks = Array.from({ length: count }, () => startTask(world, order));
		events.push(...tasks.map(({ id }) => `started ${id}`));
		return tasks;
	};
	const emitted = (executions: Execution[]) =>
		executions.flatMap((each) =>
			begunWith(each, 'Trigger').map(({ event, id }) => `${String(event)} ${String(id)}`),
		);
	let executions: Execution[] = [];
	const haveCome = async () => {
		executions = await finishedExecutions(queue.main().rest, 'events', executions);
		const come = new Set(emitted(executions));
		return events.every((event) => come.has(event));
	};
	const allHaveCome = async () => await until('the events', haveCome, COMES_WITHIN_MS, 1_000);
	// What is handed over a moment before the kill, n8n itself may hand over again.
	const betweenPolls = async () =>
		await until('a moment between two polls', () => {
			const since = (Date.now() / 1_000) % POLL_EVERY;
			return since > POLL_EVERY / 2 && since < POLL_EVERY - 2;
		});

	const [first] = begin(5);
	await allHaveCome();
	await betweenPolls();
	begin(5);
	await queue.main().kill();
	begin(5);
	stopTask(world, first!, 'cancelled');
	events.push(`cancelled ${first!.id}`);
	await queue.startMain();
	await allHaveCome();
	begin(5);
	await allHaveCome();
	await switchOff('events');

	expect(statuses(executions)).toEqual(['success']);
	expect(emitted(executions).sort()).toEqual(events.sort());
	expect(executions.flatMap(({ id }) => queue.ranOn(id))).toHaveLength(executions.length);
});

it('the nightly sweep of the documentation hands on each task that has ended, once', async () => {
	await useService();
	const { world } = service;
	const { rest } = queue.main();
	const [text] = /(?<=```json\n).*?(?=```)/s.exec(readText('docs/queue.md')) ?? [];
	const sweep = { ...(JSON.parse(text!) as Workflow), id: 'sweep' };
	// What people put there has items of its own.
	const values = [
		{ id: 'task', name: 'task', type: 'string', value: '={{ $json.id }}' },
		{ id: 'id', name: 'id', type: 'string', value: 'of a ticket' },
	];
	const parameters = { assignments: { assignments: values } };
	const handling = { type: 'n8n-nodes-base.set', typeVersion: 3.4, parameters };
	Object.assign(
		sweep.nodes.find(({ name }) => name === 'Handle it')!,
		handling,
	);
	await importWorkflow(rest, withCredentials(sweep, { [CREDENTIAL.name]: credentialId }));
	const night = async () => await runWorkflow(rest, 'sweep', 'Every night');
	const handled = (execution: Execution) =>
		output(execution, 'Handle it')
			.map(({ task }) => String(task))
			.sort();
	const isOver = ({ status }: { status: string }) => !/initializing|running/.test(status);
	const [site] = world.store.sites.peek();
	const order = { type: 'wp_site_update' as const, siteIds: [site!.id], durationMs: 3_600_000 };
	const tasks = [startTask(world, order), startTask(world, order)];
	stopTask(world, tasks[0]!, 'cancelled');
	const since = new Date(Date.now() - 7 * 86_400_000).toISOString();
	const over = world.store.tasks.peek().filter((task) => isOver(task) && task.updated_at > since);

	const first = await night();
	expect(queue.ranOn(first.id)).toHaveLength(1);
	expect(handled(first)).toEqual(over.map(({ id }) => id).sort());
	expect(handled(await night())).toEqual([]);
	stopTask(world, tasks[1]!, 'aborted');
	await setFaults(service, { token_expired: true });
	expect((await night()).status).toBe('error');
	await setFaults(service);
	expect(handled(await night())).toEqual([tasks[1]!.id]);
});

it.each<[string, SettingsOf, mode: string]>([
	['in the database', inDatabase, 'database'],
	['in one folder', inOneFolder, 'filesystem'],
])(
	'a file that one worker has downloaded is there for another and for the main process: %s',
	async (name, kept, mode) => {
		await queue.use(kept);
		await useService();
		const [report] = service.world.store.reports.peek();
		const path = name.replaceAll(' ', '-');
		const resumeUrl = { assignments: { assignments: [RESUME_URL] } };
		const download = { resource: 'report', operation: 'download', reportId: locator(report!.id) };
		await switchOn(
			chain(
				path,
				webhook(path),
				node('Address', 'n8n-nodes-base.set', resumeUrl, { typeVersion: 3.4 }),
				node('Download', 'report', download),
				node('Pause', 'n8n-nodes-base.wait', { resume: 'webhook' }, { webhookId: path }),
				// What goes on here is the request that ended the pause.
				node(
					'File',
					'n8n-nodes-base.code',
					{ jsCode: "return $('Download').all()" },
					{ typeVersion: 2 },
				),
				node('Read', 'n8n-nodes-base.moveBinaryData', AS_TEXT),
			),
		);
		await send(path);
		const { rest } = queue.main();
		const id = await newestExecution(path);
		const paused = await reached(rest, id, (status) => status === 'waiting');
		const [first] = queue.ranOn(id);
		// So that the other one goes on with it.
		await queue.worker(first!).stop();
		await axios.get(String(output(paused, 'Address')[0]!.resumeUrl), { proxy: false });
		const execution = await ended(rest, id);
		expect(queue.ranOn(id).sort()).toEqual(WORKERS);

		const [item] = execution.data.resultData.runData.Download?.[0]?.data?.main?.[0] ?? [];
		const file = item!.binary!.data!;
		const shown = await rest.get<ArrayBuffer>('/binary-data', {
			params: { id: file.id, action: 'download', fileName: file.fileName, mimeType: file.mimeType },
			responseType: 'arraybuffer',
		});
		expect(file.id).toMatch(new RegExp(`^${mode}`));
		expect(execution.status).toBe('success');
		const content = Buffer.from(shown.data);
		expect(content.subarray(0, 5).toString()).toBe('%PDF-');
		expect(content).toHaveLength(Number(file.bytes));
		expect(output(execution, 'Read')[0]!.data).toBe(content.toString('base64'));
	},
);

it('an execution on a killed worker ends as an error, is reported, and is not tried again', async () => {
	await queue.use(inOneFolder);
	await useService();
	const [site] = service.world.store.sites.peek();
	const order = { type: 'wp_site_update' as const, siteIds: [site!.id], durationMs: 3_600_000 };
	const { id: taskId } = startTask(service.world, order);
	const wait = { resource: 'task', operation: 'wait', taskId: locator(taskId) };
	const errors = node('Errors', 'n8n-nodes-base.errorTrigger', {});
	await switchOn(chain('tells', errors, node('Person', 'n8n-nodes-base.noOp', {})));
	const workflow = chain('killed', webhook('killed'), node('Wait', 'task', wait));
	await switchOn({ ...workflow, settings: { errorWorkflow: 'tells' } });
	await send('killed');
	await until('the wait', () => service.requests.length > 0);
	const id = await newestExecution('killed');
	const [worker] = queue.ranOn(id);
	await queue.worker(worker!).kill();
	const execution = await ended(queue.main().rest, id, COMES_WITHIN_MS);

	expect(execution.status).toBe('error');
	expect(execution.data.resultData.error!.message).toContain(
		'failed to be processed too many times',
	);
	expect(execution.data.resultData.runData).toEqual({});
	expect(queue.ranOn(id)).toEqual([worker]);
	const [told] = await executionsOf('tells', 1);
	expect(output(told!, 'Person')[0]!.execution).toMatchObject({ id });
});

import axios from 'axios';
import { importWorkflow, saveCredential } from '../../sandbox/lib/content';
import type { Workflow } from '../../sandbox/lib/content';
import { waitFor } from '../../sandbox/lib/wait';
import { startService, type Service } from '../../sandbox/service';
import { setLiving } from '../../sandbox/service/living';
import {
	activate,
	finishedExecutions,
	output,
	startTestN8n,
	type Execution,
	type TestN8n,
} from '../support/n8n';

/**
 * All five triggers in a real n8n, on a fleet that lives sixty times as fast and a service that fails now and then.
 * n8n is killed in the middle. What the service has in the end is the list of what must have been emitted.
 */

const START_TIMEOUT_MS = 15 * 60_000;
const TEST_TIMEOUT_MS = 10 * 60_000;
const HALF_MS = 60_000;
const CREDENTIAL = { type: 'siteManagementApi', name: 'Site Management Sandbox' };
const TRIGGER = 'Trigger';

/** Sixteen times a minute at most: n8n refuses an interval below a minute, but not several moments in it. */
const pollTimes = {
	item: [0, 8, 16, 24, 32, 40, 48, 56].map((second) => ({
		mode: 'custom',
		cronExpression: `${second} * * * * *`,
	})),
};

let service: Service;
let n8n: TestN8n;
let site: string;

/** The triggers, what an item is known by, and all that has happened since a time by what the service has. */
interface Watched {
	type: string;
	parameters: () => Record<string, unknown>;
	key: (item: Record<string, any>) => string;
	happened: (since: string) => string[];
}

const ended: Record<string, string> = {
	completed: 'completed',
	failed: 'failed',
	aborted: 'failed',
	cancelled: 'cancelled',
};

const store = () => service.world.store;

const watched: Record<string, Watched> = {
	tasks: {
		type: 'taskTrigger',
		parameters: () => ({ events: ['completed', 'failed', 'cancelled', 'started'] }),
		key: ({ event, id }) => `${event} ${id}`,
		happened: (since) =>
			store()
				.tasks.peek()
				.flatMap(({ id, status, created_at, updated_at }) => [
					...(created_at > since ? [`started ${id}`] : []),
					...(ended[status] && updated_at > since ? [`${ended[status]} ${id}`] : []),
				]),
	},
	runs: {
		type: 'autoUpdateTrigger',
		parameters: () => ({ events: ['completed', 'failed', 'cancelled', 'noUpdates'] }),
		key: ({ event, auto_update_schedule, performed_on }) =>
			`${event} ${auto_update_schedule.id} ${performed_on}`,
		happened: (since) =>
			store()
				.autoUpdateHistory.peek()
				.flatMap(({ auto_update_schedule, performed_on, task_id }) => {
					const task = store().tasks.get(task_id ?? '');
					if ((task?.updated_at ?? performed_on) <= since) return [];
					const event = task ? ended[task.status] : 'noUpdates';
					return [`${event} ${auto_update_schedule.id} ${performed_on}`];
				}),
	},
	reports: {
		type: 'reportTrigger',
		parameters: () => ({ events: ['created'] }),
		key: ({ id }) => String(id),
		happened: (since) =>
			store()
				.reports.peek()
				.filter(({ created_at }) => created_at > since)
				.map(({ id }) => id),
	},
	backups: {
		type: 'siteTrigger',
		parameters: () => ({ events: ['backupFinished', 'backupFailed'] }),
		key: ({ event, id, sync }) => `${event} ${id} ${sync.last_sync_at}`,
		happened: (since) =>
			store()
				.sites.peek()
				.filter(({ sync }) => (sync.last_sync_at ?? '') > since)
				.map(
					({ id, sync }) =>
						`${sync.last_sync_status === 'succeeded' ? 'backupFinished' : 'backupFailed'} ${id} ${sync.last_sync_at}`,
				),
	},
	activity: {
		type: 'activityLogTrigger',
		parameters: () => ({ siteId: { __rl: true, mode: 'id', value: site } }),
		key: ({ id }) => String(id),
		happened: (since) =>
			store()
				.activityLogs.peek()
				.filter(({ site_id, timestamp }) => site_id === site && timestamp > since)
				.map(({ id }) => id),
	},
};

const workflowOf = (name: string, { type, parameters }: Watched, credentialId: string): Workflow =>
	({
		id: `trigger-${name}`,
		name: `Trigger ${name}`,
		nodes: [
			{
				id: 't',
				name: TRIGGER,
				type: `n8n-nodes-site-management.${type}`,
				typeVersion: 1,
				position: [0, 0],
				parameters: { pollTimes, ...parameters() },
				credentials: { [CREDENTIAL.type]: { id: credentialId, name: CREDENTIAL.name } },
			},
			{
				id: 'n',
				name: 'Nothing',
				type: 'n8n-nodes-base.noOp',
				typeVersion: 1,
				position: [220, 0],
				parameters: {},
			},
		],
		connections: { [TRIGGER]: { main: [[{ node: 'Nothing', type: 'main', index: 0 }]] } },
		settings: {},
	}) as unknown as Workflow;

/** Schedules whose first runs come while the triggers are on. */
async function scheduleUpdates() {
	const headers = { Authorization: `Bearer ${service.token}` };
	for (const minutes of [15, 40, 80, 100]) {
		const selected = store().sites.peek().slice(0, 3);
		const schedule = {
			name: `In ${minutes} minutes`,
			schedule: 'daily',
			started_at: service.world.timestamp(service.world.now + minutes * 60_000),
			scope: {
				sites: { selection: 'specific', ids: selected.map(({ id }) => id) },
				updates: { cms_core: true, plugins: { selection: 'all' }, themes: { selection: 'all' } },
			},
			options: { backup: false, visual_regression: false },
		};
		// The service fails now and then.
		await waitFor(
			'a schedule',
			async () => {
				const answer = await axios
					.post(
						`${service.baseUrl}/auto-update-schedules`,
						{ auto_update_schedule: schedule },
						{ headers, proxy: false, validateStatus: () => true },
					)
					.catch(() => ({ status: 0 }));
				return answer.status === 201 ? true : undefined;
			},
			30_000,
		);
	}
}

const pause = async (ms: number) => await new Promise((resolve) => setTimeout(resolve, ms));

beforeAll(async () => {
	service = await startService({
		sites: 60,
		speed: 60,
		rateLimit: { limit: 200, windowMs: 5_000 },
		faults: {
			latency: { ms: 5, upTo: 150 },
			server_errors: { rate: 0.04 },
			dropped_before: { rate: 0.03 },
			dropped_after: { rate: 0.02 },
			rate_limited: { rate: 0.02 },
		},
	});
	site = store()
		.sites.peek()
		.find(({ activity_logs }) => activity_logs.enabled)!.id;
	n8n = await startTestN8n('e2e-triggers');
}, START_TIMEOUT_MS);

afterAll(async () => {
	await n8n?.stop();
	await service?.close();
}, TEST_TIMEOUT_MS);

const emittedBy = (executions: Execution[], { key }: Watched) =>
	executions.flatMap((execution) =>
		output(execution, TRIGGER).map((item) => ({ key: key(item), execution })),
	);

it(
	'every event has one execution, though requests fail and n8n is killed',
	async () => {
		const { baseUrl, token: apiToken } = service;
		const data = { baseUrl, apiToken };
		const credentialId = await saveCredential(n8n.rest, { ...CREDENTIAL, data });
		for (const [name, each] of Object.entries(watched)) {
			await importWorkflow(n8n.rest, workflowOf(name, each, credentialId));
			await activate(n8n.rest, `trigger-${name}`);
		}
		// Little happens by itself until all have set their baselines.
		const begun = service.world.timestamp();
		await scheduleUpdates();
		setLiving(service.world, true);

		await pause(HALF_MS);
		await n8n.kill();
		const killedAt = Date.now();
		n8n = await n8n.again();
		await pause(HALF_MS);

		setLiving(service.world, false);
		// What has begun ends, and every trigger polls a few times after that.
		await waitFor(
			'the last tasks',
			async () =>
				store()
					.tasks.peek()
					.every(({ status }) => ended[status])
					? true
					: undefined,
			120_000,
		);
		await pause(25_000);

		for (const [name, each] of Object.entries(watched)) {
			const executions = await finishedExecutions(n8n.rest, `trigger-${name}`);
			const emitted = emittedBy(executions, each);
			const byKey = new Map<string, Execution[]>();
			for (const { key, execution } of emitted) {
				byKey.set(key, [...(byKey.get(key) ?? []), execution]);
			}
			const twice = [...byKey].filter(([, found]) => found.length > 1);
			// n8n itself hands over again what it had not yet noted as handed over when it was killed.
			const byKill = twice.filter(([, found]) =>
				found.some(({ startedAt }) => Math.abs(Date.parse(startedAt) - killedAt) < 10_000),
			);
			process.stdout.write(
				`${name}: ${byKey.size} events in ${executions.length} executions, ${byKill.length} handed over twice because of the kill\n`,
			);
			expect({ name, twice: twice.length - byKill.length }).toEqual({ name, twice: 0 });
			const happened = each.happened(begun);
			const missing = happened.filter((key) => !byKey.has(key));
			const madeUp = [...byKey.keys()].filter((key) => !happened.includes(key));
			expect({ name, missing, madeUp }).toEqual({ name, missing: [], madeUp: [] });
			expect({ name, events: happened.length > 0 }).toEqual({ name, events: true });
		}
	},
	TEST_TIMEOUT_MS,
);

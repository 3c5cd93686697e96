import { setTimeout as pause } from 'node:timers/promises';
import axios from 'axios';
import { importWorkflow, saveCredential } from '../../sandbox/lib/content';
import type { Workflow } from '../../sandbox/lib/content';
import { waitFor } from '../../sandbox/lib/wait';
import { startService, type Service } from '../../sandbox/service';
import { ApiError } from '../../sandbox/service/engine/errors';
import type { Faults } from '../../sandbox/service/http/faults';
import { setLiving } from '../../sandbox/service/engine/living';
import { startReport } from '../../sandbox/service/domain/reports/rules';
import { adminPath } from '../../sandbox/service/http/options';
import { casesOf } from '../support/effort';
import {
	activate,
	begunWith,
	finishedExecutions,
	startTestN8n,
	type Execution,
	type TestN8n,
} from '../support/n8n';
import { locator } from '../support/locator';

/**
 * All five triggers in a real n8n, on a fleet that lives sixty times as fast and a service that fails now and then, and
 * is sometimes slower than the time between two polls. n8n is killed in the middle. What the service has in the end is
 * the list of what must have been emitted. `MINUTES=10` makes it a long run, with a restart in good order as well; so
 * does `LONG=1`.
 */

const MINUTES = casesOf('MINUTES', { quick: 1, long: 10 });
const LIVING_MS = MINUTES * 60_000;
/** From here on there is time for a second restart. */
const LONG_MINUTES = 5;
const START_TIMEOUT_MS = 15 * 60_000;
/** Until all that has begun is over and has come. */
const QUIET_TIMEOUT_MS = 10 * 60_000;
const COMES_WITHIN_MS = 120_000;
const SPEED = 60;
/** From one thing that the test itself lets happen to the next. */
const BEAT_MS = 5_000;
/** Between two polls: n8n refuses an interval below a minute, but not several moments in it. */
const POLL_EVERY_S = 5;
/** Around the kill, in which n8n may hand over again what it had not yet noted as handed over. */
const KILL_MS = 10_000;
/** After a moment of polling, when most polls have handed over what they have found. */
const QUIET_MS = 3_500;
/** What two n8n and their services need. */
const MEMORY_FOR_BOTH = 4e9;
const CREDENTIAL = { type: 'siteManagementApi', name: 'Site Management Sandbox' };
const TRIGGER = 'Trigger';

/** How n8n polls and remembers what a trigger has seen, by its settings. */
const modes: Record<string, Record<string, string>> = {
	default: {},
	durable: {
		N8N_SCHEDULER_ENABLED: 'true',
		N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
		N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
		N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
		// Seconds: polls begin, and are taken up again after the kill, without much delay.
		N8N_SCHEDULER_MATERIALIZATION_INTERVAL: '2',
		N8N_SCHEDULER_EXECUTOR_INTERVAL: '2',
		N8N_SCHEDULER_REAPER_INTERVAL: '5',
	},
};

const pollTimes = {
	item: Array.from({ length: 60 / POLL_EVERY_S }, (_, index) => ({
		mode: 'custom',
		cronExpression: `${index * POLL_EVERY_S} * * * * *`,
	})),
};

/** From the beginning on: what a poll gets over by itself. */
const lightFaults: Faults = {
	latency: { ms: 5, upTo: 150 },
	server_errors: { rate: 0.04 },
	dropped_before: { rate: 0.03 },
	dropped_after: { rate: 0.02 },
	rate_limited: { rate: 0.02 },
};

/** Once the triggers are on: polls that last longer than the time until the next one, and answers that come late. */
const slowness: Faults = {
	latency: { ms: 1_000, upTo: 8_000, rate: 0.2, method: 'GET' },
	slow_bodies: { ms: 7_000, rate: 0.03, method: 'GET' },
};

const wrongKinds = ['html', 'empty', 'truncated', 'shape'] as const;
const WRONG_RATE = 0.04;

/** A service with the n8n that watches it. */
interface Account {
	mode: string;
	service: Service;
	n8n: TestN8n;
	/** The site whose activity is watched. */
	site: string;
	/** What the test itself has done to the connections of sites, and when by the service's clock. */
	connections: Array<{ key: string; at: string }>;
	/** The sites that the test has disconnected. */
	disconnected: Set<string>;
	executions: Record<string, Execution[]>;
	/** When the first trigger was switched on, and when all of them were, by the service's clock. */
	switchedOn: string;
	begun: string;
	killedAt: number;
	/** The same by the service's clock, and from when on a poll may have found what it was about to hand over. */
	killed: { from: string; until: string };
}

/** A trigger, what an item is known by, and all that has happened since a time by what the service has. */
interface Watched {
	type: string;
	parameters: (account: Account) => Record<string, unknown>;
	key: (item: Record<string, any>) => string;
	happened: (account: Account, since: string) => string[];
}

const ended: Record<string, string> = {
	completed: 'completed',
	failed: 'failed',
	aborted: 'failed',
	cancelled: 'cancelled',
};

const storeOf = ({ service }: Account) => service.world.store;

const watched: Record<string, Watched> = {
	tasks: {
		type: 'taskTrigger',
		parameters: () => ({ events: ['completed', 'failed', 'cancelled', 'started'] }),
		key: ({ event, id }) => `${event} ${id}`,
		happened: (account, since) =>
			storeOf(account)
				.tasks.peek()
				.flatMap(({ id, status, created_at, updated_at }) => [
					...(created_at > since ? [`started ${id}`] : []),
					...(ended[status] && updated_at > since ? [`${ended[status]} ${id}`] : []),
				]),
	},
	runs: {
		type: 'autoUpdateTrigger',
		parameters: () => ({ events: ['completed', 'failed', 'cancelled', 'noUpdates'] }),
		key: ({ event, schedule_id, performed_on }) => `${event} ${schedule_id} ${performed_on}`,
		happened: (account, since) =>
			storeOf(account)
				.autoUpdateHistory.peek()
				.flatMap(({ auto_update_schedule, performed_on, task_id }) => {
					const task = storeOf(account).tasks.get(task_id ?? '');
					if ((task?.updated_at ?? performed_on) <= since) return [];
					const event = task ? ended[task.status] : 'noUpdates';
					return [`${event} ${auto_update_schedule.id} ${performed_on}`];
				}),
	},
	reports: {
		type: 'reportTrigger',
		parameters: () => ({ events: ['created'] }),
		key: ({ id }) => String(id),
		happened: (account, since) =>
			storeOf(account)
				.reports.peek()
				.filter(({ created_at }) => created_at > since)
				.map(({ id }) => id),
	},
	backups: {
		type: 'siteTrigger',
		parameters: () => ({ events: ['backupFinished', 'backupFailed'] }),
		key: ({ event, id, last_sync_at }) => `${event} ${id} ${last_sync_at}`,
		happened: (account, since) =>
			storeOf(account)
				.sites.peek()
				// Without backups a sync makes none.
				.filter(({ sync, backups }) => {
					return backups.enabled && (sync.last_sync_at ?? '') > since;
				})
				.map(
					({ id, sync }) =>
						`${sync.last_sync_status === 'succeeded' ? 'backupFinished' : 'backupFailed'} ${id} ${sync.last_sync_at}`,
				),
	},
	connections: {
		type: 'siteTrigger',
		parameters: () => ({ events: ['disconnected', 'reconnected'] }),
		key: ({ event, id }) => `${event} ${id}`,
		happened: ({ connections }, since) =>
			connections.filter(({ at }) => at > since).map(({ key }) => key),
	},
	activity: {
		type: 'activityLogTrigger',
		parameters: ({ site }) => ({ siteId: locator(site) }),
		key: ({ id }) => String(id),
		happened: (account, since) =>
			storeOf(account)
				.activityLogs.peek()
				.filter(({ site_id, timestamp }) => site_id === account.site && timestamp > since)
				.map(({ id }) => id),
	},
};

const workflowId = (name: string) => `trigger-${name}`;

const workflowOf = (name: string, account: Account, credentialId: string): Workflow =>
	({
		id: workflowId(name),
		name: `Trigger ${name}`,
		nodes: [
			{
				id: 't',
				name: TRIGGER,
				type: `n8n-nodes-site-management.${watched[name]!.type}`,
				typeVersion: 1,
				position: [0, 0],
				parameters: { pollTimes, ...watched[name]!.parameters(account) },
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

async function startAccount(mode: string): Promise<Account> {
	const n8n = await startTestN8n(`e2e-triggers-${mode}`, modes[mode]);
	const service = await startService({
		sites: 150,
		speed: SPEED,
		rateLimit: { limit: 200, windowMs: 5_000 },
		faults: lightFaults,
	});
	const { sites } = service.world.store;
	const logged = sites.peek().filter(({ activity_logs }) => activity_logs.enabled);
	// Few sites log, so that the one that is watched has something to tell.
	for (const { id } of logged.slice(5)) sites.get(id)!.activity_logs.enabled = false;
	return {
		mode,
		service,
		n8n,
		site: logged[0]!.id,
		connections: [],
		disconnected: new Set(),
		executions: {},
		switchedOn: '',
		begun: '',
		killedAt: 0,
		killed: { from: '', until: '' },
	};
}

async function stopAccount({ n8n, service }: Account) {
	await n8n.stop();
	await service.close();
}

async function setFaults({ service }: Account, faults: Faults | undefined) {
	const url = new URL(`${adminPath}/faults`, service.baseUrl).href;
	if (faults) await axios.post(url, faults, { proxy: false });
	else await axios.delete(url, { proxy: false });
}

async function switchTriggersOn(account: Account) {
	const { n8n, service } = account;
	const data = { baseUrl: service.baseUrl, apiToken: service.token };
	const credentialId = await saveCredential(n8n.rest, { ...CREDENTIAL, data });
	for (const name of Object.keys(watched)) {
		await importWorkflow(n8n.rest, workflowOf(name, account, credentialId));
		await activate(n8n.rest, workflowId(name));
	}
}

/** Schedules whose first runs come one after the other while the triggers are on. */
async function scheduleUpdates({ service }: Account) {
	const headers = { Authorization: `Bearer ${service.token}` };
	const sites = service.world.store.sites.peek();
	for (let minutes = 15; minutes <= MINUTES * SPEED - 15; minutes += 10) {
		const selected = sites.slice(minutes % 100, (minutes % 100) + 3);
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

/** A fleet loses connections for less time than a poll may take; these changes are left to the test. */
function leaveConnectionsAlone({ service }: Account) {
	for (const { kind, payload } of service.world.timeline.all()) {
		if (kind === 'living.beat' && payload.rhythm === 'disconnections') payload.rhythm = 'none';
	}
}

function setConnection({ service, connections }: Account, id: string, connected: boolean) {
	const { world } = service;
	world.settle();
	const site = world.store.sites.get(id)!;
	site.connection.status = connected ? 'connected' : 'disconnected';
	site.updated_at = world.timestamp();
	world.revision += 1;
	const key = `${connected ? 'reconnected' : 'disconnected'} ${id}`;
	connections.push({ key, at: service.world.timestamp() });
}

/** Lets the sites be connected again of which it has come that they were disconnected: no poll may miss a state. */
function reconnect(account: Account) {
	const { byKey } = emitted(account, 'connections');
	for (const id of account.disconnected) {
		if (!byKey.has(`disconnected ${id}`)) continue;
		account.disconnected.delete(id);
		setConnection(account, id, true);
	}
}

function reportOnSomeSite({ service: { world } }: Account) {
	world.settle();
	const { id } = world.random.pick(world.store.sites.peek());
	const date = (daysAgo: number) => world.timestamp(world.now - daysAgo * 86_400_000).slice(0, 10);
	try {
		startReport(world, { site_id: id, start_date: date(7), end_date: date(0) });
	} catch (error) {
		// A site without a completed snapshot in that week gets no report.
		if (!(error instanceof ApiError)) throw error;
	}
}

/** What the fleet does not do by itself, or too seldom; and the wrong answers, of one kind at a time. */
async function live(account: Account, isOver: () => boolean) {
	const lasting = account.service.world.store.sites
		.peek()
		.filter(({ connection }) => connection.status === 'connected')
		.map(({ id }) => id);
	for (let beat = 0; !isOver(); beat++) {
		const kind = wrongKinds[beat % wrongKinds.length]!;
		await setFaults(account, { wrong_answers: { kind, rate: WRONG_RATE, method: 'GET' } });
		reportOnSomeSite(account);
		// While it restarts it tells nothing.
		await readExecutions(account, 'connections').catch(() => undefined);
		reconnect(account);
		const id = beat % 2 === 0 ? lasting.pop() : undefined;
		if (id !== undefined) {
			setConnection(account, id, false);
			account.disconnected.add(id);
		}
		await pause(BEAT_MS);
	}
}

/** The restarts, spread over the time. */
async function restart(account: Account) {
	const stops = MINUTES < LONG_MINUTES ? ['kill' as const] : ['kill' as const, 'stop' as const];
	const between = LIVING_MS / (stops.length + 1);
	for (const how of stops) {
		await pause(between);
		// In default mode n8n forgets with the kill what states were, unless a poll has told of a change.
		await waitFor(
			'the first connections',
			async () => (emitted(account, 'connections').byKey.size > 0 ? true : undefined),
			COMES_WITHIN_MS,
		).catch(() => undefined);
		const tickMs = POLL_EVERY_S * 1_000;
		await pause((tickMs + QUIET_MS - (Date.now() % tickMs)) % tickMs);
		if (how === 'kill') noteKill(account);
		await account.n8n[how]();
		// Its own recovery ends it when an execution was made and not begun; only the next start gets over that.
		account.n8n = await account.n8n.again().catch(async () => await account.n8n.again());
	}
	await pause(between);
}

function noteKill(account: Account) {
	const { world } = account.service;
	account.killedAt = Date.now();
	account.killed = {
		from: world.timestamp(world.now - 2 * KILL_MS * SPEED),
		until: world.timestamp(),
	};
}

interface Emitted {
	byKey: Map<string, Execution[]>;
	failed: number;
	cutOff: number;
}

const emitted = ({ executions }: Account, name: string): Emitted => {
	const byKey = new Map<string, Execution[]>();
	const all = executions[name] ?? [];
	for (const execution of all) {
		for (const item of begunWith(execution, TRIGGER)) {
			const key = watched[name]!.key(item);
			byKey.set(key, [...(byKey.get(key) ?? []), execution]);
		}
	}
	const withStatus = (wanted: string) => all.filter(({ status }) => status === wanted).length;
	return { byKey, failed: withStatus('error'), cutOff: withStatus('crashed') };
};

const missing = (account: Account, name: string) => {
	const { byKey } = emitted(account, name);
	return watched[name]!.happened(account, account.begun).filter((key) => !byKey.has(key));
};

/**
 * What n8n may have lost itself: in default mode it saves that a poll has handed events over before it creates the
 * execution, and a kill between the two loses them.
 */
function lostByKill(account: Account, name: string): string[] {
	if (account.mode !== 'default') return [];
	const { happened } = watched[name]!;
	const after = new Set(happened(account, account.killed.until));
	return happened(account, account.killed.from).filter((key) => !after.has(key));
}

async function readExecutions({ n8n, executions }: Account, ...names: string[]) {
	for (const name of names) {
		executions[name] = await finishedExecutions(n8n.rest, workflowId(name), executions[name]);
	}
}

/** Waits until every event has come; what has not come in time is left to the assertions. */
async function everythingHasCome(account: Account) {
	const probe = async () => {
		await readExecutions(account, ...Object.keys(watched));
		const names = Object.keys(watched);
		return names.every((name) => missing(account, name).length === 0) ? true : undefined;
	};
	await waitFor('the last events', probe, COMES_WITHIN_MS, 1_000).catch(() => undefined);
}

/** All of it, from switching the triggers on to when nothing more is to come. */
async function watch(account: Account) {
	const { world } = account.service;
	account.switchedOn = world.timestamp();
	await switchTriggersOn(account);
	account.begun = world.timestamp();
	await scheduleUpdates(account);
	setLiving(world, true);
	leaveConnectionsAlone(account);
	await setFaults(account, slowness);
	let isOver = false;
	const restarts = restart(account).finally(() => (isOver = true));
	await Promise.all([live(account, () => isOver), restarts]);

	setLiving(world, false);
	await setFaults(account, undefined);
	await waitFor(
		'the last tasks',
		async () => {
			const tasks = world.store.tasks.peek();
			return tasks.every(({ status }) => ended[status]) ? true : undefined;
		},
		COMES_WITHIN_MS,
	);
	await everythingHasCome(account);
	reconnect(account);
	await everythingHasCome(account);
	// A few polls more: none of them must find anything again.
	await pause(3.2 * POLL_EVERY_S * 1_000);
	await readExecutions(account, ...Object.keys(watched));
}

interface Figures {
	happened: number;
	twice: string[];
	missing: string[];
	madeUp: string[];
}

function figures(account: Account, name: string): Figures {
	const { byKey, failed, cutOff } = emitted(account, name);
	const happened = watched[name]!.happened(account, account.begun);
	// What happens by itself while the triggers are switched on comes, or is part of a baseline.
	const isKnown = new Set(watched[name]!.happened(account, account.switchedOn));
	const twice = [...byKey].filter(([, found]) => found.length > 1);
	// n8n itself hands over again what it had not yet noted as handed over when it was killed.
	const again = twice.filter(([, found]) =>
		found.some(({ startedAt }) => Math.abs(Date.parse(startedAt) - account.killedAt) < KILL_MS),
	);
	const missed = missing(account, name);
	const ofKill = lostByKill(account, name);
	const lost = missed.filter((key) => ofKill.includes(key));
	const found: Figures = {
		happened: happened.length,
		twice: twice.filter((each) => !again.includes(each)).map(([key]) => key),
		missing: missed.filter((key) => !lost.includes(key)),
		madeUp: [...byKey.keys()].filter((key) => !isKnown.has(key)),
	};
	const told = [
		`${happened.length} events`,
		`${byKey.size} handed over in ${account.executions[name]!.length} executions`,
		`${failed} failed polls`,
		`${cutOff} cut off`,
		`${again.length} twice because of the kill`,
		`${lost.length} lost by it`,
		`${found.twice.length} twice`,
		`${found.missing.length} missing`,
		`${found.madeUp.length} made up`,
	];
	process.stdout.write(`${account.mode} ${name}: ${told.join(', ')}\n`);
	return found;
}

/** Why polls failed, and how often: wrong answers are the one reason that is to be expected. */
function failuresOf({ mode, executions }: Account): string[] {
	const counts = new Map<string, number>();
	for (const { status, data } of Object.values(executions).flat()) {
		if (status !== 'error') continue;
		const message = data.resultData.error?.message ?? 'no message';
		counts.set(message, (counts.get(message) ?? 0) + 1);
	}
	for (const [message, count] of counts) {
		process.stdout.write(`${mode}: ${count} polls failed with: ${message.slice(0, 100)}\n`);
	}
	return [...counts.keys()];
}

interface Outcome {
	figures: Record<string, Figures>;
	/** The workflows for which n8n keeps what the trigger has seen in a table of its own. */
	durable: string[];
	/** The different messages of failed polls. */
	failures: string[];
}

async function outcomeOf(account: Account): Promise<Outcome> {
	await watch(account);
	const durable = account.n8n.query(
		`SELECT workflowId FROM poller_state WHERE "cursor" <> '{}' ORDER BY workflowId`,
	);
	const names = Object.keys(watched);
	return {
		figures: Object.fromEntries(names.map((name) => [name, figures(account, name)])),
		durable: durable.map((row) => String(row.workflowId)),
		failures: failuresOf(account),
	};
}

/** Those that run. */
const accounts: Account[] = [];
const outcomes: Record<string, PromiseSettledResult<Outcome>> = {};

const stopAll = async () => void (await Promise.all(accounts.splice(0).map(stopAccount)));

beforeAll(
	async () => {
		const names = Object.keys(modes);
		const isRoomForAll = process.availableMemory() > MEMORY_FOR_BOTH;
		for (const group of isRoomForAll ? [names] : names.map((mode) => [mode])) {
			await Promise.all(group.map(async (mode) => accounts.push(await startAccount(mode))));
			const found = await Promise.allSettled(accounts.map(outcomeOf));
			for (const [index, { mode }] of accounts.entries()) outcomes[mode] = found[index]!;
			await stopAll();
		}
	},
	START_TIMEOUT_MS + 2 * (LIVING_MS + QUIET_TIMEOUT_MS),
);

afterAll(stopAll, START_TIMEOUT_MS);

describe.each(Object.keys(modes))('in %s mode', (mode) => {
	const outcome = () => {
		const found = outcomes[mode];
		if (found?.status === 'fulfilled') return found.value;
		throw found?.reason ?? new Error('n8n did not start');
	};

	it('n8n remembers where this mode does', () => {
		const expected = mode === 'durable' ? Object.keys(watched).map(workflowId).sort() : [];
		expect(outcome().durable).toEqual(expected);
	});

	it('no poll spoils one that is under way', () => {
		// In default mode the end of a poll takes from the others of its node what evaluates the credential.
		const spoilt = outcome().failures.filter((each) => each.includes('No bridge acquired'));
		expect(spoilt).toEqual([]);
	});

	it.each(Object.keys(watched))(
		'every event of %s has one execution, though polls fail, are slow, and n8n is killed',
		(name) => {
			const { happened, ...wrong } = outcome().figures[name]!;
			expect(wrong).toEqual({ twice: [], missing: [], madeUp: [] });
			expect(happened).toBeGreaterThan(0);
		},
	);
});

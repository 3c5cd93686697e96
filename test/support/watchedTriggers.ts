import { startTaskNow } from '../../sandbox/service/engine/tasks';
import { setTimeout as pause } from 'node:timers/promises';
import axios from 'axios';
import type { Workflow } from '../../sandbox/lib/content';
import { startService, type Service, type ServiceOptions } from '../../sandbox/service';
import { ApiError } from '../../sandbox/service/engine/errors';
import { setLiving } from '../../sandbox/service/engine/living';
import { startReport } from '../../sandbox/service/domain/reports/rules';
import { locator } from './locator';
import { activate, begunWith, finishedExecutions, type Execution, type TestN8n } from './n8n';
import { until } from './until';
import { addActive, chain, nodeOf, pollEvery, saveAccount } from './workflow';

/**
 * The triggers in a real n8n, and the fleet that they watch, whose time passes sixty times as fast. What the
 * service has in the end is the list of what must have been emitted.
 */

export const SPEED = 60;
/** What two n8n and their services need. */
const MEMORY_FOR_BOTH = 4e9;
export const TRIGGER = 'Trigger';
/** What a person may rename it to. */
export const RENAMED = 'Renamed Trigger';
const NAMES = [TRIGGER, RENAMED];

/** How n8n polls and remembers what a trigger has seen, by its settings. */
export const modes: Record<string, Record<string, string>> = {
	default: {},
	durable: {
		N8N_SCHEDULER_ENABLED: 'true',
		N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
		N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
		N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
		// Seconds: polls begin, and are taken up again after a kill, without much delay.
		N8N_SCHEDULER_MATERIALIZATION_INTERVAL: '2',
		N8N_SCHEDULER_EXECUTOR_INTERVAL: '2',
		N8N_SCHEDULER_REAPER_INTERVAL: '5',
	},
};

/**
 * Has something come of each mode before the tests of a file; both side by side where there is room for two n8n.
 * @returns what came of a mode
 */
export function inEachMode<T>(timeoutMs: number, work: (mode: string) => Promise<T>) {
	const outcomes: Record<string, PromiseSettledResult<T>> = {};
	beforeAll(async () => {
		const names = Object.keys(modes);
		const isRoomForAll = process.availableMemory() > MEMORY_FOR_BOTH;
		for (const group of isRoomForAll ? [names] : names.map((mode) => [mode])) {
			const settled = await Promise.allSettled(group.map(work));
			for (const [index, mode] of group.entries()) outcomes[mode] = settled[index]!;
		}
	}, timeoutMs);
	return (mode: string): T => {
		const outcome = outcomes[mode];
		if (outcome?.status !== 'fulfilled') throw outcome?.reason ?? new Error('n8n did not start');
		return outcome.value;
	};
}

export interface Watch {
	service: Service;
	n8n: TestN8n;
	/** The site whose activity is watched. */
	site: string;
	/** What the test itself has done to the connections of sites, and when by the service's clock. */
	connections: Array<{ key: string; at: string }>;
	/** The sites that the test has disconnected. */
	disconnected: Set<string>;
	/** The finished ones of each trigger's workflow. */
	executions: Record<string, Execution[]>;
}

/** A trigger, what an item is known by, and all that has happened since a time by what the service has. */
export interface Watched {
	type: string;
	parameters: (watch: Watch) => Record<string, unknown>;
	key: (item: Record<string, any>) => string;
	happened: (watch: Watch, since: string) => string[];
}

/** The event that a task's status means, where it has ended. */
export const ended: Record<string, string> = {
	completed: 'completed',
	failed: 'failed',
	aborted: 'failed',
	cancelled: 'cancelled',
};

const taskEvents: Record<string, { finished: string; failed: string }> = {
	restore: { finished: 'restoreFinished', failed: 'restoreFailed' },
	migrate: { finished: 'migrationFinished', failed: 'migrationFailed' },
};

const storeOf = ({ service }: Watch) => service.world.store;

export const watched: Record<string, Watched> = {
	tasks: {
		type: 'taskTrigger',
		parameters: () => ({ events: ['completed', 'failed', 'cancelled', 'started'] }),
		key: ({ event, id }) => `${event} ${id}`,
		happened: (watch, since) =>
			storeOf(watch)
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
		happened: (watch, since) =>
			storeOf(watch)
				.autoUpdateHistory.peek()
				.flatMap(({ auto_update_schedule, performed_on, task_id }) => {
					const task = storeOf(watch).tasks.get(task_id ?? '');
					if ((task?.updated_at ?? performed_on) <= since) return [];
					const event = task ? ended[task.status] : 'noUpdates';
					return [`${event} ${auto_update_schedule.id} ${performed_on}`];
				}),
	},
	reports: {
		type: 'reportTrigger',
		parameters: () => ({ events: ['created'] }),
		key: ({ id }) => String(id),
		happened: (watch, since) =>
			storeOf(watch)
				.reports.peek()
				.filter(({ created_at }) => created_at > since)
				.map(({ id }) => id),
	},
	backups: {
		type: 'backupTrigger',
		parameters: () => ({ events: ['backupFinished', 'backupFailed'] }),
		key: ({ event, site_id, ended_at }) => `${event} ${site_id} ${ended_at}`,
		happened: (watch, since) =>
			storeOf(watch)
				.sites.peek()
				// Without backups a sync makes none.
				.filter(({ sync, backups }) => backups.enabled && (sync.last_sync_at ?? '') > since)
				.map(
					({ id, sync }) =>
						`${sync.last_sync_status === 'succeeded' ? 'backupFinished' : 'backupFailed'} ${id} ${sync.last_sync_at}`,
				),
	},
	restores: {
		type: 'backupTrigger',
		parameters: () => ({ events: Object.values(taskEvents).flatMap(Object.values) }),
		key: ({ event, task_id }) => `${event} ${task_id}`,
		happened: (watch, since) =>
			storeOf(watch)
				.tasks.peek()
				.filter(({ status, updated_at }) => ended[status] && updated_at > since)
				.flatMap(({ id, type, status }) => {
					const events = taskEvents[type];
					if (!events) return [];
					return [`${status === 'completed' ? events.finished : events.failed} ${id}`];
				}),
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
		happened: (watch, since) =>
			storeOf(watch)
				.activityLogs.peek()
				.filter(({ site_id, timestamp }) => site_id === watch.site && timestamp > since)
				.map(({ id }) => id),
	},
};

export const workflowId = (name: string) => `trigger-${name}`;

const workflowOf = (
	name: string,
	watch: Watch,
	credentialId: string,
	{ everySeconds, settings = {} }: SwitchOn,
): Workflow => {
	const { type, parameters } = watched[name]!;
	const set = { pollTimes: pollEvery(everySeconds), ...parameters(watch) };
	// Its name changes, and its ID does not.
	const trigger = nodeOf(credentialId, TRIGGER, type, set, { id: 't' });
	const nothing = nodeOf('', 'Nothing', 'n8n-nodes-base.noOp', {});
	return { ...chain(workflowId(name), trigger, nothing), name: `Trigger ${name}`, settings };
};

export interface SwitchOn {
	everySeconds: number;
	/** Of each workflow. */
	settings?: Record<string, unknown>;
}

/** Makes a workflow for each trigger, and activates it. */
export async function switchTriggersOn(watch: Watch, how: SwitchOn) {
	const { n8n, service } = watch;
	const credentialId = await saveAccount(n8n, service);
	for (const name of Object.keys(watched)) {
		await addActive(n8n, workflowOf(name, watch, credentialId, how));
	}
}

/** Does something for the workflow of each trigger, for all of them at once. */
export const forEachWorkflow = async (work: (workflowId: string) => Promise<unknown>) =>
	void (await Promise.all(Object.keys(watched).map(async (name) => await work(workflowId(name)))));

/**
 * Changes a text in each of the workflows, saves and publishes them as the editor does, one after the other.
 * @param until waits for the moment at which one is changed
 */
export async function editWorkflows(
	{ n8n: { rest } }: Watch,
	from: string,
	to: string,
	until: () => Promise<void> = async () => undefined,
) {
	for (const id of Object.keys(watched).map(workflowId)) {
		const { data } = await rest.get<{ data: object }>(`/workflows/${id}`);
		const text = JSON.stringify(data.data);
		const { nodes, connections, versionId } = JSON.parse(
			text.replaceAll(JSON.stringify(from), JSON.stringify(to)),
		) as Record<string, unknown>;
		await until();
		await rest.patch(`/workflows/${id}`, { nodes, connections, versionId });
		await activate(rest, id);
	}
}

export async function startWatch(n8n: TestN8n, options: ServiceOptions = {}): Promise<Watch> {
	const service = await startService({
		sites: 150,
		speed: SPEED,
		rateLimit: { limit: 200, windowMs: 5_000 },
		...options,
	});
	const { sites } = service.world.store;
	const logged = sites.peek().filter(({ activity_logs }) => activity_logs.enabled);
	// Few sites log, so that the one that is watched has something to tell.
	for (const { id } of logged.slice(5)) sites.get(id)!.activity_logs.enabled = false;
	return {
		service,
		n8n,
		site: logged[0]!.id,
		connections: [],
		disconnected: new Set(),
		executions: {},
	};
}

export async function stopWatch({ n8n, service }: Watch) {
	await n8n.stop();
	await service.close();
}

/** Schedules whose first runs come one after the other. @param minutes of real time, in which they come */
export async function scheduleUpdates({ service }: Watch, minutes: number) {
	const url = `${service.baseUrl}/auto-update-schedules`;
	const options = { headers: { Authorization: `Bearer ${service.token}` }, proxy: false } as const;
	const sites = service.world.store.sites.peek();
	for (let at = 15; at <= minutes * SPEED - 15; at += 10) {
		const selected = sites.slice(at % 100, (at % 100) + 3);
		const auto_update_schedule = {
			name: `In ${at} minutes`,
			schedule: 'daily',
			started_at: service.world.timestamp(service.world.now + at * 60_000),
			scope: {
				sites: { selection: 'specific', ids: selected.map(({ id }) => id) },
				updates: { cms_core: true, plugins: { selection: 'all' }, themes: { selection: 'all' } },
			},
			options: { backup: false, visual_regression: false },
		};
		// The service fails now and then.
		await until('a schedule', async () => {
			const made = await axios.post(url, { auto_update_schedule }, options).catch(() => undefined);
			return made?.status === 201;
		});
	}
}

/** A fleet loses connections for less time than a poll may take; these changes are left to the test. */
export function leaveConnectionsAlone({ service }: Watch) {
	for (const { kind, payload } of service.world.timeline.all()) {
		if (kind === 'living.beat' && payload.rhythm === 'disconnections') payload.rhythm = 'none';
	}
}

/** From now on nothing begins by itself. A hacked site is cleaned by a task, hours after it was hacked: that one as well. */
export function endLiving({ service: { world } }: Watch) {
	setLiving(world, false);
	for (const { kind, payload } of world.timeline.all()) {
		if (kind === 'living.recover' && payload.what === 'malware') payload.what = 'nothing';
	}
}

function setConnection({ service, connections }: Watch, id: string, connected: boolean) {
	const { world } = service;
	world.settle();
	const site = world.store.sites.get(id)!;
	site.connection.status = connected ? 'connected' : 'disconnected';
	site.updated_at = world.timestamp();
	world.revision += 1;
	const key = `${connected ? 'reconnected' : 'disconnected'} ${id}`;
	connections.push({ key, at: service.world.timestamp() });
}

function reportOnSomeSite({ service: { world } }: Watch) {
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

/** Waits until no task runs any more. */
export async function tasksHaveEnded({ service }: Watch, timeoutMs: number) {
	const { tasks } = service.world.store;
	const haveEnded = () => tasks.peek().every(({ status }) => ended[status]);
	await until('the last tasks', haveEnded, timeoutMs);
}

export async function readExecutions({ n8n, executions }: Watch, ...names: string[]) {
	for (const name of names) {
		executions[name] = await finishedExecutions(n8n.rest, workflowId(name), executions[name]);
	}
}

export function begunByKey({ executions }: Watch, name: string): Map<string, Execution[]> {
	const byKey = new Map<string, Execution[]>();
	for (const execution of executions[name] ?? []) {
		for (const item of NAMES.flatMap((trigger) => begunWith(execution, trigger))) {
			const key = watched[name]!.key(item);
			byKey.set(key, [...(byKey.get(key) ?? []), execution]);
		}
	}
	return byKey;
}

/** Lets the sites be connected again of which it has come that they were disconnected: no poll may miss a state. */
export function reconnect(watch: Watch) {
	const byKey = begunByKey(watch, 'connections');
	for (const id of watch.disconnected) {
		if (!byKey.has(`disconnected ${id}`)) continue;
		watch.disconnected.delete(id);
		setConnection(watch, id, true);
	}
}

/** What the fleet does not do by itself, or too seldom. @param beatMs from one thing to the next */
export async function live(watch: Watch, beatMs: number, isOver: () => boolean) {
	const lasting = watch.service.world.store.sites
		.peek()
		.filter(({ connection }) => connection.status === 'connected')
		.map(({ id }) => id);
	// By itself the fleet may have none.
	startTaskNow(watch.service.world, {
		type: 'migrate',
		siteIds: lasting.slice(0, 1),
		outcome: 'completed',
		durationMs: 60_000,
		payload: {},
	});
	for (let beat = 0; !isOver(); beat++) {
		reportOnSomeSite(watch);
		// While it restarts it tells nothing.
		await readExecutions(watch, 'connections').catch(() => undefined);
		reconnect(watch);
		const id = beat % 2 === 0 ? lasting.pop() : undefined;
		if (id !== undefined) {
			setConnection(watch, id, false);
			watch.disconnected.add(id);
		}
		await pause(beatMs);
	}
}

/** What has happened since a time, as far as the trigger has not told it. */
export const missing = (watch: Watch, name: string, since: string) => {
	const byKey = begunByKey(watch, name);
	return watched[name]!.happened(watch, since).filter((key) => !byKey.has(key));
};

/** Waits until every event since a time has come; what has not come in time is left to the assertions. */
export async function everythingHasCome(watch: Watch, since: string, withinMs: number) {
	const names = Object.keys(watched);
	const probe = async () => {
		await readExecutions(watch, ...names);
		return names.every((name) => missing(watch, name, since).length === 0);
	};
	await until('the last events', probe, withinMs, 1_000).catch(() => undefined);
}

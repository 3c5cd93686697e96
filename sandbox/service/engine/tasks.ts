import { Collection } from './store';
import type {
	FailureRow,
	TaskOrder,
	TaskRow,
	TaskSite,
	TaskStatus,
	TaskStep,
	TaskType,
} from './taskRows';
import type { Part, World } from './world';

declare module './store' {
	interface Collections {
		tasks: Collection<TaskRow>;
		/** What is to fail when it starts. */
		taskFailures: Collection<FailureRow>;
	}
}

/** Steps per site by task type; a type that is not listed has one step of its own name. */
const stepTypes: Partial<Record<TaskType, string[]>> = {
	wp_site_update: ['update_plugin', 'verify_site'],
	restore: ['restore_files', 'restore_database'],
	migrate: ['migrate_files', 'migrate_database'],
};

/** Starts a task at `world.now`; it goes on by the clock from `initializing` to its outcome. */
export function startTask(world: World, order: TaskOrder): TaskRow {
	const createdAt = world.timestamp();
	const failure = order.outcome ? undefined : takeFailure(world, order);
	const outcome = order.outcome ?? (failure ? 'failed' : 'completed');
	const task = world.store.tasks.insert({
		id: world.random.hex(24),
		status: 'initializing',
		type: order.type,
		created_at: createdAt,
		updated_at: createdAt,
		progress: { percent: 0, metrics: { sites: { done: 0, total: order.siteIds.length } } },
		input: order.input ?? { sites: order.siteIds.map((id) => siteInput(world, order.type, id)) },
		details: { sites: order.siteIds.map((id) => newSite(id, order.type)) },
		internal: {
			outcome,
			payload: order.payload ?? {},
			duration_ms: order.durationMs ?? world.settings.taskMs,
			steps_done: 0,
			failing_site:
				outcome === 'failed' && order.siteIds.length > 0
					? failingSite(world, order.siteIds, failure)
					: null,
		},
	});
	scheduleAdvance(world, task, world.settings.taskInitializingShare);
	return task;
}

/** The failure that was asked for, of the next task like this one. */
function takeFailure({ store }: World, { type, siteIds }: TaskOrder): FailureRow | undefined {
	const failure = store.taskFailures
		.peek()
		.find((each) => each.type === type && (!each.site_id || siteIds.includes(each.site_id)));
	if (failure) store.taskFailures.delete(failure.id);
	return failure;
}

const failingSite = ({ random }: World, siteIds: string[], failure: FailureRow | undefined) =>
	failure?.site_id ? siteIds.indexOf(failure.site_id) : random.integer(0, siteIds.length - 1);

/** Whether the task can still change; only then can it be cancelled. */
export function isActive(task: TaskRow): boolean {
	return task.status === 'initializing' || task.status === 'running';
}

/** Ends an active task before its outcome: what is not done carries the same status. */
export function stopTask(world: World, task: TaskRow, status: 'cancelled' | 'aborted'): void {
	for (const site of task.details.sites) {
		for (const part of [site, ...site.steps]) {
			if (part.status === 'initializing' || part.status === 'running') part.status = status;
		}
	}
	task.status = status;
	task.updated_at = world.timestamp();
	haveEffects(world, task);
}

export const tasks: Part = {
	collections: () => ({ tasks: new Collection(), taskFailures: new Collection() }),
	handlers: {
		'task.advance': (world, payload) => {
			const task = world.store.tasks.get(String(payload.task_id));
			if (task && isActive(task)) advance(world, task);
		},
	},
	due: ({ store }, until) => ({
		tasks: store.tasks.peek().filter((task) => isActive(task) && endOf(task) <= until).length,
	}),
	marks: ({ store }) => ({
		tasks_completed: withStatus(store.tasks, 'completed'),
		tasks_failed: withStatus(store.tasks, 'failed'),
	}),
	forget(world, oldest) {
		for (const task of world.store.tasks.peek()) {
			if (task.updated_at < oldest && !isActive(task)) world.store.tasks.delete(task.id);
		}
	},
};

/** When a task ends, if nobody ends it earlier. */
const endOf = ({ created_at, internal }: TaskRow) => Date.parse(created_at) + internal.duration_ms;

const withStatus = (tasks: Collection<TaskRow>, wanted: TaskStatus) =>
	tasks
		.peek()
		.filter(({ status }) => status === wanted)
		.map(({ id }) => id);

/** Starts a task at the time of the clock. */
export function startTaskNow(world: World, order: TaskOrder): TaskRow {
	world.settle();
	return startTask(world, order);
}

/** Lets a task that has just ended, as its status says, have its effects. */
function haveEffects(world: World, task: TaskRow): void {
	for (const { effects } of world.parts) effects?.[task.type]?.(world, task, task.status);
}

/** Request details of one site as far as the reference shows them (Part A 2.9). */
function siteInput(world: World, type: TaskType, id: string): object {
	const part = world.parts.find(({ inputs }) => inputs?.[type]);
	return part?.inputs?.[type]?.(world, id) ?? { id };
}

function newSite(id: string, type: TaskType): TaskSite {
	const steps = (stepTypes[type] ?? [type]).map((stepType): TaskStep => ({
		type: stepType,
		status: 'initializing',
		details: {},
		progress: { percent: 0 },
		error: {},
	}));
	return { id, status: 'initializing', progress: { percent: 0 }, steps };
}

function scheduleAdvance(world: World, task: TaskRow, share: number): void {
	const at = Date.parse(task.created_at) + Math.round(task.internal.duration_ms * share);
	world.timeline.schedule({ at, kind: 'task.advance', payload: { task_id: task.id } });
}

/** The first call begins the run, each later one finishes the step that is under way. */
function advance(world: World, task: TaskRow): void {
	const steps = task.details.sites.flatMap((site) => site.steps);
	// A task without sites still takes its time, as one step that nothing shows.
	const total = Math.max(1, steps.length);
	if (task.status === 'running') finishStep(task, steps[task.internal.steps_done++]);
	task.status = task.internal.steps_done === total ? task.internal.outcome : 'running';

	const next = steps[task.internal.steps_done];
	if (next) next.status = 'running';
	summarize(task);
	task.updated_at = world.timestamp();
	if (!isActive(task)) return haveEffects(world, task);

	const { taskInitializingShare: initial } = world.settings;
	scheduleAdvance(world, task, initial + ((1 - initial) * (task.internal.steps_done + 1)) / total);
}

function finishStep(task: TaskRow, step: TaskStep | undefined): void {
	if (!step) return;
	const { failing_site: failing } = task.internal;
	if (failing !== null && task.details.sites[failing]?.steps.at(-1) === step) {
		step.status = 'failed';
		step.error = { code: 'step_failed', message: `The step ${step.type} could not be completed` };
		return;
	}
	step.status = 'completed';
	step.progress.percent = 100;
}

/** Derives the progress and status of the sites and the progress of the task from the steps. */
function summarize(task: TaskRow): void {
	for (const site of task.details.sites) {
		site.status = siteStatus(site);
		site.progress.percent = percentDone(site.steps);
	}
	const { sites } = task.details;
	task.progress.metrics.sites.done = sites.filter((site) =>
		['completed', 'failed'].includes(site.status),
	).length;
	task.progress.percent =
		task.status === 'completed' ? 100 : percentDone(sites.flatMap((site) => site.steps));
}

function siteStatus(site: TaskSite): TaskStatus {
	const statuses = site.steps.map((step) => step.status);
	if (statuses.includes('failed')) return 'failed';
	if (statuses.every((status) => status === 'completed')) return 'completed';
	return statuses.every((status) => status === 'initializing') ? 'initializing' : 'running';
}

function percentDone(steps: TaskStep[]): number {
	const done = steps.filter((step) => step.status === 'completed').length;
	return steps.length === 0 ? 0 : Math.round((100 * done) / steps.length);
}

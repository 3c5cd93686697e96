import type { TaskRow, TaskSite, TaskStatus, TaskStep, TaskType } from './records';
import type { Handler, World } from './world';

/** What a task shall do. `input` is shown as the task's request details, `durationMs` is clock time. */
export interface TaskOrder {
	type: TaskType;
	siteIds: string[];
	input?: unknown;
	outcome?: 'completed' | 'failed';
	durationMs?: number;
	/** Kept with the task for its effects, never shown. */
	payload?: Record<string, unknown>;
}

/**
 * What happens when a task has ended, by its type: called once, with `completed`, `failed`,
 * `cancelled` or `aborted`. Listed in `taskEffects` of world.ts. What the effect needs to know is
 * in `task.internal.payload` (`payload` of the order).
 */
export type TaskEffects = Partial<
	Record<TaskType, (world: World, task: TaskRow, outcome: TaskStatus) => void>
>;

/** Steps per site by task type; a type that is not listed has one step of its own name. */
const stepTypes: Partial<Record<TaskType, string[]>> = {
	wp_site_update: ['update_plugin', 'verify_site'],
	restore: ['restore_files', 'restore_database'],
	migrate: ['migrate_files', 'migrate_database'],
};

const plugin = (name: string, slug: string, from: string, to: string) => ({
	name,
	current_version: from,
	target_version: to,
	slug,
	filename: `${slug}/${slug}.php`,
});

export const plugins = [
	plugin('Contact Forms', 'contact-forms', '5.9.2', '5.9.8'),
	plugin('Page Cache', 'page-cache', '3.1.0', '3.2.1'),
	plugin('Image Slider', 'image-slider', '2.0.4', '2.1.0'),
	plugin('Site Maps', 'site-maps', '1.7.0', '1.8.3'),
];

/** Starts a task at `world.now`; it goes on by the clock from `initializing` to its outcome. */
export function startTask(world: World, order: TaskOrder): TaskRow {
	const createdAt = world.timestamp();
	const outcome = order.outcome ?? 'completed';
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
					? world.random.integer(0, order.siteIds.length - 1)
					: null,
		},
	});
	scheduleAdvance(world, task, world.settings.taskInitializingShare);
	return task;
}

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
	world.applyTaskEffects(task);
}

export const taskHandlers: Record<string, Handler> = {
	'task.advance': (world, payload) => {
		const task = world.store.tasks.get(String(payload.task_id));
		if (task && isActive(task)) advance(world, task);
	},
};

/** Request details of one site as far as the reference shows them (Part A 2.9). */
function siteInput(world: World, type: TaskType, id: string): object {
	const site = world.store.sites.get(id);
	switch (type) {
		case 'wp_site_update':
			return {
				id,
				options: { backup: true, visual_regression: false, sandbox: false },
				plugins: [world.random.pick(plugins)],
			};
		case 'staging':
			return {
				id,
				site_url: site?.url,
				user_configuration: {
					site_name: site?.title,
					php_version: site?.server.php_version,
					category: 'staging',
				},
				snapshot_id: site?.backups.latest_snapshot?.id,
				snapshot_timestamp: site?.backups.latest_snapshot?.created_at,
			};
		default:
			return { id };
	}
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
	if (!isActive(task)) return world.applyTaskEffects(task);

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

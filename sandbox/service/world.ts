import { autoUpdateEffects, autoUpdateHandlers } from './autoUpdates';
import { backupEffects } from './backups';
import type { Clock } from './clock';
import { exclusiveHandlers } from './exclusive';
import { livingEffects, livingHandlers } from './living';
import { Random } from './random';
import type { Row, TaskRow } from './records';
import { reportEffects, reportHandlers } from './reports';
import { scheduledReportHandlers } from './scheduledReports';
import { senderHandlers } from './senders';
import { defaultSettings, type Settings } from './settings';
import { siteHandlers } from './sites';
import { stagingEffects, stagingHandlers } from './staging';
import { Store } from './store';
import { startTask, taskHandlers, type TaskEffects, type TaskOrder } from './tasks';
import { Timeline } from './timeline';

/** Applies an event of the timeline at `world.now`. */
export type Handler = (world: World, payload: Record<string, unknown>) => void;

const handlers: Record<string, Handler> = {
	...taskHandlers,
	...siteHandlers,
	...livingHandlers,
	...exclusiveHandlers,
	...senderHandlers,
	...autoUpdateHandlers,
	...reportHandlers,
	...scheduledReportHandlers,
	...stagingHandlers,
};

/** What the ends of tasks change; every map that has the type of the task is asked. */
const taskEffects: TaskEffects[] = [
	backupEffects,
	autoUpdateEffects,
	reportEffects,
	stagingEffects,
	livingEffects,
];

/** The state of the account and the only place where its time passes. */
export class World {
	readonly store = new Store();
	readonly timeline = new Timeline();
	readonly random: Random;
	readonly settings: Settings;
	readonly account = { active: true };
	/** Grows with every change, so that others see whether there was one. */
	revision = 0;
	private derived: Map<string, unknown> | undefined;
	/** Whether things happen by themselves. */
	living = false;
	/** Told about each page that a list is answered with, and the row behind it. */
	onPage?: (page: Row[], next: Row | undefined) => void;
	/** The time that the state stands for, in milliseconds since the Unix epoch. */
	now: number;

	constructor(
		readonly clock: Clock,
		options: { seed: number; from?: number; settings?: Partial<Settings> },
	) {
		this.random = new Random(options.seed);
		this.settings = { ...defaultSettings, ...options.settings };
		this.now = options.from ?? clock.now();
	}

	/** Lets everything happen that is due at `time`, each event at its own time. */
	settle(time = this.clock.now()): void {
		for (let event = this.timeline.takeDue(time); event; event = this.timeline.takeDue(time)) {
			this.now = Math.max(this.now, event.at);
			const handler = handlers[event.kind];
			if (!handler) throw new Error(`No handler for timeline events of kind ${event.kind}`);
			handler(this, event.payload);
			this.revision += 1;
		}
		this.now = Math.max(this.now, time);
	}

	/**
	 * Catches up after a pause of the process: what was due happens, what was due long ago (see
	 * `catchUpMs`) as if it had been due that long ago.
	 */
	catchUp(): void {
		this.now = Math.max(this.now, this.clock.now() - this.settings.catchUpMs);
		this.settle();
	}

	/**
	 * What is computed from many rows; once per request as long as the request only reads. The key
	 * names what it is.
	 */
	derive<T>(key: string, compute: () => T): T {
		if (!this.derived) return compute();
		if (!this.derived.has(key)) this.derived.set(key, compute());
		return this.derived.get(key) as T;
	}

	get isReading(): boolean {
		return this.derived !== undefined;
	}

	/** Runs what changes nothing. */
	read<T>(look: () => T): T {
		this.derived = new Map();
		try {
			return look();
		} finally {
			this.derived = undefined;
		}
	}

	/** `now` (or another time in milliseconds) as the ISO 8601 UTC string of the records. */
	timestamp(time = this.now): string {
		return new Date(time).toISOString();
	}

	/** Schedules an event `ms` milliseconds from `now`. */
	after(ms: number, kind: string, payload: Record<string, unknown> = {}): void {
		this.timeline.schedule({ at: this.now + ms, kind, payload });
	}

	/** Lets a task that has just ended, as its status says, have its effects. */
	applyTaskEffects(task: TaskRow): void {
		for (const effects of taskEffects) effects[task.type]?.(this, task, task.status);
	}

	/** Starts a task at the time of the clock. */
	startTask(order: TaskOrder): TaskRow {
		this.settle();
		return startTask(this, order);
	}
}

import type { Clock } from './clock';
import { livingHandlers } from './living';
import { Random } from './random';
import type { TaskRow } from './records';
import { defaultSettings, type Settings } from './settings';
import { siteHandlers } from './sites';
import { Store } from './store';
import { startTask, taskHandlers, type TaskOrder } from './tasks';
import { Timeline } from './timeline';

/** Applies an event of the timeline at `world.now`. */
export type Handler = (world: World, payload: Record<string, unknown>) => void;

const handlers: Record<string, Handler> = { ...taskHandlers, ...siteHandlers, ...livingHandlers };

/** The state of the account and the only place where its time passes. */
export class World {
	readonly store = new Store();
	readonly timeline = new Timeline();
	readonly random: Random;
	readonly settings: Settings;
	readonly account = { active: true };
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
		}
		this.now = Math.max(this.now, time);
	}

	/** `now` (or another time in milliseconds) as the ISO 8601 UTC string of the records. */
	timestamp(time = this.now): string {
		return new Date(time).toISOString();
	}

	/** Schedules an event `ms` milliseconds from `now`. */
	after(ms: number, kind: string, payload: Record<string, unknown> = {}): void {
		this.timeline.schedule({ at: this.now + ms, kind, payload });
	}

	/** Starts a task at the time of the clock. */
	startTask(order: TaskOrder): TaskRow {
		this.settle();
		return startTask(this, order);
	}
}

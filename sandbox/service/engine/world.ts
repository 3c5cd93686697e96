import type { Clock } from './clock';
import { Random } from './random';
import type { Settings } from './settings';
import { createStore, type Collections, type Row, type Store } from './store';
import type { TaskRow, TaskStatus, TaskType } from './taskRows';
import { Timeline } from './timeline';

/** Applies an event of the timeline at `world.now`. */
export type Handler = (world: World, payload: Record<string, unknown>) => void;

/**
 * What happens when a task has ended, by its type: called once, with `completed`, `failed`, `cancelled` or `aborted`.
 * What the effect needs to know is in `task.internal.payload` (`payload` of the order).
 */
export type TaskEffects = Partial<
	Record<TaskType, (world: World, task: TaskRow, outcome: TaskStatus) => void>
>;

/** Something that happens by itself again and again, each time to a few sites of the fleet. */
export interface Rhythm {
	/** From one time to the next: so many milliseconds, or a number of them from a range. */
	every: number | [number, number];
	happen(world: World): void;
}

/** What a part of the service adds to the world. */
export interface Part {
	/** Its kinds of rows, empty. */
	collections?: () => Partial<Collections>;
	settings?: Partial<Settings>;
	/** What events of the timeline do, by their kind. */
	handlers?: Record<string, Handler>;
	effects?: TaskEffects;
	/** The request details of one site, for tasks that are started without any. */
	inputs?: Partial<Record<TaskType, (world: World, siteId: string) => object>>;
	/** What happens by itself in a living fleet. */
	rhythms?: Record<string, Rhythm>;
	/** How often each kind of thing is scheduled up to a time (milliseconds), by its name; chance is left out. */
	due?: (world: World, until: number) => Record<string, number>;
	/** What is so at the moment: keys by the name of what they say. What comes and goes with time, tells what happened. */
	marks?: (world: World) => Record<string, string[]>;
	/** Deletes what is over since before a time, in ISO 8601: else a fast fleet would grow for ever. */
	forget?: (world: World, oldest: string) => void;
	/** Adds its rows to a new fleet of so many sites. */
	seed?: (world: World, size: number) => void;
}

/** What a fleet was begun with. */
export interface Origin {
	seed: number;
	sites: number;
}

/** The state of the account and the only place where its time passes. */
export class World {
	readonly store: Store;
	readonly timeline = new Timeline();
	readonly random: Random;
	readonly settings: Settings;
	readonly account = { active: true };
	/** Grows with every change, so that others see whether there was one. */
	revision = 0;
	/** Grows when the world is put back to an earlier moment: what was under way is over then. */
	era = 0;
	private readonly handlers: Record<string, Handler>;
	private derived: Map<string, unknown> | undefined;
	/** Whether things happen by themselves. */
	living = false;
	/** Told about each page that a list is answered with, and the row behind it. */
	onPage?: (page: Row[], next: Row | undefined) => void;
	/** The time that the state stands for, in milliseconds since the Unix epoch. */
	now: number;

	constructor(
		readonly clock: Clock,
		readonly parts: readonly Part[],
		readonly origin: Origin,
		options: { from?: number; settings?: Partial<Settings> },
	) {
		this.random = new Random(origin.seed);
		this.store = createStore(merged(parts.map(({ collections }) => collections?.())));
		this.settings = { ...merged(parts.map(({ settings }) => settings)), ...options.settings };
		this.handlers = merged(parts.map(({ handlers }) => handlers));
		this.now = options.from ?? clock.now();
	}

	/** Lets everything happen that is due at `time`, each event at its own time. */
	settle(time = this.clock.now()): void {
		for (let event = this.timeline.takeDue(time); event; event = this.timeline.takeDue(time)) {
			this.now = Math.max(this.now, event.at);
			const handler = this.handlers[event.kind];
			if (!handler) throw new Error(`No handler for timeline events of kind ${event.kind}`);
			handler(this, event.payload);
			this.revision += 1;
		}
		this.now = Math.max(this.now, time);
	}

	/** Whether anything is done about timeline events of this kind. */
	canHappen(kind: string): boolean {
		return kind in this.handlers;
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

	/** What the parts have scheduled up to a time, in milliseconds. */
	due(until: number): Record<string, number> {
		return merged(this.parts.map(({ due }) => due?.(this, until)));
	}

	/** What is so at the moment, by all parts. */
	marks(): Record<string, string[]> {
		return merged(this.parts.map(({ marks }) => marks?.(this)));
	}

	/** Schedules an event `ms` milliseconds from `now`. */
	after(ms: number, kind: string, payload: Record<string, unknown> = {}): void {
		this.timeline.schedule({ at: this.now + ms, kind, payload });
	}
}

/** Everything of all parts, as one object. */
function merged<T extends object>(each: Array<Partial<T> | undefined>): T {
	return Object.assign({}, ...each) as T;
}

import type { CallContext } from '../n8n/context';
import { triggerKey } from '../n8n/context';

/** Kinds of requests: for an item, to wait for a task, for a trigger, or for a list that a person has open. */
export const PRIORITY = { items: 0, waits: 1, polls: 2, lists: 3 } as const;

export type Priority = (typeof PRIORITY)[keyof typeof PRIORITY];

/** Owner of a request: the run of a node as an object, or a trigger by its name. */
type Flow = object | string;

/** A request that waits for its turn. */
export interface QueuedRequest {
	priority: Priority;
	/** Flows of the same level take turns. */
	flow: Flow;
	/** Logs a pause; without secrets. */
	log?: (message: string) => void;
	start: () => void;
	/** Deadline by `clock.steady`: the request gives up if its turn comes later. */
	giveUpAt: number;
	giveUp: () => void;
}

/** Requests of each flow in order of arrival; the next flow comes first. */
type Level = Map<Flow, QueuedRequest[]>;

/**
 * A fair queue. Lists go first, because a person waits. Polls, waits and items take turns, and so do the flows in
 * each: no run waits for all items of another.
 */
export class FairQueue {
	/** Flows by priority; the priority whose turn it is comes first. */
	private readonly levels = new Map<Priority, Level>([
		[PRIORITY.polls, new Map()],
		[PRIORITY.waits, new Map()],
		[PRIORITY.items, new Map()],
		[PRIORITY.lists, new Map()],
	]);

	/** @param first whether it goes to the front of its flow */
	add(waiting: QueuedRequest, first = false): void {
		const flows = this.levels.get(waiting.priority)!;
		const line = flows.get(waiting.flow) ?? [];
		if (first) line.unshift(waiting);
		else line.push(waiting);
		flows.set(waiting.flow, line);
	}

	remove(waiting: QueuedRequest): void {
		const flows = this.levels.get(waiting.priority)!;
		const line = (flows.get(waiting.flow) ?? []).filter((other) => other !== waiting);
		if (line.length > 0) flows.set(waiting.flow, line);
		else flows.delete(waiting.flow);
	}

	/** Removes requests whose deadline is before `until`. */
	giveUp(until: number): void {
		const lines = [...this.levels.values()].flatMap((flows) => [...flows.values()]);
		for (const waiting of lines.flat()) {
			if (waiting.giveUpAt >= until) continue;
			this.remove(waiting);
			waiting.giveUp();
		}
	}

	get isEmpty(): boolean {
		return [...this.levels.values()].every(({ size }) => size === 0);
	}

	/** The request whose turn it is; undefined if none waits, or only skipped polls. */
	first(withoutPolls = false): QueuedRequest | undefined {
		for (const priority of [PRIORITY.lists, ...this.levels.keys()]) {
			const [line] = this.levels.get(priority)!.values();
			if (line && !(withoutPolls && priority === PRIORITY.polls)) return line[0];
		}
		return undefined;
	}

	/** Removes and returns the request whose turn it is; its flow and priority are last from now on. */
	next(withoutPolls: boolean): QueuedRequest | undefined {
		const waiting = this.first(withoutPolls);
		if (!waiting) return undefined;
		const { priority, flow } = waiting;
		const flows = this.levels.get(priority)!;
		const line = flows.get(flow)!;
		line.shift();
		flows.delete(flow);
		if (line.length > 0) flows.set(flow, line);
		this.levels.delete(priority);
		this.levels.set(priority, flows);
		return waiting;
	}
}

/** Lists go first, because a person waits; a poll does not wait for all items of another workflow. */
export function priorityOf(context: CallContext): Priority {
	if ('getExecuteData' in context) return PRIORITY.items;
	return 'getCurrentNodeParameter' in context ? PRIORITY.lists : PRIORITY.polls;
}

/** The flow of a context: the run of a node (one object for all its items) or a trigger by its name. */
export function flowOf(context: CallContext): Flow {
	if ('getExecuteData' in context) return context.getExecuteData();
	return priorityOf(context) === PRIORITY.polls ? triggerKey(context) : context;
}

/** Runs a limited number of tasks at a time, in order of arrival. */
export class Semaphore {
	private running = 0;

	private readonly waiting: Array<() => void> = [];

	constructor(private readonly most: number) {}

	async run<T>(work: () => Promise<T>): Promise<T> {
		if (this.running < this.most) this.running += 1;
		else await new Promise<void>((resolve) => this.waiting.push(resolve));
		try {
			return await work();
		} finally {
			// The next one takes over the place.
			const next = this.waiting.shift();
			if (next) next();
			else this.running -= 1;
		}
	}
}

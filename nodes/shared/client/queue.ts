import type { CallContext } from '../n8n/context';

/** Kinds of requests: for an item, to wait for a task, for a trigger, or for a list that a person has open. */
export const PRIORITY = { items: 0, waits: 1, polls: 2, lists: 3 } as const;

export type Priority = (typeof PRIORITY)[keyof typeof PRIORITY];

export interface QueuedRequest {
	priority: Priority;
	/** What takes turns with others of the same priority, such as the run of a node. */
	flow: unknown;
	/** Logs a pause; without secrets. */
	log?: (message: string) => void;
	start: () => void;
	/** Deadline by `clock.steady`: the request gives up if its turn comes later. */
	giveUpAt: number;
	giveUp: () => void;
}

/** Lists go first, because a person waits. The other priorities take turns, and so do the flows of each. */
export class FairQueue {
	/** Requests of one flow and priority, in order of arrival; the next line comes first. */
	private lines: QueuedRequest[][] = [];

	/** The priority whose turn it is comes first. */
	private priorities: Priority[] = [PRIORITY.polls, PRIORITY.waits, PRIORITY.items];

	/** @param first whether it goes to the front of its flow */
	add(waiting: QueuedRequest, first = false): void {
		const { priority, flow } = waiting;
		const line = this.lines.find(([other]) => other?.priority === priority && other.flow === flow);
		if (!line) this.lines.push([waiting]);
		else if (first) line.unshift(waiting);
		else line.push(waiting);
	}

	remove(waiting: QueuedRequest): void {
		const lines = this.lines.map((line) => line.filter((other) => other !== waiting));
		this.lines = lines.filter(({ length }) => length > 0);
	}

	giveUp(until: number): void {
		for (const waiting of this.lines.flat()) {
			if (waiting.giveUpAt >= until) continue;
			this.remove(waiting);
			waiting.giveUp();
		}
	}

	get isEmpty(): boolean {
		return this.lines.length === 0;
	}

	/** The request whose turn it is; undefined if none waits, or only skipped polls. */
	first(withoutPolls = false): QueuedRequest | undefined {
		for (const priority of [PRIORITY.lists, ...this.priorities]) {
			const line = this.lines.find(([waiting]) => waiting?.priority === priority);
			if (line && !(withoutPolls && priority === PRIORITY.polls)) return line[0];
		}
		return undefined;
	}

	/** Removes and returns the request whose turn it is; its flow and priority are last from now on. */
	next(withoutPolls: boolean): QueuedRequest | undefined {
		const waiting = this.first(withoutPolls);
		if (!waiting) return undefined;
		const line = this.lines.find(([each]) => each === waiting)!;
		line.shift();
		this.lines = this.lines.filter((each) => each !== line);
		if (line.length > 0) this.lines.push(line);
		this.priorities = this.priorities.filter((each) => each !== waiting.priority);
		this.priorities.push(waiting.priority);
		return waiting;
	}
}

export function priorityOf(context: CallContext): Priority {
	if ('getExecuteData' in context) return PRIORITY.items;
	return 'getCurrentNodeParameter' in context ? PRIORITY.lists : PRIORITY.polls;
}

/** The run of a node, which is one object for all its items; otherwise the poll or list itself. */
export const flowOf = (context: CallContext): object =>
	'getExecuteData' in context ? context.getExecuteData() : context;

/** Runs a limited number of tasks at a time, in order of arrival. */
export class Semaphore {
	private readonly waiting: Array<() => void> = [];

	constructor(private free: number) {}

	async run<T>(work: () => Promise<T>): Promise<T> {
		if (this.free > 0) this.free -= 1;
		else await new Promise<void>((resolve) => this.waiting.push(resolve));
		try {
			return await work();
		} finally {
			// The next one takes over the place.
			const next = this.waiting.shift();
			if (next) next();
			else this.free += 1;
		}
	}
}

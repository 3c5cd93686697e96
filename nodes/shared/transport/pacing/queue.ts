import type { CallContext } from '../../n8n/context';

/** What waits for a request: an item of a run, a run that waits for a task to end, a trigger, or a person with a list open. */
export const PRIORITY = { items: 0, waits: 1, polls: 2, lists: 3 } as const;

export type Priority = (typeof PRIORITY)[keyof typeof PRIORITY];

/**
 * So many turns go to others for each turn of an action that waits: what the runs of nodes send. With three, 100 triggers
 * leave less than a third of a window to a run: `queue.test.ts` plays it.
 */
const OTHERS = 2;

/**
 * A change that has waited for so long goes before other actions and polls: so it is sent within two windows of a minute.
 * After 75 s it would not be: `queue.test.ts` plays it.
 */
const LONG_MS = 58_000;

/** After an answer, a run that sends one request after the other asks for the next one by then. */
const SOON_MS = 100;

/** Triggers that had no turn are remembered, up to so many. */
const MAX_PASSED_OVER = 10_000;

/** Whether it belongs to the run of a node. */
export const isAction = (priority: Priority) =>
	priority === PRIORITY.items || priority === PRIORITY.waits;

/** What a request belongs to, such as a run of a node or a trigger, by its name. */
export type Flow = object | string;

/** A request that waits for its turn. */
export interface QueuedRequest {
	priority: Priority;
	/** Flows of the same priority take turns. */
	flow: Flow;
	/** Whether it changes something. */
	isChange?: boolean;
	/** In epoch milliseconds. */
	since: number;
	/** Tells what is worth knowing of a pause; nothing secret. */
	log?: (message: string) => void;
	start: () => void;
	/** Where its turn is known to come later, it gives up; in epoch milliseconds. */
	giveUpAt?: number;
	giveUp: () => void;
}

/** The requests of each flow in the order of arrival; the flow that is next comes first. */
type Level = Map<Flow, QueuedRequest[]>;

/**
 * A fair queue. Lists go first, because a person waits. Triggers go before actions, but for every third turn: however
 * many triggers there are, runs of nodes go on. Flows of the same priority take turns.
 */
export class FairQueue {
	private readonly levels: Level[] = Object.values(PRIORITY).map(() => new Map());

	/** Turns of others since the last action's, while one waited or was about to. */
	private others = 0;

	/** Until when an action that had its turn is waited for, because its run is about to ask again. */
	private awaitedUntil = -Infinity;

	/** Whether the last action was a look at what a run waits for: these and items take turns. */
	private hasLooked = false;

	/** Triggers that gave up, the first one first: with their next polls these go before others, lest it be always the same. */
	private readonly passedOver = new Set<Flow>();

	/** @param first whether it goes before what its flow has waiting */
	add(waiting: QueuedRequest, first = false): void {
		const flows = this.levels[waiting.priority]!;
		const line = flows.get(waiting.flow) ?? [];
		if (first) line.unshift(waiting);
		else line.push(waiting);
		flows.set(waiting.flow, line);
	}

	remove(waiting: QueuedRequest): void {
		const flows = this.levels[waiting.priority]!;
		const line = (flows.get(waiting.flow) ?? []).filter((other) => other !== waiting);
		if (line.length > 0) flows.set(waiting.flow, line);
		else flows.delete(waiting.flow);
	}

	/** Takes out those that give up because there is no room until a time. */
	giveUp(until: number): void {
		const all = this.levels.flatMap((flows) => [...flows.values()].flat());
		for (const waiting of all) {
			if ((waiting.giveUpAt ?? Infinity) >= until) continue;
			this.remove(waiting);
			this.passOver(waiting);
		}
	}

	private passOver({ flow, giveUp }: QueuedRequest): void {
		if (this.passedOver.size < MAX_PASSED_OVER) this.passedOver.add(flow);
		giveUp();
	}

	get isEmpty(): boolean {
		return this.levels.every(({ size }) => size === 0);
	}

	/** When the next turn is: now, or later where polls have had theirs and a run is about to ask again. */
	turnAt(now: number): number {
		const isPollsTurn = !this.has(PRIORITY.lists) && !this.hasActions;
		return isPollsTurn && this.others >= OTHERS ? Math.max(now, this.awaitedUntil) : now;
	}

	first(now: number): QueuedRequest | undefined {
		const { flow, priority } = this.inTurn(now);
		return this.levels[priority]!.get(flow)?.[0];
	}

	/**
	 * Takes out the one whose turn it is.
	 * @param paceMs how long polls leave to the run of an action to ask again
	 * @returns undefined when that one has given up, because its turn comes too late
	 */
	next(now: number, paceMs: number): QueuedRequest | undefined {
		const { flow, priority } = this.inTurn(now);
		const flows = this.levels[priority]!;
		const line = flows.get(flow);
		const waiting = line?.shift();
		if (!line || !waiting) return undefined;
		flows.delete(flow);
		if (line.length > 0) flows.set(flow, line);
		if ((waiting.giveUpAt ?? Infinity) < now) {
			this.passOver(waiting);
			return undefined;
		}
		this.passedOver.delete(flow);
		this.count(priority, now, paceMs);
		return waiting;
	}

	/** An action has been answered. */
	answered(now: number): void {
		this.awaitedUntil = Math.min(this.awaitedUntil, now + SOON_MS);
	}

	private count(priority: Priority, now: number, paceMs: number): void {
		if (isAction(priority)) {
			this.others = Math.max(0, this.others - OTHERS);
			this.awaitedUntil = now + paceMs;
			this.hasLooked = priority === PRIORITY.waits;
		} else if (this.hasActions || now < this.awaitedUntil) this.others += 1;
		else this.others = 0;
	}

	private has(priority: Priority): boolean {
		return this.levels[priority]!.size > 0;
	}

	private get hasActions(): boolean {
		return this.has(PRIORITY.items) || this.has(PRIORITY.waits);
	}

	private inTurn(now: number): { flow: Flow; priority: Priority } {
		const firstOf = (priority: Priority) => {
			const [flow = ''] = this.levels[priority]!.keys();
			return { priority, flow };
		};
		if (this.has(PRIORITY.lists)) return firstOf(PRIORITY.lists);
		const late = this.lateChange(now);
		if (late) return late;
		const isPollsTurn = !this.hasActions || this.others < OTHERS;
		if (this.has(PRIORITY.polls) && isPollsTurn) {
			const polls = this.levels[PRIORITY.polls]!;
			for (const flow of this.passedOver) {
				if (polls.has(flow)) return { priority: PRIORITY.polls, flow };
			}
			return firstOf(PRIORITY.polls);
		}
		const looks = this.has(PRIORITY.waits) && !(this.hasLooked && this.has(PRIORITY.items));
		return firstOf(looks ? PRIORITY.waits : PRIORITY.items);
	}

	/** The change that has waited longest, where that is long. */
	private lateChange(now: number): QueuedRequest | undefined {
		const firsts = [...this.levels[PRIORITY.items]!.values()].map(([first]) => first!);
		return firsts
			.filter(({ isChange, since }) => isChange && now - since >= LONG_MS)
			.sort((a, b) => a.since - b.since)[0];
	}
}

/** A person waits for a list; a poll must not wait for the thousand items of another workflow. */
export function priorityOf(context: CallContext): Priority {
	if ('getExecuteData' in context) return PRIORITY.items;
	return 'getCurrentNodeParameter' in context ? PRIORITY.lists : PRIORITY.polls;
}

/** What takes turns with others: the run of a node, the same object for all its items, or a trigger, by its name. */
export function flowOf(context: CallContext): Flow {
	if ('getExecuteData' in context) return context.getExecuteData();
	// With durable cursors n8n has another context for each poll.
	const isPoll = priorityOf(context) === PRIORITY.polls;
	return isPoll ? `${String(context.getWorkflow().id)}/${context.getNode().id}` : context;
}

import type { CallContext } from '../n8n/context';

/** What waits for a request: an item of a run, a run that waits for a task, a trigger, or a person with a list open. */
export const PRIORITY = { items: 0, waits: 1, polls: 2, lists: 3 } as const;

export type Priority = (typeof PRIORITY)[keyof typeof PRIORITY];

/** Whether it belongs to the run of a node. */
export const isAction = (priority: Priority) =>
	priority === PRIORITY.items || priority === PRIORITY.waits;

/** What a request belongs to, such as a run of a node or a trigger, by its name. */
export type Flow = object | string;

/** A request that waits for its turn. */
export interface QueuedRequest {
	priority: Priority;
	/** Flows of the same level take turns. */
	flow: Flow;
	/** Tells what is worth knowing of a pause; nothing secret. */
	log?: (message: string) => void;
	start: () => void;
	/** Where its turn is known to come later, it gives up; by `clock.steady`. */
	giveUpAt: number;
	giveUp: () => void;
}

/** The requests of each flow in the order of arrival; the flow that is next comes first. */
type Level = Map<Flow, QueuedRequest[]>;

/**
 * A fair queue. Lists go first, because a person waits. Polls, looks at what a run waits for, and items take turns, and
 * so do the flows of each: no run waits for all items of another.
 */
export class FairQueue {
	private readonly levels: Readonly<Record<Priority, Level>> = {
		[PRIORITY.items]: new Map(),
		[PRIORITY.waits]: new Map(),
		[PRIORITY.polls]: new Map(),
		[PRIORITY.lists]: new Map(),
	};

	/** Whose turn it is, the first one first. */
	private turns: Priority[] = [PRIORITY.polls, PRIORITY.waits, PRIORITY.items];

	/** @param first whether it goes before what its flow has waiting */
	add(waiting: QueuedRequest, first = false): void {
		const flows = this.levels[waiting.priority];
		const line = flows.get(waiting.flow) ?? [];
		if (first) line.unshift(waiting);
		else line.push(waiting);
		flows.set(waiting.flow, line);
	}

	remove(waiting: QueuedRequest): void {
		const flows = this.levels[waiting.priority];
		const line = (flows.get(waiting.flow) ?? []).filter((other) => other !== waiting);
		if (line.length > 0) flows.set(waiting.flow, line);
		else flows.delete(waiting.flow);
	}

	/** Takes out those that give up because there is no room until a time. @param only of this priority */
	giveUp(until: number, only?: Priority): void {
		const levels = only === undefined ? Object.values(this.levels) : [this.levels[only]];
		for (const waiting of levels.flatMap((flows) => [...flows.values()].flat())) {
			if (waiting.giveUpAt >= until) continue;
			this.remove(waiting);
			waiting.giveUp();
		}
	}

	get isEmpty(): boolean {
		return Object.values(this.levels).every(({ size }) => size === 0);
	}

	/** @param withoutPolls whether polls have no turn now */
	private inTurn(withoutPolls = false): Priority | undefined {
		return [PRIORITY.lists, ...this.turns].find(
			(priority) =>
				this.levels[priority].size > 0 && !(withoutPolls && priority === PRIORITY.polls),
		);
	}

	first(): QueuedRequest | undefined {
		const priority = this.inTurn();
		const [line] = priority === undefined ? [] : this.levels[priority].values();
		return line?.[0];
	}

	/** Takes out the one whose turn it is; undefined where only polls wait that have none now. */
	next(withoutPolls: boolean): QueuedRequest | undefined {
		const priority = this.inTurn(withoutPolls);
		if (priority === undefined) return undefined;
		const flows = this.levels[priority];
		const [[flow, line] = ['', []]] = flows;
		const waiting = line.shift();
		flows.delete(flow);
		if (line.length > 0) flows.set(flow, line);
		if (priority !== PRIORITY.lists) {
			this.turns = [...this.turns.filter((each) => each !== priority), priority];
		}
		return waiting;
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

/** Who goes first when requests wait: what a person or a trigger waits for goes before the items of a run. */
export const PRIORITY = { items: 0, polls: 1, lists: 2 } as const;

export type Priority = (typeof PRIORITY)[keyof typeof PRIORITY];

/** A request that waits for its turn. */
export interface Waiting {
	priority: Priority;
	/** What it belongs to, such as a run of a node: flows of the same priority take turns. */
	flow: object;
	start: () => void;
	/** Where its turn is known to come later, it gives up; in epoch milliseconds. */
	giveUpAt?: number;
	giveUp: () => void;
}

/** A fair queue: by priority, then in turns between flows, then in the order of arrival. */
export class FairQueue {
	/** One map a priority, in which the flow that is next comes first. */
	private readonly levels: Array<Map<object, Waiting[]>> = Object.values(PRIORITY).map(
		() => new Map(),
	);

	/** @param first whether it goes before what its flow has waiting */
	add(waiting: Waiting, first = false): void {
		const flows = this.levels[waiting.priority]!;
		const line = flows.get(waiting.flow) ?? [];
		if (first) line.unshift(waiting);
		else line.push(waiting);
		flows.set(waiting.flow, line);
	}

	remove(waiting: Waiting): void {
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
			waiting.giveUp();
		}
	}

	/** Requests that wait. */
	get size(): number {
		return this.levels.reduce(
			(sum, flows) => [...flows.values()].reduce((all, line) => all + line.length, sum),
			0,
		);
	}

	get isEmpty(): boolean {
		return this.levels.every(({ size }) => size === 0);
	}

	/** Takes out the one whose turn it is. */
	next(): Waiting | undefined {
		const flows = [...this.levels].reverse().find(({ size }) => size > 0);
		const [entry] = flows ?? [];
		if (!flows || !entry) return undefined;
		const [flow, line] = entry;
		const waiting = line.shift();
		flows.delete(flow);
		if (line.length > 0) flows.set(flow, line);
		return waiting;
	}
}

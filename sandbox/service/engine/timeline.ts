/** Something that will happen at `at` (milliseconds since the Unix epoch); plain data. */
export interface TimelineEvent {
	at: number;
	kind: string;
	payload: Record<string, unknown>;
}

/** An event with its place among those of the same time. */
export interface ScheduledEvent extends TimelineEvent {
	order: number;
}

/** Future events, earliest first; events of the same time stay in the order they were scheduled. */
export class Timeline {
	/** A binary heap: the children of index i are at 2i + 1 and 2i + 2, none before its parent. */
	private readonly heap: ScheduledEvent[] = [];
	private scheduled = 0;
	/** What came and what went (nothing) by its order, while somebody watches. */
	private changes: Map<number, ScheduledEvent | undefined> | undefined;

	schedule({ at, kind, payload }: TimelineEvent): void {
		this.add({ at, kind, payload, order: ++this.scheduled });
	}

	/** Takes the earliest event out if it is due at `time`. */
	takeDue(time: number): TimelineEvent | undefined {
		const first = this.heap[0];
		if (!first || first.at > time) return undefined;
		const last = this.heap.pop()!;
		if (last !== first) this.sink(last);
		this.changes?.set(first.order, undefined);
		return first;
	}

	/** All future events, in no order. */
	all(): readonly ScheduledEvent[] {
		return this.heap;
	}

	/** Puts the events of an earlier timeline in the place of those that are there. */
	restore(events: readonly ScheduledEvent[]): void {
		for (const { order } of this.heap.splice(0)) this.changes?.set(order, undefined);
		this.scheduled = 0;
		for (const event of events) {
			this.scheduled = Math.max(this.scheduled, event.order);
			this.add(event);
		}
	}

	/** From now on `takeChanges` tells what comes and goes. */
	watch(): void {
		this.changes = new Map();
	}

	/** What came and what went since the last time: an event by its order, or nothing when it is gone. */
	takeChanges(): ReadonlyMap<number, ScheduledEvent | undefined> {
		const changes = this.changes ?? new Map<number, undefined>();
		this.watch();
		return changes;
	}

	private add(event: ScheduledEvent): void {
		this.changes?.set(event.order, event);
		let index = this.heap.length;
		while (index > 0) {
			const parent = (index - 1) >> 1;
			if (comesBefore(this.heap[parent]!, event)) break;
			this.heap[index] = this.heap[parent]!;
			index = parent;
		}
		this.heap[index] = event;
	}

	/** Fills the place of the first event, moving earlier ones up until `event` fits. */
	private sink(event: ScheduledEvent): void {
		const { heap } = this;
		let index = 0;
		for (;;) {
			let child = 2 * index + 1;
			if (child >= heap.length) break;
			if (child + 1 < heap.length && comesBefore(heap[child + 1]!, heap[child]!)) child += 1;
			if (comesBefore(event, heap[child]!)) break;
			heap[index] = heap[child]!;
			index = child;
		}
		heap[index] = event;
	}
}

function comesBefore(one: ScheduledEvent, other: ScheduledEvent): boolean {
	return one.at < other.at || (one.at === other.at && one.order < other.order);
}

/** Something that will happen at `at` (milliseconds since the Unix epoch); plain data. */
export interface TimelineEvent {
	at: number;
	kind: string;
	payload: Record<string, unknown>;
}

/** Future events, earliest first; events of the same time stay in the order they were scheduled. */
export class Timeline {
	private readonly events: TimelineEvent[] = [];

	schedule(event: TimelineEvent): void {
		const later = this.events.findIndex((other) => other.at > event.at);
		this.events.splice(later === -1 ? this.events.length : later, 0, event);
	}

	/** Takes the earliest event out if it is due at `time`. */
	takeDue(time: number): TimelineEvent | undefined {
		const first = this.events[0];
		return first && first.at <= time ? this.events.shift() : undefined;
	}
}

/** A source of the service's time, in milliseconds since the Unix epoch. */
export interface Clock {
	now(): number;
	/** Moves the time forward by `ms` milliseconds; a clock without it can not be moved. */
	advance?(ms: number): void;
	/** The time in which clients wait, when that is another one. */
	machineNow?(): number;
	/** How many times as fast as the machine's time it runs; a clock without it stands still. */
	readonly speed?: number;
}

/** A clock that stands still until it is moved. */
export class ManualClock implements Clock {
	constructor(private time: number) {}

	now(): number {
		return this.time;
	}

	advance(ms: number): void {
		this.time += ms;
	}
}

/** The time of the machine, from the moment of construction running `speed` times as fast. */
export class RealClock implements Clock {
	private readonly startedAt = Date.now();
	constructor(
		readonly speed = 1,
		/** How far ahead of the machine's time it is at first, in milliseconds. */
		private offset = 0,
	) {}

	now(): number {
		return Math.floor(this.startedAt + (Date.now() - this.startedAt) * this.speed) + this.offset;
	}

	advance(ms: number): void {
		this.offset += ms;
	}

	machineNow(): number {
		return Date.now();
	}
}

export const hour = 60 * 60 * 1000;
export const day = 24 * hour;

export const minute = 60_000;

/** A source of the service's time, in milliseconds since the Unix epoch. */
export interface Clock {
	now(): number;
	/** Moves the time forward by `ms` milliseconds; a clock without it can not be moved. */
	advance?(ms: number): void;
	/** The time in which clients wait, when that is another one. */
	machineNow?(): number;
	/** How many times as fast as the machine's time it runs, from when it is set on; a clock without it stands still. */
	speed?: number;
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
	/** A moment of the machine's time, and what the clock said then. */
	private since: { machine: number; time: number };

	constructor(
		private factor = 1,
		/** How far ahead of the machine's time it is at first, in milliseconds. */
		offset = 0,
	) {
		const machine = Date.now();
		this.since = { machine, time: machine + offset };
	}

	now(): number {
		const { machine, time } = this.since;
		return Math.floor(time + (Date.now() - machine) * this.factor);
	}

	advance(ms: number): void {
		this.since.time += ms;
	}

	machineNow(): number {
		return Date.now();
	}

	get speed(): number {
		return this.factor;
	}

	/** The time goes on from where it is. */
	set speed(factor: number) {
		this.since = { machine: Date.now(), time: this.now() };
		this.factor = factor;
	}
}

export const hour = 60 * 60 * 1000;
export const day = 24 * hour;

export const minute = 60_000;

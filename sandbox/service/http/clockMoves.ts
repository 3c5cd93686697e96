import { ApiError, conflict, unprocessable } from '../engine/errors';
import { type Happened, happenedSince } from '../engine/happened';
import type { World } from '../engine/world';
import { setImmediate as others } from 'node:timers/promises';

/** The clock is moved in steps of so many milliseconds. */
const stepMs = 60_000;
/** For so long nobody else is served while it is moved, in milliseconds of the machine's time. */
const sliceMs = 10;

interface Moved {
	now: string;
	happened: Happened;
}

/** Moves the clock, one move after the other. */
export class ClockMoves {
	/** Grows with every step, so that others see whether there was one. */
	revision = 0;
	isClosing = false;
	/** The move that is under way. */
	private move: { from: string; to: string } | null = null;
	/** The last move: the next one waits for its end. */
	private last: Promise<unknown> = Promise.resolve();

	constructor(private readonly world: World) {}

	/** Moves the clock by this many milliseconds, and returns the time at the end with what happened on the way. */
	advance(ms: number): Promise<Moved> {
		if (!this.world.clock.advance) throw unprocessable('fixed', 'ms', 'cannot move this clock');
		const { era } = this.world;
		const moved = this.last.then(() => this.carryOut(ms, era));
		this.last = moved.catch(() => {});
		return moved;
	}

	/** Lets the clock run faster or slower from now on. */
	run(speed: number): void {
		const { clock } = this.world;
		if (clock.speed === undefined) throw unprocessable('fixed', 'speed', 'does not fit this clock');
		clock.speed = speed;
		this.revision += 1;
	}

	/** What a person sees of the clock. */
	look() {
		const { clock } = this.world;
		return {
			now: this.world.timestamp(),
			speed: clock.speed ?? 0,
			movable: clock.advance !== undefined,
			move: this.move,
		};
	}

	private async carryOut(ms: number, era: number): Promise<Moved> {
		const { now } = this.world;
		const before = this.world.marks();
		this.move = { from: this.world.timestamp(), to: this.world.timestamp(now + ms) };
		try {
			const end = await this.inSlices(ms, era);
			return { now: end, happened: happenedSince(this.world, before) };
		} finally {
			this.move = null;
			this.revision += 1;
		}
	}

	/** Others are served between the slices; the time of another era is left alone. */
	private async inSlices(ms: number, era: number): Promise<string> {
		const { world } = this;
		let left = ms;
		for (;;) {
			if (world.era !== era)
				throw conflict('The fleet was put back during the move. The time stays where it is now.');
			const sliceEnd = performance.now() + sliceMs;
			while (left > 0 && performance.now() < sliceEnd) {
				const step = Math.min(left, stepMs);
				world.clock.advance!(step);
				world.settle();
				left -= step;
			}
			this.revision += 1;
			if (left === 0) return world.timestamp();
			await others();
			if (this.isClosing) throw new ApiError(503, 'unavailable', 'The service is stopping');
		}
	}
}

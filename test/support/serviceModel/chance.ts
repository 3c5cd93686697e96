import { Random } from '../../../sandbox/service/engine/random';

/** Numbers that only look random: the same seed gives the same history. */
export class Chance extends Random {
	below(end: number): number {
		return Math.floor(this.next() * end);
	}

	is(share: number): boolean {
		return this.chance(share);
	}

	/** Some of them, at least one. */
	some<T>(list: readonly T[]): T[] {
		const found = list.filter(() => this.is(0.5));
		return found.length > 0 ? found : [this.pick(list)];
	}
}

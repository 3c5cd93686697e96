/** A number that is always the same for the same words (FNV-1a). */
export function hashOf(...words: Array<string | number>): number {
	let hash = 0x811c9dc5;
	for (const char of words.join('\n')) hash = Math.imul(hash ^ char.codePointAt(0)!, 0x01000193);
	return hash >>> 0;
}

/** Deterministic pseudo-random numbers (mulberry32); `state` is all there is to save. */
export class Random {
	constructor(public state: number) {}

	/** A number from 0 (inclusive) to 1 (exclusive). */
	next(): number {
		this.state = (this.state + 0x6d2b79f5) | 0;
		let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
		t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
		return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
	}

	/** An integer from `min` to `max`, both inclusive. */
	integer(min: number, max: number): number {
		return min + Math.floor(this.next() * (max - min + 1));
	}

	chance(probability: number): boolean {
		return this.next() < probability;
	}

	pick<T>(items: readonly T[]): T {
		if (items.length === 0) throw new RangeError('There is nothing to pick from');
		return items[this.integer(0, items.length - 1)] as T;
	}

	/** Up to `count` different items, in the order drawn. */
	sample<T>(items: readonly T[], count: number): T[] {
		const rest = [...items];
		const drawn: T[] = [];
		while (drawn.length < count && rest.length > 0) {
			drawn.push(...rest.splice(this.integer(0, rest.length - 1), 1));
		}
		return drawn;
	}

	hex(length: number): string {
		return Array.from({ length }, () => this.integer(0, 15).toString(16)).join('');
	}
}

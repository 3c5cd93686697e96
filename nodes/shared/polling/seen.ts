import { createHash } from 'crypto';

/** Enough of a hash that two of some thousand keys never meet: 48 bits. */
const HASH_LENGTH = 8;

const hash = (key: string) =>
	createHash('sha256').update(key).digest('base64url').slice(0, HASH_LENGTH);

/** The keys of what was emitted, each with the time of its record; small, because n8n keeps it between polls. */
export class Seen {
	private readonly times = new Map<string, number>();

	/** @param entries as `entries` gives them: a hash of the key, and the time in milliseconds to the base of 36 */
	constructor(entries: string[]) {
		for (const entry of entries) {
			this.times.set(entry.slice(0, HASH_LENGTH), parseInt(entry.slice(HASH_LENGTH), 36));
		}
	}

	has(key: string): boolean {
		return this.times.has(hash(key));
	}

	add(key: string, time: number): void {
		this.times.set(hash(key), time);
	}

	/**
	 * Forgets the oldest beyond the capacity, whole times only, and never the newest time.
	 * @param since what is earlier will not be read again, so nothing is lost with it
	 * @returns the time up to which something was forgotten that might be read again; undefined when there is none
	 */
	shrink(capacity: number, since: number): number | undefined {
		if (this.times.size <= capacity) return undefined;
		const newestFirst = [...this.times.values()].sort((a, b) => b - a);
		const [newest] = newestFirst;
		const cut = newestFirst[capacity]!;
		const upTo = cut === newest ? newestFirst.find((time) => time < newest!) : cut;
		if (upTo === undefined) return undefined;
		for (const [key, time] of this.times) if (time <= upTo) this.times.delete(key);
		return upTo < since ? undefined : upTo;
	}

	entries(): string[] {
		return [...this.times].map(([key, time]) => key + time.toString(36));
	}
}

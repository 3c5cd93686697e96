import { createHash } from 'crypto';
import type { Occurrence } from './feed';

/** Enough of a hash that two of some thousand keys never meet: 48 bits. */
const HASH_LENGTH = 8;

/** A short hash of a text, for what n8n has to keep. */
export const hash = (key: string) =>
	createHash('sha256').update(key).digest('base64url').slice(0, HASH_LENGTH);

/** The keys of what was emitted, each with the time of its record; small, because n8n keeps it between polls. */
export class Seen {
	private readonly times = new Map<string, number>();

	private readonly values = new Map<string, string>();

	/**
	 * @param entries as `entries` gives them: a hash of the key, the time in milliseconds to the base of 36, and where
	 * it stands, if it does
	 */
	constructor(entries: string[]) {
		for (const entry of entries) {
			const key = entry.slice(0, HASH_LENGTH);
			const [time = '', ...value] = entry.slice(HASH_LENGTH).split(' ');
			this.times.set(key, parseInt(time, 36));
			if (value.length > 0) this.values.set(key, value.join(' '));
		}
	}

	has({ key, value }: Occurrence): boolean {
		const hashed = hash(key);
		return (
			this.times.has(hashed) && (value === undefined || this.values.get(hashed) === `${value}`)
		);
	}

	add({ key, value }: Occurrence, time: number): void {
		const hashed = hash(key);
		this.times.set(hashed, time);
		if (value !== undefined) this.values.set(hashed, `${value}`);
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
		for (const [key, time] of this.times) {
			if (time > upTo) continue;
			this.times.delete(key);
			this.values.delete(key);
		}
		return upTo < since ? undefined : upTo;
	}

	entries(): string[] {
		return [...this.times].map(([key, time]) => {
			const value = this.values.get(key);
			return `${key}${time.toString(36)}${value === undefined ? '' : ` ${value}`}`;
		});
	}
}

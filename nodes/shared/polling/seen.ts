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

	private readonly values = new Map<string, Set<string>>();

	/**
	 * @param entries as `entries` gives them: a hash of the key, the time in milliseconds to the base of 36, and its
	 * values, if it has any
	 */
	constructor(entries: string[]) {
		for (const entry of entries) {
			const key = entry.slice(0, HASH_LENGTH);
			const [time = '', values] = entry.slice(HASH_LENGTH).split(' ');
			this.times.set(key, parseInt(time, 36));
			if (values !== undefined) this.values.set(key, new Set(values.split(',')));
		}
	}

	has({ key, value }: Occurrence): boolean {
		const hashed = hash(key);
		if (value === undefined) return this.times.has(hashed);
		return this.values.get(hashed)?.has(String(value)) ?? false;
	}

	add({ key, value }: Occurrence, time: number): void {
		const hashed = hash(key);
		this.times.set(hashed, time);
		if (value === undefined) return;
		this.values.set(hashed, (this.values.get(hashed) ?? new Set<string>()).add(String(value)));
	}

	/**
	 * Forgets the oldest beyond the capacity, whole times only, and never the newest time.
	 * @param since what is earlier will not be read again, so nothing is lost with it
	 * @returns the time up to which something was forgotten that might be read again; undefined when there is none
	 */
	shrink(capacity: number, since: number): number | undefined {
		// Four values take about as much as a key.
		const values = [...this.values.values()].reduce((sum, { size }) => sum + size, 0);
		const room = Math.max(1, capacity - Math.ceil(values / 4));
		if (this.times.size <= room) return undefined;
		const newestFirst = [...this.times.values()].sort((a, b) => b - a);
		const [newest] = newestFirst;
		const cut = newestFirst[room]!;
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
			const values = this.values.get(key);
			return `${key}${time.toString(36)}${values ? ` ${[...values].join()}` : ''}`;
		});
	}
}

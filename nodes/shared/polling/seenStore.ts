import { createHash } from 'crypto';

/**
 * Enough of a hash that two of ten thousand never meet: 36 bits, so that ten thousand records fit into the state.
 * With so many known, one new record in seven million would be taken for another.
 */
const HASH_LENGTH = 6;

/** The hashes of a text that has several, one after the other. */
export const hashesIn = (text = '', length = HASH_LENGTH): string[] =>
	text.match(new RegExp(`.{${length}}`, 'g')) ?? [];

/** A short hash of a text, for what n8n has to keep. */
export const hash = (text: string, length = HASH_LENGTH) =>
	createHash('sha256').update(text).digest('base64url').slice(0, length);

/** Times are kept by such steps: closed records are soon forgotten, open ones are followed for days. */
const CLOSED_STEP_MS = 10_000;
const OPEN_STEP_MS = 60_000;

/** What is kept as text, at most: n8n's own limit for a state is 64 KB, and other feeds need room, too. */
const MAX_LENGTH = 56_000;

interface Entry {
	/**
	 * In epoch milliseconds, rounded down to the step; of an open record the time from which on it is followed for a
	 * while, or undefined where it is followed without end.
	 */
	bornAt?: number;
	isOpen: boolean;
	/** Those of its occurrences, sorted, while it is open. */
	keys: string;
}

/** The records that may be read again, and of open ones what has happened until now; small, because n8n keeps it. */
export class SeenStore {
	private readonly entries = new Map<string, Entry>();

	/** @param saved as `saved` gives it: by step of time, `keys:hashes` of the records with the same keys */
	constructor(saved: Record<string, string> = {}) {
		for (const [step, groups] of Object.entries(saved)) {
			const isOpen = step.startsWith('o');
			const number = step.slice(1);
			const stepMs = isOpen ? OPEN_STEP_MS : CLOSED_STEP_MS;
			const bornAt = number === '' ? undefined : parseInt(number, 36) * stepMs;
			for (const group of groups.split(';')) {
				const [keys = '', hashes = ''] = group.split(':');
				for (const key of hashesIn(hashes)) this.entries.set(key, { bornAt, isOpen, keys });
			}
		}
	}

	/** The keys of what has happened to an open record; undefined when it is not known. */
	get(id: string): Set<string> | 'closed' | undefined {
		const entry = this.entries.get(hash(id));
		if (!entry?.isOpen) return entry && 'closed';
		return new Set(entry.keys.split(',').filter(Boolean));
	}

	/**
	 * @param keys of what has happened to an open record; nothing more can happen to a closed one
	 * @param bornAt undefined for an open record that is followed without end
	 */
	set(id: string, keys: Set<string> | 'closed', bornAt?: number): void {
		const isOpen = keys !== 'closed';
		const entry: Entry = { isOpen, keys: isOpen ? [...keys].sort().join() : '' };
		const stepMs = stepOf(entry);
		if (bornAt !== undefined) entry.bornAt = Math.floor(bornAt / stepMs) * stepMs;
		this.entries.set(hash(id), entry);
	}

	/** Forgets closed records that were born before a time, and open ones that were born before another. */
	forget(closedBefore: number, openBefore: number): void {
		for (const [key, entry] of this.entries) {
			if (entry.bornAt === undefined) continue;
			if (endOf(entry) <= (entry.isOpen ? openBefore : closedBefore)) this.entries.delete(key);
		}
	}

	/**
	 * Forgets until the rest has room: first closed records that are settled, by whole steps of time, then open ones
	 * that are, those that were born first and at last those that are followed without end, and then all by steps.
	 * @param settled what was born before, and is not known, is not looked at any more
	 * @returns how many were forgotten, and up to which time because of the steps, in epoch milliseconds
	 */
	shrink(settled: number, maxLength = MAX_LENGTH): { count: number; until: number } {
		let [count, until] = [0, 0];
		for (let excess: number; (excess = this.length() - maxLength) > 0;) {
			const before = this.entries.size;
			const isSettled = (entry: Entry) => endOf(entry) <= settled;
			const spare = this.dropOldest((entry) => !entry.isOpen && isSettled(entry));
			if (spare > 0) {
				until = Math.max(until, spare);
				continue;
			}
			const open = [...this.entries]
				.filter(([, entry]) => entry.isOpen && isSettled(entry))
				.sort(([, one], [, other]) => rankOf(one) - rankOf(other));
			// A hash is the least that one takes.
			for (const [key] of open.slice(0, Math.ceil(excess / (4 * HASH_LENGTH))))
				this.entries.delete(key);
			if (open.length === 0)
				until = Math.max(
					until,
					this.dropOldest(() => true),
				);
			count += before - this.entries.size;
		}
		return { count, until };
	}

	/** Drops the oldest step of time of some entries. @returns the end of it, 0 when there are none */
	private dropOldest(isMeant: (entry: Entry) => boolean): number {
		const meant = [...this.entries].filter(([, entry]) => isMeant(entry));
		const oldest = meant.reduce((least, [, entry]) => Math.min(least, endOf(entry)), Infinity);
		for (const [key, entry] of meant) if (endOf(entry) <= oldest) this.entries.delete(key);
		return Math.max(0, meant.length > 0 ? oldest : 0);
	}

	private length(): number {
		return JSON.stringify(this.saved()).length;
	}

	/** As plain JSON. */
	saved(): Record<string, string> {
		const groups = new Map<string, Map<string, string[]>>();
		for (const [key, entry] of this.entries) {
			const { bornAt, isOpen, keys } = entry;
			const number = bornAt === undefined ? '' : (bornAt / stepOf(entry)).toString(36);
			const step = `${isOpen ? 'o' : 'c'}${number}`;
			const byKeys = groups.get(step) ?? new Map<string, string[]>();
			groups.set(step, byKeys);
			const hashes = byKeys.get(keys) ?? [];
			byKeys.set(keys, hashes);
			hashes.push(key);
		}
		const texts = [...groups].map(([step, byKeys]) => [
			step,
			[...byKeys].map(([keys, hashes]) => `${keys}:${hashes.join('')}`).join(';'),
		]);
		return Object.fromEntries(texts) as Record<string, string>;
	}
}

const stepOf = ({ isOpen }: Entry) => (isOpen ? OPEN_STEP_MS : CLOSED_STEP_MS);

/** What is followed without end is known to go on. */
const rankOf = ({ bornAt }: Entry) => bornAt ?? Number.MAX_VALUE;

/** The time before which it was born; none for an open record that is followed without end. */
const endOf = (entry: Entry) =>
	entry.bornAt === undefined ? -Infinity : entry.bornAt + stepOf(entry);

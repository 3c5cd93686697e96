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

/** Adds to the list of a key. */
export function addTo<K, V>(groups: Map<K, V[]>, key: K, value: V): void {
	const group = groups.get(key);
	if (group) group.push(value);
	else groups.set(key, [value]);
}

/** Times are kept by such steps, so that many records share one. */
const STEP_MS = 10_000;

/** What is kept as text, at most: n8n's own limit for a state is 64 KB, and other feeds need room, too. */
export const MAX_LENGTH = 56_000;

/** The part of the entries that is forgotten at a time, when there is no room for all. */
const FORGOTTEN_SHARE = 0.03;

interface Entry {
	/** The time by which it is forgotten, in steps; none for an open record that is followed without end. */
	step?: number;
	/** What has happened to the record, sorted; undefined when nothing more can. */
	keys?: string;
}

/** The records that may be read again, and of open ones what has happened until now; small, because n8n keeps it. */
export class SeenStore {
	private readonly entries = new Map<string, Entry>();

	/** @param saved as `saved` gives it: hashes by `step`, of open records by `step:keys` */
	constructor(saved: Record<string, string> = {}) {
		for (const [name, hashes] of Object.entries(saved)) {
			const [step = '', keys] = name.split(':');
			const entry = { ...(step && { step: parseInt(step, 36) }), keys };
			for (const key of hashesIn(hashes)) this.entries.set(key, entry);
		}
	}

	/** The keys of what has happened to an open record; undefined when it is not known. */
	get(id: string): Set<string> | 'closed' | undefined {
		const entry = this.entries.get(hash(id));
		return entry && (entry.keys === undefined ? 'closed' : new Set(split(entry.keys)));
	}

	/**
	 * @param keys of what has happened to an open record; nothing more can happen to a closed one
	 * @param at the time by which it is forgotten, in epoch milliseconds; never by default
	 */
	set(id: string, keys: Set<string> | 'closed', at?: number): void {
		const step = at === undefined ? undefined : Math.floor(at / STEP_MS);
		this.entries.set(
			hash(id),
			keys === 'closed' ? { step } : { step, keys: [...keys].sort().join() },
		);
	}

	/** Forgets closed records whose time is before one, and open ones whose time is before another. */
	forget(closedBefore: number, openBefore: number): void {
		for (const [key, entry] of this.entries) {
			if (endOf(entry) <= (entry.keys === undefined ? closedBefore : openBefore)) {
				this.entries.delete(key);
			}
		}
	}

	/**
	 * Forgets the oldest until the rest has room, at last those that are followed without end.
	 * @returns how many open ones were forgotten, and before which time all may be, in epoch milliseconds
	 */
	shrink(maxLength = MAX_LENGTH): { count: number; until: number } {
		let [count, until] = [0, 0];
		while (JSON.stringify(this.saved()).length > maxLength) {
			const oldest = [...this.entries].sort(([, one], [, other]) => stepOf(one) - stepOf(other));
			for (const [key, entry] of oldest.slice(0, Math.ceil(oldest.length * FORGOTTEN_SHARE))) {
				this.entries.delete(key);
				if (entry.keys !== undefined) count += 1;
				until = Math.max(until, endOf(entry));
			}
		}
		return { count, until };
	}

	/** As plain JSON. */
	saved(): Record<string, string> {
		const groups = new Map<string, string[]>();
		for (const [key, { step, keys }] of this.entries) {
			addTo(groups, (step?.toString(36) ?? '') + (keys === undefined ? '' : `:${keys}`), key);
		}
		return Object.fromEntries([...groups].map(([name, keys]) => [name, keys.join('')]));
	}
}

const split = (keys: string) => keys.split(',').filter(Boolean);

const stepOf = ({ step = Infinity }: Entry) => step;

const endOf = (entry: Entry) => (stepOf(entry) + 1) * STEP_MS;

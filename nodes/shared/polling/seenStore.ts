import { createHash } from 'crypto';

/** Characters: 10,000 records fit into the state, and then one new record in seven million has the hash of another. */
const HASH_LENGTH = 6;

/** Splits a text of hashes without separators. */
export const hashesIn = (text = '', length = HASH_LENGTH): string[] =>
	text.match(new RegExp(`.{${length}}`, 'g')) ?? [];

/** A short hash of a text, for the state that n8n stores. */
export const hash = (text: string, length = HASH_LENGTH) =>
	createHash('sha256').update(text).digest('base64url').slice(0, length);

/** Texts of the hashes that have the same name, as plain JSON. */
export function textsBy<V>(
	entries: Iterable<[string, V]>,
	nameOf: (value: V) => string,
): Record<string, string> {
	const texts: Record<string, string> = {};
	for (const [key, value] of entries) {
		const name = nameOf(value);
		texts[name] = (texts[name] ?? '') + key;
	}
	return texts;
}

/** Precision of stored times, so that many records share one. */
const STEP_MS = 10_000;

/** Maximum length as JSON: n8n's limit for a state is 64 KB, which other feeds share. */
export const MAX_LENGTH = 56_000;

/** Share of the entries that is forgotten at a time when the store is full. */
const FORGOTTEN_SHARE = 0.03;

interface Entry {
	/** The time by which it is forgotten, in steps; undefined for an open record without a time limit. */
	step?: number;
	/** Sorted keys of the record's events; undefined if it is closed. */
	keys?: string;
}

/** Hashes of the records that may be read again, with the events of open ones; short, because n8n stores it. */
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

	/** The keys of an open record's events; undefined if the record is unknown. */
	get(id: string): Set<string> | 'closed' | undefined {
		const entry = this.entries.get(hash(id));
		return entry && (entry.keys === undefined ? 'closed' : new Set(split(entry.keys)));
	}

	/**
	 * @param keys of an open record's events; a closed one has no more events
	 * @param at the time by which it is forgotten, in epoch milliseconds. @default never
	 */
	set(id: string, keys: Set<string> | 'closed', at?: number): void {
		const step = at === undefined ? undefined : Math.floor(at / STEP_MS);
		this.entries.set(
			hash(id),
			keys === 'closed' ? { step } : { step, keys: [...keys].sort().join() },
		);
	}

	/** Forgets closed and open records whose time is earlier, in epoch milliseconds. */
	forget(closedBefore: number, openBefore: number): void {
		for (const [key, entry] of this.entries) {
			if (endOf(entry) <= (entry.keys === undefined ? closedBefore : openBefore)) {
				this.entries.delete(key);
			}
		}
	}

	/**
	 * Forgets the oldest records until the rest fits; those without a time limit come last.
	 * @returns the number of open ones forgotten, and the end of the time of forgotten ones, in epoch milliseconds
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
		return textsBy(
			this.entries,
			({ step, keys }) => (step?.toString(36) ?? '') + (keys === undefined ? '' : `:${keys}`),
		);
	}
}

const split = (keys: string) => keys.split(',').filter(Boolean);

const stepOf = ({ step = Infinity }: Entry) => step;

const endOf = (entry: Entry) => (stepOf(entry) + 1) * STEP_MS;

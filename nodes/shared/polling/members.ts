import type { IDataObject } from 'n8n-workflow';
import type { StateFeed } from './feed';

/** What a trigger remembers of a state: which records are in it. */
export interface Members {
	/** Their ids, separated by spaces: shorter than a list. */
	ids: string;
	/** How many records the list had when it was read whole, and when that was, in epoch milliseconds. */
	total?: number;
	readAt?: number;
	/** Those of them that the last poll did not find in the list, although they seem to be in the state. */
	doubted?: string;
}

interface Newest {
	records: IDataObject[];
	total?: number;
	/** In epoch milliseconds. */
	now: number;
}

/** What the members need of a list. */
export interface StateSource extends Pick<StateFeed, 'entered' | 'left'> {
	hasLeft: (record: IDataObject) => boolean;
	/** The records of the list that changed last, a page of them, and how many there are in all. */
	newest: () => Promise<Newest>;
	/** All records of the list. */
	all: () => Promise<IDataObject[]>;
	/** Whether a record of the list is in the state. */
	counts: (record: IDataObject) => boolean;
	/** The record as it is now, or undefined when it is gone. */
	one: (id: string) => Promise<IDataObject | undefined>;
}

const join = (ids: Iterable<string>) => [...ids].join(' ');
const split = (ids = '') => ids.split(' ').filter(Boolean);
const idOf = ({ id }: IDataObject) => String(id);

/** A list that looks unchanged is read whole all the same once in so much time. */
const SWEEP_MS = 3_600_000;

/** Where to start: what is in the state already is no event. */
export async function firstMembers(source: StateSource): Promise<Members> {
	const { records, about } = await readWhole(source, await source.newest());
	return { ids: join(records.map(idOf)), ...about };
}

/** One request where the list fits on a page. */
async function readWhole(source: StateSource, { records: first, total, now }: Newest) {
	const records = total !== undefined && total <= first.length ? first : await source.all();
	return { records: records.filter(source.counts), about: { total, readAt: now } };
}

/**
 * Whether nothing has happened, as one request tells: there are as many records as before, and those that changed
 * last are those that were in the state before.
 */
function looksUnchanged(
	{ counts }: StateSource,
	before: Members,
	old: Set<string>,
	{ records, total, now }: Newest,
): boolean {
	const { readAt = -Infinity, doubted } = before;
	if (total === undefined || total !== before.total || total <= records.length) return false;
	if (doubted !== undefined || now - readAt >= SWEEP_MS) return false;
	return records.every((record) => counts(record) === old.has(idOf(record)));
}

/**
 * The events since the last poll: who has come into the state, and who has left it. A record that is missing in the
 * list is looked at by itself: it may have moved while the list was read, left the scope of the list, or be gone.
 */
export async function changedMembers(source: StateSource, before: Members) {
	const old = new Set(split(before.ids));
	const newest = await source.newest();
	if (looksUnchanged(source, before, old, newest)) return { events: [], members: before };
	const { records, about } = await readWhole(source, newest);
	const now = new Set(records.map(idOf));
	const events: Array<{ event: string; record: IDataObject }> = [];
	const emit = (event: string | undefined, record: IDataObject) => {
		if (event !== undefined) events.push({ event, record });
	};

	for (const record of records) if (!old.has(idOf(record))) emit(source.entered, record);
	const doubtedBefore = new Set(split(before.doubted));
	const doubted: string[] = [];
	const missing = [...old].filter((id) => !now.has(id));
	const looks = await Promise.all(missing.map(async (id) => [id, await source.one(id)] as const));
	for (const [id, record] of looks) {
		if (!record) continue;
		if (source.hasLeft(record)) emit(source.left, record);
		// Missing twice although it is in the state: it is out of the list's scope.
		else if (!doubtedBefore.has(id)) doubted.push(id);
	}
	const members: Members = {
		ids: join([...now, ...doubted]),
		...about,
		...(doubted.length > 0 && { doubted: join(doubted) }),
	};
	return { events, members };
}

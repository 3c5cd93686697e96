import type { IDataObject } from 'n8n-workflow';
import type { StateFeed } from './feed';

/** What a trigger remembers of a state: which records are in it. */
export interface Members {
	/** Their ids, separated by spaces: shorter than a list. */
	ids: string;
	/** Those of them that the last poll did not find in the list, although they seem to be in the state. */
	doubted?: string;
}

/** What the members need of a list. */
export interface StateSource extends Pick<StateFeed, 'entered' | 'left'> {
	hasLeft: (record: IDataObject) => boolean;
	/** All records that are in the state now. */
	all: () => Promise<IDataObject[]>;
	/** The record as it is now, or undefined when it is gone. */
	one: (id: string) => Promise<IDataObject | undefined>;
}

const join = (ids: Iterable<string>) => [...ids].join(' ');
const split = (ids = '') => ids.split(' ').filter(Boolean);
const idOf = ({ id }: IDataObject) => String(id);

/** Where to start: what is in the state already is no event. */
export async function firstMembers(source: StateSource): Promise<Members> {
	return { ids: join((await source.all()).map(idOf)) };
}

/**
 * The events since the last poll: who has come into the state, and who has left it. A record that is missing in the
 * list is looked at by itself: it may have moved while the list was read, left the scope of the list, or be gone.
 */
export async function changedMembers(source: StateSource, before: Members) {
	const records = await source.all();
	const now = new Set(records.map(idOf));
	const old = new Set(split(before.ids));
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
		...(doubted.length > 0 && { doubted: join(doubted) }),
	};
	return { events, members };
}

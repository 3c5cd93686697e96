import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { clock } from '../client/clock';
import { deadlineOf } from '../n8n/context';
import { flowOf } from '../client/queue';
import { OutOfTime } from '../client/limiter';
import { accountOf } from '../client/request';
import type { CursorSource } from './cursor';
import type { StateSource } from './members';
import { timeOf } from './chunk';

/*
 * Many workflows of an account watch the same lists, and n8n has them poll in the same second. What one of them reads
 * serves the others, where that is the same as if each had read for itself a little earlier:
 *
 * - Who joins takes the page with the moments of that reading: a pass begins when its page was asked for.
 * - A reading serves a trigger only if it was asked for after all that the trigger itself has asked of the list. So no
 *   trigger sees an older list than it has seen before.
 * - What was asked for before a trigger was switched on or edited, or was first seen in this process, does not serve it.
 * - Failures are not shared, nor is waiting beyond the own time: then each asks for itself.
 */

/** A reading serves for so long after its answer. */
const FRESH_MS = 10_000;

/** A trigger that has not polled for so long is no longer expected. */
const EXPECTED_MS = 2 * 3_600_000;

/** A list is read from so much earlier at most for the sake of another trigger: more would not fit on a page. */
const EARLIER_MS = 600_000;

/** The places where triggers go on differ by less, where they poll at the same time. */
const APART_MS = 5_000;

interface Reading {
	/** From which time on, in epoch milliseconds. */
	from: number;
	/** Its place among all that was asked for. */
	number: number;
	/** In epoch milliseconds. */
	answeredAt?: number;
	/** The page as JSON, since each workflow gets records of its own; undefined where it serves nobody else. */
	page: Promise<string | undefined>;
}

/** A trigger that reads a list. */
interface ListReader {
	/** The parameters of its node: others are a new beginning. */
	settings: string;
	/** Its contexts, of which one of an activation is a new beginning. */
	contexts: WeakSet<IPollFunctions>;
	/** Where it went on the last time, and when that was; in epoch milliseconds. */
	from: number;
	seenAt: number;
	/** The place of what it has asked for last, or was served with. */
	number: number;
	/** Whether the time was over before it had its page: then it asks for that first. */
	isAlone?: boolean;
}

interface List {
	readers: Map<string, ListReader>;
	reading?: Reading;
}

/** By account. */
const accounts = new WeakMap<object, Map<string, List>>();

let asked = 0;

/** A list as a trigger reads it in a poll. */
class View {
	private constructor(
		private readonly context: IPollFunctions,
		private readonly list: List,
		private readonly reader: ListReader,
	) {}

	static async of(context: IPollFunctions, key: string): Promise<View> {
		const { limiter } = await accountOf(context);
		const lists = accounts.get(limiter.account) ?? new Map<string, List>();
		accounts.set(limiter.account, lists);
		forget(lists);
		const list = lists.get(key) ?? { readers: new Map<string, ListReader>() };
		lists.set(key, list);
		const name = String(flowOf(context));
		const settings = JSON.stringify(context.getNode().parameters);
		const known = list.readers.get(name);
		const isSame =
			known?.settings === settings &&
			(context.getActivationMode() !== 'activate' || known.contexts.has(context));
		const reader = isSame
			? known
			: { settings, contexts: new WeakSet(), from: Infinity, seenAt: clock.now(), number: ++asked };
		reader.contexts.add(context);
		list.readers.set(name, reader);
		return new View(context, list, reader);
	}

	/** What was asked for before does not serve this trigger any more. */
	note(): void {
		this.reader.number = ++asked;
	}

	/**
	 * Reads from a time on, or takes what another one has read.
	 * @param read from that time or an earlier one, in epoch milliseconds
	 * @returns its page, and from which time on it is; one that does not end the list is only what was asked for
	 */
	async read<P extends { last: boolean }>(
		from: number,
		read: (from: number) => Promise<P>,
	): Promise<{ page: P; from: number }> {
		const { list, reader } = this;
		Object.assign(reader, { from, seenAt: clock.now() });
		const { reading } = list;
		const { isAlone } = reader;
		reader.isAlone = true;
		if (!isAlone && reading && serves(reading, reader)) {
			const page = await byDeadline(reading.page, deadlineOf(this.context));
			if (page !== undefined) {
				Object.assign(reader, { number: Math.max(reader.number, reading.number), isAlone: false });
				// With the moments at which it was asked for and answered.
				return { page: JSON.parse(page) as P, from: reading.from };
			}
		} else {
			const led = await this.lead(isAlone ? from : earliest(list, reader), read);
			reader.isAlone = !(led.page.last || led.from === from);
			if (!reader.isAlone) return led;
		}
		this.note();
		const page = await read(from);
		reader.isAlone = false;
		return { page, from };
	}

	/** Reads for all others, too. */
	private async lead<P extends { last: boolean }>(
		from: number,
		read: (from: number) => Promise<P>,
	): Promise<{ page: P; from: number }> {
		const { list } = this;
		this.note();
		const page = read(from);
		const reading: Reading = {
			from,
			number: this.reader.number,
			page: page.then(
				(given) => {
					reading.answeredAt = clock.now();
					return given.last && list.readers.size > 1 ? JSON.stringify(given) : undefined;
				},
				() => {
					if (list.reading === reading) delete list.reading;
					return undefined;
				},
			),
		};
		list.reading = reading;
		return { page: await page, from };
	}
}

const isFresh = ({ answeredAt }: Reading) =>
	answeredAt === undefined || Math.abs(clock.now() - answeredAt) <= FRESH_MS;

const serves = (reading: Reading, { from, number }: ListReader) =>
	isFresh(reading) && reading.from <= from && reading.number > number;

/** From where a list is read, so that it serves the others that are about to read it. */
function earliest({ readers }: List, reader: ListReader): number {
	const others = [...readers.values()].filter(
		({ from }) => from !== Infinity && Math.abs(from - reader.from) <= EARLIER_MS,
	);
	const from = Math.min(...others.map((each) => each.from));
	return others.length > 1 ? Math.max(0, from - APART_MS) : reader.from;
}

function forget(lists: Map<string, List>): void {
	for (const [key, list] of lists) {
		if (list.reading && !isFresh(list.reading)) delete list.reading;
		for (const [name, { seenAt }] of list.readers) {
			if (Math.abs(clock.now() - seenAt) > EXPECTED_MS) list.readers.delete(name);
		}
		if (list.readers.size === 0) lists.delete(key);
	}
}

/** @throws OutOfTime when the time of the one that waits is over */
async function byDeadline<T>(work: Promise<T>, until: number): Promise<T> {
	if (until === Infinity) return await work;
	const ended = new AbortController();
	const isLate = clock.guard(Math.max(0, until - clock.now()), ended.signal).then(
		() => true,
		() => false,
	);
	const isOver = await Promise.race([work.then(() => false), isLate]);
	ended.abort();
	if (isOver) throw new OutOfTime();
	return await work;
}

type Reads<R, A extends unknown[]> = (...given: A) => Promise<R>;

type Timed = CursorSource<IDataObject>;

/**
 * A list by time that triggers of an account read together: its first pages, unless it begins with the newest, as
 * the baseline of an activation does.
 * @param key tells the list from others of the account
 */
export function sharedPages(context: IPollFunctions, key: unknown, source: Timed): Timed {
	if (context.getMode() === 'manual') return source;
	const view = viewOf(context, key);
	let isBaseline = false;
	const noted = notedBy(view);
	return {
		...source,
		newest: async (until) => {
			isBaseline = true;
			return await noted(source.newest)(until);
		},
		at: noted(source.at),
		page: async (from, number) => {
			if (number > 1 || isBaseline) return await noted(source.page)(from, number);
			const own = Date.parse(from);
			const read = async (time: number) =>
				await source.page(time === own ? from : new Date(time).toISOString(), 1);
			const { page, from: earlier } = await (await view()).read(own, read);
			if (earlier === own) return page;
			const isBefore = (record: IDataObject) => timeOf(source, record) < own;
			return { ...page, records: page.records.filter((record) => !isBefore(record)) };
		},
	};
}

/** A list of a state, of which triggers of an account read together what has changed last. */
export function sharedNewest(
	context: IPollFunctions,
	key: unknown,
	source: StateSource,
): StateSource {
	if (context.getMode() === 'manual') return source;
	const view = viewOf(context, key);
	const noted = notedBy(view);
	return {
		...source,
		newest: async () => {
			const read = async () => ({ ...(await source.newest()), last: true });
			return (await (await view()).read(0, read)).page;
		},
		page: noted(source.page),
		at: noted(source.at),
		left: noted(source.left),
		one: noted(source.one),
	};
}

function viewOf(context: IPollFunctions, key: unknown): () => Promise<View> {
	let view: Promise<View> | undefined;
	return async () => await (view ??= View.of(context, JSON.stringify(key)));
}

/** Reads of which others have no part: what was asked for before is then older than what the trigger knows. */
const notedBy =
	(view: () => Promise<View>) =>
	<R, A extends unknown[]>(read: Reads<R, A>): Reads<R, A> =>
	async (...given) => {
		const mine = await view();
		return await read(...given).finally(() => mine.note());
	};

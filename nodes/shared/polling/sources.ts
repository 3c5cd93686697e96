import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { clock } from '../client/clock';
import { accountOf, serviceTime } from '../client/request';
import { listPage, recordAt } from '../client/records';
import type { Settings } from '../input/field';
import { instantOf, isoOf } from '../lib/instant';
import type { Ordered, Page } from './chunk';
import { allOf, BEGINNING } from './chunk';
import type { CursorSource } from './cursor';
import type { DueSource } from './due';
import type { DueFeed, StateFeed, TimedFeed } from './feed';
import type { StateSource } from './members';
import { isBeginning, keyOf } from './state';

/*
 * Many workflows of an account watch the same lists, and n8n polls them in the same second. They share the first page
 * of equal requests:
 * - A trigger uses a page only if it was requested after the trigger's own requests of the list. So no trigger sees an
 *   older list than before.
 * - A trigger uses no page that was requested before its activation, its edit, or its first poll in this process.
 * - Failures are not shared: each trigger then sends its own request.
 */

/** How long a page is shared after its answer. */
const FRESH_MS = 10_000;

interface Reading {
	/** Its number in the order of all requests. */
	number: number;
	/** In epoch milliseconds. */
	answeredAt?: number;
	/** As JSON, because each workflow gets its own copy of the records. */
	page: Promise<string>;
}

interface Account {
	/** The last reading of each page. */
	readings: Map<string, Reading>;
	/** Number of the last request of each trigger, by trigger and list, with the trigger's settings. */
	readers: Map<string, { settings: string; number: number }>;
}

const accounts = new WeakMap<object, Account>();

let asked = 0;

/**
 * A page of a list that triggers of an account read together.
 * @param list identifies the list in the account; `request` identifies the page
 * @param isShared whether to share the page; if not, the trigger uses no page that was requested earlier
 */
export async function sharedPage<P>(
	context: IPollFunctions,
	{ list, request, isShared }: { list: string; request: string; isShared: boolean },
	read: () => Promise<P>,
): Promise<P> {
	if (context.getMode() === 'manual') return await read();
	const { limiter } = await accountOf(context);
	const { readings, readers } = accounts.get(limiter.account) ?? newAccount(limiter.account);
	const name = `${keyOf(context)} ${list}`;
	const settings = JSON.stringify(context.getNode().parameters);
	const known = readers.get(name);
	const reader = known?.settings === settings ? known : { settings, number: ++asked };
	readers.set(name, reader);
	if (!isShared || isBeginning(context)) {
		return await read().finally(() => (reader.number = ++asked));
	}
	for (const [key, each] of readings) if (!isFresh(each)) readings.delete(key);
	const reading = readings.get(request);
	const shared =
		reading && reading.number > reader.number ? await unlessFailed(reading) : undefined;
	if (reading && shared !== undefined) {
		reader.number = Math.max(reader.number, reading.number);
		return JSON.parse(shared);
	}
	reader.number = ++asked;
	const page = read();
	const created: Reading = {
		number: reader.number,
		page: page.then((each) => JSON.stringify(each)),
	};
	readings.set(request, created);
	created.page.then(
		() => (created.answeredAt = clock.now()),
		() => readings.delete(request),
	);
	return await page;
}

function newAccount(account: object): Account {
	const created: Account = { readings: new Map(), readers: new Map() };
	accounts.set(account, created);
	return created;
}

const isFresh = ({ answeredAt }: Reading) =>
	answeredAt === undefined || Math.abs(clock.now() - answeredAt) <= FRESH_MS;

const unlessFailed = async ({ page }: Reading) => await page.catch(() => undefined);

/** Query parameters for the filters that are set: `site_id:eq` is sent as `filters[site_id:eq]`. */
export const filtersOf = (filters: Settings): IDataObject =>
	Object.fromEntries(
		Object.entries(filters)
			.filter(([, value]) => value !== undefined)
			.map(([filter, value]) => [`filters[${filter}]`, value as string]),
	);

type Check = (records: IDataObject[]) => string | undefined;

const recordId = ({ id }: IDataObject) => String(id);

const NO_TIMES = 'a list without times that can be read';

/** Refuse a list without times: the trigger would never report an event. */
const unreadable =
	(time: (record: IDataObject) => string): Check =>
	(records) =>
		records.length > 0 && records.every((record) => time(record) === '') ? NO_TIMES : undefined;

/** Refuse a list without the requested filter and order: it would move a cursor past events. */
const outOfOrder =
	(time: (record: IDataObject) => string, from: string): Check =>
	(records) => {
		const times = records.map((record) => instantOf(time(record))).filter((at) => at === at);
		if (times.length === 0 && records.length > 0) return NO_TIMES;
		const isEarly = times.some((at) => at < Date.parse(from));
		const isWild = times.some((at, index) => at < (times[index - 1] ?? at));
		return isEarly || isWild
			? 'a list without the filter or the order that was asked for'
			: undefined;
	};

interface PageOptions {
	page?: number;
	check?: Check;
	/** Whether the triggers of the account share the page. */
	isShared?: boolean;
}

/** The lists of feeds, as a poll of a trigger reads them. */
export class Sources {
	constructor(private readonly context: IPollFunctions) {}

	/** A page of a list. */
	private async page(
		url: string,
		qs: IDataObject,
		{ page = 1, check, isShared = false }: PageOptions = {},
	): Promise<Page<IDataObject>> {
		const request = JSON.stringify([url, qs]);
		return await sharedPage(this.context, { list: url, request, isShared }, async () => {
			const asked = clock.now();
			const list = { method: 'GET' as const, url, qs };
			const found = await listPage(this.context, list, page, { check });
			const { records, totalPages, totalItems, date } = found;
			return { asked, date, records, last: page >= totalPages, total: totalItems };
		});
	}

	/** A list by a field that has a time, oldest first. */
	private ordered(
		{ url, field, query }: { url: string; field: string; query: IDataObject },
		{ time, id }: Pick<Ordered<IDataObject>, 'time' | 'id'>,
		isShared = false,
	): Ordered<IDataObject> {
		const from = `filters[${field}:gte]`;
		const until = `filters[${field}:lte]`;
		return {
			time,
			id,
			page: async (at, page) => {
				const check = outOfOrder(time, at);
				const qs = { ...query, [from]: at, sort: `${field},asc` };
				return await this.page(url, qs, { page, check, isShared: isShared && page === 1 });
			},
			at: async (at, page) => await this.page(url, { ...query, [from]: at, [until]: at }, { page }),
		};
	}

	/** The list of a feed by time. */
	timed(feed: TimedFeed): CursorSource<IDataObject> {
		const { url, timeField: field, query = {}, openQueries = [], born } = feed;
		const record = {
			time: (each: IDataObject) => isoOf(feed.time ? feed.time(each) : each[field]),
			id: feed.id ?? recordId,
		};
		const by = (qs: IDataObject, isShared = false) =>
			this.ordered({ url, field, query: qs }, record, isShared);
		return {
			...feed,
			...by(query, true),
			newest: async (until) => {
				// Filter out records without the time, because the service may sort them first.
				const range = {
					...(feed.isSparse && { [`filters[${field}:gte]`]: BEGINNING }),
					...(until && { [`filters[${field}:lte]`]: until }),
				};
				const qs = { ...query, ...range, sort: `${field},desc` };
				return await this.page(url, qs, { check: unreadable(record.time) });
			},
			open: async () => {
				const lists = openQueries.map((open) => by({ ...query, ...open }));
				return (await Promise.all(lists.map(allOf))).flat();
			},
			born: born && ((each) => isoOf(born(each))),
		};
	}

	/** The list of a feed of records that come due, by the time of creation. */
	due(feed: DueFeed): DueSource {
		const { url, query = {}, find } = feed;
		return {
			...this.byCreation(url, query),
			feed,
			find: async (record, due) => await find?.(this.context, record, due),
			local: () => clock.now(),
			now: async () => (await serviceTime(this.context)) ?? clock.now(),
			samples: async () => (await this.page(url, { ...query, sort: feed.samplesBy })).records,
		};
	}

	private byCreation(url: string, query: IDataObject): Ordered<IDataObject> {
		const record = { time: (each: IDataObject) => isoOf(each.created_at), id: recordId };
		return this.ordered({ url, field: 'created_at', query }, record);
	}

	/** The list of a feed of a state. */
	state(feed: StateFeed): StateSource {
		const { url, query, leftQuery, changed, isIn, hasLeft } = feed;
		const sort = `${changed.field},desc`;
		return {
			...this.byCreation(url, query),
			isIn,
			hasLeft,
			newest: async () => await this.page(url, { ...query, sort }, { isShared: true }),
			changedAt: (record) => instantOf(changed.time(record)),
			left: async (page) => await this.page(url, { ...leftQuery, sort }, { page }),
			one: async (id) => await recordAt(this.context, feed.recordUrl(encodeURIComponent(id))),
		};
	}
}

import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { clock, hash, instantOf, isoOf, perRecord } from '../lib';
import { shownAt } from '../client/allowed';
import { accountOf } from '../client/request';
import { listPage, recordAt } from '../client/records';
import type { Settings } from '../input/field';
import { triggerKey } from '../n8n/context';
import { allOf, BEGINNING, type Ordered, type Page } from './chunk';
import type { CursorSource } from './cursor';
import type { DueSource } from './due';
import type { DueFeed, StateFeed, TimedFeed } from './feed';
import type { StateSource } from './members';
import { isBeginning } from './state';

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

/** By account: the last reading of each page, and the number of the last request by trigger and list. */
const sharedBy = perRecord(() => ({
	readings: new Map<string, Reading>(),
	lastBy: new Map<string, number>(),
}));

/** The number of the last request. */
let requests = 0;

/** Query parameters for the filters that are set: `site_id:eq` is sent as `filters[site_id:eq]`. */
export const filtersOf = (filters: Settings): IDataObject =>
	Object.fromEntries(
		Object.entries(filters)
			.filter(([, value]) => value !== undefined)
			.map(([filter, value]) => [`filters[${filter}]`, value as string]),
	);

type Check = (records: IDataObject[]) => string | undefined;

/**
 * Refuses a list without times, with which the trigger would never report an event.
 * @param from refuses also a list that is not from this time on, oldest first: it would move a cursor past events
 */
const checkTimes =
	(time: (record: IDataObject) => string, from?: string): Check =>
	(records) => {
		const times = records.map((record) => instantOf(time(record))).filter((at) => at === at);
		if (times.length === 0 && records.length > 0) return 'a list without times that can be read';
		if (from === undefined) return undefined;
		const isInOrder = times.every((at, index) => at >= (times[index - 1] ?? Date.parse(from)));
		return isInOrder ? undefined : 'a list without the filter or the order that was asked for';
	};

type OrderedFeed = Pick<TimedFeed, 'url' | 'query' | 'timeField' | 'time' | 'id'>;

interface PageOptions {
	page?: number;
	check?: Check;
	/** Whether the triggers of the account share the page; if not, none uses one that was requested earlier. */
	isShared?: boolean;
}

/** The lists of feeds, as a poll of a trigger reads them. */
export class Sources {
	constructor(private readonly context: IPollFunctions) {}

	private async page(
		url: string,
		qs: IDataObject,
		{ page = 1, check, isShared = false }: PageOptions = {},
	): Promise<Page> {
		const { context } = this;
		const read = async () => {
			const asked = clock.now();
			const found = await listPage(context, { url, qs }, page, { check });
			const { records, totalPages, totalItems, date } = found;
			return { asked, date, records, last: page >= totalPages, total: totalItems };
		};
		if (context.getMode() === 'manual') return await read();
		const { readings, lastBy } = sharedBy((await accountOf(context)).limiter.account);
		// After an edit, the trigger counts as another one.
		const settings = JSON.stringify(context.getNode().parameters);
		const reader = hash(`${triggerKey(context)} ${url} ${settings}`, 16);
		const last = lastBy.get(reader) ?? requests;
		if (!isShared || isBeginning(context)) {
			return await read().finally(() => lastBy.set(reader, ++requests));
		}
		for (const [key, { answeredAt = clock.now() }] of readings) {
			if (Math.abs(clock.now() - answeredAt) > FRESH_MS) readings.delete(key);
		}
		const request = JSON.stringify([url, qs]);
		const reading = readings.get(request);
		if (reading && reading.number > last) {
			const shared = await reading.page.catch(() => undefined);
			lastBy.set(reader, Math.max(lastBy.get(reader) ?? 0, reading.number));
			if (shared !== undefined) return JSON.parse(shared);
		}
		const number = ++requests;
		lastBy.set(reader, number);
		const answer = read();
		const created: Reading = { number, page: answer.then((each) => JSON.stringify(each)) };
		readings.set(request, created);
		created.page.then(
			() => (created.answeredAt = clock.now()),
			() => readings.delete(request),
		);
		return await answer;
	}

	/** A list by a field that has a time, oldest first. */
	private ordered(
		{ url, query, timeField: field, ...feed }: OrderedFeed,
		isShared = false,
	): Ordered {
		const from = `filters[${field}:gte]`;
		const until = `filters[${field}:lte]`;
		const time = (record: IDataObject) => isoOf(feed.time ? feed.time(record) : record[field]);
		return {
			time,
			id: feed.id ?? (({ id }) => String(id)),
			page: async (at, page) => {
				const check = checkTimes(time, at);
				const qs = { ...query, [from]: at, sort: `${field},asc` };
				return await this.page(url, qs, { page, check, isShared: isShared && page === 1 });
			},
			at: async (at, page) => await this.page(url, { ...query, [from]: at, [until]: at }, { page }),
		};
	}

	timed(feed: TimedFeed): CursorSource {
		const { url, timeField: field, query, openQueries = [] } = feed;
		const list = this.ordered(feed, true);
		return {
			...feed,
			...list,
			newest: async (until) => {
				// Filter out records without the time, because the service may sort them first.
				const range = {
					...(feed.time && { [`filters[${field}:gte]`]: BEGINNING }),
					...(until && { [`filters[${field}:lte]`]: until }),
				};
				const qs = { ...query, ...range, sort: `${field},desc` };
				return await this.page(url, qs, { check: checkTimes(list.time) });
			},
			open: async () => {
				const queries = openQueries.map((open) => ({ ...query, ...open }));
				const lists = queries.map((each) => this.ordered({ ...feed, query: each }));
				return (await Promise.all(lists.map(allOf))).flat();
			},
		};
	}

	/** The list of a feed of records that come due, by the time of creation. */
	due(feed: DueFeed): DueSource {
		const { url, query, samplesBy } = feed;
		return {
			...feed,
			...this.ordered({ url, query, timeField: 'created_at' }),
			now: async () => (await accountOf(this.context)).limiter.now(),
			samples: async () => (await this.page(url, { ...query, sort: samplesBy })).records,
		};
	}

	/** The list of a feed of a state, by the time of creation. */
	state(feed: StateFeed): StateSource {
		const { url, query, leftQuery } = feed;
		const sort = 'updated_at,desc';
		return {
			...feed,
			...this.ordered({ url, query, timeField: 'created_at' }),
			newest: async () => await this.page(url, { ...query, sort }, { isShared: true }),
			lastLeft: async (page) => await this.page(url, { ...leftQuery, sort }, { page }),
			one: async (id) => {
				const isShown = await shownAt(this.context, url);
				// The list also has sites that the credential does not allow.
				if (isShown?.({ id }) === false) return null;
				return (await recordAt(this.context, `${url}/${encodeURIComponent(id)}`)) ?? null;
			},
		};
	}
}

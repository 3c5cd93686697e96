import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { clock } from '../client/clock';
import type { Service } from '../client/service';
import type { CursorSource } from './cursor';
import type { DueSource } from './due';
import type { DueFeed, StateFeed, TimedFeed } from './feed';
import type { StateSource } from './members';
import { instantOf, isoOf } from '../lib/instant';
import { spanOf } from './recordClock';
import { sharedNewest, sharedPages } from './sharedReadings';
import type { Ordered, Page } from './chunk';
import { allOf, BEGINNING } from './chunk';

const recordId = ({ id }: IDataObject) => String(id);

const get = (url: string, qs: IDataObject) => ({ method: 'GET' as const, url, qs });

const NO_TIMES = 'a list without times that can be read';

/** Without times nothing would ever be an event, and nobody would know. */
const unreadable = (time: (record: IDataObject) => string) => (records: IDataObject[]) =>
	records.length > 0 && records.every((record) => time(record) === '') ? NO_TIMES : undefined;

/** What a list that was asked for a time and an order has to be; anything else would move a cursor past events. */
const outOfOrder =
	(time: (record: IDataObject) => string, from: string) => (records: IDataObject[]) => {
		const times = records.map((record) => instantOf(time(record))).filter((at) => at === at);
		if (times.length === 0 && records.length > 0) return NO_TIMES;
		const isEarly = times.some((at) => at < Date.parse(from));
		const isWild = times.some((at, index) => at < (times[index - 1] ?? at));
		return isEarly || isWild
			? 'a list without the filter or the order that was asked for'
			: undefined;
	};

/** A page of a list, and how many records there are in all. */
async function pageOf(
	service: Service,
	list: ReturnType<typeof get>,
	page: number,
	check?: (records: IDataObject[]) => string | undefined,
): Promise<Page<IDataObject> & { total?: number }> {
	const askedAt = clock.now();
	const { records, totalPages, totalItems, date } = await service.page(list, page, { check });
	const span = spanOf(askedAt, clock.now(), date);
	return { ...span, records, last: page >= totalPages, total: totalItems };
}

/** A list by a field that has a time, oldest first. */
function ordered(
	service: Service,
	{ url, field, query }: { url: string; field: string; query: () => IDataObject },
	{ time, id }: Pick<Ordered<IDataObject>, 'time' | 'id'>,
): Ordered<IDataObject> {
	const exactly = (at: string) =>
		get(url, { ...query(), [`filters[${field}:gte]`]: at, [`filters[${field}:lte]`]: at });
	return {
		time,
		id,
		page: async (from, page) => {
			const qs = { ...query(), [`filters[${field}:gte]`]: from, sort: `${field},asc` };
			return await pageOf(service, get(url, qs), page, outOfOrder(time, from));
		},
		at: async (at, page) => await pageOf(service, exactly(at), page),
	};
}

/** The list of a feed by time. */
function timedSource(service: Service, feed: TimedFeed): CursorSource<IDataObject> {
	const { url, timeField, query = {}, openQueries = [] } = feed;
	const record = {
		time: (each: IDataObject) => isoOf(feed.time ? feed.time(each) : each[timeField]),
		id: feed.id ?? recordId,
	};
	const by = (qs: IDataObject) =>
		ordered(service, { url, field: timeField, query: () => qs }, record);
	return {
		...by(query),
		newest: async (until) => {
			// Records without the time come first, or not, as the service sorts them.
			const range = {
				...(feed.isSparse && { [`filters[${timeField}:gte]`]: BEGINNING }),
				...(until && { [`filters[${timeField}:lte]`]: until }),
			};
			const qs = { ...query, ...range, sort: `${timeField},desc` };
			return await pageOf(service, get(url, qs), 1, unreadable(record.time));
		},
		open: async () => {
			const lists = openQueries.map((open) => by({ ...query, ...open }));
			return (await Promise.all(lists.map(allOf))).flat();
		},
		born: feed.born && ((each: IDataObject) => isoOf(feed.born!(each))),
		occurrences: feed.occurrences,
		isOpen: feed.isOpen,
		isUncertain: feed.isUncertain,
		openForMs: feed.openForMs,
		onlyNew: feed.onlyNew,
	};
}

/** The list of a feed of records that come due, by the time of creation. */
function dueSource(service: Service, feed: DueFeed): DueSource {
	const { url, query = {}, find } = feed;
	return {
		...ordered(
			service,
			{ url, field: 'created_at', query: () => query },
			{ time: (record) => isoOf(record.created_at), id: recordId },
		),
		feed,
		find: async (record, due) => await find?.(service, record, due),
		local: () => clock.now(),
		now: async () => (await service.time()) ?? clock.now(),
		samples: async () => {
			const list = get(url, { ...query, sort: feed.samplesBy });
			return (await pageOf(service, list, 1)).records;
		},
	};
}

/** The list of a feed of a state; the time that decides who is in it is that of the first request. */
function stateSource(service: Service, feed: StateFeed): StateSource {
	const { isIn = () => true, url, changed } = feed;
	let now = new Date(0);
	const newestFirst = (qs: IDataObject) => get(url, { ...qs, sort: `${changed.field},desc` });
	const begin = async () => {
		if (now.getTime() === 0) now = new Date((await service.time(url)) ?? clock.now());
	};
	const byCreation = ordered(
		service,
		{ url, field: 'created_at', query: () => feed.query(now) },
		{ time: (record) => isoOf(record.created_at), id: recordId },
	);
	return {
		...byCreation,
		page: async (from, page) => {
			await begin();
			return await byCreation.page(from, page);
		},
		key: (record) => [recordId(record), feed.since?.(record)].filter(Boolean).join('@'),
		isIn,
		hasLeft: (record) => feed.hasLeft(record, now),
		newest: async () => {
			await begin();
			const list = newestFirst(feed.query(now));
			const { last: isAll, ...page } = await pageOf(service, list, 1);
			return { ...page, isAll };
		},
		changedAt: (record) => instantOf(changed.time(record)),
		left: async (page) => {
			await begin();
			return await pageOf(service, newestFirst(feed.leftQuery(now)), page);
		},
		one: async (id) => await service.record(feed.recordUrl(encodeURIComponent(id))),
	};
}

/** The lists of feeds, as a poll of a trigger reads them. */
export interface Sources {
	timed: (feed: TimedFeed) => CursorSource<IDataObject>;
	due: (feed: DueFeed) => DueSource;
	state: (feed: StateFeed) => StateSource;
}

/** Triggers of an account read together what all of them ask for. */
export const sourcesOf = (context: IPollFunctions, service: Service): Sources => ({
	timed: (feed) =>
		sharedPages(context, [feed.url, feed.timeField, feed.query ?? {}], timedSource(service, feed)),
	due: (feed) => dueSource(service, feed),
	state: (feed) => {
		const source = stateSource(service, feed);
		// Where the time is in the query, no two polls ask for the same.
		const [one, other] = [0, 1].map((time) => JSON.stringify(feed.query(new Date(time))));
		const key = [feed.url, feed.changed.field, one];
		return one === other ? sharedNewest(context, key, source) : source;
	},
});

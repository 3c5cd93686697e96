import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { clock } from '../transport/clock';
import { listPage } from '../transport/paging';
import { recordAt } from '../transport/record';
import { serviceTime } from '../transport/request';
import type { Source } from './cursor';
import type { StateFeed, TimedFeed } from './feed';
import type { StateSource } from './members';
import type { Page } from './unit';
import { allOf } from './unit';

const get = (url: string, qs: IDataObject) => ({ method: 'GET' as const, url, qs });

/** What a list that was asked for a time and an order has to be; anything else would move a cursor past events. */
const outOfOrder =
	(time: (record: IDataObject) => string, from: string) => (records: IDataObject[]) => {
		const times = records.map((record) => Date.parse(time(record))).filter((at) => at === at);
		const isEarly = times.some((at) => at < Date.parse(from));
		const isWild = times.some((at, index) => at < (times[index - 1] ?? at));
		return isEarly || isWild
			? 'a list without the filter or the order that was asked for'
			: undefined;
	};

/** A list by a field that has a time, oldest first. */
function ordered(
	context: IPollFunctions,
	url: string,
	field: string,
	time: (record: IDataObject) => string,
	query: () => IDataObject,
) {
	const exactly = (at: string) =>
		get(url, { ...query(), [`filters[${field}:gte]`]: at, [`filters[${field}:lte]`]: at });
	return {
		time,
		page: async (from: string, page: number): Promise<Page<IDataObject>> => {
			const qs = { ...query(), [`filters[${field}:gte]`]: from, sort: `${field},asc` };
			const check = outOfOrder(time, from);
			const { records, totalPages } = await listPage(context, get(url, qs), page, { check });
			return { records, last: page >= totalPages };
		},
		at: async (at: string, page: number) => {
			const { records, totalPages, totalItems: total } = await listPage(context, exactly(at), page);
			return { records, last: page >= totalPages, total };
		},
	};
}

/** The list of a feed by time. */
export function timedSource(context: IPollFunctions, feed: TimedFeed): Source<IDataObject> {
	const { url, timeField, query = {}, openQueries = [] } = feed;
	const time = feed.time ?? ((record) => String(record[timeField] ?? ''));
	const id = feed.id ?? ((record) => String(record.id));
	return {
		...ordered(context, url, timeField, time, () => query),
		newest: async () => {
			const list = get(url, { ...query, sort: `${timeField},desc` });
			const { records, totalPages } = await listPage(context, list, 1);
			return { records, last: totalPages <= 1 };
		},
		open: async () => {
			const lists = openQueries.map((open) => ({
				...ordered(context, url, timeField, time, () => ({ ...query, ...open })),
				id,
			}));
			return (await Promise.all(lists.map(allOf))).flat();
		},
		moment: async () => ({ service: await serviceTime(context), local: clock.now() }),
		born: feed.born,
		id,
		occurrences: feed.occurrences,
		isOpen: feed.isOpen,
		openForMs: feed.openForMs,
		onlyNew: feed.onlyNew,
	};
}

/** The list of a feed of a state; the time that decides who is in it is that of the first request. */
export function stateSource(context: IPollFunctions, feed: StateFeed): StateSource {
	const { isIn = () => true, url, changed } = feed;
	let now = new Date(0);
	const newestFirst = (qs: IDataObject) => get(url, { ...qs, sort: `${changed.field},desc` });
	const begin = async () => {
		if (now.getTime() === 0) now = new Date((await serviceTime(context, url)) ?? clock.now());
	};
	const created = (record: IDataObject) => String(record.created_at ?? '');
	const byCreation = ordered(context, url, 'created_at', created, () => feed.query(now));
	return {
		...byCreation,
		id: (record) => String(record.id),
		page: async (from, page) => {
			await begin();
			return await byCreation.page(from, page);
		},
		key: (record) => [String(record.id), feed.since?.(record)].filter(Boolean).join('@'),
		isIn,
		hasLeft: (record) => feed.hasLeft(record, now),
		newest: async () => {
			await begin();
			const list = newestFirst(feed.query(now));
			const { records, totalItems: total, totalPages } = await listPage(context, list, 1);
			return { records, total, isAll: totalPages <= 1, now: now.getTime() };
		},
		changedAt: (record) => Date.parse(changed.time(record)),
		left: async (page) => {
			await begin();
			const list = newestFirst(feed.leftQuery(now));
			const { records, totalPages } = await listPage(context, list, page);
			return { records, last: page >= totalPages };
		},
		one: async (id) => await recordAt(context, feed.recordUrl(encodeURIComponent(id))),
	};
}

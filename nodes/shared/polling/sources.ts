import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { clock } from '../client/clock';
import type { Service } from '../client/service';
import { instantOf, isoOf } from '../lib/instant';
import type { Ordered, Page } from './chunk';
import { allOf, BEGINNING } from './chunk';
import type { CursorSource } from './cursor';
import type { DueSource } from './due';
import type { DueFeed, StateFeed, TimedFeed } from './feed';
import type { StateSource } from './members';
import { sharedPage } from './sharedPages';

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
	constructor(
		private readonly context: IPollFunctions,
		private readonly service: Service,
	) {}

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
			const { records, totalPages, totalItems, date } = await this.service.page(list, page, {
				check,
			});
			const span = { asked, answered: clock.now(), date };
			return { ...span, records, last: page >= totalPages, total: totalItems };
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
			find: async (record, due) => await find?.(this.service, record, due),
			local: () => clock.now(),
			now: async () => (await this.service.time()) ?? clock.now(),
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
			one: async (id) => await this.service.record(feed.recordUrl(encodeURIComponent(id))),
		};
	}
}

import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

/** Something that has happened to a record. */
export interface Occurrence {
	/** Tells it from all others, the same each time the record is read: `9b1f6c2e70:completed`. */
	key: string;
	/**
	 * For what happens to a record again and again, such as its progress: where it stands, a number or a word without
	 * commas. Each value happens once; they are remembered together, so that they do not crowd out other events.
	 */
	value?: string | number;
	/** The event as the user chose it, such as `completed`. */
	event: string;
	/** What comes out, where that is not the record as it is. */
	json?: IDataObject;
}

/**
 * Events of the records of a list that has a time: the list is read on from the last time, oldest first.
 * The list needs `gte` as a filter on the time and must be sortable by it.
 */
export interface TimedFeed {
	url: string;
	/** The field that the list is read by, such as `updated_at`. */
	timeField: string;
	/** The time of a record, where that is not in the field of this name; an empty text when it has none. */
	time?: (record: IDataObject) => string;
	/** Further query parameters, such as filters that only let through what can be an event. */
	query?: IDataObject;
	/** Tells records apart where they have no `id`. */
	id?: (record: IDataObject) => string;
	/**
	 * What has happened to the record until now.
	 * @param begun when the trigger was switched on, by the service's clock, in ISO 8601
	 */
	occurrences: (record: IDataObject, begun: string) => Occurrence[];
	/**
	 * For records that change without their time changing: whether more can happen to this one. The list is read
	 * from the oldest such record on, but not for longer than `openForMs`.
	 */
	isOpen?: (record: IDataObject) => boolean;
	openForMs?: number;
}

/** Events of records that come into a state, or leave it: the list of those that are in it is read whole. */
export interface StateFeed {
	url: string;
	/**
	 * The filters that only let through what is in the state.
	 * @param now by the service's clock
	 */
	query: (now: Date) => IDataObject;
	/** The sort that puts first what has come into the state last; by the time of the last change by default. */
	newestFirst?: string;
	/** The event of a record that has come into the state; undefined when that is none. */
	entered?: string;
	/** The event of a record that has left it. */
	left?: string;
	/** The single record, to look at what is no longer in the list. */
	recordUrl: (id: string) => string;
	/**
	 * Whether a record that is no longer in the list has left the state, rather than the scope.
	 * @param now the time that the list was asked for with
	 */
	hasLeft: (record: IDataObject, now: Date) => boolean;
	/** Whether a record of the list counts: for what the filters can not say. */
	counts?: (record: IDataObject) => boolean;
}

export type Feed = { timed: TimedFeed } | { state: StateFeed };

/** What a polling trigger supplies. */
export interface Polled {
	/** By a name that stays the same: what is remembered of each feed is kept under it. */
	feeds: Record<string, Feed>;
	/**
	 * The item for an event, read in full only now that it is emitted; `{ event, ...record }` by default.
	 * When it throws, the whole poll is repeated.
	 */
	toItem?: (
		context: IPollFunctions,
		record: IDataObject,
		event: string,
	) => Promise<INodeExecutionData>;
	/** What to say when a test run finds nothing to show. */
	nothingToShow: { message: string; description: string };
}

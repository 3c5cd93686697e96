import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Service } from '../client/service';

/** Something that has happened to a record. */
export interface Occurrence {
	/**
	 * Tells it from all others of its record, the same each time the record is read, such as `end`. Short, because it
	 * is remembered; without commas, colons and semicolons.
	 */
	key: string;
	/** Which keys of the record it takes the place of, by their beginning: of what goes on only the last is remembered. */
	replaces?: string;
	/** The key that it had while the record told less. */
	was?: string;
	/** The event as the user chose it, such as `completed`. */
	event: string;
	/** What comes out, where that is not the record as it is. */
	json?: IDataObject;
	/** Whether it may have happened: of a record that was there at the activation it counts as that, of others not. */
	isUnsure?: true;
}

/**
 * Events of the records of a list that has a time: the list is read on from the last time, oldest first.
 * The list needs `gte` and `lte` as filters on the time and must be sortable by it.
 */
export interface TimedFeed {
	url: string;
	/** The field that the list is read by, such as `updated_at`. */
	timeField: string;
	/** The time of a record, where that is not in the field of this name; an empty text when it has none. */
	time?: (record: IDataObject) => string;
	/** Whether there are records without the time; the list of the newest leaves them out. */
	isSparse?: true;
	/**
	 * When the record came into being, for lists by the time of the last change. A record then moves to the end of the
	 * list with each change; in all other lists it keeps its place.
	 */
	born?: (record: IDataObject) => string;
	/** Further query parameters, such as filters that only let through what can be an event. */
	query?: IDataObject;
	/** What else decides which records count, such as filters on this side. */
	choice?: unknown;
	/** Tells records apart where they have no `id`. */
	id?: (record: IDataObject) => string;
	/** What has happened to the record until now, of all events that the list can tell, chosen or not. */
	occurrences: (record: IDataObject) => Occurrence[];
	/** Whether more can happen to this record; it is followed until then. */
	isOpen?: (record: IDataObject) => boolean;
	/**
	 * Whether it is open only because its state is not known here: then it is followed for a day at most after its last
	 * change, and is the first to be forgotten for want of room.
	 */
	isUncertain?: (record: IDataObject) => boolean;
	/** Records that keep their place are followed so long: the list is read from the oldest open one on. */
	openForMs?: number;
	/** Whether nothing of a record that was there at the activation is an event, open or not. */
	onlyNew?: true;
	/** Queries that find the open records of before the activation, where they keep no place in the list. */
	openQueries?: IDataObject[];
}

/** Events of records that come into a state, or leave it: the list of those that are in it is read whole. */
export interface StateFeed {
	url: string;
	/**
	 * The filters that only let through what is in the state, and not what belongs to the scope: a record that comes
	 * into the scope has not come into the state.
	 */
	query: IDataObject;
	/** The time that changes when a record comes into the state: the field of the list, and the record's value. */
	changed: { field: string; time: (record: IDataObject) => string };
	/** The event of a record that has come into the state. */
	entered: string;
	/** The event of a record that has left it. */
	left?: string;
	/** The filters that let through what has left the state. */
	leftQuery: IDataObject;
	/** The single record, to look at what is no longer in the list. */
	recordUrl: (id: string) => string;
	/** Whether a record that is no longer in the list has left the state. */
	hasLeft: (record: IDataObject) => boolean;
	/** Whether a record is in the state. */
	isIn: (record: IDataObject) => boolean;
	/** Whether the events of a record are wanted. */
	concerns?: (record: IDataObject) => boolean;
	/** What else decides which events count, such as the scope. */
	choice?: unknown;
}

/** What a record can come due for, such as a backup that is overdue. */
export interface Due {
	/** The event as the user chose it. */
	event: string;
	/** The time that it counts from, in epoch milliseconds. */
	since: number;
	/** Whether the time is only known to be no later than this; the feed finds it. */
	isAtMost?: true;
	/**
	 * How long after that time it is due, in milliseconds; negative before it, and `Infinity` where it is not to be
	 * told. It is told once, and again only when it is due at a later time.
	 */
	afterMs: number;
}

/**
 * Events of records that come due with time: the list is read whole, at most so often.
 * The list needs `gte` and `lte` as filters on `created_at` and must be sortable by it.
 */
export interface DueFeed {
	url: string;
	/** Further query parameters. */
	query?: IDataObject;
	/** How long the list is not read again, in milliseconds; it is read with each poll by default. */
	everyMs?: number;
	/**
	 * How often a time that was told of is found anew, in milliseconds: the next event of the record is no sooner after
	 * a later time.
	 */
	refindMs?: number;
	/** What the record can come due for, of all events that the list can tell, chosen or not. */
	due: (record: IDataObject) => Due[];
	/** Finds the time that a record does not tell; undefined where it cannot be found, and counts from what is known. */
	find?: (service: Service, record: IDataObject, due: Due) => Promise<Due | undefined>;
	/** What comes out, where that is not the record as it is. @param now by the service's clock */
	json?: (record: IDataObject, due: Due, now: number) => IDataObject;
	/** Whether the events of a record are wanted; what comes due meanwhile is not told later. */
	concerns?: (record: IDataObject) => boolean;
	/** What else decides which records count, such as the scope. */
	choice?: unknown;
	/** The order in which a test run looks for samples, such as `created_at,desc`. */
	samplesBy: string;
}

export type Feed = { timed: TimedFeed } | { state: StateFeed } | { due: DueFeed };

/** What a polling trigger supplies. */
export interface Polled {
	/** By a name that stays the same: what is remembered of each feed is kept under it. */
	feeds: Record<string, Feed>;
	/** The events that the user has chosen; all when it is not set. */
	events?: readonly string[];
	/** The form in which an item comes out, which is `{ event, ...record }` with its details. */
	shape?: (json: IDataObject) => IDataObject;
	/** Reads what the items lack; without it they come all the same. */
	complete?: (items: IDataObject[]) => Promise<IDataObject[]>;
	/** What is read for each item that is emitted. */
	details?: EventDetails;
	/** What to say when a test run finds nothing to show. */
	nothingToShow: { message: string; description: string };
}

export interface EventDetails {
	/** The feeds whose events have details; all by default. The events of others never wait. */
	feeds?: readonly string[];
	/**
	 * The item with its details; undefined when they are not there yet, and null when they show that the event is not
	 * wanted. When they are not there, or can not be read, the event waits for a later poll; only what is wrong with the
	 * account ends the poll, which is then repeated.
	 */
	read: (service: Service, json: IDataObject) => Promise<INodeExecutionData | null | undefined>;
	/** The item for which they were not to be had. */
	without: (json: IDataObject) => INodeExecutionData;
	/** How long an event waits for them, in milliseconds, and how often they are asked for at least. */
	waitMs: number;
	tries: number;
}

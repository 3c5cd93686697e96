import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { CallContext } from '../n8n/context';

export interface Event {
	/** As the user chose it, such as `completed`. */
	event: string;
	record: IDataObject;
	/** The output. @default the record */
	json?: IDataObject;
}

/** Something that has happened to a record. */
export interface Occurrence extends Omit<Event, 'record'> {
	/** Identifies the event within its record, such as `end`. Short, because the state has it; letters and digits. */
	key: string;
	/** Prefix of the keys that it replaces, so that the state has only the last progress. */
	replaces?: string;
	/** The key that it had while the record had less data. */
	was?: string;
	/** Whether it may have happened: counts as known at the activation, and otherwise not as an event. */
	isUnsure?: true;
}

/** What a feed reads. The list needs `gte` and `lte` as filters on its time and must be sortable by it. */
interface ListFeed {
	url: string;
	/** Further query parameters, such as filters for records that can be events. */
	query?: IDataObject;
	/** Further parameters that decide which events count, such as the scope. */
	choice?: unknown;
	/** The events that it can have: it is read if one of them is chosen. @default all */
	events?: readonly string[];
	/** Whether to report the events of a record; those left out are not reported later. @default all */
	concerns?: (record: IDataObject) => boolean;
}

/** Events of the records of a list by time, read from the last time on, oldest first. */
export interface TimedFeed extends ListFeed {
	kind: 'timed';
	/** The field that the list is read by, such as `updated_at`. */
	timeField: string;
	/** The time of a record; an empty text for one without it, which the newest leave out. @default `timeField` */
	time?: (record: IDataObject) => string;
	/** When the record was created, in a list by the last change: there, each change moves a record to the end. */
	born?: (record: IDataObject) => string;
	/** Identifies a record. @default its `id` */
	id?: (record: IDataObject) => string;
	/** All events of the record so far, chosen or not. */
	occurrences: (record: IDataObject) => Occurrence[];
	/** Whether the record can have more events; it is followed as long as that is true. */
	isOpen?: (record: IDataObject) => boolean;
	/** Whether it is open only because its status is not in the reference: then it is followed for a day. */
	isUncertain?: (record: IDataObject) => boolean;
	/** How long open records that keep their place are followed, in milliseconds; the list is read from the oldest. */
	openForMs?: number;
	/** Whether records that existed at the activation have no events, even open ones. */
	onlyNew?: true;
	/** Queries for the records that were open at the activation, if records move with each change. */
	openQueries?: IDataObject[];
}

/** Events of records that enter or leave a state, by `updated_at`. Reads all records that are in it. */
export interface StateFeed extends ListFeed {
	kind: 'state';
	/** Filters for the state, without the scope: a record that enters the scope has not entered the state. */
	query: IDataObject;
	/** The events of a record that has entered or left the state. */
	entered: string;
	left: string;
	/** Filters for records that have left the state. */
	leftQuery: IDataObject;
	/** Whether a record that is no longer in the list has left the state. */
	hasLeft: (record: IDataObject) => boolean;
	isIn: (record: IDataObject) => boolean;
}

/** A reason for a record to come due, such as an overdue backup. */
export interface Due {
	event: string;
	/** The time to count from, in epoch milliseconds. */
	since: number;
	/** Whether `since` is only an upper bound; the feed finds the time. */
	isAtMost?: true;
	/** How long after that time it is due, in milliseconds; negative before it, and `Infinity` to report nothing. */
	afterMs: number;
}

/** Events of records that come due. Reads all of the list by `created_at`, at most once in `everyMs`. */
export interface DueFeed extends ListFeed {
	kind: 'due';
	/** Time between two readings, in milliseconds. @default 0: each poll reads */
	everyMs?: number;
	/** How often the time of a reported record is found again, in milliseconds. @default Infinity */
	refindMs?: number;
	/** All reasons for the record to come due, chosen or not. */
	due: (record: IDataObject) => Due[];
	/** Finds the exact time of a record; undefined if it cannot, then the upper bound counts. */
	find?: (record: IDataObject, due: Due) => Promise<Due | undefined>;
	/** The output. @default the record @param now by the service's clock */
	json?: (record: IDataObject, due: Due, now: number) => IDataObject;
	/** The order in which a test run looks for samples, such as `created_at,desc`. */
	samplesBy: string;
}

/** Maximum length of a feed's memory as JSON, which n8n stores with the workflow. A trigger has up to four. */
export const MAX_LENGTH = 56_000;

export interface FeedRead<Memory> {
	events: Event[];
	memory: Memory;
	/** Whether the list was read to its end. */
	isComplete: boolean;
	/** Number of open records that were forgotten because the state was full. */
	forgotten?: number;
	/** Number of records seen for the first time that are dated ahead of all clocks. */
	ahead?: number;
}

/** When to leave the rest to the next poll. */
export interface ReadLimits {
	/** Whether the time for this poll is over; records already requested are still used. */
	isOver: () => boolean;
	/** Whether this poll can report no more events. */
	isFull: (found: number) => boolean;
}

export type Feed = TimedFeed | StateFeed | DueFeed;

/** What a polling trigger defines. */
export interface Polled {
	/** Feeds by name; the state of each is stored under the name, so it has to stay the same. */
	feeds: Record<string, Feed>;
	/** The events that the user has chosen. @default all */
	events?: readonly string[];
	/** Changes the form of an item, or makes several of it. @default `{ event, ...record }` with its details */
	shape?: (json: IDataObject) => IDataObject | IDataObject[];
	/** Adds names to the items, as far as they can be read. */
	complete?: (items: IDataObject[]) => Promise<IDataObject[]>;
	details?: EventDetails;
	/** Name of its records, such as `report`, and what to do when a test run has no samples. */
	what: string;
	nothingToShow: string;
}

export interface EventDetails {
	/** The feeds whose events have details; events of others never wait. @default all */
	feeds?: readonly string[];
	/** The item with its details; null to leave out the event. Without details, or if they cannot be read, it waits. */
	read: (context: CallContext, json: IDataObject) => Promise<INodeExecutionData | null | undefined>;
	/** The fields of an item without its details. */
	without?: IDataObject;
	/** How long an event waits for details, in milliseconds, and the minimum number of tries. @default 5 minutes, 5 */
	waitMs?: number;
	tries?: number;
}

import type { IDataObject } from 'n8n-workflow';
import type { Cursor } from './cursor';
import type { DueMemory } from './due';
import type { Members } from './members';

/* What n8n keeps of a trigger. */

/** What is remembered of a list. */
export type Remembered = { cursor: Cursor } | { members: Members } | { due: DueMemory };

/** What is remembered of a feed. */
export type FeedMemory = {
	/** Of which list and choice: a trigger whose choice was changed begins anew with the feeds that it touches. */
	of: string;
	/** The events that are told. */
	events?: readonly string[];
	added?: Added;
} & Remembered;

/** Events that were chosen later: until the list has been read to its end, only what is younger is told of them. */
export interface Added {
	events: readonly string[];
	/** What is no younger is not told; in epoch milliseconds. */
	since: number;
	/** Nor is what had happened by then: the hashes of the record and of what happened to it. */
	met?: string;
	/** Whether a reading is under way that began before they were chosen: then another one has to follow. */
	isLate?: true;
}

/** An event that waits for its details. */
export interface AwaitedEvent {
	json: IDataObject;
	/** In epoch milliseconds. */
	since: number;
	/** How often they were asked for. */
	tries?: number;
}

/** What n8n keeps of a trigger between polls. Plain JSON. */
export interface State {
	/** The id of the node that it belongs to. */
	node?: string;
	/** Another one with each poll that gives events, and each activation. */
	epoch?: string;
	/** Counts the polls of an epoch. */
	step?: number;
	/** A hash of the account: another one is a new beginning. */
	account?: string;
	feeds?: Record<string, FeedMemory>;
	/** The feed that the next poll begins with, where not all had their turn. */
	turn?: string;
	awaited?: AwaitedEvent[];
	/** Whether the last poll had time for the details of what waits only: then the next one reads the lists first. */
	hasRested?: true;
}

/** A state, and the epoch that it follows from. */
export interface Continuation {
	base: string;
	state: State;
	/** When it was left, in epoch milliseconds. */
	at?: number;
}

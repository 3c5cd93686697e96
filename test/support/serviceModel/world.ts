import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Mode } from '../engine/process';
import type { Account } from './service';
import type { TimesAs } from './shapes';
import type { Nulls } from './lists';
import type { Chance } from './chance';

/** What the user has chosen in the trigger. */
export interface Choice {
	events: string[];
	/** Whatever narrows what counts; another one is a new beginning. */
	filter: IDataObject;
	options: IDataObject;
}

export interface Happening {
	/** The same as that of the item that tells of it; begins with what names the record, and a blank. */
	key: string;
	event: string;
	isOptional?: boolean;
	facts?: IDataObject;
}

export interface Moment {
	account: Account;
	chance: Chance;
	/** By the clock that the service stamps its records with, in milliseconds. */
	now: number;
	/** The time that the service writes down, given that of the record's last change. */
	stamp: (last?: unknown) => string;
	/** A new id. */
	id: () => string;
	choice: Choice;
	/** When what counts now has begun to, by the same clock. */
	begun: number;
	setting: Setting;
}

/** What a trigger watches. */
export interface World {
	node: string;
	choose: (chance: Chance) => Choice;
	/** What is chosen in stories. */
	usual: Choice;
	parameters: (choice: Choice) => INodeParameters;
	matches: (choice: Choice, happening: Happening) => boolean;
	/** What is there before the trigger is switched on; gives what may be told of it all the same. */
	begin: (moment: Moment) => Happening[];
	/** Changes something. @param isNew whether a record is made */
	change: (moment: Moment, isNew: boolean) => Happening[];
	keyOf: (item: IDataObject) => string;
	/** What names a record in the keys, where that is not its id. */
	nameOf?: (record: IDataObject) => string;
	/** What is wrong with how an item looks. */
	faultOf?: (item: IDataObject, choice: Choice) => string | undefined;
	/** Judges what is told by comparing states, when all has been quiet; only notes them where something begins. */
	judge?: (
		moment: Moment,
		told: IDataObject[],
		begins: boolean,
		hasRestarted: boolean,
	) => { faults: string[]; expected: number };
	/** Whether an item is judged there, and not by its key. */
	isState?: (item: IDataObject) => boolean;
	/** Keys of what can no longer be seen by a poll that has not seen it yet, or may be seen otherwise. */
	blurred?: (moment: Moment) => string[];
}

export interface Setting {
	seed: number;
	mode: Mode;
	/** How far the `Date` header is off at first; without one where it is undefined. */
	dateOffset: number | undefined;
	/** How far apart the `Date` headers of the servers are that answer, at most. */
	spread: number;
	/** How far n8n's clock is ahead at first. */
	skew: number;
	inSeconds: boolean;
	/** In which form the service tells times. */
	times: TimesAs;
	/** Where a list that is sorted by a time has the records without one. */
	nulls: Nulls;
	/** How many records have none from the beginning, where there can be such. */
	without: number;
	/** Whether a record never gets an earlier time than it had, although the clock was set back. */
	clamps: boolean;
	limit: number;
	pageSize: number;
	shuffles: boolean;
	/** How many triggers of the same kind watch the same account, beside the one that most happens to. */
	companions: number;
}

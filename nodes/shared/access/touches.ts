import type { Effect } from './effects';

/**
 * Which sites a request is about, for a credential that allows only some. The site of a path counts in any case.
 * - `listed`: those that the records of the answer name; records of others are left out, or refused
 * - `noSite`: none; it reads what names no site
 */
export type Touches = 'listed' | 'noSite' | About;

/** Where it stands which sites a change is about. */
export interface About {
	/** The record of the path: the sites that it has before. */
	record?: true;
	/** The records whose ids are at this place of the body, likewise. */
	records?: string;
	/** Places of the body that name sites: an id, a list of ids, `{ selection, ids }`, or true for all. */
	sites?: readonly string[];
	/** Whether it may name none, since it makes a record that has none yet. */
	mayNameNone?: true;
	/** The object of the body that says where a site is written to. */
	destination?: string;
	/** Changes what exists beyond single sites, gives access, or is about mail, destinations or branding. */
	isAccountWide?: true;
	/** A list of the body whose entries are records of their own. */
	makes?: string;
}

/** What no choice of sites allows. */
export const accountWide = { isAccountWide: true } as const;

/** What a request does to whom, as the table of its operation says. */
export interface Does {
	/** Undefined for an operation that this package does not know. */
	effects?: readonly Effect[];
	touches: Touches;
	/** Whether lists in the body take the place of those of the record. */
	replacesLists?: true;
}

import type { Effect } from './effects';

/**
 * Sites that a request affects, for a credential with Only Sites. The site in its path always counts.
 * - `listed`: the sites that records of the response name; records of other sites are left out or refused
 * - `noSite`: none; it reads records that name no site
 */
export type Touches = 'listed' | 'noSite' | About;

/** Where to find the sites that a change affects. */
export interface About {
	/** The record in the path: its current sites. */
	record?: true;
	/** Place of the body with IDs of records: their current sites. */
	records?: string;
	/** Places of the body that name sites: an ID, a list of IDs, `{ selection, ids }`, or true for all. */
	sites?: readonly string[];
	/** Whether it may name no site, because it creates a record without sites. */
	mayNameNone?: true;
	/** Place of the object in the body that sets the destination of a copy. */
	destination?: string;
	/** Affects more than single sites: people, access, emails, destinations or branding. */
	isAccountWide?: true;
	/** Place of the list in the body whose entries become records. */
	makes?: string;
}

/** Never allowed by Only Sites. */
export const accountWide = { isAccountWide: true } as const;

/** Effects and sites of a request, from the table of its operation. */
export interface Does {
	/** Undefined for an operation that this package does not know. */
	effects?: readonly Effect[];
	touches: Touches;
	/** Whether lists in the body replace those of the record. */
	replacesLists?: true;
}

/** Effects of operations, with their texts in the credential and the docs. An operation may have several. */
export const effectTexts = {
	reads: { name: 'Read', description: 'Everything except passwords and sign-in links' },
	organises: {
		name: 'Organize Records',
		description: 'Tags, notes, clients, report templates and custom works',
	},
	cares: {
		name: 'Care for Sites',
		description:
			'Back up sites, enable backups, prepare downloads, create staging sites, and create reports without sending them',
	},
	changesSites: {
		name: 'Change Live Sites',
		description: 'Restores, migrations, automatic updates, settings and branding',
	},
	sendsMail: { name: 'Send Emails', description: 'Reports by email and verification emails' },
	givesAccess: {
		name: 'Give Access',
		description: 'Invitations, roles, sign-in links, and passwords in Raw output',
	},
	weakens: {
		name: 'Weaken Protection',
		description: 'Disable backups or logs, and leave files or tables out of backups',
	},
	destroys: { name: 'Destroy', description: 'Delete or remove things that cannot be restored' },
} as const satisfies Record<string, { name: string; description: string }>;

export type Effect = keyof typeof effectTexts;

export const harms: Partial<Record<Effect, string>> = {
	changesSites: 'changes live sites',
	sendsMail: 'sends emails',
	givesAccess: 'gives access',
	weakens: 'weakens protection',
	destroys: 'cannot be undone',
};

export const EFFECTS = Object.keys(effectTexts) as Effect[];

export const isEffect = (value: unknown): value is Effect => EFFECTS.includes(value as Effect);

/** Effects that count for Harmful Changes per Execution: the ones with the worst damage. */
export const HARMFUL: readonly Effect[] = ['changesSites', 'destroys'];

/**
 * Sites that a request affects, for a credential with Only Sites. The site in its path always counts.
 * - `listed`: the sites that records of the response name; records of other sites are left out or refused
 * - `noSite`: none; it reads records that name no site
 */
export type Touches = 'listed' | 'noSite' | About;

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
	/** Whether it takes back a part of an operation that was counted before, so that it does not count. */
	isCounted?: true;
}

/** Never allowed by Only Sites. */
export const accountWide = { isAccountWide: true } as const;

export interface Does {
	/** Undefined for an operation that this package does not know. */
	effects?: readonly Effect[];
	touches: Touches;
	replacesLists?: true;
}

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

export const EFFECTS = Object.keys(effectTexts) as Effect[];

export const isEffect = (value: unknown): value is Effect => EFFECTS.includes(value as Effect);

/** Effects that count for Harmful Changes per Execution: the ones with the worst damage. */
export const HARMFUL: readonly Effect[] = ['changesSites', 'destroys'];

import { capital } from '../lib';
import { toSnapshot } from './convert';
import { type Field, isNamedId } from './field';
import type { LocatorMode } from './id';

type About = Pick<Field, 'modes' | 'as'> & { example: string };

/** The type is apart, because n8n's linter takes the mode for a parameter without a default. */
const TEXT = { type: 'string' } as const;

const mode = (displayName: string, name: LocatorMode, example: string, hint?: string) => ({
	displayName,
	name,
	...TEXT,
	placeholder: `e.g. ${example}`,
	...(hint && { hint }),
});

const byName = (example: string) => mode('By Name', 'name', example);

const byNameOrEmail = (example: string, hint?: string) =>
	mode('By Name or Email', 'name', example, hint);

/** The IDs in paths: `/tags/{tagId}` gets the locator Tag, filled by `searchTags`. */
const ids = {
	backupDestinationId: { example: 'bkd_3f2a91 for a saved one, or the provider as cloudstore_a' },
	clientId: {
		example: '7c41e2b09a',
		modes: [byNameOrEmail('Harbour Bakery', 'The exact company name, full name or email')],
	},
	customWorkId: { example: '1d9e4f7a03' },
	fileId: { example: 'the ID of a file from a list of files' },
	importantPageId: { example: '4b8c0d6e21' },
	managedAccountId: { example: '2e7f9a1c54' },
	noteId: { example: '8a3d5c7e90' },
	reportId: { example: '6f1b8d2c47' },
	reportTemplateId: { example: '0c9a7b5e38', modes: [byName('Monthly report')] },
	scheduleId: { example: '5d2f8e4a16', modes: [byName('Nightly plugin updates')] },
	scheduledReportId: { example: '3a6c9e1f72' },
	senderEmailId: { example: '9e4b2d7f05', modes: [byNameOrEmail('reports@example.com')] },
	siteId: {
		example: '5f0c2a9d41',
		modes: [
			mode(
				'By URL',
				'url',
				'https://www.example.com',
				'The exact host and path. staging.example.com and example.com/blog are different from example.com.',
			),
			mode(
				'By Title',
				'name',
				'Harbour Bakery',
				'The exact title. The service cannot search for titles, so the node reads all sites of the account.',
			),
		],
	},
	snapshotId: {
		example: '7b0e3c9d58, or latest for the newest complete one',
		modes: [
			mode(
				'Newest Before',
				'before',
				'2026-01-31T08:00:00Z',
				'The newest complete snapshot created by this time. A date without a time means the start of that day.',
			),
		],
		as: toSnapshot,
	},
	stagingSiteId: { example: '1f8d6b4a29' },
	tagId: { example: '42', modes: [byName('Care plan')] },
	taskId: { example: '9b1f6c2e70' },
	teamMemberId: { example: '4c7a2e9b63', modes: [byNameOrEmail('alex@example.com')] },
} satisfies Record<string, About>;

/** The name of an ID, such as `tagId`. */
export type LocatorName = keyof typeof ids;

/** The function that fills From List, such as `searchTags`; `listSearch` has one for each. */
export type SearchName = {
	[N in LocatorName]: N extends `${infer R}Id` ? `search${Capitalize<R>}s` : never;
}[LocatorName];

function locator(name: string, { example, modes = [], as }: About): Field {
	const record = capital(name.slice(0, -'Id'.length));
	const typeOptions = { searchListMethod: `search${record}s`, searchable: true };
	return {
		displayName: record.replace(/(?!^)[A-Z]/g, ' $&'),
		name,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		...(isNamedId(name) && { names: name }),
		...(as && { as }),
		modes: [
			{ displayName: 'From List', name: 'list', type: 'list', typeOptions },
			...modes,
			mode('By ID', 'id', example),
		],
	};
}

export const locators = Object.fromEntries(
	Object.entries(ids).map(([name, about]) => [name, locator(name, about)]),
) as Record<LocatorName, Field>;

/** The record of an ID within a sentence, such as `staging site`. */
export const recordLabel = (id: LocatorName) => locators[id].displayName.toLowerCase();

/** Lists of IDs that are offered by name, and the functions that load them. */
export const idLoaders = {
	clientIds: 'getClients',
	scheduleIds: 'getSchedules',
	siteIds: 'getSites',
	tagIds: 'getTags',
} as const;

export type IdsName = keyof typeof idLoaders;

export type LoaderName = (typeof idLoaders)[IdsName];

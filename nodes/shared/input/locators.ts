import type { INodeProperties } from 'n8n-workflow';
import type { Field } from './field';
import { isNamedId } from './named';
import { MODE_BEFORE, toSnapshot } from './snapshot';

/** In an object of their own: modes alone look like parameters without a default to n8n's linter. */
type Modes = Required<Pick<INodeProperties, 'modes'>>;

/** The list searches that fill From List; the room of that name has one for each. */
export type SearchName =
	| `search${'Clients' | 'Files' | 'Notes' | 'Reports' | 'Schedules' | 'Sites' | 'Tags' | 'Tasks'}`
	| 'searchBackupDestinations'
	| 'searchCustomWorks'
	| 'searchImportantPages'
	| 'searchManagedAccounts'
	| 'searchReportTemplates'
	| 'searchScheduledReports'
	| 'searchSenderEmails'
	| 'searchSnapshots'
	| 'searchStagingSites'
	| 'searchTeamMembers';

interface About {
	/** The list search that fills From List. */
	by: SearchName;
	/** Whether that takes a text to search for: the API has a fitting filter. */
	searchable?: boolean;
	/** An example of an id. */
	example: string;
	otherModes?: Modes[];
	/** What makes the value of it where it can be more than an id. */
	as?: Field['as'];
}

/** An id that the user picks from a list or enters. */
const locator =
	(displayName: string, { by, searchable = true, example, otherModes = [], as }: About) =>
	(name: string): Field => ({
		displayName,
		name,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		...(isNamedId(name) && { names: name }),
		...(as && { as }),
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				typeOptions: { searchListMethod: by, searchable },
			},
			...otherModes.flatMap(({ modes }) => modes),
			{
				displayName: 'By ID',
				name: 'id',
				type: 'string',
				placeholder: `e.g. ${example}`,
			},
		],
	});

/** Gives each locator the name that it stands under. */
const withNames = <K extends string>(all: Record<K, (name: string) => Field>) =>
	Object.fromEntries(
		Object.entries<(name: string) => Field>(all).map(([name, make]) => [name, make(name)]),
	) as Record<K, Field>;

const byUrl: Modes = {
	modes: [
		{
			displayName: 'By URL',
			name: 'url',
			type: 'string',
			placeholder: 'e.g. https://www.example.com',
			hint: 'The exact host and path. staging.example.com and example.com/blog are different from example.com.',
		},
	],
};

const newestBefore: Modes = {
	modes: [
		{
			displayName: 'Newest Before',
			name: MODE_BEFORE,
			type: 'string',
			placeholder: 'e.g. 2026-01-31T08:00:00Z',
			hint: 'The newest complete snapshot created by this time. A date without a time means the start of that day.',
		},
	],
};

/** For records that people know by a name: the exact one, of which there must be only one. */
const byName = (displayName: string, example: string, hint?: string): Modes => ({
	modes: [
		{
			displayName,
			name: 'name',
			type: 'string',
			placeholder: `e.g. ${example}`,
			...(hint && { hint }),
		},
	],
});

/** The locator for each id that a path can ask for: `/tags/{tagId}` gets the one named `tagId`. */
export const locators = withNames({
	backupDestinationId: locator('Backup Destination', {
		by: 'searchBackupDestinations',
		searchable: false,
		example: 'bkd_3f2a91 for a saved one, or the provider as cloudstore_a',
	}),
	clientId: locator('Client', {
		by: 'searchClients',
		example: '7c41e2b09a',
		otherModes: [
			byName('By Name or Email', 'Harbour Bakery', 'The exact company name, full name or email'),
		],
	}),
	customWorkId: locator('Custom Work', {
		by: 'searchCustomWorks',
		example: '1d9e4f7a03',
	}),
	fileId: locator('File', {
		by: 'searchFiles',
		example: 'the ID of a file from a list of files',
	}),
	importantPageId: locator('Important Page', {
		by: 'searchImportantPages',
		searchable: false,
		example: '4b8c0d6e21',
	}),
	managedAccountId: locator('Managed Account', {
		by: 'searchManagedAccounts',
		example: '2e7f9a1c54',
	}),
	noteId: locator('Note', { by: 'searchNotes', example: '8a3d5c7e90' }),
	reportId: locator('Report', {
		by: 'searchReports',
		searchable: false,
		example: '6f1b8d2c47',
	}),
	reportTemplateId: locator('Report Template', {
		by: 'searchReportTemplates',
		example: '0c9a7b5e38',
		otherModes: [byName('By Name', 'Monthly report')],
	}),
	scheduleId: locator('Schedule', {
		by: 'searchSchedules',
		example: '5d2f8e4a16',
		otherModes: [byName('By Name', 'Nightly plugin updates')],
	}),
	scheduledReportId: locator('Scheduled Report', {
		by: 'searchScheduledReports',
		searchable: false,
		example: '3a6c9e1f72',
	}),
	senderEmailId: locator('Sender Email', {
		by: 'searchSenderEmails',
		example: '9e4b2d7f05',
		otherModes: [byName('By Name or Email', 'reports@example.com')],
	}),
	siteId: locator('Site', {
		by: 'searchSites',
		example: '5f0c2a9d41',
		otherModes: [
			byUrl,
			byName(
				'By Title',
				'Harbour Bakery',
				'The exact title. The service cannot search for titles, so the node reads all sites of the account.',
			),
		],
	}),
	snapshotId: locator('Snapshot', {
		by: 'searchSnapshots',
		searchable: false,
		example: '7b0e3c9d58, or latest for the newest complete one',
		otherModes: [newestBefore],
		as: toSnapshot,
	}),
	stagingSiteId: locator('Staging Site', {
		by: 'searchStagingSites',
		searchable: false,
		example: '1f8d6b4a29',
	}),
	tagId: locator('Tag', {
		by: 'searchTags',
		example: '42',
		otherModes: [byName('By Name', 'Care plan')],
	}),
	taskId: locator('Task', {
		by: 'searchTasks',
		searchable: false,
		example: '9b1f6c2e70',
	}),
	teamMemberId: locator('Team Member', {
		by: 'searchTeamMembers',
		example: '4c7a2e9b63',
		otherModes: [byName('By Name or Email', 'alex@example.com')],
	}),
});

/** The name of an id, such as `tagId`. */
export type LocatorName = keyof typeof locators;

/** Lists of ids that are offered by name, and what loads them. */
export const idLoaders = {
	clientIds: 'getClients',
	scheduleIds: 'getSchedules',
	siteIds: 'getSites',
	tagIds: 'getTags',
} as const;

export type IdsName = keyof typeof idLoaders;

export type LoaderName = (typeof idLoaders)[IdsName];

import type { INodeProperties } from 'n8n-workflow';
import type { Field } from './checks';

type Mode = NonNullable<INodeProperties['modes']>[number];

interface Search {
	/** The list search that fills From List. */
	by: string;
	/** Whether it takes a text to search for: the API has a fitting filter. */
	searchable?: boolean;
}

/** An id that the user picks from a list or enters. */
function locator(
	displayName: string,
	name: string,
	{ by, searchable = true }: Search,
	idExample: string,
	otherModes: Mode[] = [],
): INodeProperties {
	return {
		displayName,
		name,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		description: `The ${displayName.toLowerCase()} to work on`,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				typeOptions: { searchListMethod: by, searchable },
			},
			...otherModes,
			{
				displayName: 'By ID',
				name: 'id',
				type: 'string',
				placeholder: `e.g. ${idExample}`,
			},
		],
	};
}

const siteByUrl: Pick<INodeProperties, 'modes'> = {
	modes: [
		{
			displayName: 'By URL',
			name: 'url',
			type: 'string',
			placeholder: 'e.g. https://www.example.com',
			hint: 'The exact host: staging.example.com is not example.com',
		},
	],
};

const unsearchable = (by: string): Search => ({ by, searchable: false });

const all = [
	locator(
		'Backup Destination',
		'backupDestinationId',
		unsearchable('searchBackupDestinations'),
		'bkd_3f2a91 for a saved one, or the provider as cloudstore_a',
	),
	locator('Client', 'clientId', { by: 'searchClients' }, '7c41e2b09a'),
	locator('Custom Work', 'customWorkId', { by: 'searchCustomWorks' }, '1d9e4f7a03'),
	locator('File', 'fileId', { by: 'searchFiles' }, 'the ID of a file from a list of files'),
	locator('Important Page', 'importantPageId', unsearchable('searchImportantPages'), '4b8c0d6e21'),
	locator('Managed Account', 'managedAccountId', { by: 'searchManagedAccounts' }, '2e7f9a1c54'),
	locator('Note', 'noteId', { by: 'searchNotes' }, '8a3d5c7e90'),
	locator('Report', 'reportId', unsearchable('searchReports'), '6f1b8d2c47'),
	locator('Report Template', 'reportTemplateId', { by: 'searchReportTemplates' }, '0c9a7b5e38'),
	locator('Schedule', 'scheduleId', { by: 'searchSchedules' }, '5d2f8e4a16'),
	locator(
		'Scheduled Report',
		'scheduledReportId',
		unsearchable('searchScheduledReports'),
		'3a6c9e1f72',
	),
	locator('Sender Email', 'senderEmailId', { by: 'searchSenderEmails' }, '9e4b2d7f05'),
	locator('Site', 'siteId', { by: 'searchSites' }, '5f0c2a9d41', siteByUrl.modes),
	locator('Snapshot', 'snapshotId', unsearchable('searchSnapshots'), '7b0e3c9d58'),
	locator('Staging Site', 'stagingSiteId', unsearchable('searchStagingSites'), '1f8d6b4a29'),
	locator('Tag', 'tagId', { by: 'searchTags' }, '42'),
	locator('Task', 'taskId', unsearchable('searchTasks'), '9b1f6c2e70'),
	locator('Team Member', 'teamMemberId', { by: 'searchTeamMembers' }, '4c7a2e9b63'),
];

/** The locator for each id that a path can ask for: `/tags/{tagId}` gets the one named `tagId`. */
export const locators: Record<string, INodeProperties> = Object.fromEntries(
	all.map((property) => [property.name, property]),
);

/** An id in a body, a query or a filter: the locator of that name, not required, with another description. */
export function idField(name: string, description: string): Field {
	const { required: _required, ...property } = locators[name]!;
	return { ...property, description };
}

/** Several ids in a filter: `siteIds` offers what `getSites` loads. */
export function idsField(name: string, description: string): Field {
	const { displayName } = locators[name.replace(/s$/, '')]!;
	return {
		displayName: `${displayName} Names or IDs`,
		name,
		type: 'multiOptions',
		typeOptions: { loadOptionsMethod: `get${displayName}s` },
		default: [],
		description: `${description}. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.`,
	};
}

/** The ids that a bulk operation is for, as text or from an expression; listOf tells how. */
export function idList(name: string): Field {
	const { displayName, modes } = locators[name.replace(/s$/, '')]!;
	const example = modes!.find((mode) => mode.name === 'id')!.placeholder;
	return {
		displayName: `${displayName} IDs`,
		name,
		type: 'string',
		default: '',
		placeholder: `${example}, 77ab03ce12`,
		description: `IDs of the ${displayName.toLowerCase()}s`,
	};
}

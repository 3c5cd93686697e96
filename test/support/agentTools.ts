import type { INode, INodeParameters } from 'n8n-workflow';
import { locator } from './locator';

/** The action nodes as tools of an agent, with parameters that the model fills. */

export interface ToolNode {
	/** `node/resource/operation`. */
	operation: string;
	parameters?: INodeParameters;
	/** The credential, where it is not the one that may do everything. */
	credential?: string;
	settings?: Partial<Pick<INode, 'onError' | 'retryOnFail' | 'maxTries' | 'waitBetweenTries'>>;
}

type Type = 'string' | 'number' | 'boolean' | 'json';

/** What the editor makes of a parameter that the model may define. */
const ai = (key: string, description: string, type: Type = 'string', fallback?: string) =>
	`={{ $fromAI('${key}', '${description}', '${type}'${fallback === undefined ? '' : `, '${fallback}'`}) }}`;

/** A filter that the model may leave blank. */
const filter = (key: string, type: Type = 'string') => ai(key, 'Blank for all', type, '');

const id = (key: string, mode: 'id' | 'url' = 'id') =>
	locator(ai(key, `The ${mode} of the record`), mode);

const limit = ai('limit', 'How many at most', 'number', '20');

export const READ_ONLY = 'Read Only';

export const AT_MOST_2 = 'At Most 2';

/** What the tools work with that is not the model's to say. */
export interface Fixed {
	/** The site that From List has chosen, and its URL. */
	siteId: string;
	siteUrl: string;
}

/** The tools by the names of their nodes: at least one of each of the nodes. */
export const toolNodes = ({ siteId, siteUrl }: Fixed): Record<string, ToolNode> => ({
	'List sites': {
		operation: 'site/site/getAll',
		parameters: {
			limit,
			output: 'selected',
			outputFields: ['id', 'url'],
			filters: {
				connectionStatus: filter('connection'),
				uptime: filter('uptime'),
				urlContains: filter('url_contains'),
				createdAfter: filter('created_after'),
				locked: filter('locked'),
				tagIds: filter('tag_ids'),
			},
		},
	},
	'List sites strictly': {
		operation: 'site/site/getAll',
		parameters: { filters: { urlContains: ai('url_contains', 'A part of the address') } },
	},
	'Get a site': { operation: 'site/site/get', parameters: { siteId: id('site_id') } },
	'Find a site': { operation: 'site/site/get', parameters: { siteId: id('site_url', 'url') } },
	'Get the chosen site': {
		operation: 'site/site/get',
		parameters: { siteId: locator(siteId, 'list') },
	},
	'Add a note': {
		operation: 'note/note/create',
		parameters: { siteId: id('site_id'), content: ai('content', 'The text of the note') },
	},
	'List custom works': {
		operation: 'customWork/customWork/getAll',
		parameters: {
			siteId: id('site_id'),
			limit,
			filters: { performedAfter: filter('performed_after') },
		},
	},
	'List important pages': {
		operation: 'importantPage/importantPage/getAll',
		parameters: { siteId: id('site_id'), limit },
	},
	'List activity': {
		operation: 'activityLog/activityLog/getAll',
		parameters: { siteId: id('site_id'), limit, filters: { username: filter('username') } },
	},
	'List files': {
		operation: 'backupContent/file/getAll',
		parameters: {
			siteId: id('site_id'),
			limit,
			options: { folder: ai('folder', 'Path of the folder') },
		},
	},
	'List snapshots': {
		operation: 'snapshot/snapshot/getAll',
		parameters: { siteId: id('site_id'), limit, filters: { status: filter('status') } },
	},
	'Set auto updates': {
		operation: 'site/setting/update',
		parameters: {
			siteId: id('site_id'),
			updateFields: { autoUpdates: ai('on', 'Whether they are on', 'boolean') },
		},
	},
	'Restore a site': {
		operation: 'backup/backup/restore',
		parameters: {
			siteId: id('site_id'),
			snapshotId: id('snapshot_id'),
			waitForCompletion: true,
			onlyIf: 'url',
			onlyIfUrl: siteUrl,
		},
	},
	'List clients': {
		operation: 'client/client/getAll',
		parameters: { limit, filters: { search: filter('search') } },
	},
	'Create a client': {
		operation: 'client/client/create',
		parameters: {
			additionalFields: {
				email: ai('email', 'The address of the client'),
				firstName: ai('first_name', 'The first name'),
				siteIds: ai('site_ids', 'IDs of sites', 'json'),
			},
		},
	},
	'Delete clients': {
		operation: 'client/client/delete',
		parameters: { clientIds: ai('client_ids', 'IDs of clients', 'json') },
	},
	'List managed accounts': {
		operation: 'managedAccount/managedAccount/getAll',
		parameters: {
			limit,
			filters: {
				allSitesAccess: ai('all_sites', 'Whether they reach all sites', 'boolean'),
				statuses: ai('statuses', 'One or more of connected, pending, rejected', 'json'),
			},
		},
	},
	'List backup destinations': { operation: 'backupDestination/backupDestination/getAll' },
	'List sender emails': {
		operation: 'senderEmail/senderEmail/getAll',
		parameters: { limit, filters: { status: filter('status') } },
	},
	'Set the branding': {
		operation: 'branding/pluginBranding/update',
		parameters: {
			type: ai('type', 'custom, default or hidden'),
			additionalFields: { name: ai('name', 'The name of the plugin') },
		},
	},
	'Create a schedule': {
		operation: 'autoUpdate/schedule/create',
		parameters: {
			name: ai('name', 'The name'),
			recurrence: ai('recurrence', 'daily, weekly_on_day or biweekly'),
			startedAt: ai('started_at', 'Date and time of the first run'),
			sites: { scope: { selection: 'specific', siteIds: ai('site_ids', 'IDs of sites', 'json') } },
			updates: {
				categories: {
					cmsCore: ai('core', 'Whether the CMS is updated', 'boolean'),
					plugins: 'all',
					themes: 'none',
				},
			},
		},
	},
	'List update history': {
		operation: 'autoUpdate/history/getAll',
		parameters: {
			limit,
			filters: {
				performedOnAfter: filter('after'),
				statusIsOneOf: filter('statuses'),
			},
		},
	},
	'List tasks': {
		operation: 'task/task/getAll',
		parameters: { limit, filters: { status: filter('status'), type: filter('type') } },
	},
	'Get a task': { operation: 'task/task/get', parameters: { taskId: id('task_id') } },
	'Create a report': {
		operation: 'report/report/create',
		parameters: {
			siteId: id('site_id'),
			startDate: ai('start', 'The first day'),
			endDate: ai('end', 'The last day'),
			waitForCompletion: true,
		},
	},
	'Download a report': {
		operation: 'report/report/download',
		parameters: { reportId: id('report_id') },
	},
	'Create a report template': {
		operation: 'reportTemplate/reportTemplate/create',
		parameters: {
			name: ai('name', 'The name'),
			additionalFields: {
				sections: {
					section: [
						{
							key: ai('key', 'The key of the section'),
							heading: ai('heading', 'Its heading'),
							dynamicData: ai('data', 'What the section shows', 'json'),
						},
					],
				},
			},
		},
	},
	'Create a scheduled report': {
		operation: 'scheduledReport/scheduledReport/create',
		parameters: {
			siteId: id('site_id'),
			frequency: ai('frequency', 'weekly, biweekly or monthly'),
			startedAt: ai('started_at', 'Date and time of the first report'),
			additionalFields: {
				recipients: ai('recipients', 'Addresses'),
				sendToClient: ai('to_client', 'Whether the client gets it', 'boolean'),
			},
		},
	},
	'Invite a team member': {
		operation: 'teamMember/teamMember/create',
		parameters: {
			name: ai('name', 'The name'),
			email: ai('email', 'The address'),
			role: ai('role', 'administrator, co_owner or collaborator'),
		},
	},
	'Create a tag': {
		operation: 'tag/tag/create',
		parameters: {
			name: ai('name', 'The name'),
			additionalFields: { color: ai('color', 'As #2f80ed') },
		},
	},
	'Rename a tag': {
		operation: 'tag/tag/update',
		parameters: { tagId: id('tag_id'), updateFields: { name: ai('name', 'The new name') } },
	},
	'Assign a tag': {
		operation: 'tag/tag/assign',
		parameters: { tagId: id('tag_id'), siteIds: ai('site_ids', 'IDs of sites') },
	},
	'Preview deleting a tag': {
		operation: 'tag/tag/delete',
		parameters: { tagId: id('tag_id'), preview: true },
	},
	'Delete a tag': { operation: 'tag/tag/delete', parameters: { tagId: id('tag_id') } },
	'Delete a tag by Read Only': {
		operation: 'tag/tag/delete',
		parameters: { tagId: id('tag_id') },
		credential: READ_ONLY,
	},
	'Extend a staging site': {
		operation: 'stagingSite/stagingSite/extendExpiry',
		parameters: { stagingSiteId: id('staging_site_id'), days: ai('days', 'Days', 'number') },
	},
});

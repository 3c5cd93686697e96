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

const tool = (operation: string, parameters: object = {}): ToolNode => ({
	operation,
	// As behind n8n's review, unless a tool says otherwise.
	parameters: { confirmation: 'none', ...parameters } as INodeParameters,
});

/**
 * The tools by the names of their nodes: at least one of each of the nodes.
 * @param siteId the site that From List has chosen, which is not the model's to say
 */
export const toolNodes = (siteId: string, siteUrl: string): Record<string, ToolNode> => ({
	'List sites': tool('site/site/getAll', {
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
	}),
	'List sites strictly': tool('site/site/getAll', {
		filters: { urlContains: ai('url_contains', 'A part of the address') },
	}),
	'Get a site': tool('site/site/get', { siteId: id('site_id') }),
	'Find a site': tool('site/site/get', { siteId: id('site_url', 'url') }),
	'Get the chosen site': tool('site/site/get', { siteId: locator(siteId, 'list') }),
	'Add a note': tool('note/note/create', {
		siteId: id('site_id'),
		content: ai('content', 'The text of the note'),
	}),
	'List custom works': tool('customWork/customWork/getAll', { siteId: id('site_id') }),
	'List important pages': tool('importantPage/importantPage/getAll', { siteId: id('site_id') }),
	'List activity': tool('activityLog/activityLog/getAll', { siteId: id('site_id') }),
	'List files': tool('backupContent/file/getAll', { siteId: id('site_id') }),
	'List snapshots': tool('snapshot/snapshot/getAll', { siteId: id('site_id') }),
	'List plugins and themes': tool('component/component/getAll', {
		source: 'snapshots',
		componentFilters: { componentName: filter('name') },
		filters: { urlContains: ai('url_contains', 'A part of the address of the site') },
	}),
	'Set auto updates': tool('site/setting/update', {
		siteId: id('site_id'),
		updateFields: { autoUpdates: ai('on', 'Whether they are on', 'boolean') },
	}),
	'Restore a site': tool('backup/backup/restore', {
		siteId: id('site_id'),
		snapshotId: id('snapshot_id'),
		waitForCompletion: true,
		onlyIfUrl: siteUrl,
	}),
	'List clients': tool('client/client/getAll', { limit, filters: { search: filter('search') } }),
	'Create a client': tool('client/client/create', {
		additionalFields: {
			email: ai('email', 'The address of the client'),
			firstName: ai('first_name', 'The first name'),
			siteIds: ai('site_ids', 'IDs of sites', 'json'),
		},
	}),
	'Delete clients': tool('client/client/delete', {
		clientIds: ai('client_ids', 'IDs of clients', 'json'),
	}),
	'List managed accounts': tool('managedAccount/managedAccount/getAll', {
		limit,
		filters: {
			allSitesAccess: ai('all_sites', 'Whether they reach all sites', 'boolean'),
			statuses: ai('statuses', 'One or more of connected, pending, rejected', 'json'),
		},
	}),
	'List backup destinations': tool('backupDestination/backupDestination/getAll'),
	'List sender emails': tool('senderEmail/senderEmail/getAll', { limit }),
	'Set the branding': tool('branding/pluginBranding/update', {
		type: ai('type', 'custom, default or hidden'),
		additionalFields: { name: ai('name', 'The name of the plugin') },
	}),
	'Create a schedule': tool('autoUpdate/schedule/create', {
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
	}),
	'List update history': tool('autoUpdate/history/getAll', { limit }),
	'List tasks': tool('task/task/getAll', {
		limit,
		filters: { status: filter('status'), type: filter('type') },
	}),
	'Get a task': tool('task/task/get', { taskId: id('task_id') }),
	'Create a report': tool('report/report/create', {
		siteId: id('site_id'),
		startDate: ai('start', 'The first day'),
		endDate: ai('end', 'The last day'),
		waitForCompletion: true,
	}),
	'Download a report': tool('report/report/download', { reportId: id('report_id') }),
	'Create a report template': tool('reportTemplate/reportTemplate/create', {
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
	}),
	'List scheduled reports': tool('scheduledReport/scheduledReport/getAll', { limit }),
	'List team members': tool('teamMember/teamMember/getAll', { limit }),
	'Create a tag': tool('tag/tag/create', {
		name: ai('name', 'The name'),
		additionalFields: { color: ai('color', 'As #2f80ed') },
	}),
	'Create any tag': tool('api/request/anyOperation', {
		apiOperation: locator('POST /tags', 'list'),
		apiParameters: {
			mappingMode: 'defineBelow',
			value: {
				'body.tag.name': ai('name', 'The name'),
				'body.tag.color': ai('color', 'As #2f80ed; blank for none', 'string', ''),
			},
			schema: [
				{ id: 'body.tag.name', displayName: 'name', description: 'Shown in lists.' },
				{ id: 'body.tag.color', displayName: 'color', description: '' },
				{ id: 'query.other', displayName: 'other', removed: true },
			],
		},
	}),
	'Rename a tag': tool('tag/tag/update', {
		tagId: id('tag_id'),
		updateFields: { name: ai('name', 'The new name') },
	}),
	'Assign a tag': tool('tag/tag/assign', {
		tagId: id('tag_id'),
		siteIds: ai('site_ids', 'IDs of sites'),
	}),
	'Preview deleting a tag': tool('tag/tag/delete', { tagId: id('tag_id'), preview: true }),
	'Delete a tag with a code': tool('tag/tag/delete', { tagId: id('tag_id'), confirmation: 'code' }),
	'Send a request with a code': tool('api/request/send', {
		...{ method: ai('method', 'Of the request'), path: ai('path', 'Of the request') },
		confirmation: 'code',
	}),
	'Delete a tag': tool('tag/tag/delete', { tagId: id('tag_id') }),
	'Delete a tag by Read Only': {
		...tool('tag/tag/delete', { tagId: id('tag_id') }),
		credential: READ_ONLY,
	},
	'Extend a staging site': tool('stagingSite/stagingSite/extendExpiry', {
		stagingSiteId: id('staging_site_id'),
		days: ai('days', 'Days', 'number'),
	}),
});

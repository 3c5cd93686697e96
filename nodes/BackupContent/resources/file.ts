import type { Field, Filters } from '../../shared/describe';
import {
	bulk,
	contains,
	emptyControls,
	getMany,
	idField,
	inQuery,
	listOf,
	onlyWith,
	operation,
	queryOptions,
	resource,
	timeFilters,
	verb,
	withSideEffect,
} from '../../shared/describe';
import { amountFilters, inBytes, snapshotId, statusFilter } from './contentFields';

const folder: Field = {
	displayName: 'Folder',
	name: 'folder',
	type: 'string',
	default: '',
	placeholder: 'e.g. ./wp-content/uploads/',
	description:
		'Path of the folder. It starts with ./ and ends with a slash. If not set, the root folder.',
};

const filters: Filters = {
	...contains('files and folders', 'name', 'backup', {
		description: 'Only files and folders whose name contains this text (case-sensitive)',
	}),
	...statusFilter,
	...timeFilters('modified_at', 'Modified'),
	...amountFilters('size', 'bytes'),
};

const findBy: Field = {
	displayName: 'Find By',
	name: 'findBy',
	type: 'options',
	closed: 'ofNode',
	options: [
		{ name: 'List or ID', value: 'id' },
		{ name: 'Path', value: 'path' },
	],
	default: 'id',
	required: true,
	description: 'How to find the file',
};

const fileId: Field = {
	...idField(
		'fileId',
		'The file. The list starts at the root. To open a folder, type its path, such as ./wp-content/.',
	),
	required: true,
};

const path: Field = {
	displayName: 'Path',
	name: 'path',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. ./wp-content/debug.log',
	description: 'Path of the file, starting with ./',
};

const modifiedAt: Field = {
	displayName: 'Modified At',
	name: 'modifiedAt',
	type: 'dateTime',
	default: '',
	required: true,
	description: 'When this version was last changed, as returned in a list of files or versions',
};

const size: Field = {
	displayName: 'Size',
	name: 'size',
	type: 'number',
	typeOptions: { minValue: 0, numberPrecision: 0 },
	default: 0,
	required: true,
	description: 'Size of this version in bytes, as returned in a list of files or versions',
};

const statsInBytes = {
	size_total: 'bytes_total',
	size_synced: 'bytes_synced',
	size_skipped: 'bytes_skipped',
};

const byId = inQuery('id', onlyWith(findBy, 'id', fileId));
const byPath = (key: string, field: Field) => inQuery(key, onlyWith(findBy, 'path', field));

const paths = listOf(
	{
		displayName: 'Paths',
		name: 'paths',
		type: 'string',
		default: '',
		placeholder: 'e.g. ./wp-content/cache/, ./wp-content/uploads/',
		description:
			'Paths in the latest completed snapshot. Folders end with a slash. A path that contains a comma needs an array.',
	},
	'path',
);

/** Part B, 4.9. */
export const file = resource('File', 'file', { usual: 'cares', skip: 'weakens' }, [
	getMany('Get many files', 'GET /sites/{siteId}/files', {
		filters,
		timezone: false,
		renamed: inBytes,
		options: { path: folder, snapshot_id: snapshotId },
	}),
	operation(
		{
			name: 'Get Versions',
			value: 'getVersions',
			action: 'Get file versions',
			description: 'Get the versions of a file in the backups of a site',
		},
		'GET /sites/{siteId}/files/versions',
		[findBy, byId, byPath('path', path), ...emptyControls],
		{ kind: 'records', wrapper: 'versions', renamed: { id: 'version_id', ...inBytes } },
	),
	operation(
		{
			name: 'Get Stats',
			value: 'getStats',
			action: 'Get file statistics',
			description: 'Count the files and folders of a site, and their size',
		},
		'GET /sites/{siteId}/files/stats',
		queryOptions({ path: folder, snapshot_id: snapshotId }),
		{ wrapper: 'stats', needs: 'files', renamed: statsInBytes },
	),
	operation(
		verb('Download file'),
		'GET /sites/{siteId}/files/download',
		[findBy, byId, byPath('path', path), byPath('modified_at', modifiedAt), byPath('size', size)],
		{ kind: 'file', file: { name: 'file' } },
	),
	bulk(
		{
			name: 'Include in Backups',
			value: 'sync',
			action: 'Include files in backups',
			description:
				'Include files and folders in future backups again (the API calls this sync). Paths of the core installation are not allowed.',
		},
		'POST /sites/{siteId}/files/sync',
		paths,
	),
	withSideEffect(
		'folders that are left out cannot be restored from those backups',
		bulk(
			{
				name: 'Leave Out of Backups',
				value: 'skip',
				action: 'Leave files out of backups',
				description: 'Leave folders out of future backups (the API calls this skip)',
			},
			'POST /sites/{siteId}/files/skip',
			paths,
		),
	),
]);

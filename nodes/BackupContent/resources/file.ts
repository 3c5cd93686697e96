import { asRequired, inQuery, onlyWith } from '../../shared/describe/about';
import { bulk } from '../../shared/describe/changes';
import { idField, list, queryOptions } from '../../shared/describe/fields';
import { contains, emptyControls, type Filters, timeFilters } from '../../shared/describe/filters';
import { act, get, getMany, reads, resourceInBackups } from '../../shared/describe/resource';
import type { Field } from '../../shared/input/field';
import { choice, dateTime, number, optionsFrom, text, toggle } from '../../shared/input/kinds';
import { made } from '../../shared/operation';
import { amountFilters, inBytes, snapshotId, statusFilter } from './contentFields';
import { toTexts, wholePaths } from '../../shared/input/convert';
import { refuse, shown } from '../../shared/input/refusal';
import { compareFiles } from '../compare';

const folder = text('folder', 'Folder', {
	placeholder: 'e.g. ./wp-content/uploads/',
	description:
		'Path of the folder. It starts with ./ and ends with a slash. If not set, the root folder.',
});

const filters: Filters = {
	...contains('files and folders', 'name', 'backup', {
		description: 'Only files and folders whose name contains this text (case-sensitive)',
	}),
	...statusFilter,
	...timeFilters('modified_at', 'Modified'),
	...amountFilters('size', 'bytes'),
};

const findBy = choice('findBy', 'Find By', {
	closed: 'ofNode',
	options: optionsFrom({ id: 'List or ID', path: 'Path' }),
	default: 'id',
	required: true,
	description: 'How to find the file',
});

const fileId: Field = {
	...idField(
		'fileId',
		'The file. The list starts at the root. To open a folder, type its path, such as ./wp-content/.',
	),
	required: true,
};

const path = text('path', 'Path', {
	required: true,
	placeholder: 'e.g. ./wp-content/debug.log',
	description: 'Path of the file, starting with ./',
});

const modifiedAt = dateTime('modifiedAt', 'Modified At', {
	required: true,
	description: 'When this version was last changed, as returned in a list of files or versions',
});

const size = number('size', 'Size', {
	typeOptions: { minValue: 0, numberPrecision: 0 },
	required: true,
	description: 'Size of this version in bytes, as returned in a list of files or versions',
});

const ofSnapshot = [inQuery('path', folder), snapshotId];

const statsInBytes = {
	size_total: 'bytes_total',
	size_synced: 'bytes_synced',
	size_skipped: 'bytes_skipped',
};

const byId = inQuery('id', onlyWith(findBy, 'id', fileId));
const byPath = (key: string, field: Field) => inQuery(key, onlyWith(findBy, 'path', field));

const paths = list('paths', 'Paths', {
	placeholder: 'e.g. ./wp-content/cache/, ./wp-content/uploads/',
	description:
		'Paths in the latest completed snapshot. Folders end with a slash. A path that contains a comma needs an array.',
	as: toTexts('path'),
	rule: wholePaths,
});

/** The root folder would leave every file out of the backups. */
const skippedPaths: Field = {
	...paths,
	as: (value, context) => {
		const all = toTexts('path')(value, context) as string[];
		const root = all.find((each) => /^[./\\\s]*$/.test(each));
		return root === undefined
			? all
			: refuse(`contains ${shown(root)}, which is all of the site: no file would be backed up`);
	},
};

const earlier = asRequired(
	idField('snapshotId', 'The earlier snapshot, such as the newest clean one'),
);

const later: Field = {
	...asRequired(idField('snapshotId', 'The later snapshot, such as the first hacked one')),
	displayName: 'Later Snapshot',
	name: 'laterSnapshotId',
};

const compare = reads('Compare files', 'GET /sites/{siteId}/files', {
	description: 'Compare the files of two snapshots',
	fields: [
		inQuery('snapshot_id', earlier),
		inQuery('later_snapshot_id', later),
		...queryOptions([
			inQuery('path', folder),
			toggle('listAllFolders', 'List All Folders', {
				description:
					'Whether to also list folders with the same number and size of files, which takes two requests for each folder',
			}),
			number('maxRequests', 'Maximum Requests', {
				typeOptions: { minValue: 10, numberPrecision: 0 },
				default: 2000,
				description:
					'After this many requests, no further folder is read. Those that were not read are named in the output.',
			}),
			toggle('onlyTotals', 'Only Totals', {
				default: true,
				description:
					'Whether to compare only the number and size of all files, with four requests. The output says how many requests a comparison takes at most.',
			}),
		]),
	],
	read: compareFiles,
	costs: 'about four requests for each folder that differs, and two for each neighbor',
	answer: made({
		string: `result reason snapshot_created_at later_snapshot_created_at snapshot_id
			later_snapshot_id site_id`,
		number: `added_count changed_count gone_count unread_count files_before files_after
			bytes_before bytes_after request_count requests_at_most`,
		array: 'restore_paths added_paths files',
	}),
});

/** Part B, 4.9. */
export const file = resourceInBackups('File', { usual: 'cares', skip: 'weakens' }, [
	getMany('Get many files', 'GET /sites/{siteId}/files', {
		description: 'Get many files and folders of one folder, without what is below its folders',
		filters,
		timezone: false,
		renamed: inBytes,
		options: ofSnapshot,
	}),
	get('Get file versions', 'GET /sites/{siteId}/files/versions', {
		name: 'Get Versions',
		description: 'Get the versions of a file in the backups of a site',
		fields: [findBy, byId, byPath('path', path), ...emptyControls],
		kind: 'records',
		wrapper: 'versions',
		renamed: { id: 'version_id', ...inBytes },
	}),
	get('Get file statistics', 'GET /sites/{siteId}/files/stats', {
		name: 'Get Stats',
		description: 'Count the files and folders of a site, and their size',
		fields: queryOptions(ofSnapshot),
		wrapper: 'stats',
		needs: 'files',
		renamed: statsInBytes,
	}),
	compare,
	act('Download file', 'GET /sites/{siteId}/files/download', {
		fields: [
			findBy,
			byId,
			byPath('path', path),
			byPath('modified_at', modifiedAt),
			byPath('size', size),
		],
		kind: 'file',
		file: { name: 'file' },
	}),
	bulk('Include files in backups', 'POST /sites/{siteId}/files/sync', paths, {
		name: 'Include in Backups',
		value: 'sync',
		description:
			'Include files and folders in future backups again (the API calls this sync). Core paths are not allowed.',
	}),
	bulk('Leave files out of backups', 'POST /sites/{siteId}/files/skip', skippedPaths, {
		name: 'Leave Out of Backups',
		value: 'skip',
		description: 'Leave folders out of future backups (the API calls this skip)',
		sideEffect: 'skipped folders cannot be restored from those backups',
	}),
]);

import { asRequired, at, inBody, onlyWith } from '../../shared/describe/about';
import { collection, idField, idList, list, queryOptions } from '../../shared/describe/fields';
import { act, reads, resource } from '../../shared/describe/resource';
import type { Convert } from '../../shared/input/field';
import { choice, choices, json, number, optionsFrom, text, toggle } from '../../shared/input/kinds';
import { made, type Operation, withSites } from '../../shared/operation';
import { textsIn } from '../../shared/lib';
import { refuse, shown } from '../../shared/input/refusal';
import { timeLimit } from '../../shared/input/controls';
import { toTexts } from '../../shared/input/convert';
import { ofAllSites } from '../../shared/resources/siteRecords';
import { componentsOf, ROW_FIELDS } from '../components';
import { findInRows } from '../find';
import { CREATE, planSchedule, SITE_IDS, updateNow } from '../updateNow';
import { versionsIn } from '../versions';

const name = (which: string) =>
	text('componentName', 'Name', {
		placeholder: 'e.g. page-cache',
		description: `${which} The folder, the main file, the displayed name or the address of its page in a directory, in any case.`,
	});

const versions = (which: string) =>
	text('componentVersions', 'Versions', {
		placeholder: 'e.g. < 2.3.1',
		as: versionsIn,
		description: `${which} Such as "&lt; 2.3.1", "&gt;= 1.0, &lt;= 1.4.2", "1.0 - 1.4.2", "2.9.11, 2.9.12" or several with ||.`,
	});

const kinds = choices('componentKinds', 'Kinds', {
	options: optionsFrom({
		dropIn: ['Drop-In', 'A file that replaces a part of the CMS'],
		mustUse: ['Must-Use Plugin', 'A plugin that is always active'],
		plugin: 'Plugin',
		theme: 'Theme',
	}),
	closed: 'ofNode',
	description: 'Only components of these kinds. If none is chosen, all kinds.',
});

const source = choice('source', 'Source', {
	closed: 'ofNode',
	options: optionsFrom({
		automatic: ['Automatic', "The service's lists if the account has them, otherwise snapshots"],
		service: [
			"Service's Lists",
			'Plugins and themes with their vulnerabilities, 100 sites per request. Not all accounts have them.',
		],
		snapshots: [
			'Snapshots',
			'Files in the newest good snapshot of each site, also must-use plugins and drop-ins',
		],
	}),
	default: 'automatic',
	required: true,
	description: 'Where components are read from',
});

const rowsOf = (fieldName: string, displayName: string, description: string) =>
	json(fieldName, displayName, {
		description,
		as: (value) => (Array.isArray(value) ? value : refuse('is not a list of rows')),
	});

const knownRows = rowsOf(
	'knownRows',
	'Known Rows',
	'Rows that this operation has returned before, as a list or as items from an expression. Folders that have not changed since are not read again. A change that keeps the number and the size of all files is found within a week.',
);

const { filters, options } = ofAllSites();

const getMany = reads('Get many components', withSites('GET /sites'), {
	name: 'Get Many',
	value: 'getAll',
	description: 'Get the plugins and themes of sites',
	fields: [
		source,
		collection('Component Filters', 'componentFilters', 'Add Component Filter', [
			name(
				'Only components with this name. Find then misses the sites without it, so give it all rows.',
			),
			versions('Only components in these versions, and those whose version cannot be compared.'),
			kinds,
			toggle('vulnerable', 'Vulnerable', {
				default: true,
				description:
					'Whether to return only components with known vulnerabilities, and those of which the source does not know',
			}),
		]),
		{ ...filters, displayName: 'Site Filters', placeholder: 'Add Site Filter' },
		...queryOptions([
			...options,
			knownRows,
			number('limitShare', 'Share of Limit (%)', {
				typeOptions: { minValue: 1, maxValue: 100 },
				default: 100,
				description:
					'Maximum % of the rate limit of the account that this run uses to read snapshots, so that other workflows keep the rest',
			}),
			idField(
				'snapshotId',
				'The snapshot to read, of a single site. If not set, the newest good one.',
			),
		]),
	],
	read: componentsOf,
	costs: 'three requests for 100 sites with lists of the service, or about 28 a site',
	answer: { kind: 'made', fields: ROW_FIELDS },
});

const find = reads('Find sites with component', withSites('GET /sites'), {
	description:
		'Find the sites that have a component in some versions, among rows of Get Many or of a table',
	fields: [
		asRequired(name('The component to look for.')),
		asRequired(versions('The versions to look for.')),
		...queryOptions([
			number('maxAgeDays', 'Maximum Age (Days)', {
				typeOptions: { minValue: 1 },
				default: 3,
				description:
					'Rows that are older than this many days do not show that a site is not affected',
			}),
			rowsOf(
				'rows',
				'Rows',
				'The rows to look in, as a list or as items from an expression. If not set, all input items. Together with the setting Execute Once, thousands of rows take a second.',
			),
		]),
	],
	read: findInRows,
	costs: 'no request',
	answer: made({
		string: 'site_title site_url result reason name_problem name version file understood site_id',
		array: 'update_files',
	}),
});

const updateWhat = choice('updateWhat', 'What to Update', {
	closed: 'change',
	required: true,
	options: optionsFrom({
		all: ['Everything', 'The core and all plugins and themes that have a newer version'],
		some: ['Chosen Components', 'Only these plugins and themes'],
	}),
	default: 'some',
	description: 'What is updated on each of the sites',
});

/** Refuses paths: the service would find no component and update nothing. */
const toFiles: Convert = (value, context) => {
	const files = textsIn(toTexts('component')(value, context));
	const path = files.find((file) => /^[./]|\\|wp-content/.test(file));
	if (path === undefined) return files;
	const todo = 'use the main file, such as page-cache/page-cache.php, or the folder of a theme';
	return refuse(`contains the path ${shown(path)}: ${todo}`);
};

const updateFiles = list('updateFiles', 'Components', {
	required: true,
	placeholder: 'e.g. page-cache/page-cache.php, plain-paper',
	description:
		'Main files of plugins and folders of themes, as Get Many returns them in File and Folder',
	as: toFiles,
});

/** Source: Part A, 4.7. */
const updateNowOperation: Operation = {
	...act('Update components', CREATE, {
		name: 'Update Now',
		value: 'updateNow',
		description: 'Update plugins, themes or the core of sites at once, and wait for the end',
		sideEffect: 'the live sites are updated',
		adds: [{ effect: 'weakens', place: 'auto_update_schedule.options.backup', unless: [true] }],
		fields: [
			...inBody('auto_update_schedule', [asRequired(at('scope.sites.ids', idList('siteIds')))]),
			updateWhat,
			onlyWith(updateWhat, 'some', updateFiles),
			...inBody('auto_update_schedule', [
				toggle('backup', 'Backup', {
					wire: 'options.backup',
					default: true,
					required: true,
					description: 'Whether a backup is made first. Requires a plan with this feature.',
				}),
			]),
			...queryOptions([timeLimit]),
		],
		kind: 'nothing',
	}),
	effects: ['changesSites'],
	guards: { id: 'siteId', place: SITE_IDS },
	looksUp: planSchedule,
	composed: { kind: 'steps', make: updateNow },
	answer: made({
		string: `site_title site_url name result reason version_before version_after kind
			folder file path task_id site_id schedules_left`,
	}),
};

/** Source: Part B, 4.9, and Part D. */
export const component = resource('Component', 'cares', [getMany, find, updateNowOperation]);

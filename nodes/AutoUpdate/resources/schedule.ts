import type { IDataObject } from 'n8n-workflow';
import { asRequired, at, below, onlyWith } from '../../shared/describe/about';
import { create, listChanges, remove, update } from '../../shared/describe/changes';
import { idList, idsField, list, replacing } from '../../shared/describe/fields';
import type { Filters } from '../../shared/describe/filters';
import { contains, lifeFilters, oneOf, orSome, timeFilters } from '../../shared/describe/filters';
import { kept, lacking, outputOf } from '../../shared/describe/output';
import { act, get, getMany, resourceWith } from '../../shared/describe/resource';
import {
	choice,
	choices,
	dateTime,
	entryOf,
	group,
	optionsFrom,
	text,
	toggle,
	toggleOn,
} from '../../shared/input/kinds';
import { type Adds, ofRecord, on, withSites } from '../../shared/operation';
import { isRecord, recordIn } from '../../shared/lib';
import { toTexts } from '../../shared/input/convert';

const name = text('name', 'Name', {
	placeholder: 'e.g. Weekly plugin updates',
	description: 'Name of the schedule',
});

const recurrence = choice('recurrence', 'Recurrence', {
	wire: 'schedule',
	closed: 'change',
	options: optionsFrom({
		biweekly: 'Biweekly',
		daily: 'Daily',
		monthly_on_date: 'Monthly on a Date',
		monthly_on_week: 'Monthly on a Week',
		monthly_last_day: 'Monthly on the Last Day',
		weekly_on_day: 'Weekly on a Day',
	}),
	default: 'weekly_on_day',
	description: 'How often the updates run',
});

const startedAt = dateTime('startedAt', 'Start', {
	description: 'Date and time of the first run. Later runs repeat from there.',
});

const selection = choice('selection', 'Selection', {
	closed: 'form',
	options: optionsFrom({
		all: ['All', 'Every site of the account'],
		specific: ['Specific', 'The sites with these IDs or URLs'],
	}),
	default: 'specific',
});

const siteIds = asRequired(idList('siteIds'));

/** The sites of a schedule. Part A, 2.7. */
const sites = group('sites', 'Sites', {
	placeholder: 'Add Sites',
	description: 'The sites that the schedule updates',
	options: entryOf('scope', 'Sites to Update', [
		selection,
		at('ids', onlyWith(selection, 'specific', siteIds)),
	]),
});

const selections = optionsFrom({
	all: 'All',
	none: 'None',
	specific: ['Specific', 'Only these file names'],
});

function componentFields(label: string, name: string, fileNamesName: string, placeholder: string) {
	const which = choice(name, label, {
		closed: 'form',
		options: selections,
		// As the sites: n8n drops file names whose choice is left out, and all would be updated.
		default: 'specific',
		description: `The ${name} to update`,
	});
	const fileNames = list(fileNamesName, `${label} to Update`, {
		required: true,
		placeholder,
		description: 'File names of what is updated',
		as: toTexts('filename'),
	});
	return [
		at(`${name}.selection`, which),
		at(`${name}.filenames`, onlyWith(which, 'specific', fileNames)),
	];
}

/** Components that the request leaves out are not updated. */
const withoutNone = (categories: unknown): IDataObject => {
	const isChosen = ([, each]: [string, unknown]) => recordIn(each).selection !== 'none';
	return Object.fromEntries(Object.entries(recordIn(categories)).filter(isChosen));
};

/** What a schedule updates, always as a whole. Part A, 2.7 and 4.7. */
const updates = group('updates', 'Updates', {
	placeholder: 'Add Updates',
	description:
		'Everything that the schedule updates. Anything you do not choose here is not updated.',
	as: withoutNone,
	options: entryOf('categories', 'What to Update', [
		toggle('cmsCore', 'Core', { default: true, description: 'Whether to update the core' }),
		...componentFields('Plugins', 'plugins', 'pluginFileNames', 'e.g. page-cache/page-cache.php'),
		...componentFields('Themes', 'themes', 'themeFileNames', 'e.g. plain-paper'),
	]),
});

const siteScope = at('scope.sites', sites);
const updateScope = at('scope.updates', updates);

const options = below('options', [
	toggleOn('backup', 'Backup', {
		description: 'Whether each run makes a backup first. Requires a plan with this feature.',
	}),
	toggleOn('visualRegression', 'Visual Regression', {
		description:
			'Whether each run includes visual regression testing. Requires a plan with this feature.',
	}),
]);

const filters: Filters = {
	...contains('schedules', 'name', 'Weekly'),
	...orSome(
		oneOf(
			'status',
			['active', 'paused'],
			'Only schedules in this state. A paused one starts no updates.',
		),
	),
	...orSome({
		'schedule:eq': { ...recurrence, description: 'Only schedules that repeat at this interval' },
	}),
	'has_backup:eq': toggleOn('hasBackup', 'Has Backup', {
		description: 'Whether runs of the schedule make a backup',
	}),
	'has_vr:eq': toggleOn('hasVisualRegression', 'Has Visual Regression', {
		description: 'Whether runs of the schedule include visual regression testing',
	}),
	'update_types:in': choices('updateTypes', 'Update Types', {
		options: optionsFrom({ core: 'Core', plugin: 'Plugin', theme: 'Theme' }),
		description: 'Only schedules that include one of these kinds of updates',
	}),
	'site_id:in': idsField('siteIds', 'Only schedules for one of these sites'),
	...timeFilters('started_at', 'Started'),
	...timeFilters('next_update_at', 'Next Update'),
	...lifeFilters,
};

/** Which plugins or themes are updated: with no file names chosen, none. */
const chosenOf =
	(name: string) =>
	({ scope }: IDataObject): unknown => {
		if (!isRecord(scope)) return undefined;
		const chosen = recordIn(scope.updates)[name];
		if (!isRecord(chosen)) return 'none';
		const { selection, filenames } = chosen;
		const isNone = selection === 'specific' && Array.isArray(filenames) && filenames.length === 0;
		return isNone ? 'none' : selection;
	};

/** Part A, 2.7. */
const output = outputOf(
	{
		...kept('id', 'name', 'status', 'schedule', 'started_at', 'next_update_at'),
		sites: 'scope.sites.selection',
		site_count: 'scope.sites.ids.length',
		site_ids: 'scope.sites.ids',
		core: 'scope.updates.cms_core',
		plugins: chosenOf('plugins'),
		plugin_filenames: 'scope.updates.plugins.filenames',
		themes: chosenOf('themes'),
		theme_filenames: 'scope.updates.themes.filenames',
		backup: 'options.backup',
		visual_regression: 'options.visual_regression',
	},
	['created_at', 'scope', 'updated_at'],
);

const chosen = { sites: ['auto_update_schedule.scope.sites'] } as const;

const updated = on('POST /auto-update-schedules/{scheduleId}/update', { record: true, ...chosen });

/** @param unless the values with which live sites are backed up before updates */
const unprotected = (...unless: unknown[]): Adds[] => [
	{ effect: 'weakens', place: 'auto_update_schedule.options.backup', unless },
];

/** Part A, 4.7. */
export const schedule = resourceWith(output, 'Schedule', 'changesSites', [
	getMany('Get many schedules', withSites('GET /auto-update-schedules'), {
		filters,
		sortBy: [
			'created_at',
			'updated_at',
			'name',
			'status',
			'schedule',
			'started_at',
			'next_update_at',
		],
		output: lacking(output, 'site_ids', 'plugin_filenames', 'theme_filenames'),
	}),
	create('Create schedule', on('POST /auto-update-schedules', chosen), {
		sideEffect: 'the schedule is active at once, and its live sites are updated automatically',
		required: [name, recurrence, startedAt, siteScope, updateScope],
		optional: options,
		adds: unprotected(true),
	}),
	get('Get schedule', withSites('GET /auto-update-schedules/{scheduleId}')),
	update('Update schedule', updated, {
		fields: [
			...[name, recurrence, startedAt],
			replacing(siteScope, 'Sites', 'sites that the new list leaves out are no longer updated'),
			updateScope,
			...options,
		],
		notice:
			'This operation changes how live sites are updated automatically. Updates is always the complete set: anything you leave out is no longer updated.',
		adds: unprotected(true, undefined),
	}),
	...listChanges(updated, {
		of: 'schedule',
		entries: idsField('siteIds', 'The sites to add to the schedule or remove from it'),
		change: {
			place: 'scope.sites.ids',
			entry: 'site',
			all: { 'scope.sites.selection': 'all' },
			along: { 'scope.sites.selection': 'specific' },
		},
	}),
	remove('Delete schedule', ofRecord('DELETE /auto-update-schedules/{scheduleId}'), {
		notice: 'To stop the updates for a time instead, use Pause.',
	}),
	act('Resume schedule', ofRecord('POST /auto-update-schedules/{scheduleId}/enable'), {
		name: 'Resume',
		value: 'enable',
		description: 'Resume a schedule (the API calls this enable)',
		sideEffect: 'the live sites of the schedule are updated from now on',
		proves: { status: 'active' },
	}),
	act('Pause schedule', ofRecord('POST /auto-update-schedules/{scheduleId}/disable'), {
		name: 'Pause',
		value: 'disable',
		description: 'Pause a schedule (the API calls this disable)',
		sideEffect: 'the schedule updates no sites until it is resumed',
		proves: { status: 'paused' },
	}),
]);

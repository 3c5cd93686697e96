import { taskStatuses } from '../../engine/taskRows';
import type { World } from '../../engine/world';
import { textFilters, timestampFilters } from '../../http/filters';
import { failing, resource } from '../../http/kit';
import { fields } from '../../http/paging';
import {
	arrayOf,
	boolean,
	ids,
	notBlank,
	nullable,
	oneOf,
	string,
	timestamp,
	optional,
	object,
	partial,
	changesOf,
	neededWhen,
} from '../../http/schema';
import { needing } from '../account/needs';
import {
	type AutoUpdateHistoryRow,
	type AutoUpdateScheduleRow,
	scheduleStatuses,
	selections,
	updateRecurrences,
	updateTypes,
} from './rows';
import {
	createSchedule,
	disableSchedule,
	enableSchedule,
	sitesOfSchedule,
	hasBegun,
	statusOfEntry,
	updateSchedule,
	updateTypesOf,
} from './rules';

const selection = oneOf(...selections);

const isSpecific: [string, string] = ['selection', 'specific'];
const filesInput = neededWhen(
	isSpecific,
	'filenames',
	object({ selection, filenames: optional(ids) }),
);

const scopeFields = {
	sites: neededWhen(isSpecific, 'ids', object({ selection, ids: optional(ids) })),
	updates: object({
		cms_core: optional(boolean),
		plugins: optional(filesInput),
		themes: optional(filesInput),
	}),
};
const options = { backup: boolean, visual_regression: boolean };
const scheduleFields = {
	name: notBlank,
	schedule: oneOf(...updateRecurrences),
	started_at: timestamp,
	scope: partial(scopeFields),
	options: partial(options),
};

const files = object({ selection: oneOf(...selections), filenames: ids });

/** Part A 2.7 and 4.7. */
const schedules = resource<AutoUpdateScheduleRow>({
	name: 'auto_update_schedule',
	plural: 'auto_update_schedules',
	path: '/auto-update-schedules',
	kind: (store) => store.autoUpdateSchedules,
	view: ({ scope: { sites, updates }, ...row }, world) => ({
		...row,
		scope: {
			sites: {
				selection: sites.selection,
				...(sites.selection === 'specific' && {
					ids: sites.ids.filter((id) => world.store.sites.get(id)),
				}),
			},
			updates,
		},
	}),
	schema: object({
		id: string,
		name: string,
		status: oneOf(...scheduleStatuses),
		schedule: oneOf(...updateRecurrences),
		started_at: timestamp,
		next_update_at: timestamp,
		scope: object({
			sites: object({ selection: oneOf(...selections), ids: optional(ids) }),
			updates: object({ cms_core: boolean, plugins: files, themes: files }),
		}),
		options: object(options),
		created_at: timestamp,
		updated_at: timestamp,
	}),
});

const version = { current_version: string, target_version: string };
const component = object({ name: string, slug: string, filename: string, ...version });
const historyStatuses = [...taskStatuses, 'no_updates'] as const;

/** Part A 2.8 and 4.7. Sites that are gone are no longer available to the caller. */
const history = resource<AutoUpdateHistoryRow>({
	name: 'auto_update_history_entry',
	plural: 'auto_update_history',
	path: '/auto-update-history',
	kind: (store) => store.autoUpdateHistory,
	view: (entry: AutoUpdateHistoryRow, world: World) => ({
		auto_update_schedule: entry.auto_update_schedule,
		performed_on: entry.performed_on,
		task_id: hasBegun(entry, world) ? entry.task_id : null,
		status: statusOfEntry(entry, world),
		sites: hasBegun(entry, world, 2)
			? entry.sites.filter(({ id }) => world.store.sites.get(id))
			: [],
	}),
	schema: object({
		auto_update_schedule: object({ id: string, name: string }),
		performed_on: timestamp,
		task_id: nullable(string),
		status: oneOf(...historyStatuses),
		sites: arrayOf(
			object({
				id: string,
				wp: object({
					core: optional(object(version)),
					plugins: arrayOf(component),
					themes: arrayOf(component),
				}),
			}),
		),
	}),
});

export const autoUpdateRoutes = needing('auto_updates', [
	schedules.list('listAutoUpdateSchedules', {
		filters: {
			...textFilters('name'),
			status: { type: scheduleStatuses, operators: ['eq', 'in'], value: (row) => row.status },
			schedule: {
				type: updateRecurrences,
				operators: ['eq', 'in'],
				value: (row) => row.schedule,
			},
			has_backup: { type: 'boolean', operators: ['eq'], value: (row) => row.options.backup },
			has_vr: {
				type: 'boolean',
				operators: ['eq'],
				value: (row) => row.options.visual_regression,
			},
			update_types: { type: updateTypes, operators: ['in'], value: updateTypesOf },
			site_id: {
				type: 'string',
				operators: ['in'],
				value: (row, world) => sitesOfSchedule(row, world).map(({ id }) => id),
			},
			...timestampFilters('started_at', 'next_update_at', 'created_at', 'updated_at'),
		},
		sort: fields(
			'created_at',
			'updated_at',
			'name',
			'status',
			'schedule',
			'started_at',
			'next_update_at',
		),
		defaultSort: 'created_at,desc',
	}),
	schedules.create(
		'createAutoUpdateSchedule',
		object({
			...scheduleFields,
			scope: object(scopeFields),
			options: optional(scheduleFields.options),
		}),
		({ world }, sent) => createSchedule(world, sent),
	),
	schedules.show('showAutoUpdateSchedule'),
	failing(
		[422],
		schedules.delete('deleteAutoUpdateSchedule', (schedule, { world }) =>
			world.store.autoUpdateSchedules.delete(schedule.id),
		),
	),
	schedules.update(
		'updateAutoUpdateSchedule',
		changesOf(scheduleFields),
		(schedule, changes, { world }) => updateSchedule(world, schedule, changes),
	),
	schedules.action('enableAutoUpdateSchedule', 'enable', (schedule, { world }) =>
		enableSchedule(world, schedule),
	),
	schedules.action('disableAutoUpdateSchedule', 'disable', (schedule, { world }) =>
		disableSchedule(world, schedule),
	),
	history.list('listAutoUpdateHistory', {
		timezone: false,
		filters: {
			auto_update_schedule_id: {
				type: 'string',
				operators: ['eq', 'in'],
				value: (entry) => entry.auto_update_schedule.id,
			},
			auto_update_schedule_name: {
				type: 'string',
				operators: ['contains'],
				value: (entry) => entry.auto_update_schedule.name,
			},
			status: { type: historyStatuses, operators: ['eq', 'in'], value: statusOfEntry },
			...timestampFilters('performed_on'),
		},
		sort: {
			...fields('performed_on'),
			auto_update_schedule_name: (entry) => entry.auto_update_schedule.name,
		},
		defaultSort: 'performed_on,desc',
	}),
]);

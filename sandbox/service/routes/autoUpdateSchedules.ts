import {
	createSchedule,
	disableSchedule,
	enableSchedule,
	sitesOfSchedule,
	statusOfEntry,
	updateSchedule,
	updateTypesOf,
} from '../autoUpdates';
import { textFilters, timestampFilters } from '../filters';
import { resource } from '../kit';
import { fields } from '../paging';
import { taskStatuses } from '../records';
import {
	scheduleStatuses,
	selections,
	updateRecurrences,
	updateTypes,
	type AutoUpdateHistoryRow,
	type AutoUpdateScheduleRow,
} from '../rows/updates';
import {
	arrayOf,
	boolean,
	ids,
	notBlank,
	nullable,
	object,
	oneOf,
	record,
	string,
	timestamp,
} from '../schema';
import type { World } from '../world';

/** A selection that names its members when it is `specific`. */
const selectionOf = (members: string) => ({
	...object({ selection: oneOf(...selections), [members]: ids }, ['selection']),
	if: { properties: { selection: { const: 'specific' } }, required: ['selection'] },
	then: { required: [members] },
});

const scope = (required: string[] = []) =>
	object(
		{
			sites: selectionOf('ids'),
			updates: object({
				cms_core: boolean,
				plugins: selectionOf('filenames'),
				themes: selectionOf('filenames'),
			}),
		},
		required,
	);
const options = { backup: boolean, visual_regression: boolean };
const scheduleFields = {
	name: notBlank,
	schedule: oneOf(...updateRecurrences),
	started_at: timestamp,
	scope: scope(),
	options: object(options),
};

const files = record({ selection: oneOf(...selections), filenames: ids });

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
	schema: record({
		id: string,
		name: string,
		status: oneOf(...scheduleStatuses),
		schedule: oneOf(...updateRecurrences),
		started_at: timestamp,
		next_update_at: timestamp,
		scope: record({
			sites: object({ selection: oneOf(...selections), ids }, ['selection']),
			updates: record({ cms_core: boolean, plugins: files, themes: files }),
		}),
		options: record(options),
		created_at: timestamp,
		updated_at: timestamp,
	}),
});

const version = { current_version: string, target_version: string };
const component = record({ name: string, slug: string, filename: string, ...version });
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
		task_id: entry.task_id,
		status: statusOfEntry(entry, world),
		sites: entry.sites.filter(({ id }) => world.store.sites.get(id)),
	}),
	schema: record({
		auto_update_schedule: record({ id: string, name: string }),
		performed_on: timestamp,
		task_id: nullable(string),
		status: oneOf(...historyStatuses),
		sites: arrayOf(
			record({
				id: string,
				wp: object(
					{
						core: record(version),
						plugins: arrayOf(component),
						themes: arrayOf(component),
					},
					['plugins', 'themes'],
				),
			}),
		),
	}),
});

export const autoUpdateRoutes = [
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
		object({ ...scheduleFields, scope: scope(['sites', 'updates']) }, [
			'name',
			'schedule',
			'started_at',
			'scope',
		]),
		({ world }, sent) => createSchedule(world, sent),
	),
	schedules.show('showAutoUpdateSchedule'),
	schedules.delete('deleteAutoUpdateSchedule', (schedule, { world }) =>
		world.store.autoUpdateSchedules.delete(schedule.id),
	),
	schedules.update(
		'updateAutoUpdateSchedule',
		{ ...object(scheduleFields), minProperties: 1 },
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
];

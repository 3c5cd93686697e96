import type { INodePropertyOptions } from 'n8n-workflow';
import type { Filters } from '../../shared/describe';
import type { Simplified } from '../../shared/operation';
import {
	contains,
	getMany,
	idField,
	idsField,
	kept,
	oneOf,
	orSome,
	outputOf,
	resource,
	timeFilters,
} from '../../shared/describe';
import { recordsIn } from '../../shared/isRecord';
import { componentsOf } from '../../shared/receive/updates';
import { taskStatuses } from '../../shared/resources/taskValues';

/** A run has the states of its task, or had nothing to do. Part A, 2.8. */
const statuses: INodePropertyOptions[] = [
	...taskStatuses,
	{ name: 'No Updates', value: 'no_updates', description: 'There was nothing to update' },
];

const filters: Filters = {
	'auto_update_schedule_id:eq': idField('scheduleId', 'Only runs of this schedule'),
	'auto_update_schedule_id:in': idsField('scheduleIds', 'Only runs of one of these schedules'),
	...contains('runs', 'auto_update_schedule_name', 'Weekly', {
		displayName: 'Schedule Name Contains',
		name: 'scheduleNameContains',
		description: 'Only runs of schedules with this text in their name',
	}),
	...orSome(oneOf('status', statuses, 'Only runs in this state', { default: 'failed' })),
	...timeFilters('performed_on', 'Performed'),
};

/** The run of an entry. */
export const runFields: Simplified = {
	schedule_id: 'auto_update_schedule.id',
	schedule_name: 'auto_update_schedule.name',
	...kept('performed_on', 'status', 'task_id'),
};

/** Part A, 2.8. */
export const output = outputOf({
	...runFields,
	site_count: 'sites.length',
	update_count: ({ sites }) => recordsIn(sites).flatMap(componentsOf).length,
});

/** Part A, 4.7. */
export const history = resource('History', 'history', 'reads', [
	getMany('Get many history entries', 'GET /auto-update-history', {
		filters,
		sortBy: ['performed_on', 'auto_update_schedule_name'],
		timezone: false,
		output,
	}),
]);

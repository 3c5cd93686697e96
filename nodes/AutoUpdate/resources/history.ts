import type { INodePropertyOptions } from 'n8n-workflow';
import type { Filters } from '../../shared/describe';
import {
	contains,
	getMany,
	idField,
	idsField,
	oneOf,
	orSome,
	resource,
	timeFilters,
} from '../../shared/describe';
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

/** Part A, 4.7. */
export const history = resource('History', 'history', [
	getMany('Get many history entries', 'GET /auto-update-history', {
		filters,
		sortBy: ['performed_on', 'auto_update_schedule_name'],
		timezone: false,
	}),
]);

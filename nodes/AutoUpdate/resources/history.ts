import type { INodePropertyOptions } from 'n8n-workflow';
import type { Filters } from '../../shared/describe';
import {
	choiceFilters,
	getMany,
	idField,
	idsField,
	resource,
	timeFilters,
} from '../../shared/describe';
import { taskStatuses } from '../../shared/describe/taskValues';

/** A run has the states of its task, or had nothing to do. Part A, 2.8. */
const statuses: INodePropertyOptions[] = [
	...taskStatuses,
	{ name: 'No Updates', value: 'no_updates', description: 'There was nothing to update' },
].sort((a, b) => a.name.localeCompare(b.name));

const filters: Filters = {
	'auto_update_schedule_id:eq': idField('scheduleId', 'Only runs of this schedule'),
	'auto_update_schedule_id:in': idsField('scheduleIds', 'Only runs of one of these schedules'),
	'auto_update_schedule_name:contains': {
		displayName: 'Schedule Name Contains',
		name: 'scheduleNameContains',
		type: 'string',
		default: '',
		description: 'Only runs of schedules with this text in their name',
	},
	...choiceFilters('status', {
		displayName: 'Status',
		name: 'status',
		type: 'options',
		options: statuses,
		default: 'failed',
		description: 'Only runs in this state',
	}),
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

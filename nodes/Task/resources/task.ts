import type { Filters } from '../../shared/describe';
import {
	get,
	getMany,
	operation,
	resource,
	timeFilters,
	waitOptions,
	warning,
} from '../../shared/describe';
import { taskStatuses, taskTypes } from '../../shared/describe/taskValues';
import { taskEnded } from '../../shared/transport';

const filters: Filters = {
	'status:eq': {
		displayName: 'Status',
		name: 'status',
		type: 'options',
		options: taskStatuses,
		default: 'running',
		description: 'Only tasks in this state',
	},
	'type:eq': {
		displayName: 'Type',
		name: 'type',
		type: 'options',
		options: taskTypes,
		default: 'wp_site_update',
		description: 'Only tasks of this type',
	},
	...timeFilters('created_at', 'Created'),
	...timeFilters('updated_at', 'Updated'),
};

/** Part A, 4.8. */
export const task = resource('Task', 'task', [
	getMany('Get many tasks', 'GET /tasks', {
		filters,
		sortBy: ['created_at', 'updated_at', 'status'],
	}),
	get('Get a task', 'GET /tasks/{taskId}'),
	operation(
		{
			name: 'Wait Until Finished',
			value: 'wait',
			action: 'Wait until a task is finished',
			description: 'Waits until the task has ended and returns it with the steps of each site',
		},
		'GET /tasks/{taskId}',
		waitOptions,
		{ finish: taskEnded },
	),
	operation(
		{ name: 'Cancel', value: 'cancel', action: 'Cancel a task' },
		'POST /tasks/{taskId}/cancel',
		[warning('This stops a running task. What it has already changed on a site may stay changed.')],
	),
]);

import type { Filters, Output } from '../../shared/describe';
import {
	get,
	getMany,
	irreversible,
	lifeFilters,
	oneOf,
	operation,
	resource,
} from '../../shared/describe';
import { isRecord } from '../../shared/isRecord';
import { failedStep } from '../../shared/receive/task';
import { taskStatuses, taskTypes } from '../../shared/resources/taskValues';

const filters: Filters = {
	...oneOf('status', taskStatuses, 'Only tasks in this state', { default: 'running' }),
	...oneOf('type', taskTypes, 'Only tasks of this type', { default: 'wp_site_update' }),
	...lifeFilters,
};

/** Part A, 2.9. */
export const listed: Output = {
	fields: ['created_at', 'id', 'input', 'progress', 'status', 'type', 'updated_at'],
	simplified: {
		id: 'id',
		type: 'type',
		status: 'status',
		created_at: 'created_at',
		updated_at: 'updated_at',
		percent: 'progress.percent',
		site_count: 'input.sites.length',
		sites_done: 'progress.metrics.sites.done',
		// Of a task on several sites none stands for the others.
		site_id: ({ input }) => {
			const sites = isRecord(input) && Array.isArray(input.sites) ? input.sites : [];
			return sites.length === 1 && isRecord(sites[0]) ? sites[0].id : undefined;
		},
	},
};

/** The steps are in single tasks only. */
const output: Output = {
	fields: [...listed.fields, 'details'],
	simplified: { ...listed.simplified, failed_step: failedStep },
};

/** Part A, 4.8. */
export const task = resource('Task', 'task', [
	getMany('Get many tasks', 'GET /tasks', {
		filters,
		sortBy: ['created_at', 'updated_at', 'status'],
		output: listed,
	}),
	get('Get a task', 'GET /tasks/{taskId}', { output }),
	operation(
		{
			name: 'Wait Until Finished',
			value: 'wait',
			action: 'Wait until a task is finished',
			description: 'Wait until the task has ended and return it with the steps of each site',
		},
		'GET /tasks/{taskId}',
		[],
		{ kind: 'wait', output },
	),
	irreversible(
		'what it has already changed on a site may stay half done',
		operation(
			{ name: 'Cancel', value: 'cancel', action: 'Cancel a task' },
			'POST /tasks/{taskId}/cancel',
			[],
			{ output },
		),
	),
]);

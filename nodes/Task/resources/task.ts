import type { IDataObject } from 'n8n-workflow';
import type { Filters } from '../../shared/describe';
import {
	get,
	getMany,
	irreversible,
	kept,
	lifeFilters,
	ofRecord,
	oneOf,
	operation,
	outputOf,
	resource,
	withSites,
} from '../../shared/describe';
import { errorOf, taskAbout } from '../../shared/receive/task';
import { createdKinds } from '../../shared/run/createdRecord';
import { siteNames } from '../siteNames';
import { typeOptions } from './taskTypeValues';
import { taskStatuses } from '../../shared/vocabulary/taskValues';

const filters: Filters = {
	...oneOf('status', taskStatuses, 'Only tasks in this state', { default: 'running' }),
	...oneOf('type', typeOptions, 'Only tasks of this type', { default: 'wp_site_update' }),
	...lifeFilters,
};

/** Part A, 2.9. */
export const listed = outputOf(
	{
		...kept('id', 'type', 'status', 'updated_at'),
		percent: 'progress.percent',
		site_count: 'input.sites.length',
		sites_done: 'progress.metrics.sites.done',
		...taskAbout,
	},
	[],
	siteNames,
);

/** The steps with their errors are in single tasks only. */
const output = outputOf({ ...listed.simplified, error: errorOf }, ['details', 'input'], siteNames);

/** Fields of the record that it created; the service has no such fields. */
const beside = Object.values(createdKinds)
	.flatMap(({ fields }) => Object.keys(fields))
	.map((name) => [name, (task: IDataObject) => task[name]]);

/** Once it has ended, also what it created. */
const waited = outputOf(
	{ ...output.simplified, ...Object.fromEntries(beside) },
	['details'],
	siteNames,
);

/** Part A, 4.8. */
export const task = resource('Task', 'task', { usual: 'changesSites', cancel: 'changesSites' }, [
	getMany('Get many tasks', withSites('GET /tasks'), {
		filters,
		sortBy: ['created_at', 'updated_at', 'status'],
		output: listed,
	}),
	get('Get task', withSites('GET /tasks/{taskId}'), { output }),
	operation(
		{
			name: 'Wait Until Finished',
			value: 'wait',
			action: 'Wait until task is finished',
			description:
				'Wait until a task ends and return it, with the report or staging site that it created',
		},
		ofRecord('GET /tasks/{taskId}'),
		[],
		{ kind: 'wait', output: waited },
	),
	irreversible(
		'changes that the task has already made on a site may stay incomplete',
		operation(
			{ name: 'Cancel', value: 'cancel', action: 'Cancel task' },
			ofRecord('POST /tasks/{taskId}/cancel'),
			[],
			{ output, proves: { status: 'cancelled' } },
		),
	),
]);

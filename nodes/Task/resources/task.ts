import type { IDataObject } from 'n8n-workflow';
import { type Filters, lifeFilters, oneOf } from '../../shared/describe/filters';
import { kept, outputOf } from '../../shared/describe/output';
import { act, get, getMany, resource } from '../../shared/describe/resource';
import { ofRecord, withSites } from '../../shared/operation';
import { recordIn } from '../../shared/lib';
import { errorOf, failedStep, FIRST_SITES, taskAbout, taskSites } from '../../shared/receive/task';
import { naming } from '../../shared/run/relatedNames';
import { createdKinds } from '../../shared/run/wait';
import { taskStatuses, typeOptions } from '../../shared/vocabulary/values';

const filters: Filters = {
	...oneOf('status', taskStatuses, 'Only tasks in this state', { default: 'running' }),
	...oneOf('type', typeOptions, 'Only tasks of this type', { default: 'wp_site_update' }),
	...lifeFilters,
};

/** The IDs of the first sites of a task and of the one that failed, if it does not have their names. */
function unnamedSites(task: IDataObject) {
	const failedId = failedStep(task)?.siteId;
	return taskSites(task)
		.filter(({ id }, index) => index < FIRST_SITES || id === failedId)
		.flatMap(({ id, title, user_configuration: made }) => (title || made ? [] : (id ?? [])));
}

/** Tasks have the IDs of their sites, and mostly no names. */
const siteNames = naming(
	'site',
	['site_title', 'site_url', 'site_titles', 'error'],
	unnamedSites,
	(task, named) => {
		if (unnamedSites(task).length === 0) return task;
		const sites = taskSites(task).map((site) => {
			const { title, url } = named(site.id) ?? {};
			return { ...(title !== undefined && { title }), ...(url !== undefined && { url }), ...site };
		});
		return { ...task, input: { ...recordIn(task.input), sites } };
	},
);

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
const created = Object.values(createdKinds).flatMap(({ fields }) => Object.keys(fields));
const made = Object.fromEntries(created.map((name) => [name, (task: IDataObject) => task[name]]));

/** Once it has ended, also what it has made. */
const waited = outputOf({ ...output.simplified, ...made }, ['details'], siteNames);

/** Part A, 4.8. */
export const task = resource('Task', { usual: 'changesSites', cancel: 'changesSites' }, [
	getMany('Get many tasks', withSites('GET /tasks'), {
		filters,
		sortBy: ['created_at', 'updated_at', 'status'],
		output: listed,
	}),
	get('Get task', withSites('GET /tasks/{taskId}'), { output }),
	act('Wait until task is finished', ofRecord('GET /tasks/{taskId}'), {
		name: 'Wait Until Finished',
		value: 'wait',
		description: 'Wait until a task ends and return it, with what it created',
		kind: 'wait',
		output: waited,
	}),
	act('Cancel task', ofRecord('POST /tasks/{taskId}/cancel'), {
		irreversible: 'changes that the task made may stay incomplete',
		output,
		proves: { status: 'cancelled' },
	}),
]);

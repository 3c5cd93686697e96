import { unprocessable } from '../errors';
import { timestampFilters } from '../filters';
import { resource } from '../kit';
import { fields } from '../paging';
import { taskStatuses, taskTypes, type TaskRow } from '../records';
import { arrayOf, integer, object, oneOf, open, record, string, timestamp } from '../schema';
import { isActive, stopTask } from '../tasks';

const listView = (task: TaskRow) => ({
	id: task.id,
	status: task.status,
	type: task.type,
	created_at: task.created_at,
	updated_at: task.updated_at,
	progress: task.progress,
	input: task.input,
});

const percent = record({ percent: integer });
const listed = {
	id: string,
	status: oneOf(...taskStatuses),
	type: oneOf(...taskTypes),
	created_at: timestamp,
	updated_at: timestamp,
	progress: record({
		percent: integer,
		metrics: record({ sites: record({ done: integer, total: integer }) }),
	}),
	input: open,
};
const step = record({
	type: string,
	status: oneOf(...taskStatuses),
	details: open,
	progress: percent,
	error: object({ code: string, message: string }),
});
const site = record({
	id: string,
	status: oneOf(...taskStatuses),
	progress: percent,
	steps: arrayOf(step),
});

/** Part A 2.9 and 4.8. */
const tasks = resource<TaskRow>({
	name: 'task',
	plural: 'tasks',
	path: '/tasks',
	kind: (store) => store.tasks,
	view: (task) => ({ ...listView(task), details: task.details }),
	listView,
	schema: record({ ...listed, details: record({ sites: arrayOf(site) }) }),
	listSchema: record(listed),
});

/** The response of an operation that starts a task (Part A 4.1.8). */
export function taskStart(task: TaskRow, status: 'queued' | 'initializing' = 'queued') {
	return { task: { id: task.id, status, created_at: task.created_at } };
}

/** The body of that response. */
export const taskStartSchema = record({
	task: record({ id: string, status: oneOf('queued', 'initializing'), created_at: timestamp }),
});

export const taskRoutes = [
	tasks.list('listTasks', {
		filters: {
			status: { type: taskStatuses, operators: ['eq'], value: (task) => task.status },
			type: { type: taskTypes, operators: ['eq'], value: (task) => task.type },
			...timestampFilters('created_at', 'updated_at'),
		},
		sort: fields('created_at', 'updated_at', 'status'),
		defaultSort: 'created_at,desc',
	}),
	tasks.show('showTask'),
	tasks.action('cancelTask', 'cancel', (task, { world }) => {
		if (!isActive(task)) {
			throw unprocessable('not_active', 'task_id', `is a task that is ${task.status}`);
		}
		stopTask(world, task, 'cancelled');
	}),
];

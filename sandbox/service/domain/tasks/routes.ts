import { unprocessable } from '../../engine/errors';
import { type TaskRow, taskStatuses, taskTypes } from '../../engine/taskRows';
import { isActive, stopTask } from '../../engine/tasks';
import { timestampFilters } from '../../http/filters';
import { resource } from '../../http/kit';
import { fields } from '../../http/paging';
import {
	arrayOf,
	integer,
	oneOf,
	open,
	string,
	timestamp,
	object,
	optional,
} from '../../http/schema';

const listView = (task: TaskRow) => ({
	id: task.id,
	status: task.status,
	type: task.type,
	created_at: task.created_at,
	updated_at: task.updated_at,
	progress: task.progress,
	input: task.input,
});

const percent = object({ percent: integer });
const listed = {
	id: string,
	status: oneOf(...taskStatuses),
	type: oneOf(...taskTypes),
	created_at: timestamp,
	updated_at: timestamp,
	progress: object({
		percent: integer,
		metrics: object({ sites: object({ done: integer, total: integer }) }),
	}),
	input: open,
};
const step = object({
	type: string,
	status: oneOf(...taskStatuses),
	details: open,
	progress: percent,
	error: object({ code: optional(string), message: optional(string) }),
});
const site = object({
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
	schema: object({ ...listed, details: object({ sites: arrayOf(site) }) }),
	listSchema: object(listed),
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

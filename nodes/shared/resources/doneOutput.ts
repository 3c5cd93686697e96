import { outputOf } from '../describe';
import { taskAbout } from '../receive/task';

/** Work that a task has done and that leaves no record; the ids stand beside it. Source: Part A, 2.9. */
export const doneOutput = outputOf(
	{
		task_type: 'type',
		task_type_name: taskAbout.type_name!,
		task_status: 'status',
		task_started_at: taskAbout.started_at!,
		task_ended_at: taskAbout.ended_at!,
		duration_seconds: taskAbout.duration_seconds!,
	},
	['id', 'updated_at', 'progress', 'input', 'details'],
);

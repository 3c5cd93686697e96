import { outputOf } from '../describe';
import { taskAbout } from '../receive/task';

/** Finished work of a task that creates no record. Source: Part A, 2.9. */
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

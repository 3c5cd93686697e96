import { kept, outputOf } from '../describe';
import { taskAbout } from '../receive/task';

const { ended_at, started_at, duration_seconds, type_name } = taskAbout;

/** Work that a task has done and that leaves no record; the ids stand beside it. Source: Part A, 2.9. */
export const doneOutput = outputOf(
	{
		...kept('type', 'status'),
		type_name: type_name!,
		started_at: started_at!,
		ended_at: ended_at!,
		duration_seconds: duration_seconds!,
	},
	['id', 'updated_at', 'progress', 'input', 'details'],
);

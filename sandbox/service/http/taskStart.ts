import type { TaskRow } from '../engine/taskRows';
import { oneOf, string, timestamp, object } from './schema';

/** The response of an operation that starts a task (Part A 4.1.8). */
export function taskStart(task: TaskRow, status: 'queued' | 'initializing' = 'queued') {
	return { task: { id: task.id, status, created_at: task.created_at } };
}

/** The body of that response. */
export const taskStartSchema = object({
	task: object({ id: string, status: oneOf('queued', 'initializing'), created_at: timestamp }),
});

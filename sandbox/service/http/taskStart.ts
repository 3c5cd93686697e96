import type { TaskRow } from '../engine/taskRows';
import { oneOf, record, string, timestamp } from './schema';

/** The response of an operation that starts a task (Part A 4.1.8). */
export function taskStart(task: TaskRow, status: 'queued' | 'initializing' = 'queued') {
	return { task: { id: task.id, status, created_at: task.created_at } };
}

/** The body of that response. */
export const taskStartSchema = record({
	task: record({ id: string, status: oneOf('queued', 'initializing'), created_at: timestamp }),
});

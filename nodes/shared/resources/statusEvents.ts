import type { IDataObject } from 'n8n-workflow';
import { hash } from '../lib';
import type { Occurrence, TimedFeed } from '../polling/feed';
import { filtersOf } from '../polling/sources';
import type { StatusClass, StatusKind } from '../vocabulary/values';
import { mayGoOn, statusClass, statusWord } from '../vocabulary/values';

/**
 * The list of tasks by `updated_at`: each change moves a task to the end. Source: Part A, 2.9 and 4.8.
 * @param types all if it is empty
 * @param choice distinguishes these tasks from others
 * @param happened the events of a task until now, in order
 */
export function taskFeed(
	types: readonly string[],
	choice: unknown,
	isWanted: (task: IDataObject) => boolean,
	happened: (task: IDataObject) => Occurrence[],
): TimedFeed {
	const counts = (task: IDataObject) =>
		(types.length === 0 || types.includes(String(task.type))) && isWanted(task);
	return {
		kind: 'timed',
		url: '/tasks',
		timeField: 'updated_at',
		born: ({ created_at: at }) => String(at),
		// The service filters by one type only.
		query: filtersOf({ 'type:eq': types.length === 1 ? types[0] : undefined }),
		choice,
		occurrences: (task) => (counts(task) ? happened(task) : []),
		isOpen: (task) => counts(task) && mayGoOn('task', task.status),
		isUncertain: ({ status }) => statusClass('task', status) === 'unknown',
		openQueries: ['initializing', 'running'].map((status) => filtersOf({ 'status:eq': status })),
	};
}

/** The end of a task, or an unknown status. A task ends once. @param events the event for each way to end */
export function taskEnd({ status }: IDataObject, events: Partial<Record<StatusClass, string>>) {
	const event = events[statusClass('task', status)];
	return [...otherStatus('task', status), ...(event ? [{ key: 'end', event }] : [])];
}

/** An unknown status, once for each record and word, whose hash is short for the state. @param of the part of the record that has it, if there are several */
export function otherStatus(kind: StatusKind, status: unknown, of = ''): Occurrence[] {
	const word = statusWord(status);
	if (word === '' || statusClass(kind, status) !== 'unknown') return [];
	return [{ key: `w${of}${hash(word, 4)}`, event: 'otherStatus' }];
}

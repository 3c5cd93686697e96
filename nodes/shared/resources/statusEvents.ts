import type { IDataObject } from 'n8n-workflow';
import { hash } from '../lib';
import type { Occurrence, TimedFeed } from '../polling/feed';
import { filtersOf } from '../polling/sources';
import type { StatusClass, StatusKind } from '../vocabulary/values';
import { mayGoOn, statusClass, statusWord } from '../vocabulary/values';

/** Which tasks count. */
interface TaskChoice {
	/** All types when it is empty. */
	types: readonly string[];
	/** Further conditions, and what distinguishes this choice from another. */
	isWanted?: (task: IDataObject) => boolean;
	choice: unknown;
}

/** Filters for tasks that have not ended. Source: Part A, 2.9. */
const UNDER_WAY = ['initializing', 'running'];

/** The list of tasks by `updated_at`: each change moves a task to the end. @param happened its events until now, in order */
export function taskFeed(
	tasks: TaskChoice,
	happened: (task: IDataObject) => Occurrence[],
): TimedFeed {
	return {
		kind: 'timed',
		url: '/tasks',
		timeField: 'updated_at',
		born: ({ created_at: at }) => String(at),
		// The service filters by one type only. Source: Part A, 4.8.
		query: filtersOf({ 'type:eq': tasks.types.length === 1 ? tasks.types[0] : undefined }),
		choice: tasks.choice,
		occurrences: (task) => (counts(tasks, task) ? happened(task) : []),
		isOpen: (task) => counts(tasks, task) && mayGoOn('task', task.status),
		isUncertain: ({ status }) => statusClass('task', status) === 'unknown',
		openQueries: UNDER_WAY.map((status) => filtersOf({ 'status:eq': status })),
	};
}

const counts = ({ types, isWanted = () => true }: TaskChoice, task: IDataObject): boolean =>
	(types.length === 0 || types.includes(String(task.type))) && isWanted(task);

/** The end of a task, or an unknown status. A task ends once. @param events the event for each way to end */
export function taskEnd(
	{ status }: IDataObject,
	events: Partial<Record<StatusClass, string>>,
): Occurrence[] {
	const event = events[statusClass('task', status)];
	return [...otherStatus('task', status), ...(event ? [{ key: 'end', event }] : [])];
}

/** Length of the hash: enough for the few statuses of one record. */
const WORD_LENGTH = 4;

/** An unknown status, once for each record and word. @param of the part of the record that has it, if there are several */
export function otherStatus(kind: StatusKind, status: unknown, of = ''): Occurrence[] {
	const word = statusWord(status);
	if (word === '' || statusClass(kind, status) !== 'unknown') return [];
	return [{ key: `w${of}${hash(word, WORD_LENGTH)}`, event: 'otherStatus' }];
}

/** Classes of statuses, for everything that judges a record. */
export type StatusClass =
	| 'underWay'
	| 'succeeded'
	| 'failed'
	| 'cancelled'
	/** Ended without work. */
	| 'nothingToDo'
	/** A lasting state: as it should be, or not. */
	| 'good'
	| 'bad'
	/** Not in the table, so neither a success nor a failure. */
	| 'unknown';

/** Part A, 2.9; `queued` is in the answers that start a task only. */
const task = {
	queued: 'underWay',
	initializing: 'underWay',
	running: 'underWay',
	completed: 'succeeded',
	failed: 'failed',
	aborted: 'failed',
	cancelled: 'cancelled',
} as const;

/** The statuses of each kind of record. */
const words = {
	task,
	/** Part A, 2.8: those of its task, or that there was none. */
	autoUpdateRun: { ...task, no_updates: 'nothingToDo' },
	/** Part B, 2.5; also of the sync that makes it, of which 2.1 has `succeeded` only. */
	snapshot: {
		waiting: 'underWay',
		in_progress: 'underWay',
		succeeded: 'succeeded',
		failed: 'failed',
		cancelled: 'cancelled',
	},
	/** Part A, 2.10: the email of a report to one recipient. */
	reportEmail: {
		sent: 'underWay',
		delivered: 'succeeded',
		opened: 'succeeded',
		failed: 'failed',
		bounced: 'failed',
		spam: 'failed',
	},
	/** Part A, 2.16. */
	stagingSite: { initializing: 'underWay', active: 'good', paused: 'bad', suspended: 'bad' },
	/** Part B, 2.1. */
	connection: { connected: 'good', disconnected: 'bad' },
	/** Part B, 2.1. */
	scanner: { clean: 'good', hacked: 'bad' },
	/** Part B, 2.1 has `up` only; its contrary is an assumption. */
	uptime: { up: 'good', down: 'bad' },
} as const satisfies Record<string, Record<string, StatusClass>>;

export type StatusKind = keyof typeof words;

/** Normalises a status: ` In-Progress` is `in_progress`. Empty for none. */
export const statusWord = (status: unknown): string =>
	typeof status === 'string' || typeof status === 'number'
		? String(status)
				.trim()
				.toLowerCase()
				.replace(/[\s_-]+/g, '_')
		: '';

/** The class of a status. A missing one is unknown. */
export function statusClass(kind: StatusKind, status: unknown): StatusClass {
	const known: Record<string, StatusClass> = words[kind];
	const word = statusWord(status);
	return Object.hasOwn(known, word) ? known[word]! : 'unknown';
}

/** Whether work in this status has ended, and not well. */
export const hasFailed = (kind: StatusKind, status: unknown): boolean =>
	['failed', 'cancelled'].includes(statusClass(kind, status));

/** Whether work may continue in this status. In an unknown one it may. */
export const mayGoOn = (kind: StatusKind, status: unknown): boolean =>
	['underWay', 'unknown'].includes(statusClass(kind, status));

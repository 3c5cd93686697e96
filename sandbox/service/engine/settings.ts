/**
 * Numbers of the service that the API reference leaves open ("not shown"), and of the simulation; each part of the
 * service declares its own here.
 */
export interface Settings {
	/** How long a task takes when nothing else is asked for, in milliseconds. */
	taskMs: number;
	/** The share of a task's duration that it spends in `initializing`, 0 to 1. */
	taskInitializingShare: number;
	/** How long a living fleet keeps what is over (tasks, logs, reports …), in days. */
	historyDays: number;
	/** The longest time that is lived through after a pause of the service, in milliseconds. */
	catchUpMs: number;
	/** How many of the newest requests are remembered for inspection. */
	recordedRequests: number;
	/** Whether records without the value that a list is sorted by are above all others, as in some databases, or below. */
	nullsAreHighest: boolean;
}

export const engineSettings: Pick<
	Settings,
	| 'taskMs'
	| 'taskInitializingShare'
	| 'historyDays'
	| 'catchUpMs'
	| 'recordedRequests'
	| 'nullsAreHighest'
> = {
	taskMs: 120_000,
	taskInitializingShare: 0.1,
	historyDays: 30,
	catchUpMs: 24 * 60 * 60_000,
	recordedRequests: 10_000,
	nullsAreHighest: false,
};

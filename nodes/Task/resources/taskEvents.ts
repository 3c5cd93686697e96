import type { IDataObject } from 'n8n-workflow';
import type { EventDetails, Occurrence, TimedFeed } from '../../shared/polling/feed';
import { recordAt } from '../../shared/client/records';
import { recordIn } from '../../shared/lib';
import { taskSites } from '../../shared/receive/task';
import { taskEnd, taskFeed } from '../../shared/resources/statusEvents';
import { statusWord } from '../../shared/vocabulary/values';
import { optionsFrom } from '../../shared/describe';

/** The events of a task that a workflow can start on. */
export const taskEvents = optionsFrom({
	cancelled: ['Cancelled', 'The task was cancelled'],
	completed: ['Completed', 'The task completed successfully'],
	failed: ['Failed', 'The task failed or was aborted'],
	otherStatus: [
		'Other Status',
		'A task has a status that this node does not know. Reported once for each task and status. The task is followed for a day after that.',
	],
	progress: [
		'Progress',
		'The progress of a running task changed. Reported at most once per task and poll.',
	],
	started: [
		'Started',
		'A task started. Also reported if the task has already ended by the time of the poll.',
	],
});

/** Which tasks count. */
export interface Choice {
	/** All types when it is empty. */
	types: readonly string[];
	siteId?: unknown;
}

/** The tasks that are chosen. */
export const chosenTasks = ({ types, siteId }: Choice): TimedFeed =>
	taskFeed(
		{
			types,
			isWanted: (task) =>
				siteId === undefined || taskSites(task).some(({ id }) => String(id) === siteId),
			choice: [[...types].sort(), siteId],
		},
		happened,
	);

const ends = { cancelled: 'cancelled', failed: 'failed', succeeded: 'completed' };

function happened(task: IDataObject): Occurrence[] {
	const { status, progress } = task;
	const { percent } = recordIn(progress);
	return [
		{ key: 'start', event: 'started' },
		...(statusWord(status) === 'running' && typeof percent === 'number'
			? [{ key: `p${percent}`, replaces: 'p', event: 'progress' }]
			: []),
		...taskEnd(task, ends),
	];
}

/** Adds the steps of the task. Source: Part A, 2.9 and 4.8. */
export const steps: EventDetails = {
	read: async (context, json) => {
		const task = await recordAt(context, `/tasks/${encodeURIComponent(String(json.id))}`);
		const { details } = task ?? {};
		return { json: { ...json, ...(details !== undefined && { details }) } };
	},
	without: (json) => ({ json }),
	waitMs: 300_000,
	tries: 5,
};

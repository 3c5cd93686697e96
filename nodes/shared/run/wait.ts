import type { IDataObject } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { ItemContext } from '../n8n/context';
import { cancelSignal } from '../n8n/context';
import { onFailure, timeLimit, waitForCompletion } from '../input/controls';
import type { Settings } from '../input/field';
import { valueAt } from '../lib/records';
import type { Answer } from '../operation';
import { knownError, reader, reasonWithin } from '../receive/errors';
import { failureOf, isEnded, startedTask } from '../receive/task';
import { statusClass } from '../vocabulary/statusWords';
import { clock } from '../client/clock';
import { PRIORITY } from '../client/queue';
import { recordOf } from '../client/records';
import { accountOf } from '../client/request';
import { pollUntil } from './pollUntil';
import type { Sent } from './taskResult';
import { idsIn, inOutput, resultOf, withCreated } from './taskResult';
import { TaskWatch } from './taskWatch';
import { syncWork, taskWork, untilEnded } from './work';

const MINUTE_MS = 60_000;

/** What a wait needs to know of the item. */
interface About {
	settings: Settings;
	/** What was sent and must not be repeated in messages. */
	secrets: string[];
}

/** The request that started the work, and its answer. */
interface Started extends Sent {
	records: IDataObject[];
	/** The path of the request. */
	url: string;
}

const limitOf = (settings: Settings) =>
	Number(settings[timeLimit.name] ?? timeLimit.default) * MINUTE_MS;

const waits = (settings: Settings) => settings[waitForCompletion.name] === true;

const failsOnFailure = (settings: Settings) => settings[onFailure.name] !== 'return';

/** Starts work. If the user waits for it, a sync of a site that is being synced starts when the other sync has ended. */
export async function startedBy<T>(
	context: ItemContext,
	answer: Answer,
	{ request, settings }: { request: { url: string }; settings: Settings },
	start: () => Promise<T>,
): Promise<T> {
	if (answer.kind !== 'sync' || !waits(settings)) return await start();
	const until = clock.now() + limitOf(settings);
	const startOrWait = async (): Promise<T> =>
		await start().catch(async (error: unknown) => {
			const isConflict = error instanceof NodeApiError && error.httpCode === '409';
			if (!isConflict || !(await otherSyncEnded(context, request.url, until))) throw error;
			return await startOrWait();
		});
	return await startOrWait();
}

/** Whether another sync of the site was running, and has ended. Source: Part B, 2.2 and 3. */
async function otherSyncEnded(context: ItemContext, url: string, until: number): Promise<boolean> {
	let wasRunning = false;
	return await pollUntil(context, {
		limitMs: until - clock.now(),
		look: async () => {
			const about = { priority: PRIORITY.waits, until };
			const site = await recordOf(context, url.replace(/\/sync$/, ''), about);
			if (valueAt(site, 'sync.in_progress') !== true) return wasRunning;
			wasRunning = true;
			return undefined;
		},
		onTimeLimit: () => false,
	}).catch((error: unknown) => {
		if (error instanceof NodeApiError) return false;
		throw error;
	});
}

/** The output of an operation for its records; where the user waits, for what has become of them in the end. */
export async function finished(
	context: ItemContext,
	answer: Answer,
	sent: Started,
	about: About,
): Promise<IDataObject[]> {
	const { records, url } = sent;
	const { settings } = about;
	if (answer.kind === 'task' && !waits(settings)) return records.map(startedTask);
	const each = async (record: IDataObject): Promise<IDataObject> => {
		if (answer.kind === 'sync' && waits(settings)) {
			const snapshot = await syncEnded(context, record, url, about);
			return inOutput(answer.result, snapshot, idsIn(sent), settings);
		}
		if (answer.kind !== 'wait' && answer.kind !== 'task') return record;
		const task = await taskEnded(context, record, about);
		const result =
			answer.kind === 'task'
				? resultOf(context, answer.result, task, sent, settings)
				: withCreated(context, task, !isEnded(record));
		return await result.catch((error: Error) => {
			if (error instanceof NodeOperationError || cancelSignal(context)?.aborted) throw error;
			const message = `The task ${String(task.id)} has ended, but its result cannot be read: ${error.message}`;
			const todo = 'Use Task: Wait Until Finished to read it again.';
			const description = `The work was not started again. ${todo}`;
			throw knownError(context.getNode(), taskWork(task).details, message, description);
		});
	};
	return await Promise.all(records.map(each));
}

/** Waits until a task has ended. */
async function taskEnded(
	context: ItemContext,
	task: IDataObject,
	{ settings, secrets }: About,
): Promise<IDataObject> {
	const { limiter } = await accountOf(context);
	// Only the view of a single task has its steps.
	const isWhole = isEnded(task) && 'details' in task;
	const ended = isWhole ? task : await TaskWatch.of(limiter).end(context, task, limitOf(settings));
	const failure = failureOf(ended);
	if (!failure || !failsOnFailure(settings)) return ended;
	const todo = 'Use Task: Get to see all of its steps.';
	throw knownError(context.getNode(), taskWork(task).details, reader(secrets)(failure), todo);
}

/** Waits for the snapshot that a sync makes. Source: Part B, 2.5 and 4.1. */
async function syncEnded(
	context: ItemContext,
	{ snapshot_id: id }: IDataObject,
	url: string,
	{ settings, secrets }: About,
): Promise<IDataObject> {
	const site = url.replace(/\/sync$/, '');
	const path = `${site}/snapshots/${String(id)}`;
	const work = syncWork(path);
	const snapshot = await untilEnded(context, work, {
		limitMs: limitOf(settings),
		look: async (until) => await recordOf(context, path, { priority: PRIORITY.waits, until }),
	});
	const { status, error_message: message } = snapshot;
	if (statusClass('snapshot', status) === 'succeeded' || !failsOnFailure(settings)) return snapshot;
	const why = reasonWithin(message);
	const failure = `The backup ended as ${String(status)}${why && `: ${why}`}`;
	const todo = `See the snapshot ${String(id)} of ${site}.`;
	throw knownError(context.getNode(), work.details, reader(secrets)(failure), todo);
}

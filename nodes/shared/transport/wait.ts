import type { IDataObject, IExecuteSingleFunctions } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { onFailure, timeLimit, waitForCompletion } from '../input/controls';
import type { Settings } from '../input/field';
import type { Answer } from '../operation';
import { failureOf, isEnded } from '../receive/task';
import { mayGoOn, statusClass } from '../resources/statusWords';
import { clock } from './clock';
import { cancelSignal } from './context';
import { isRefused, outOfSight, stillGoing } from './outOfSight';
import { PRIORITY } from './queue';
import { recordOf } from './record';
import { accountOf } from './request';
import { intervalAt, TaskWatch } from './taskWatch';

type Context = IExecuteSingleFunctions;

const MINUTE_MS = 60_000;

interface Waiting {
	limitMs: number;
	/** Whether an end that is no success is an error. */
	fails: boolean;
}

const waitingOf = (settings: Settings): Waiting => ({
	limitMs: Number(settings[timeLimit.name] ?? timeLimit.default) * MINUTE_MS,
	fails: settings[onFailure.name] !== 'return',
});

/**
 * What comes of an operation's records: where the user wants to wait, what they have become in the end.
 * @param url the path of the request
 */
export async function finished(
	context: Context,
	{ kind }: Answer,
	records: IDataObject[],
	url: string,
	settings: Settings,
): Promise<IDataObject[]> {
	const isWanted = settings[waitForCompletion.name] === true;
	if (kind === 'wait' || (kind === 'task' && isWanted)) {
		return await taskEnded(context, records, waitingOf(settings));
	}
	return kind === 'sync' && isWanted
		? await syncEnded(context, records, url, waitingOf(settings))
		: records;
}

/** Waits until tasks have ended. */
async function taskEnded(context: Context, records: IDataObject[], { limitMs, fails }: Waiting) {
	const { limiter } = await accountOf(context);
	const ended = records.map(async (task) => {
		// Only the view of a single task has its steps.
		const full = isEnded(task) && 'details' in task;
		const last = full ? task : await TaskWatch.of(limiter).end(context, task, limitMs);
		const failure = failureOf(last);
		if (failure && fails) {
			throw new NodeOperationError(context.getNode(), failure, {
				itemIndex: context.getItemIndex(),
				description: 'Task: Get shows all of its steps.',
			});
		}
		return last;
	});
	return await Promise.all(ended);
}

const NO_SNAPSHOTS = 'A site without backups has no snapshots to look at.';

/** Waits for the snapshots that syncs make. Source: Part B, 2.5 and 4.1. */
async function syncEnded(
	context: Context,
	records: IDataObject[],
	url: string,
	{ limitMs, fails }: Waiting,
): Promise<IDataObject[]> {
	const site = url.replace(/\/sync$/, '');
	return await Promise.all(
		records.map(async ({ snapshot_id: id }) => {
			const snapshot = await snapshotEnded(context, `${site}/snapshots/${String(id)}`, limitMs);
			if (statusClass('snapshot', snapshot.status) !== 'succeeded' && fails) {
				const why = snapshot.error_message ? `: ${String(snapshot.error_message)}` : '';
				throw new NodeOperationError(
					context.getNode(),
					`The sync ended as ${String(snapshot.status)}${why}`,
					{
						itemIndex: context.getItemIndex(),
						description: `It is the snapshot ${String(id)} of ${site}.`,
					},
				);
			}
			return snapshot;
		}),
	);
}

async function snapshotEnded(context: Context, url: string, limitMs: number): Promise<IDataObject> {
	const since = clock.now();
	const until = since + limitMs;
	let lastFailure: string | undefined;
	let status: unknown;
	for (;;) {
		const left = until - clock.now();
		if (left <= 0) {
			throw stillGoing(context, {
				work: 'sync',
				kind: 'snapshot',
				status,
				limitMs,
				lastFailure,
				url,
				todo: 'Look at its snapshot later, or set a longer time limit.',
			});
		}
		await clock.sleep(Math.min(left, intervalAt(clock.now() - since)), cancelSignal(context));
		const look = recordOf(context, url, { priority: PRIORITY.polls, until });
		const snapshot = await look.catch((error: unknown) => {
			if (isRefused(error)) throw outOfSight(context, `sync ${url}`, error, NO_SNAPSHOTS);
			if (!(error instanceof NodeApiError)) throw error;
			lastFailure = error.message;
			return undefined;
		});
		if (snapshot && !mayGoOn('snapshot', snapshot.status)) return snapshot;
		status = snapshot?.status ?? status;
	}
}

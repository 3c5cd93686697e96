import type { IDataObject, IExecuteSingleFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { recordsOf } from '../receive/records';
import { failureOf, isEnded } from '../receive/task';
import { clock } from './clock';
import { cancelSignal } from './context';
import { PRIORITY } from './queue';
import { accountOf, request } from './request';
import { intervalAt, TaskWatch } from './taskWatch';

type Context = IExecuteSingleFunctions;

/** What an operation does once its request is answered; gives the records of the output. */
export type Finish = (
	context: Context,
	records: IDataObject[],
	url: string,
) => Promise<IDataObject[]>;

const MINUTE_MS = 60_000;

interface WaitOptions {
	timeLimit?: number;
	onFailure?: 'fail' | 'return';
}

const isWanted = (context: Context) =>
	context.getNodeParameter('waitForCompletion', false) === true;

function optionsOf(context: Context) {
	const { timeLimit = 60, onFailure = 'fail' } = context.getNodeParameter(
		'waitOptions',
		{},
	) as WaitOptions;
	return { limitMs: Number(timeLimit) * MINUTE_MS, onFailure };
}

/** Waits for the tasks that an operation has started, where the user wants that. */
export const endOfTask: Finish = async (context, records, url) =>
	isWanted(context) ? await taskEnded(context, records, url) : records;

/** Waits until tasks have ended. */
export const taskEnded: Finish = async (context, records) => {
	const { limitMs, onFailure } = optionsOf(context);
	const { limiter } = await accountOf(context);
	const ended = records.map(async (task) => {
		// Only the view of a single task has its steps.
		const full = isEnded(task) && 'details' in task;
		const last = full ? task : await TaskWatch.of(limiter).end(context, task, limitMs);
		const failure = failureOf(last);
		if (failure && onFailure === 'fail') {
			throw new NodeOperationError(context.getNode(), failure, {
				itemIndex: context.getItemIndex(),
				description: 'Task: Get shows all of its steps.',
			});
		}
		return last;
	});
	return await Promise.all(ended);
};

const ENDED_SNAPSHOT = ['succeeded', 'failed', 'cancelled'];

/** Waits for the snapshot that a sync makes, where the user wants that. Source: Part B, 2.5 and 4.1. */
export const endOfSync: Finish = async (context, records, url) => {
	if (!isWanted(context)) return records;
	const site = url.replace(/\/sync$/, '');
	const { limitMs, onFailure } = optionsOf(context);
	return await Promise.all(
		records.map(async ({ snapshot_id: id }) => {
			const snapshot = await snapshotEnded(context, `${site}/snapshots/${String(id)}`, limitMs);
			if (snapshot.status !== 'succeeded' && onFailure === 'fail') {
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
};

async function snapshotEnded(context: Context, url: string, limitMs: number): Promise<IDataObject> {
	const since = clock.now();
	for (;;) {
		const left = since + limitMs - clock.now();
		if (left <= 0) {
			throw new NodeOperationError(
				context.getNode(),
				`The sync was still running after ${limitMs / MINUTE_MS} minutes`,
				{
					itemIndex: context.getItemIndex(),
					description: `It goes on: look at ${url} later, or set a longer time limit.`,
				},
			);
		}
		await clock.sleep(Math.min(left, intervalAt(clock.now() - since)), cancelSignal(context));
		const { body } = await request(context, { method: 'GET', url }, PRIORITY.polls);
		const [snapshot] = recordsOf(body);
		if (snapshot && ENDED_SNAPSHOT.includes(String(snapshot.status))) return snapshot;
	}
}

import type { IDataObject } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { ItemContext } from '../n8n/context';
import { onFailure, timeLimit, waitForCompletion } from '../input/controls';
import type { Settings } from '../input/field';
import type { Answer } from '../operation';
import { reader, withDetails } from '../receive/errors';
import { reasonWithin } from '../receive/reason';
import { failureOf, isEnded, startedTask } from '../receive/task';
import { mayGoOn, statusClass } from '../vocabulary/statusWords';
import { clock } from '../client/clock';
import { cancelSignal } from '../n8n/context';
import type { Sent } from './made';
import { given, idsIn, inForm, toldOf } from './made';
import { isRefused, unobservableError, stillGoing } from './unobservable';
import { afterOther } from './afterOther';
import { PRIORITY } from '../client/queue';
import { recordOf } from '../client/record';
import { accountOf } from '../client/request';
import { intervalAt, TaskWatch } from './taskWatch';
import { leaveTrace, tracing, TRACES } from '../n8n/trace';
import type { AwaitedWork } from './work';
import { endedBadly, taskWork } from './work';

const MINUTE_MS = 60_000;

interface WaitLimits {
	limitMs: number;
	/** Whether an end that is no success is an error. */
	fails: boolean;
	/** Makes what the service says of a failure fit for a message. */
	told: (text: string) => string;
}

/** What a wait has to know of the item: what the user has set, and what was sent and must not be repeated. */
interface About {
	settings: Settings;
	secrets: string[];
}

const limitOf = (settings: Settings) =>
	Number(settings[timeLimit.name] ?? timeLimit.default) * MINUTE_MS;

const isWanted = (settings: Settings) => settings[waitForCompletion.name] === true;

const waitingOf = ({ settings, secrets }: About): WaitLimits => ({
	limitMs: limitOf(settings),
	fails: settings[onFailure.name] !== 'return',
	told: reader(secrets),
});

/** The request that has started the work, and its answer. */
interface Started extends Sent {
	records: IDataObject[];
	/** The path of the request. */
	url: string;
}

/** Starts work; where the user wants to wait for it, that of a site that is being synced when that has ended. */
export async function startedBy<T>(
	context: ItemContext,
	answer: Answer,
	{ request, settings }: { request: { url: string }; settings: Settings },
	start: () => Promise<T>,
): Promise<T> {
	if (answer.kind !== 'sync' || !isWanted(settings)) return await start();
	return await afterOther(context, request.url, limitOf(settings), start);
}

/** What comes of an operation's records: where the user wants to wait, what has been made of them in the end. */
export async function finished(
	context: ItemContext,
	answer: Answer,
	sent: Started,
	about: About,
): Promise<IDataObject[]> {
	const { records, url } = sent;
	const isWaiting = isWanted(about.settings);
	const waiting = waitingOf(about);
	if (answer.kind === 'wait') {
		const ended = await taskEnded(context, records, waiting);
		return await Promise.all(
			ended.map(async (task, index) => ({
				...task,
				...(await toldOf(context, task, !isEnded(records[index]!))),
			})),
		);
	}
	if (answer.kind === 'task') {
		if (!isWaiting) return records.map(startedTask);
		const ended = await taskEnded(context, records, waiting);
		return await Promise.all(
			ended.map(async (task) => await given(context, answer.gives, task, sent, about.settings)),
		);
	}
	if (answer.kind !== 'sync' || !isWaiting) return records;
	const snapshots = await syncEnded(context, records, url, waiting);
	const ids = idsIn(sent);
	return snapshots.map((snapshot) => inForm(answer.gives, snapshot, ids, about.settings));
}

/** Waits until tasks have ended. */
async function taskEnded(
	context: ItemContext,
	records: IDataObject[],
	{ limitMs, fails, told }: WaitLimits,
) {
	const { limiter } = await accountOf(context);
	const ended = records.map(async (task) => {
		const work = taskWork(task);
		// Only the view of a single task has its steps.
		const full = isEnded(task) && 'details' in task;
		const look = async () => await TaskWatch.of(limiter).end(context, task, limitMs);
		const last = full ? task : await watched(context, work, look);
		const failure = failureOf(last);
		if (failure && fails) {
			throw endedBadly(context, work, told(failure), 'Use Task: Get to see all of its steps.');
		}
		return last;
	});
	return await Promise.all(ended);
}

/** Waits for work; where the wait ends before it, what was started is told, and left in the execution. */
async function watched<T>(
	context: ItemContext,
	work: AwaitedWork,
	wait: () => Promise<T>,
): Promise<T> {
	const { name, key, value, details } = work;
	const line = `The wait for the ${name} ended, but the work continues: check ${details.verifyAt}`;
	context.logger?.info(`The ${name} was started and is being waited for`, {
		node: context.getNode().name,
	});
	return await tracing(context, () => ({ key, value, line }), wait).catch((error: unknown) => {
		if (!cancelSignal(context)?.aborted) leaveTrace(context, { key, value, line });
		if (error instanceof NodeOperationError || error instanceof NodeApiError) {
			throw withDetails(error, details);
		}
		const { message } = error as Error;
		throw endedBadly(context, work, `${line}. ${message}`, 'The work was not stopped.');
	});
}

const NO_SNAPSHOTS = 'A site without backups has no snapshots to check.';

/** Waits for the snapshots that syncs make. Source: Part B, 2.5 and 4.1. */
async function syncEnded(
	context: ItemContext,
	records: IDataObject[],
	url: string,
	{ limitMs, fails, told }: WaitLimits,
): Promise<IDataObject[]> {
	const site = url.replace(/\/sync$/, '');
	return await Promise.all(
		records.map(async ({ snapshot_id: id }) => {
			const path = `${site}/snapshots/${String(id)}`;
			const work: AwaitedWork = {
				name: `backup ${path}`,
				key: TRACES.syncs,
				value: path,
				details: { outcome: 'started', verifyAt: `${path} (Snapshot: Get)` },
			};
			const look = async () => await snapshotEnded(context, path, limitMs);
			const snapshot = await watched(context, work, look);
			if (statusClass('snapshot', snapshot.status) !== 'succeeded' && fails) {
				const why = reasonWithin(snapshot.error_message);
				throw endedBadly(
					context,
					work,
					told(`The backup ended as ${String(snapshot.status)}${why && `: ${why}`}`),
					`See the snapshot ${String(id)} of ${site}.`,
				);
			}
			return snapshot;
		}),
	);
}

async function snapshotEnded(
	context: ItemContext,
	url: string,
	limitMs: number,
): Promise<IDataObject> {
	const since = clock.now();
	const until = since + limitMs;
	let lastFailure: string | undefined;
	let status: unknown;
	for (;;) {
		const left = until - clock.now();
		if (left <= 0) {
			throw stillGoing(context, {
				work: 'backup',
				kind: 'snapshot',
				status,
				limitMs,
				lastFailure,
				url,
				todo: 'Check its snapshot later, or set a longer time limit.',
			});
		}
		await clock.sleep(Math.min(left, intervalAt(clock.now() - since)), cancelSignal(context));
		const look = recordOf(context, url, { priority: PRIORITY.waits, until });
		const snapshot = await look.catch((error: unknown) => {
			if (isRefused(error)) throw unobservableError(context, `backup ${url}`, error, NO_SNAPSHOTS);
			if (!(error instanceof NodeApiError)) throw error;
			lastFailure = error.message;
			return undefined;
		});
		if (snapshot && !mayGoOn('snapshot', snapshot.status)) return snapshot;
		status = snapshot?.status ?? status;
	}
}

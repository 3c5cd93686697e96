import type { IDataObject, JsonObject } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { ErrorDetails } from '../receive/errors';
import { knownError, withDetails } from '../receive/errors';
import type { ItemContext } from '../n8n/context';
import { cancelSignal } from '../n8n/context';
import type { Trace } from '../n8n/trace';
import { leaveTrace, tracing, TRACES } from '../n8n/trace';
import { mayGoOn, statusClass, statusWord } from '../vocabulary/statusWords';
import { isRefused, pollUntil } from './pollUntil';

/** Work that the service was asked to do. */
export interface AwaitedWork extends Pick<Trace, 'key' | 'value'> {
	kind: 'task' | 'snapshot';
	/** In a sentence: `task 9b1f6c2e70`. */
	name: string;
	details: ErrorDetails;
	/** What to do when the time limit is over. */
	onTimeLimit: string;
	/** Why the service may refuse to show it, where the response does not say. */
	onRefusal?: string;
}

export function taskWork({ id: given }: IDataObject): AwaitedWork {
	const id = String(given);
	const verifyAt = `/tasks/${encodeURIComponent(id)} (Task: Get)`;
	return {
		kind: 'task',
		name: `task ${id}`,
		key: TRACES.tasks,
		value: id,
		details: { outcome: 'started', taskId: id, verifyAt },
		onTimeLimit: 'Wait for it with Task: Wait Until Finished, or set a longer time limit.',
	};
}

/** @param path of the snapshot that the sync makes */
export const syncWork = (path: string): AwaitedWork => ({
	kind: 'snapshot',
	name: `backup ${path}`,
	key: TRACES.syncs,
	value: path,
	details: { outcome: 'started', verifyAt: `${path} (Snapshot: Get)` },
	onTimeLimit: 'Check its snapshot later, or set a longer time limit.',
	onRefusal: 'A site without backups has no snapshots to check.',
});

interface Watch {
	/** When the work was started. */
	status?: unknown;
	limitMs: number;
	look: (until: number) => Promise<IDataObject>;
	tolerates?: (error: Error) => boolean;
}

/**
 * Waits until work has ended, well or not. If the wait ends before, the error and the execution keep what was started.
 * @throws NodeOperationError after the time limit, or when the execution is cancelled; NodeApiError for a refused look
 */
export async function untilEnded(
	context: ItemContext,
	work: AwaitedWork,
	{ status, limitMs, look, tolerates }: Watch,
): Promise<IDataObject> {
	const { name, key, value, details } = work;
	const node = context.getNode();
	const line = `The wait for the ${name} ended, but the work continues: check ${details.verifyAt}`;
	context.logger?.info(`The ${name} was started and is being waited for`, { node: node.name });
	const wait = async () =>
		await pollUntil(context, {
			limitMs,
			sleepsFirst: true,
			tolerates,
			look: async (until) => {
				const record = await look(until);
				({ status } = record);
				return mayGoOn(work.kind, status) ? undefined : record;
			},
			onTimeLimit: (lastError) => {
				throw timeLimitError(context, work, { status, limitMs, lastError });
			},
		});
	return await tracing(context, () => ({ key, value, line }), wait).catch((error: Error) => {
		if (!cancelSignal(context)?.aborted) leaveTrace(context, { key, value, line });
		if (error instanceof NodeOperationError) throw error;
		if (isRefused(error)) throw refusedError(context, work, error);
		const message = `${line}. ${error.message}`;
		throw knownError(node, details, message, 'The work was not stopped.');
	});
}

/** The error for work that may go on where the service does not show it. */
function refusedError(
	context: ItemContext,
	{ name, details, onRefusal }: AwaitedWork,
	{ message: cause, description, httpCode }: NodeApiError,
): NodeApiError {
	const message = `The ${name} was started, but its progress cannot be read: ${cause}`;
	const error = new NodeApiError(context.getNode(), {} as JsonObject, {
		message,
		description: `The work continues. ${onRefusal ?? description ?? ''}`,
		httpCode: httpCode ?? undefined,
	});
	// n8n replaces a message that contains the code of a network error.
	error.message = message;
	return withDetails(error, details);
}

/** The error for work that did not end within the time limit; it names an unknown status. */
function timeLimitError(
	context: ItemContext,
	{ kind, name, value, details, onTimeLimit }: AwaitedWork,
	{ status, limitMs, lastError }: { status: unknown; limitMs: number; lastError?: Error },
): NodeOperationError {
	const isOther = statusWord(status) !== '' && statusClass(kind, status) === 'unknown';
	const state = isOther ? `\`${String(status)}\`` : 'running';
	const minutes = Math.round(limitMs / 6_000) / 10;
	const time = `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
	const failure = lastError ? `; the last check failed: ${lastError.message}` : '';
	const [what, place] = kind === 'task' ? [name, ''] : ['backup', ` (${value})`];
	const why = isOther
		? 'This node does not know this status and treats it as neither a success nor a failure.'
		: 'The work continues.';
	return knownError(
		context.getNode(),
		details,
		`The ${what} was still ${state} after ${time}${failure}${place}`,
		`${why} ${onTimeLimit}`,
	);
}

import type { IDataObject, IExecuteSingleFunctions, JsonObject } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { ErrorDetails } from '../receive/outcome';
import { withDetails } from '../receive/outcome';
import type { ItemContext } from '../n8n/context';
import type { Trace } from '../n8n/trace';
import { TRACES } from '../n8n/trace';
import { mayGoOn, statusClass, statusWord } from '../vocabulary/statusWords';
import { isRefused, pollUntil } from './pollUntil';

/** Work that the service was asked to do. */
export interface AwaitedWork extends Pick<Trace, 'key' | 'value'> {
	kind: 'task' | 'snapshot';
	/** In a sentence: `task 9b1f6c2e70`. */
	name: string;
	details: ErrorDetails;
}

/** A task. */
export function taskWork({ id: given }: IDataObject): AwaitedWork {
	const id = String(given);
	const verifyAt = `/tasks/${encodeURIComponent(id)} (Task: Get)`;
	return {
		kind: 'task',
		name: `task ${id}`,
		key: TRACES.tasks,
		value: id,
		details: { outcome: 'started', taskId: id, verifyAt },
	};
}

/** A sync, by the path of the snapshot that it makes. */
export const syncWork = (path: string): AwaitedWork => ({
	kind: 'snapshot',
	name: `backup ${path}`,
	key: TRACES.syncs,
	value: path,
	details: { outcome: 'started', verifyAt: `${path} (Snapshot: Get)` },
});

/** What is left to do for the user, when the wait ends before the work does. */
const TODO = {
	task: {
		late: 'Wait for it with Task: Wait Until Finished, or set a longer time limit.',
		refused: undefined,
	},
	snapshot: {
		late: 'Check its snapshot later, or set a longer time limit.',
		refused: 'A site without backups has no snapshots to check.',
	},
};

/** An error about work that was started, and must not be started again because of it. */
export function workError(
	context: IExecuteSingleFunctions,
	{ details }: Pick<AwaitedWork, 'details'>,
	message: string,
	description: string,
) {
	const error = new NodeOperationError(context.getNode(), message, { description });
	return withDetails(error, details);
}

interface Watched {
	/** When the work was started. */
	status: unknown;
	limitMs: number;
	look: (until: number) => Promise<IDataObject>;
	tolerates?: (error: Error) => boolean;
}

/** Looks at work until it has ended, well or not. @throws after the time limit, or when the service refuses a look */
export async function untilEnded(
	context: ItemContext,
	work: AwaitedWork,
	{ status, limitMs, look, tolerates }: Watched,
): Promise<IDataObject> {
	return await pollUntil(context, {
		limitMs,
		sleepsFirst: true,
		tolerates,
		look: async (until) => {
			const record = await look(until);
			({ status } = record);
			return mayGoOn(work.kind, status) ? undefined : record;
		},
		onTimeLimit: (lastError) => {
			throw lateError(context, work, { status, limitMs, lastError });
		},
	}).catch((error: Error) => {
		throw isRefused(error) ? refusedError(context, work, error) : error;
	});
}

/** The error for work that may go on where the service does not show it. */
function refusedError(
	context: ItemContext,
	{ kind, name }: AwaitedWork,
	{ message: cause, description, httpCode }: NodeApiError,
): NodeApiError {
	const message = `The ${name} was started, but its progress cannot be read: ${cause}`;
	const error = new NodeApiError(context.getNode(), {} as JsonObject, {
		message,
		description: `The work continues. ${TODO[kind].refused ?? description ?? ''}`,
		httpCode: httpCode ?? undefined,
		itemIndex: context.getItemIndex(),
	});
	// n8n replaces a message that contains the code of a network error.
	error.message = message;
	return error;
}

/** The error for work that did not end within the time limit; it names an unknown status. */
function lateError(
	context: ItemContext,
	{ kind, name, value }: AwaitedWork,
	{ status, limitMs, lastError }: { status: unknown; limitMs: number; lastError?: Error },
): NodeOperationError {
	const isOther = statusWord(status) !== '' && statusClass(kind, status) === 'unknown';
	const state = isOther ? `\`${String(status)}\`` : 'running';
	const minutes = Math.round(limitMs / 6_000) / 10;
	const time = `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
	const seen = lastError ? `; the last check failed: ${lastError.message}` : '';
	const [what, place] = kind === 'task' ? [name, ''] : ['backup', ` (${value})`];
	const why = isOther
		? 'This node does not know this status and treats it as neither a success nor a failure.'
		: 'The work continues.';
	const message = `The ${what} was still ${state} after ${time}${seen}${place}`;
	return new NodeOperationError(context.getNode(), message, {
		itemIndex: context.getItemIndex(),
		description: `${why} ${TODO[kind].late}`,
	});
}

import { type IDataObject, NodeApiError, NodeOperationError } from 'n8n-workflow';
import { clock, perRecord } from '../lib';
import type { ItemContext } from '../n8n/context';
import { cancelSignal, leaveTrace, onAbort, TRACES, tracing } from '../n8n/context';
import { type ErrorDetails, knownError } from '../receive/errors';
import { isEnded } from '../receive/task';
import { mayGoOn, statusClass, statusWord } from '../vocabulary/values';
import { MAX_PER_PAGE, listAll, recordOf } from '../client/records';
import { PRIORITY } from '../client/queue';

/** Milliseconds to the next check: a quarter of the time waited, from 2 to 30 seconds. */
const intervalAt = (waitedMs: number) => Math.min(30_000, Math.max(2_000, waitedMs / 4));

const statusOf = (error: unknown) => (error instanceof NodeApiError ? Number(error.httpCode) : 0);

/** Whether the service answered with a 4xx, which it will do the next time, too. */
const isRefused = (error: unknown) => statusOf(error) >= 400 && statusOf(error) < 500;

/** Milliseconds for which the service may not know work that was just started. */
const UNKNOWN_MS = 30_000;

const isUnknown = (error: Error) => statusOf(error) === 404;

interface Poll<T> {
	/** Checks once. @returns undefined to check again */
	look: (until: number) => Promise<T | undefined>;
	/** In milliseconds; 0 checks once. */
	limitMs: number;
	/** Whether to sleep before the first check. @default false */
	sleepsFirst?: boolean;
	/** Whether to check again after a failure. @default unless it is refused */
	tolerates?: (error: Error) => boolean;
}

/** Checks in growing intervals and finally at the time limit; undefined if that finds nothing. @throws as its last check */
export async function pollUntil<T>(context: ItemContext, poll: Poll<T>): Promise<T | undefined> {
	const { look, limitMs, sleepsFirst, tolerates = (error) => !isRefused(error) } = poll;
	const signal = cancelSignal(context);
	const begun = clock.now();
	const until = begun + limitMs;
	let lastError: Error | undefined;
	for (let looks = sleepsFirst ? 1 : 0; ; looks++) {
		if (looks > 0) {
			const left = until - clock.now();
			if (left <= 0 && lastError) throw lastError;
			if (left <= 0) return undefined;
			await sleep(Math.min(left, intervalAt(clock.now() - begun)), signal);
		}
		signal?.throwIfAborted();
		lastError = undefined;
		const found = await look(until).catch((error: Error) => {
			signal?.throwIfAborted();
			if (!tolerates(error)) throw error;
			lastError = error;
			return undefined;
		});
		if (found !== undefined) return found;
	}
}

/** Adds no listener of its own to the signal, which thousands of items can share. */
async function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
	const controller = new AbortController();
	const unsubscribe = onAbort(signal, () => controller.abort(signal?.reason));
	await clock.sleep(ms, controller.signal).finally(unsubscribe);
}

/** Work that is waited for: a task by its ID, or the snapshot of a sync by its path. */
interface AwaitedWork {
	kind: 'task' | 'snapshot';
	id: string;
	status?: unknown;
}

const KINDS = {
	task: {
		trace: TRACES.tasks,
		readBy: 'Task: Get',
		todo: 'Wait for it with Task: Wait Until Finished, or set a longer time limit.',
	},
	snapshot: {
		trace: TRACES.syncs,
		readBy: 'Snapshot: Get',
		todo: 'Check its snapshot later, or set a longer time limit.',
	},
};

const pathOf = ({ kind, id }: AwaitedWork) =>
	kind === 'task' ? `/tasks/${encodeURIComponent(id)}` : id;

export const startedDetails = (work: AwaitedWork): ErrorDetails => ({
	outcome: 'started',
	...(work.kind === 'task' && { taskId: work.id }),
	verifyAt: `${pathOf(work)} (${KINDS[work.kind].readBy})`,
});

/** Waits until work has ended, also if it failed. If the wait ends earlier, error and execution keep what was started. */
export async function untilEnded(context: ItemContext, work: AwaitedWork, poll: Poll<IDataObject>) {
	const { kind, id } = work;
	const details = startedDetails(work);
	const name = `${kind === 'task' ? 'task' : 'backup'} ${id}`;
	const node = context.getNode();
	const line = `The wait for the ${name} ended, but the work continues: check ${details.verifyAt}`;
	const trace = { key: KINDS[kind].trace, value: id, line };
	context.logger?.info(`The ${name} was started and is being waited for`, { node: node.name });
	let { status } = work;
	const lookForEnd = async (until: number) => {
		const record = await poll.look(until);
		status = record?.status;
		return mayGoOn(kind, status) ? undefined : record;
	};
	const begun = clock.now();
	const tolerates = (error: Error) =>
		!isRefused(error) || (isUnknown(error) && clock.now() - begun < UNKNOWN_MS);
	const wait = async () => {
		const waiting = { ...poll, look: lookForEnd, sleepsFirst: true, tolerates };
		const found = await pollUntil(context, waiting);
		if (found) return found;
		const [message, todo] = timeLimitTexts({ kind, id, status }, poll.limitMs);
		throw knownError(node, details, message, todo);
	};
	return await tracing(context, trace, wait).catch((error: Error) => {
		if (!cancelSignal(context)?.aborted) leaveTrace(context, trace);
		if (error instanceof NodeOperationError) throw error;
		throw knownError(node, details, `${line}. ${error.message}`, 'The work was not stopped.');
	});
}

/** Message and description for work that did not end within the time limit; they name an unknown status. */
function timeLimitTexts({ kind, id, status }: AwaitedWork, limitMs: number) {
	const isOther = statusWord(status) !== '' && statusClass(kind, status) === 'unknown';
	const state = isOther ? `\`${String(status)}\`` : 'running';
	const minutes = Math.round(limitMs / 6_000) / 10;
	const time = `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
	const [what, place] = kind === 'task' ? [`task ${id}`, ''] : ['backup', ` (${id})`];
	const why = isOther
		? 'This node does not know this status and treats it as neither a success nor a failure.'
		: 'The work continues.';
	const message = `The ${what} was still ${state} after ${time}${place}`;
	return [message, `${why} ${KINDS[kind].todo}`] as const;
}

/** Reads a task until the service knows it, for up to 30 seconds. @throws the error of the last attempt */
export const onceKnown = async <T>(context: ItemContext, look: () => Promise<T>): Promise<T> =>
	(await pollUntil(context, { look, limitMs: UNKNOWN_MS, tolerates: isUnknown }))!;

/** All items that wait for tasks of an account: they share the list of tasks, and read in full only ended ones. */
export class TaskWatch {
	static readonly of = perRecord<object, TaskWatch>(() => new TaskWatch());

	private readonly waiting = new Set<IDataObject>();

	/** The newest list, when it was requested, and its pages. */
	private newest?: { at: number; tasks: Promise<Map<string, IDataObject>> };
	private pages = 1;

	/** Waits for a task, and reads it in full. @param task with its ID, and the time of its creation if it is known */
	async end(context: ItemContext, task: IDataObject, limitMs: number): Promise<IDataObject> {
		const begun = clock.now();
		const waitedMs = () => clock.now() - begun;
		const work: AwaitedWork = { kind: 'task', id: String(task.id), status: task.status };
		const look = async (until: number) => await this.look(context, work, until, waitedMs());
		this.waiting.add(task);
		const end = untilEnded(context, work, { look, limitMs });
		return await end.finally(() => this.waiting.delete(task));
	}

	private async look(context: ItemContext, work: AwaitedWork, until: number, waitedMs: number) {
		const maxAgeMs = Math.max(intervalAt(0), intervalAt(waitedMs) / 2);
		const listed = (await this.list(context, until, maxAgeMs))?.get(work.id);
		if (listed && !isEnded(listed)) return listed;
		return await recordOf(context, pathOf(work), { priority: PRIORITY.waits, until });
	}

	/** All tasks since the oldest that an item waits for; undefined if single tasks take fewer requests. */
	private async list(context: ItemContext, until: number, maxAgeMs: number) {
		const times = [...this.waiting].flatMap(({ created_at: at }) => (at ? [String(at)] : []));
		if (times.length <= Math.max(1, this.pages)) return undefined;
		const now = clock.now();
		if (!this.newest || now - this.newest.at >= maxAgeMs) {
			const qs = { sort: 'created_at,asc', 'filters[created_at:gte]': times.sort()[0]! };
			const request = { url: '/tasks', qs, until };
			const tasks = listAll(context, request, { priority: PRIORITY.waits }).then((all) => {
				this.pages = Math.ceil(all.length / MAX_PER_PAGE);
				return new Map(all.map((task) => [String(task.id), task]));
			});
			this.newest = { at: now, tasks };
		}
		return await this.newest.tasks;
	}
}

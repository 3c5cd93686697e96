import type { IDataObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import type { ItemContext } from '../n8n/context';
import { isEnded } from '../receive/task';
import { clock } from '../client/clock';
import { cancelSignal, onAbort } from '../n8n/context';
import type { Limiter } from '../client/limiter';
import { isRefused, unobservableError, stillGoing } from './unobservable';
import { listAll, MAX_PER_PAGE } from '../client/paging';
import { PRIORITY } from '../client/queue';
import { recordOf } from '../client/record';

interface Waiter {
	context: ItemContext;
	id: string;
	/** When the task was made, as the service has it. */
	createdAt?: string;
	since: number;
	limitMs: number;
	/** As it was last seen. */
	status: unknown;
	/** Whether a look has found it. */
	isSeen?: boolean;
	/** Why the last look at it did not succeed, if it did not. */
	lastFailure?: string;
	settle: (ended: { task: IDataObject } | { error: Error }) => void;
}

/** Takes note of a task as a look has found it. */
const seen = (waiter: Waiter, { status }: IDataObject) =>
	void Object.assign(waiter, { status, isSeen: true });

/** Between two looks: a quarter of the time that has been waited, within bounds. */
export const intervalAt = (waitedMs: number) => Math.min(30_000, Math.max(2_000, waitedMs / 4));

/** A task that was just started may be unknown to the part of the service that shows tasks for so long. */
const UNKNOWN_MS = 30_000;

/** Whether a look since a time failed because a task is not known yet, rather than not any more. */
const isNotYet = (error: unknown, since: number): error is NodeApiError =>
	error instanceof NodeApiError && error.httpCode === '404' && clock.now() - since < UNKNOWN_MS;

/** Looks at a task until it is known. @throws what the look throws, that it is unknown only after a while */
export async function onceKnown<T>(context: ItemContext, look: () => Promise<T>): Promise<T> {
	const since = clock.now();
	for (;;) {
		const looked = await look().then(
			(found) => ({ found }),
			(error: Error) => ({ error }),
		);
		if ('found' in looked) return looked.found;
		if (!isNotYet(looked.error, since)) throw looked.error;
		await clock.sleep(intervalAt(clock.now() - since), cancelSignal(context));
	}
}

/**
 * All that wait for tasks of one account: they share one look at the list of tasks, a hundred a request, and
 * only what has ended is then read in full.
 */
export class TaskWatch {
	private static readonly watches = new WeakMap<object, TaskWatch>();

	private readonly waiters = new Set<Waiter>();

	private lastLook = -Infinity;

	/** Ends the sleep before the next look. */
	private wake = new AbortController();

	private looking = false;

	/** Pages of the list that the last look took. */
	private pages = 1;

	static of({ account }: Limiter): TaskWatch {
		let watch = TaskWatch.watches.get(account);
		if (!watch) TaskWatch.watches.set(account, (watch = new TaskWatch()));
		return watch;
	}

	/**
	 * @param task with its id, and the time of its creation where that is known
	 * @returns the task in full once it has ended, well or not
	 * @throws NodeOperationError with the task's id when the time is over; the signal's reason when the execution is cancelled
	 */
	async end(context: ItemContext, task: IDataObject, limitMs: number): Promise<IDataObject> {
		const signal = cancelSignal(context);
		return await new Promise((resolve, reject) => {
			if (signal?.aborted) return reject(signal.reason);
			const waiter: Waiter = {
				context,
				id: String(task.id),
				createdAt: typeof task.created_at === 'string' ? task.created_at : undefined,
				since: clock.now(),
				limitMs,
				status: task.status,
				settle: (ended) => {
					this.waiters.delete(waiter);
					stay();
					if ('error' in ended) reject(ended.error);
					else resolve(ended.task);
				},
			};
			const stay = onAbort(signal, () => waiter.settle({ error: signal?.reason as Error }));
			this.waiters.add(waiter);
			this.wake.abort();
			void this.look();
		});
	}

	private async look(): Promise<void> {
		if (this.looking) return;
		this.looking = true;
		while (this.waiters.size > 0) {
			this.wake = new AbortController();
			const due = this.dueIn();
			if (due > 0) {
				// Whoever comes meanwhile may be due sooner.
				await clock.sleep(due, this.wake.signal).catch(() => undefined);
				continue;
			}
			this.lastLook = clock.now();
			await this.lookOnce();
			this.giveUp();
		}
		this.looking = false;
	}

	/** Until the next look, or until the first time limit. */
	private dueIn(): number {
		const now = clock.now();
		const times = [...this.waiters].map((waiter) => {
			const next = Math.max(this.lastLook, waiter.since) + intervalAt(now - waiter.since);
			return Math.min(next, waiter.since + waiter.limitMs);
		});
		return times.reduce((a, b) => Math.min(a, b), Infinity) - now;
	}

	/** When nobody waits any more. */
	private deadline(): number {
		const ends = [...this.waiters].map(({ since, limitMs }) => since + limitMs);
		return ends.reduce((a, b) => Math.max(a, b), -Infinity);
	}

	private async lookOnce(): Promise<void> {
		const waiters = [...this.waiters];
		const shared = waiters.length > Math.max(1, this.pages) && waiters.every((w) => w.createdAt);
		const listed = shared ? await this.list(waiters) : new Map<string, IDataObject>();
		if (!listed) return;
		const ended = waiters.filter((waiter) => {
			const task = listed.get(waiter.id);
			if (task) seen(waiter, task);
			return !task || isEnded(task);
		});
		await Promise.all(ended.map(async (waiter) => await this.read(waiter)));
	}

	/** The state of all tasks since the oldest that is waited for; undefined when it could not be read. */
	private async list(waiters: Waiter[]): Promise<Map<string, IDataObject> | undefined> {
		const [oldest] = waiters.map(({ createdAt }) => createdAt!).sort();
		const { context } = waiters[0]!;
		try {
			const tasks = await listAll(
				context,
				{
					method: 'GET',
					url: '/tasks',
					qs: { sort: 'created_at,asc', 'filters[created_at:gte]': oldest },
					until: this.deadline(),
				},
				{ priority: PRIORITY.waits },
			);
			this.pages = Math.ceil(tasks.length / MAX_PER_PAGE);
			return new Map(tasks.map((task) => [String(task.id), task]));
		} catch (error) {
			this.failed(waiters, error as Error);
			return undefined;
		}
	}

	private async read(waiter: Waiter): Promise<void> {
		const url = `/tasks/${encodeURIComponent(waiter.id)}`;
		try {
			const until = waiter.since + waiter.limitMs;
			const task = await recordOf(waiter.context, url, { priority: PRIORITY.waits, until });
			seen(waiter, task);
			if (isEnded(task)) waiter.settle({ task });
		} catch (error) {
			this.failed([waiter], error as Error);
		}
	}

	/** A failure that passes is no reason to lose sight of a task; what the service refuses is. */
	private failed(waiters: Waiter[], error: Error): void {
		for (const waiter of waiters) {
			const { context, id } = waiter;
			waiter.lastFailure = error.message;
			if (!isRefused(error) || (!waiter.isSeen && isNotYet(error, waiter.since))) continue;
			waiter.settle({ error: unobservableError(context, `task ${id}`, error) });
		}
	}

	private giveUp(): void {
		for (const waiter of this.waiters) {
			if (clock.now() < waiter.since + waiter.limitMs) continue;
			const { context, id, limitMs, status, lastFailure } = waiter;
			const error = stillGoing(context, {
				work: `task ${id}`,
				kind: 'task',
				status,
				limitMs,
				lastFailure,
				todo: 'Wait for it with Task: Wait Until Finished, or set a longer time limit.',
			});
			waiter.settle({ error });
		}
	}
}

import type { IDataObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import type { ItemContext } from '../n8n/context';
import { isEnded } from '../receive/task';
import { clock } from '../client/clock';
import type { Limiter } from '../client/limiter';
import { MAX_PER_PAGE, listAll, recordOf } from '../client/records';
import { PRIORITY } from '../client/queue';
import { intervalAt, isRefused, pollUntil } from './pollUntil';
import { taskWork, untilEnded } from './work';

/** Milliseconds for which the service may not know a task yet that was just started. */
const UNKNOWN_MS = 30_000;

const isUnknown = (error: Error) => error instanceof NodeApiError && error.httpCode === '404';

/** Looks at a task until the service knows it, for up to 30 seconds. @throws what the last look throws */
export async function onceKnown<T>(context: ItemContext, look: () => Promise<T>): Promise<T> {
	return await pollUntil(context, {
		look,
		limitMs: UNKNOWN_MS,
		tolerates: isUnknown,
		onTimeLimit: (lastError) => {
			throw lastError!;
		},
	});
}

/** All items that wait for tasks of an account: they share the list of tasks, and read in full only what has ended. */
export class TaskWatch {
	private static readonly watches = new WeakMap<object, TaskWatch>();

	private readonly waiting = new Set<IDataObject>();

	/** The newest list, and when it was requested. */
	private newest?: { at: number; tasks: Promise<Map<string, IDataObject>> };

	/** Pages of the newest list. */
	private pages = 1;

	static of({ account }: Limiter): TaskWatch {
		const watch = TaskWatch.watches.get(account) ?? new TaskWatch();
		TaskWatch.watches.set(account, watch);
		return watch;
	}

	/**
	 * @param task with its ID, and the time of its creation where that is known
	 * @returns the task in full once it has ended, well or not
	 * @throws NodeOperationError with the ID after the time limit; the signal's reason when the execution is cancelled
	 */
	async end(context: ItemContext, task: IDataObject, limitMs: number): Promise<IDataObject> {
		const begun = clock.now();
		this.waiting.add(task);
		return await untilEnded(context, taskWork(task), {
			status: task.status,
			limitMs,
			look: async (until) => await this.look(context, task, until, clock.now() - begun),
			tolerates: (error) =>
				!isRefused(error) || (isUnknown(error) && clock.now() - begun < UNKNOWN_MS),
		}).finally(() => this.waiting.delete(task));
	}

	private async look(context: ItemContext, task: IDataObject, until: number, waitedMs: number) {
		const id = String(task.id);
		const maxAgeMs = Math.max(intervalAt(0), intervalAt(waitedMs) / 2);
		const listed = (await this.list(context, until, maxAgeMs))?.get(id);
		if (listed && !isEnded(listed)) return listed;
		const url = `/tasks/${encodeURIComponent(id)}`;
		return await recordOf(context, url, { priority: PRIORITY.waits, until });
	}

	/** All tasks since the oldest that an item waits for; undefined where single tasks take fewer requests. */
	private async list(context: ItemContext, until: number, maxAgeMs: number) {
		const times = [...this.waiting].flatMap(({ created_at: at }) => (at ? [String(at)] : []));
		if (times.length <= Math.max(1, this.pages)) return undefined;
		const now = clock.now();
		if (!this.newest || now - this.newest.at >= maxAgeMs) {
			this.newest = { at: now, tasks: this.read(context, until, times.sort()[0]!) };
		}
		return await this.newest.tasks;
	}

	private async read(context: ItemContext, until: number, since: string) {
		const qs = { sort: 'created_at,asc', 'filters[created_at:gte]': since };
		const request = { method: 'GET' as const, url: '/tasks', qs, until };
		const tasks = await listAll(context, request, { priority: PRIORITY.waits });
		this.pages = Math.ceil(tasks.length / MAX_PER_PAGE);
		return new Map(tasks.map((task) => [String(task.id), task]));
	}
}

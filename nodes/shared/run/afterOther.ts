import type { IDataObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import type { ItemContext } from '../n8n/context';
import { cancelSignal } from '../n8n/context';
import { recordOf } from '../client/record';
import { clock } from '../client/clock';
import { PRIORITY } from '../client/queue';
import { intervalAt } from './taskWatch';

/**
 * Starts the sync of a site; where another sync of it is running, after that one. Source: Part B, 2.2 and 3.
 * @param url its path, `/sites/ID/sync`
 * @param limitMs how long another sync is waited for
 * @throws what `start` throws, where no other sync is running or the time limit is over
 */
export async function afterOther<T>(
	context: ItemContext,
	url: string,
	limitMs: number,
	start: () => Promise<T>,
): Promise<T> {
	const since = clock.now();
	return await start().catch(async (error: unknown) => {
		const isConflict = error instanceof NodeApiError && error.httpCode === '409';
		if (!isConflict || !(await otherEnded(context, url, since, limitMs))) throw error;
		return await afterOther(context, url, limitMs - (clock.now() - since), start);
	});
}

/** Whether another sync of the site was running, and has ended. */
async function otherEnded(
	context: ItemContext,
	url: string,
	since: number,
	limitMs: number,
): Promise<boolean> {
	const until = since + limitMs;
	for (let looks = 0; ; looks++) {
		const look = recordOf(context, url.replace(/\/sync$/, ''), { priority: PRIORITY.waits, until });
		const site = await look.catch((error: unknown) => {
			if (!(error instanceof NodeApiError)) throw error;
			return undefined;
		});
		if (!site) return false;
		if ((site.sync as IDataObject | undefined)?.in_progress !== true) return looks > 0;
		const left = until - clock.now();
		if (left <= 0) return false;
		await clock.sleep(Math.min(left, intervalAt(clock.now() - since)), cancelSignal(context));
	}
}

import type { IDataObject } from 'n8n-workflow';
import type { ItemContext } from '../n8n/context';
import { instantOf } from '../lib/instant';
import { valueAt } from '../lib/valueAt';
import type { Product } from './products';
import { clock } from '../client/clock';
import { cancelSignal } from '../n8n/context';
import { listAll } from '../client/paging';
import { PRIORITY } from '../client/queue';
import { recordOf } from '../client/record';
import { intervalAt } from './taskWatch';

/** How far the times of a task and of what it makes can be from each other: each has its own clock and its own parts of a second. */
const NEAR_MS = 5_000;

/** A record may come into its list so much later than its task ends. */
const CREATED_LATE_MS = 30_000;

/** More than so many are not read one by one: they are refused all the same. */
const FEW = 10;

export interface TaskFacts {
	/** The site that the record is about. */
	siteId: string;
	/** The task in full, which has ended well. */
	task: IDataObject;
	/** The fields that were sent; empty where that is not known. */
	sent: IDataObject;
	/** Whether the task has only just ended, so that the record may not be in its list yet. */
	isFresh: boolean;
}

/**
 * The records that a task can have made: those of its site that were made while it ran, and that have what is known of
 * it. One of them is the one; none, or several, leave it open.
 */
export async function madeWhile(
	context: ItemContext,
	made: Product,
	wanted: TaskFacts,
): Promise<IDataObject[]> {
	const since = clock.now();
	for (;;) {
		const found = await candidates(context, made, wanted);
		const waited = clock.now() - since;
		if (found.length > 0 || !wanted.isFresh || waited >= CREATED_LATE_MS) return found;
		await clock.sleep(intervalAt(waited), cancelSignal(context));
	}
}

async function candidates(
	context: ItemContext,
	{ list, known }: Product,
	about: TaskFacts,
): Promise<IDataObject[]> {
	const { siteId, task } = about;
	const from = instantOf(task.created_at) - NEAR_MS;
	if (Number.isNaN(from)) return [];
	const to = instantOf(task.updated_at) + NEAR_MS;
	const qs = {
		sort: 'created_at,asc',
		'filters[site_id:eq]': siteId,
		'filters[created_at:gte]': new Date(from).toISOString(),
	};
	const request = { method: 'GET' as const, url: list, qs };
	const listed = await listAll(context, request, { priority: PRIORITY.waits });
	const inTime = listed.filter((record) => !(instantOf(record.created_at) > to));
	if (inTime.length > FEW) return inTime;
	const wanted = Object.entries(known(about)).filter(([, value]) => value !== undefined);
	const full = await Promise.all(
		inTime.map(async ({ id }) => {
			const url = `${list}/${encodeURIComponent(String(id))}`;
			return await recordOf(context, url, { priority: PRIORITY.waits });
		}),
	);
	return full.filter((record) => wanted.every(([place, value]) => mayBe(record, place, value)));
}

/** Whether a record has a value, or does not show it; of a time with that day, too. */
function mayBe(record: IDataObject, place: string, value: unknown): boolean {
	const found = valueAt(record, place);
	if (found === undefined || found === null) return true;
	return String(found) === String(value) || String(found).startsWith(`${String(value)}T`);
}

import type { IDataObject } from 'n8n-workflow';
import type { Composed, ListChange, SendStep, Upsert } from '../operation';
import { fillPath, partsOf } from '../operation';
import type { Item } from '../receive/output';
import { idFields, shaped } from '../receive/output';
import { listAll, listUpTo } from '../client/records';
import { shownAt } from '../client/allowed';
import type { Change } from './change';
import { checkingBefore, withRecordLock } from './change';
import type { ItemRequest, Work } from './itemRequest';
import { answered, doesOf, inTurn, watched } from './itemRequest';
import { ListWork } from './listChange';
import { itemsFor } from './outputItems';
import { previewOf } from './preview';
import { upsert } from './upsert';

/** The output of an operation with several requests. */
export async function composedItems(
	work: Work,
	composed: Composed,
	prepare: () => Promise<ItemRequest>,
): Promise<Item[]> {
	const { context, operation, input } = work;
	if (composed.kind === 'count' || composed.kind === 'reads') {
		const item = await prepare();
		const read = composed.kind === 'reads' ? await composed.read(item) : [await count(item)];
		return itemsFor(context, read, { ...item, ids: {} });
	}
	if (composed.kind === 'steps') {
		const made = await inTurn(work, async () => {
			const item = await prepare();
			// Nothing is done before the check, also no step that comes before the change.
			await item.request.before?.();
			return itemsFor(context, await composed.make(item, stepsOf(item)), { ...item, ids: {} });
		});
		return made ?? [];
	}
	const done = await inTurn(work, async () => {
		const item = await prepare();
		const { lock, plan } = changeOf(item, composed);
		return await withRecordLock(item, lock, async () => {
			const { change, record, extra } = await plan();
			if (!change) return { record, extra };
			const [answer] = await answered(requestFor(item, change));
			return { record: await change.after(answer!), extra };
		});
	});
	if (!done) return [];
	const shape = shaped(operation, input.settings, { ids: {}, body: {} });
	return [{ json: { ...shape(done.record!), ...done.extra } }];
}

const changeOf = (item: ItemRequest, composed: ListChange | Upsert) =>
	composed.kind === 'list' ? new ListWork(item, composed) : upsert(item, composed);

/** What an item would do, without the change: its request is null if nothing is left to do. */
export async function previewItem(item: ItemRequest): Promise<IDataObject> {
	const { chosen, operation } = item;
	const { composed } = operation;
	if (composed?.kind === 'list' || composed?.kind === 'upsert') {
		const { change } = await changeOf(item, composed).plan();
		return change
			? await previewOf(requestFor(item, change))
			: { ...(await previewOf(item)), request: null };
	}
	return await previewOf(item, chosen.snapshot_id || chosen.now ? chosen : undefined);
}

/** Sends the steps of an item. */
const stepsOf =
	(item: ItemRequest): SendStep =>
	async (place, ids, body, wrapper) => {
		const step = requestFor(item, { ...place, ids, body });
		// A request that takes a change back must not fail because a record has changed since.
		if (place.route !== item.operation.route) step.request.before = undefined;
		step.operation.answer = wrapper ? { kind: 'record', wrapper } : { kind: 'nothing' };
		const [record = {}] = await answered(step);
		return record;
	};

/** Request of a change in an operation with several requests. */
function requestFor(
	item: ItemRequest,
	change: Omit<Change, 'after' | 'stillHolds'> & Partial<Change>,
): ItemRequest {
	const { ids, body, route, touches } = change;
	const { method, template } = partsOf(route);
	const url = fillPath(template, ids);
	const operation = { ...item.operation, route };
	const does = doesOf({ ...operation, touches }, body);
	const request = { ...item.request, method, url, qs: {}, body, does };
	if (change.stillHolds) request.before = checkingBefore(item, change.stillHolds);
	request.around = watched(item, request);
	return { ...item, operation, request, ids, url, qs: {}, body, byUrl: [], chosen: {} };
}

/** Number of records in a list, with the IDs of its path: one request if the service returns the total. */
async function count(item: ItemRequest): Promise<IDataObject> {
	const { context, url, qs } = item;
	const list = { url, qs };
	const keep = await shownAt(context, url);
	const total = keep ? undefined : (await listUpTo(context, list, { max: 1 })).total;
	const all = async () => await listAll(context, list, { shape: () => ({}), keep });
	return { ...idFields(item.ids), count: total ?? (await all()).length };
}

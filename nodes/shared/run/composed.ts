import type { IDataObject } from 'n8n-workflow';
import type { Composed, ListChange, SendStep, Upsert } from '../operation';
import { fillPath, partsOf } from '../operation';
import { idFields, type Item, shaped } from '../receive/output';
import { listAll, listUpTo } from '../client/records';
import { shownAt } from '../client/allowed';
import { type Change, checkingBefore, withRecordLock } from './change';
import { answered, inTurn, type ItemRequest, sentBy, type Work } from './itemRequest';
import { listChange } from './listChange';
import { prepare } from './onlyIf';
import { itemsFor } from './outputItems';
import { previewOf } from './preview';
import { upsert } from './upsert';

export async function composedItems(work: Work, composed: Composed): Promise<Item[]> {
	const { context, operation, input } = work;
	if (composed.kind === 'count' || composed.kind === 'reads') {
		const item = await prepare(work);
		const read = composed.kind === 'reads' ? await composed.read(item) : [await count(item)];
		return itemsFor(context, read, { ...item, ids: {} });
	}
	const shape = shaped(operation, input.settings, { ids: {}, body: {} });
	const items = await inTurn(work, async () => {
		const item = await prepare(work);
		if (composed.kind === 'steps') {
			// Nothing is done before the check, also no step that comes before the change.
			await item.before?.();
			return itemsFor(context, await composed.make(item, stepsOf(item)), { ...item, ids: {} });
		}
		const { lock, plan } = changeOf(item, composed);
		return await withRecordLock(item, lock, async () => {
			const { change, record, extra } = await plan();
			if (!change) return [{ json: { ...shape(record!), ...extra } }];
			const before = checkingBefore(item, plan, change);
			const [answer] = await answered({ ...requestFor(item, change), before });
			const changed = (await change.after?.(answer!)) ?? answer!;
			return [{ json: { ...shape(changed), ...extra } }];
		});
	});
	return items ?? [];
}

const changeOf = (item: ItemRequest, composed: ListChange | Upsert) =>
	composed.kind === 'list' ? listChange(item, composed) : upsert(item, composed);

/** What an item would do, without the change: its request is null if nothing is left to do. */
export async function previewItem(item: ItemRequest): Promise<IDataObject> {
	const { chosen, operation } = item;
	const { composed } = operation;
	if (composed?.kind === 'list' || composed?.kind === 'upsert') {
		const { change } = await changeOf(item, composed).plan();
		if (!change) return { ...(await previewOf(item, sentBy(item))), request: null };
		const changing = requestFor(item, change);
		return await previewOf(changing, sentBy(changing));
	}
	return await previewOf(item, sentBy(item), chosen.snapshot_id || chosen.now ? chosen : undefined);
}

const stepsOf =
	(item: ItemRequest): SendStep =>
	async (place, ids, body, wrapper) => {
		const step = requestFor(item, { ...place, ids, body });
		// A request that takes a change back must not fail because a record has changed since.
		if (place.route !== item.operation.route) step.before = undefined;
		step.operation.answer = wrapper ? { kind: 'record', wrapper } : { kind: 'nothing' };
		const [record = {}] = await answered(step);
		return record;
	};

function requestFor(item: ItemRequest, change: Change): ItemRequest {
	const { ids, body, route, touches } = change;
	const url = fillPath(partsOf(route).template, ids);
	const operation = { ...item.operation, route, touches };
	return { ...item, operation, ids, url, qs: {}, body, byUrl: [], chosen: {} };
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

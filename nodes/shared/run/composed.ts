import type { IDataObject } from 'n8n-workflow';
import type { Composed, ListChange, SendStep, Upsert } from '../operation';
import { fillPath, idsOf, partsOf } from '../operation';
import { caselessForm, omit, recordIn, recordsIn, spellings } from '../lib';
import { sharedReads } from '../n8n/context';
import { knownError } from '../receive/errors';
import { withAddresses } from '../receive/messages';
import { idFields, type Item, shaped } from '../receive/output';
import { recordNameOf } from '../vocabulary/words';
import { listAll, listUpTo, recordAt } from '../client/records';
import { requirePermitted, shownAt } from '../client/allowed';
import type { Change, ComposedChange } from './change';
import { checkingBefore, readAfter, refused, withRecordLock } from './change';
import { answered, inTurn, type ItemRequest, sentBy, type Work } from './itemRequest';
import { listChange } from './listChange';
import { prepare } from './onlyIf';
import { itemsFor } from './outputItems';
import { previewOf } from './preview';

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
			const request = requestFor(item, change);
			if (!change.body) {
				// Do not show a record that may not be changed.
				await requirePermitted(item.context, sentBy(request));
				return [{ json: { ...shape(record!), ...extra } }];
			}
			const before = checkingBefore(item, plan, change);
			const [answer] = await answered({ ...request, before });
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
		const changing = requestFor(item, change);
		const preview = await previewOf(changing, sentBy(changing));
		return change.body ? preview : { ...preview, request: null };
	}
	return await previewOf(item, sentBy(item), chosen.snapshot_id || chosen.now ? chosen : undefined);
}

const stepsOf =
	(item: ItemRequest): SendStep =>
	async (place, ids, body, wrapper) => {
		const step = requestFor(item, { ...place, ids, body });
		// A request that takes a change back must not fail because a record has changed since, or by what the change adds.
		if (place.route !== item.operation.route) {
			step.before = undefined;
			step.operation.adds = undefined;
		}
		step.operation.answer = wrapper ? { kind: 'record', wrapper } : { kind: 'nothing' };
		const [record = {}] = await answered(step);
		return record;
	};

function requestFor(item: ItemRequest, change: Change): ItemRequest {
	const { ids, body = {}, route, touches } = change;
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

/** Updates the record that one of its fields names, or creates it. */
function upsert(item: ItemRequest, composed: Upsert): ComposedChange {
	const { operation, url } = item;
	const { by, update } = composed;
	const { labels, route, touches } = operation;
	const wrapper = recordNameOf(route);
	const sent = recordIn(item.body[wrapper]);
	// Trimmed, because "Shop " would be a second "Shop".
	const value = String(sent[by]).trim();
	const severalHave = `more than one ${wrapper} has the ${by} "${value}"`;
	const matches = async (created?: IDataObject) => await matching(item, composed, value, created);
	const afterCreate = async (created: IDataObject) => {
		const what = `The ${wrapper} was created`;
		const all = await readAfter(item, what, url, async () => await matches(created));
		if (all.length <= 1) return created;
		throw knownError(
			item.context.getNode(),
			{ outcome: 'unknown', verifyAt: url },
			`${labels.name} created a duplicate: ${severalHave}: ${withAddresses(all)}`,
			'Another process created one at the same time. Delete the duplicate.',
		);
	};
	const plan = async () => {
		const all = await matches();
		const [record, another] = all;
		if (another) {
			const todo = 'Choose one of them by ID with Update.';
			throw refused(item, `: ${severalHave}: ${withAddresses(all)}`, todo);
		}
		const extra = { created: !record };
		if (!record) {
			const body = { ...item.body, [wrapper]: { ...sent, [by]: value } };
			return { change: { route, touches, ids: {}, body, after: afterCreate }, extra };
		}
		const fields = omit(sent, by);
		const body = Object.keys(fields).length > 0 ? { [wrapper]: fields } : undefined;
		const ids = { [idsOf(update.route)[0]!]: String(record.id) };
		return { record, change: { ...update, ids, body }, extra };
	};
	return { lock: `${url} by ${by} ${caselessForm(value)}`, plan };
}

/** Records that have a value now. @param created what the run has created since, added to its first reading */
async function matching(item: ItemRequest, composed: Upsert, value: string, created?: IDataObject) {
	const { context, url } = item;
	const { by, filter } = composed;
	// The reference does not say whether upper and lower case differ, so "shop" and "Shop" are the same.
	const withValue = (records: IDataObject[]) =>
		records.filter((record) => caselessForm(record[by]) === caselessForm(value));
	const list = async (qs = {}) => await listAll(context, { method: 'GET', url, qs });
	let isNew = false;
	// All records, because a filter misses some spellings.
	const all = await sharedReads(context).get(`all of ${url}`, async () => {
		isNew = true;
		return await list();
	});
	if (created) all.push(created);
	if (isNew) return withValue(all);
	const texts = spellings(value);
	const filtered = texts.map(async (text) => await list({ [`filters[${filter}]`]: text }));
	const matches = withValue((await Promise.all(filtered)).flat());
	const found = new Map(matches.map((record) => [record.id, record]));
	const others = withValue(all).filter(({ id }) => !found.has(id));
	const again = others.map(async ({ id }) => await recordAt(context, `${url}/${String(id)}`));
	return [...found.values(), ...withValue(recordsIn(await Promise.all(again)))];
}

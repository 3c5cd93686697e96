import type { IDataObject } from 'n8n-workflow';
import { caselessForm, omit, recordIn, recordsIn, spellings } from '../lib';
import { idsOf, type Upsert } from '../operation';
import { recordNameOf } from '../vocabulary/words';
import { knownError } from '../receive/errors';
import { withAddresses } from '../receive/messages';
import { listAll, recordAt } from '../client/records';
import { sharedReads } from '../n8n/context';
import { type ComposedChange, readAfter, refused } from './change';
import type { ItemRequest } from './itemRequest';

/** Updates the record that one of its fields names, or creates it. */
export function upsert(item: ItemRequest, composed: Upsert): ComposedChange {
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
		if (Object.keys(fields).length === 0) return { record, extra };
		const ids = { [idsOf(update.route)[0]!]: String(record.id) };
		return { change: { ...update, ids, body: { [wrapper]: fields } }, extra };
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

import type { IDataObject } from 'n8n-workflow';
import { nameForm, spellings } from '../lib/texts';
import { omit, recordIn, recordsIn } from '../lib/records';
import type { Upsert } from '../operation';
import { idsOf } from '../operation';
import { recordNameOf } from '../vocabulary/words';
import { withAddresses } from '../receive/messages';
import { listAll, recordAt } from '../client/records';
import { sharedReads } from '../client/runCache';
import type { Change, Done, Send } from './change';
import { ComposedChange, withRecordLock } from './change';

/** The reference does not say whether upper and lower case differ, so "shop" and "Shop" are the same. */
const same = (value: unknown) => nameForm(value).toLowerCase();

/** Updates the record that one of its fields names, or creates it. */
export class UpsertWork extends ComposedChange<Upsert> {
	/** Such as `tag`. */
	private readonly wrapper = recordNameOf(this.item.operation.route);

	private readonly sent = recordIn(this.item.body[this.wrapper]);

	/** Trimmed, because "Shop " would be a second "Shop". */
	private readonly value = String(this.sent[this.composed.by]).trim();

	/** All records as the run first read them, with those that it created: a filter misses some spellings. */
	private known: IDataObject[] = [];

	async make(send: Send): Promise<Done> {
		const { url } = this.item;
		const lock = `${url} by ${this.composed.by} ${same(this.value)}`;
		return await withRecordLock(this.item, lock, async () => {
			const { found, change } = await this.find();
			const record = change ? await send(change) : found!;
			if (found) return { record, extra: { created: false } };
			this.known.push(record);
			const what = `The ${this.wrapper} was created`;
			const all = await this.readAfter(what, url, async () => await this.matches());
			if (all.length > 1) throw this.severalError(all, 'unknown');
			return { record, extra: { created: true } };
		});
	}

	async preview() {
		return (await this.find()).change;
	}

	/** The records that match now. */
	private async matches(): Promise<IDataObject[]> {
		const { context, url } = this.item;
		const { by, filter } = this.composed;
		const matching = (records: IDataObject[]) =>
			records.filter((record) => same(record[by]) === same(this.value));
		const list = async (qs = {}) => await listAll(context, { method: 'GET', url, qs });
		let isNew = false;
		this.known = await sharedReads(context).get(`all of ${url}`, async () => {
			isNew = true;
			return await list();
		});
		const known = matching(this.known);
		if (isNew) return known;
		const filtered = await Promise.all(
			spellings(this.value).map(async (text) => await list({ [`filters[${filter}]`]: text })),
		);
		const found = new Map(matching(filtered.flat()).map((record) => [record.id, record]));
		const others = known.filter(({ id }) => !found.has(id));
		const again = others.map(async ({ id }) => await recordAt(context, `${url}/${String(id)}`));
		return [...found.values(), ...matching(recordsIn(await Promise.all(again)))];
	}

	/** The record that matches, and the request that is left to send. */
	private async find(): Promise<{ found?: IDataObject; change?: Change }> {
		const matches = await this.matches();
		if (matches.length > 1) throw this.severalError(matches, 'notSent');
		const [found] = matches;
		const isSame = async () => {
			const [now, other] = await this.matches();
			return !other && now?.id === found?.id;
		};
		const before = this.stillHolds(isSame);
		if (!found) {
			const { route, touches } = this.item.operation;
			const fields = { ...this.sent, [this.composed.by]: this.value };
			const body = { ...this.item.body, [this.wrapper]: fields };
			return { change: { route, touches, ids: {}, body, before } };
		}
		const fields = omit(this.sent, this.composed.by);
		if (Object.keys(fields).length === 0) return { found };
		const { update } = this.composed;
		const ids = { [idsOf(update.route)[0]!]: String(found.id) };
		return { found, change: { ...update, ids, body: { [this.wrapper]: fields }, before } };
	}

	private severalError(found: IDataObject[], outcome: 'notSent' | 'unknown') {
		const isMade = outcome === 'unknown';
		const what = `${this.item.operation.labels.name} ${isMade ? 'created a duplicate' : 'was refused'}`;
		return this.error(
			{ outcome, ...(isMade && { verifyAt: this.item.url }) },
			`${what}: more than one ${this.wrapper} has the ${this.composed.by} "${this.value}": ${withAddresses(found)}`,
			isMade
				? 'Another process created one at the same time. Delete the duplicate.'
				: 'Choose one of them by ID with Update. Nothing was changed by this item.',
		);
	}
}

import type { IDataObject } from 'n8n-workflow';
import { nameForm, spellings } from '../lib/texts';
import { isRecord, omit, recordsIn } from '../lib/records';
import type { Composing, Operation, Upsert } from '../operation';
import { idsOf } from '../operation';
import { knownError } from '../receive/errors';
import { recordNameOf } from '../vocabulary/words';
import { withAddresses } from '../receive/messages';
import { listAll, recordAt } from '../client/records';
import { sharedReads } from '../client/sharedReads';
import type { Change, Done, Send } from './change';
import { readAfter, stillHolds } from './change';
import { withRecordLock } from './recordLock';

/** The reference does not say whether upper and lower case differ, so "shop" is no second "Shop". */
const same = (value: unknown) => nameForm(value).toLowerCase();

/** Updates the record that one of its fields names, or creates it. */
export class UpsertWork {
	/** Such as `tag`. */
	private readonly wrapper: string;

	private readonly value: string;

	private readonly fields: IDataObject;

	/** All records as the run first read them, with those that it created: a filter misses some spellings. */
	private known: IDataObject[] = [];

	constructor(
		private readonly at: Composing,
		private readonly operation: Operation,
		private readonly upsert: Upsert,
	) {
		this.wrapper = recordNameOf(operation.route);
		const sent = at.body[this.wrapper];
		const fields = isRecord(sent) ? sent : {};
		// "Shop " would be a second "Shop".
		this.value = String(fields[upsert.by]).trim();
		this.fields = { ...fields, [upsert.by]: this.value };
	}

	async make(send: Send): Promise<Done> {
		const { context, url } = this.at;
		const lock = `${url} by ${this.upsert.by} ${same(this.value)}`;
		return await withRecordLock(context, lock, async () => {
			const { found, change } = await this.find();
			const record = change ? await send(change) : found!;
			if (found) return { record, beside: { created: false } };
			this.known.push(record);
			const about = { what: `The ${this.wrapper} was created`, verifyAt: url };
			const all = await readAfter(this.at, about, async () => await this.matches());
			if (all.length > 1) throw this.severalError(all, 'unknown');
			return { record, beside: { created: true } };
		});
	}

	/** The request that would be sent; undefined where nothing is left to do. */
	async preview(): Promise<Change | undefined> {
		return (await this.find()).change;
	}

	/** The records that match now. */
	private async matches(): Promise<IDataObject[]> {
		const { context, url } = this.at;
		const { by, filter } = this.upsert;
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
		const before = stillHolds(this.at, this.operation, isSame);
		if (!found) {
			const { route, touches } = this.operation;
			const body = { ...this.at.body, [this.wrapper]: this.fields };
			return { change: { route, touches, ids: {}, body, before } };
		}
		const fields = omit(this.fields, this.upsert.by);
		if (Object.keys(fields).length === 0) return { found };
		const { update } = this.upsert;
		const ids = { [idsOf(update.route)[0]!]: String(found.id) };
		return { found, change: { ...update, ids, body: { [this.wrapper]: fields }, before } };
	}

	private severalError(found: IDataObject[], outcome: 'notSent' | 'unknown') {
		const isMade = outcome === 'unknown';
		const what = `${this.operation.labels.name} ${isMade ? 'created a duplicate' : 'was refused'}`;
		return knownError(
			this.at.context.getNode(),
			{ outcome, ...(isMade && { verifyAt: this.at.url }) },
			`${what}: more than one ${this.wrapper} has the ${this.upsert.by} "${this.value}": ${withAddresses(found)}`,
			isMade
				? 'Another process created one at the same time. Delete the duplicate.'
				: 'Choose one of them by ID with Update. Nothing was changed by this item.',
		);
	}
}

import type { IDataObject } from 'n8n-workflow';
import { nameForm, spellings } from '../lib/nameForm';
import { recordsIn } from '../lib/isRecord';
import { omit } from '../lib/omit';
import type { Composing, Operation, Upsert } from '../operation';
import { idsOf } from '../operation';
import { clock } from '../client/clock';
import { cancelSignal } from '../n8n/context';
import { withAddresses } from '../receive/messages';
import { listAll } from '../client/paging';
import { recordAt } from '../client/record';
import { accountOf } from '../client/request';
import { sharedReads } from '../client/sharedReads';
import type { Change, Done, Send } from './change';
import { afterwards, problem, SETTLE_MS, untilFresh } from './change';
import { heldOf } from './held';

/** The record that an item means, and the request that it takes; none where nothing is left to do. */
interface Match {
	record?: IDataObject;
	change?: Change;
}

/** Whether the service tells capitals apart is not shown, so "shop" is no second "Shop". */
const same = (value: unknown) => nameForm(value).toLowerCase();

/** A record by one of its fields, for one item. */
class UpsertWork {
	readonly wrapper: string;

	readonly sent: IDataObject;

	readonly value: string;

	constructor(
		private readonly at: Composing,
		private readonly operation: Operation,
		private readonly upsert: Upsert,
	) {
		const { answer } = operation;
		this.wrapper = 'wrapper' in answer ? answer.wrapper! : '';
		const sent = at.body[this.wrapper] as IDataObject;
		// "Shop " would be a second "Shop".
		this.value = String(sent[upsert.by]).trim();
		this.sent = { ...sent, [upsert.by]: this.value };
	}

	/** What it is known by, as it stands in a sentence. */
	get named(): string {
		return `the ${this.upsert.by} "${this.value}"`;
	}

	/** All records when the run read them: a filter does not find every spelling. */
	known: IDataObject[] = [];

	/** The records that fit now. */
	async matches(): Promise<IDataObject[]> {
		const { context, url } = this.at;
		const { by, filter } = this.upsert;
		const fits = (record: IDataObject) => same(record[by]) === same(this.value);
		const list = async (qs = {}) => await listAll(context, { method: 'GET', url, qs });
		let isNew = false;
		this.known = await sharedReads(context).get(`all of ${url}`, async () => {
			isNew = true;
			return await list();
		});
		const known = this.known.filter(fits);
		if (isNew) return known;
		const asked = spellings(this.value).map(
			async (text) => await list({ [`filters[${filter}]`]: text }),
		);
		const found = (await Promise.all(asked)).flat();
		const others = known.filter(({ id }) => !found.some((each) => each.id === id));
		const again = others.map(async ({ id }) => await recordAt(context, `${url}/${String(id)}`));
		const all = [...found, ...recordsIn(await Promise.all(again))].filter(fits);
		return [...new Map(all.map((each) => [each.id, each])).values()];
	}

	async find(): Promise<Match> {
		const readAt = clock.now();
		const found = await this.matches();
		if (found.length > 1) throw this.severalError(found, 'notSent');
		const [record] = found;
		const ids = found.map(({ id }) => String(id)).join();
		const isSame = async () => (await this.matches()).map(({ id }) => String(id)).join() === ids;
		if (!record) {
			const { route, touches } = this.operation;
			const body = { ...this.at.body, [this.wrapper]: this.sent };
			return { change: { route, touches, ids: {}, body, readAt, isSame } };
		}
		const body = omit(this.sent, this.upsert.by);
		if (Object.keys(body).length === 0) return { record };
		const { update } = this.upsert;
		const id = String(record.id);
		return {
			record,
			change: {
				...update,
				ids: { [idsOf(update.route)[0]!]: id },
				body: { [this.wrapper]: body },
				readAt,
				isSame,
			},
		};
	}

	severalError(found: IDataObject[], outcome: 'notSent' | 'unknown') {
		const isMade = outcome === 'unknown';
		const what = `${this.operation.labels.name} ${isMade ? 'created a duplicate' : 'was refused'}`;
		return problem(
			this.at,
			`${what}: more than one ${this.wrapper} has ${this.named}: ${withAddresses(found)}`,
			{
				outcome,
				...(isMade && { verifyAt: this.at.url }),
				todo: isMade
					? 'Another process created one at the same time. Delete the duplicate.'
					: 'Choose one of them by ID with Update. Nothing was changed by this item.',
			},
		);
	}
}

/** Updates the record that is known by a field, or creates it. */
export async function upsert(
	at: Composing,
	operation: Operation,
	by: Upsert,
	send: Send,
): Promise<Done> {
	const work = new UpsertWork(at, operation, by);
	const { limiter } = await accountOf(at.context);
	const held = heldOf(limiter, at.url, `by ${by.by} ${same(work.value)}`);
	return await held.alone(async () => {
		const { name } = operation.labels;
		const { record, after } = await untilFresh(at, name, async () => {
			const { record: found, change } = await work.find();
			return { record: found, after: change ? await send(change) : found! };
		});
		const created = record === undefined;
		const made = { record: after, beside: { created } };
		if (!created) return { made };
		work.known.push(after);
		const settled = async () => {
			await clock.sleep(SETTLE_MS, cancelSignal(at.context));
			const all = await work.matches();
			if (all.length > 1) throw work.severalError(all, 'unknown');
			return made;
		};
		const about = { what: `The ${work.wrapper} was created`, look: at.url };
		return { made, settled: async () => await afterwards(at, about, settled) };
	});
}

/** What would be sent. */
export const upsertPreview = async (
	at: Composing,
	operation: Operation,
	by: Upsert,
): Promise<Change | undefined> => (await new UpsertWork(at, operation, by).find()).change;

import type { IDataObject } from 'n8n-workflow';
import type { CallContext } from '../n8n/context';
import { cancelSignal, CREDENTIAL } from '../n8n/context';
import { listAll } from '../client/paging';
import { recordAt } from '../client/record';
import { accountOf, shownAt } from '../client/request';
import type { Completion } from '../operation';
import { clock } from '../client/clock';
import type { Limiter } from '../client/limiter';

/** What was read for an hour: records by their ids, blank where one is gone; and whether the list was. */
interface Known {
	until: number;
	records: Map<string, Promise<IDataObject | undefined>>;
	list?: Promise<void>;
}

const VALID_MS = 3_600_000;
const MOST_KEPT = 20_000;

/** More records than these are read from their list. */
const FEW = 10;

/**
 * Completes records that have only the ids of others with what those are called.
 * @param what the others, such as `site`
 */
export const naming = (
	what: 'client' | 'site',
	fields: string[],
	idsOf: (record: IDataObject) => unknown[],
	withNames: (record: IDataObject, named: (id: unknown) => IDataObject | undefined) => IDataObject,
): Completion => ({
	fields,
	costs: `${what} names cost up to ten requests, or the list once an hour`,
	read: async (context, records) => {
		const names = await namesOf(context, `/${what}s`, records.flatMap(idsOf));
		return records.map((record) => withNames(record, (id) => names.get(String(id))));
	},
});

/** By account, and in it by credential and list. */
const accounts = new WeakMap<Limiter, Map<string, Known>>();

async function knownOf(context: CallContext, url: string): Promise<Known> {
	const { limiter } = await accountOf(context);
	const all = accounts.get(limiter) ?? new Map<string, Known>();
	accounts.set(limiter, all);
	const key = `${context.getNode().credentials?.[CREDENTIAL]?.id} ${url}`;
	const found = all.get(key);
	if (found && found.until > clock.now()) return found;
	all.set(key, { until: clock.now() + VALID_MS, records: new Map() });
	return all.get(key)!;
}

const named = ({ id, title, url, company_name, first_name, last_name }: IDataObject) => ({
	...{ id, title, url, company_name, first_name, last_name },
});

/** What records are called, by their ids; one that is gone or cannot be read is missing. @param url their list */
async function namesOf(context: CallContext, url: string, ids: unknown[]) {
	const known = await knownOf(context, url);
	const { records } = known;
	const wanted = [...new Set(ids.filter(Boolean).map(String))];
	const missing = wanted.filter((id) => !records.has(id));
	if (missing.length > FEW) {
		const keep = await shownAt(context, url);
		known.list ??= listAll(context, { method: 'GET', url }, { shape: named, keep }).then(
			(all) =>
				all.slice(0, MOST_KEPT).forEach((one) => records.set(String(one.id), Promise.resolve(one))),
			() => void delete known.list,
		);
		await known.list;
	} else {
		for (const id of missing) {
			const one = recordAt(context, `${url}/${encodeURIComponent(id)}`);
			records.set(
				id,
				one.then((record) => record && named(record)),
			);
			one.catch(() => records.delete(id));
		}
	}
	const names = new Map<string, IDataObject>();
	for (const id of wanted) {
		const record = await records.get(id)?.catch(() => undefined);
		if (record) names.set(id, record);
	}
	cancelSignal(context)?.throwIfAborted();
	return names;
}

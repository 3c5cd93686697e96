import type { IDataObject } from 'n8n-workflow';
import { clock, HOUR_MS, perRecord } from '../lib';
import { type CallContext, cancelSignal, CREDENTIAL } from '../n8n/context';
import { listAll, recordAt } from '../client/records';
import { accountOf } from '../client/request';
import { shownAt } from '../client/allowed';
import type { Completion } from '../operation';

/** Records cached for an hour by ID, undefined if deleted; `list` is set while their list is read and after it. */
interface Cache {
	until: number;
	records: Map<string, IDataObject | Promise<IDataObject | void>>;
	list?: Promise<void>;
	isListed: boolean;
}

/** Above this number of records, also of several calls, their list is read instead. */
const FEW = 10;

/** Adds names to records that have only IDs of other records. @param what the others, such as `site` */
export const naming = (
	what: 'client' | 'site',
	fields: string[],
	idsOf: (record: IDataObject) => unknown[],
	withNames: (record: IDataObject, named: (id: unknown) => IDataObject | undefined) => IDataObject,
): Completion => ({
	fields,
	costs: `${what} names cost up to ten requests, or the list hourly`,
	read: async (context, records) => {
		const names = await namesOf(context, `/${what}s`, records.flatMap(idsOf));
		return records.map((record) => withNames(record, (id) => names.get(String(id))));
	},
});

/** Title and URL of sites by ID; null if they cannot be read, so that the result of a change is not lost. */
export async function siteNames(context: CallContext, ids: unknown[]) {
	const names = await namesOf(context, '/sites', ids);
	return (id: unknown): IDataObject => {
		const { title = null, url = null } = names.get(String(id)) ?? {};
		return { site_title: title, site_url: url };
	};
}

/** By account, then by credential and list. */
const cachesOf = perRecord<object, Map<string, Cache>>(() => new Map());

async function cacheOf(context: CallContext, url: string): Promise<Cache> {
	const all = cachesOf((await accountOf(context)).limiter);
	const key = `${context.getNode().credentials?.[CREDENTIAL]?.id} ${url}`;
	const found = all.get(key);
	if (found && found.until > clock.now()) return found;
	const cache: Cache = { until: clock.now() + HOUR_MS, records: new Map(), isListed: false };
	all.set(key, cache);
	return cache;
}

const nameFields = ({ id, title, url, company_name, first_name, last_name }: IDataObject) => ({
	...{ id, title, url, company_name, first_name, last_name },
});

/** Names of records by ID, without those that cannot be read. @param url path of their list */
async function namesOf(context: CallContext, url: string, ids: unknown[]) {
	const cache = await cacheOf(context, url);
	const { records } = cache;
	const wanted = [...new Set(ids.filter(Boolean).map(String))];
	const missing = wanted.filter((id) => !records.has(id));
	const readSingly = cache.isListed ? 0 : records.size;
	if (readSingly + missing.length > FEW) {
		const readAll = async () => {
			const keep = await shownAt(context, url);
			return await listAll(context, { url }, { shape: nameFields, keep });
		};
		cache.list ??= readAll().then(
			(all) => {
				for (const one of all) records.set(String(one.id), one);
				cache.isListed = true;
			},
			() => void delete cache.list,
		);
		await cache.list;
	} else {
		const readOne = async (id: string) =>
			await recordAt(context, `${url}/${encodeURIComponent(id)}`).catch(
				() => void records.delete(id),
			);
		for (const id of missing) records.set(id, readOne(id));
	}
	const names = new Map<string, IDataObject>();
	for (const id of wanted) {
		const record = await records.get(id);
		if (record) names.set(id, record);
	}
	cancelSignal(context)?.throwIfAborted();
	return names;
}

import type { IDataObject } from 'n8n-workflow';
import { SiteUrl } from '../input/id';
import type { LocatorName } from '../input/locators';
import { type ItemContext, sharedReads } from '../n8n/context';
import { fillPath } from '../operation';
import { listPath, targets } from '../operation/targets';
import { listAll, listWhole, recordOf } from '../client/records';
import { sitesOn } from './names';

/** Values by the names of IDs in a route. */
export type Ids = Record<string, string>;

/** The record of an ID, read once per run. @param fresh whether to bypass this cache, as before a change */
export async function targetRecord(context: ItemContext, id: LocatorName, ids: Ids, fresh = false) {
	const target = targets[id];
	if (!target) return undefined;
	if (!target.path.endsWith('}')) {
		const all = await wholeList(context, id, ids, fresh);
		return all.find((record) => String(record.id) === ids[id]);
	}
	const url = fillPath(target.path, ids);
	const read = async () => await recordOf(context, url, { alsoBy: target.alsoBy });
	return await sharedReads(context, fresh).get(`record ${url}`, read);
}

/** All records in the list of an ID, read once per run. @param fresh see `targetRecord` */
export async function wholeList(context: ItemContext, id: LocatorName, ids: Ids, fresh = false) {
	const target = targets[id]!;
	const url = fillPath(listPath(target), ids);
	const readAll = target.isUnpaged ? listWhole : listAll;
	const read = async () => await readAll(context, { url });
	return await sharedReads(context, fresh).get(`list ${url}`, read);
}

/** Sites at the URL of an overwritten site; only the URL if it is outside the account. */
export async function overwritten(context: ItemContext, url: IDataObject[string], fresh = false) {
	const wanted = SiteUrl.parse(url);
	const sites = wanted ? (await sitesOn(context, wanted, fresh)).there : [];
	return sites.length > 0 ? sites : [{ url }];
}

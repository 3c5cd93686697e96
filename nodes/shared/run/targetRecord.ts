import type { IDataObject } from 'n8n-workflow';
import { SiteUrl } from '../input/id';
import type { LocatorName } from '../input/locators';
import { CHECKS } from '../input/controls';
import { valueAt } from '../lib';
import type { ItemContext } from '../n8n/context';
import { readOnce } from '../n8n/context';
import { fillPath } from '../operation';
import type { Target } from '../operation/targets';
import { listPath, targets } from '../operation/targets';
import { listAll, listWhole, recordOf } from '../client/records';
import { sitesOn } from './names';

export const identifyingPlaces = (target: Target) => CHECKS.flatMap((check) => target[check] ?? []);

/** The record of an ID, read once per run. @param fresh whether to bypass this cache, as before a change */
export async function targetRecord(
	context: ItemContext,
	id: LocatorName,
	ids: Record<string, string>,
	fresh = false,
): Promise<IDataObject | undefined> {
	const target = targets[id];
	if (!target) return undefined;
	if (!target.path.endsWith('}')) {
		const all = await wholeList(context, id, ids, fresh);
		return all.find((record) => String(record.id) === ids[id]);
	}
	const url = fillPath(target.path, ids);
	const read = async () => await recordOf(context, url, { alsoBy: target.alsoBy });
	return await readOnce(context, `record ${url}`, read, fresh);
}

/** All records in the list of an ID, read once per run. @param fresh see `targetRecord` */
export async function wholeList(
	context: ItemContext,
	id: LocatorName,
	ids: Record<string, string>,
	fresh = false,
): Promise<IDataObject[]> {
	const target = targets[id]!;
	const url = fillPath(listPath(target), ids);
	const readAll = target.isUnpaged ? listWhole : listAll;
	const read = async () => await readAll(context, { method: 'GET', url });
	return await readOnce(context, `list ${url}`, read, fresh);
}

/** Sites at the address at a place of the body, to be overwritten; only the address if it is outside the account. */
export async function overwritten(
	context: ItemContext,
	place: string,
	body: unknown,
	fresh = false,
): Promise<IDataObject[]> {
	const url = valueAt(body, place);
	const wanted = SiteUrl.parse(url);
	const sites = wanted ? (await sitesOn(context, wanted, fresh)).there : [];
	return sites.length > 0 ? sites : [{ url }];
}

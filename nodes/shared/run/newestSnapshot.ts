import type { IDataObject } from 'n8n-workflow';
import type { NewestSnapshot } from '../input/id';
import { type CallContext, type ItemContext, operationError, sharedReads } from '../n8n/context';
import { instantOf } from '../lib';
import {
	EVER,
	GOOD,
	goodSince,
	isGood,
	isNeverBackedUp,
	latestOf,
	scanOf,
} from '../vocabulary/snapshots';
import { statusClass } from '../vocabulary/values';
import { listAll, listUpTo } from '../client/records';
import { orUnread } from '../receive/errors';
import { targetRecord } from './names';

/** The newest snapshot that succeeded and has no malware: one request, unless it is hacked. */
export const newestSucceeded = async (context: CallContext, siteId: string) =>
	(await newestOf(context, siteId)).found;

/** When the newest good snapshot of a site was made; null for none, undefined if that is not known. */
export async function lastGood(context: CallContext, { id }: IDataObject) {
	const newest = await orUnread(newestOf(context, String(id)));
	if (!newest?.found) return newest && null;
	const { found } = newest;
	const isKnown = isGood(found.status) && !Number.isNaN(instantOf(found.created_at));
	return isKnown ? String(found.created_at) : undefined;
}

/** When the last good backup of a site was made, from its record where that shows it; else as `lastGood`. */
export async function lastBackupOf(context: CallContext, site: IDataObject) {
	if (isNeverBackedUp(site)) return null;
	const isKnown = !Number.isNaN(goodSince(site));
	return isKnown ? latestOf(site).created_at : await lastGood(context, site);
}

/** As `newestSucceeded`, with the number of hacked snapshots skipped. @param before ISO 8601, inclusive */
async function newestOf(context: CallContext, siteId: string, before?: string, skipsHacked = true) {
	const qs = {
		'filters[status:eq]': GOOD,
		...EVER,
		...(before !== undefined && { 'filters[created_at:lte]': before }),
		sort: 'created_at,desc',
	};
	const url = `/sites/${encodeURIComponent(siteId)}/snapshots`;
	const { records: newest } = await listUpTo(context, { url, qs }, { max: 1 });
	const isHacked = (snapshot: IDataObject) => skipsHacked && scanOf(snapshot) === 'hacked';
	const all = newest.some(isHacked) ? await listAll(context, { url, qs }) : newest;
	return { found: all.find((each) => !isHacked(each)), hacked: all.filter(isHacked).length };
}

/** The snapshot that an item refers to. @throws NodeOperationError if there is none, or it is failed or hacked */
export async function snapshotMeant(
	context: ItemContext,
	siteId: string,
	meant: NewestSnapshot | string,
	{ fresh, takesHacked }: { fresh: boolean; takesHacked: boolean },
): Promise<IDataObject> {
	const refused = (message: string, todo: string) =>
		operationError(context, message, `${todo} Nothing was sent.`);
	if (typeof meant === 'string') {
		const ids = { siteId, snapshotId: meant };
		const one = (await targetRecord(context, 'snapshotId', ids, fresh).catch((error: unknown) => {
			if (!takesHacked) throw error;
			return { id: meant, security: { scanner: { status: 'not known' } } };
		}))!;
		const problem = problemOf(one, takesHacked);
		if (problem === undefined) return one;
		const good = await newestSucceeded(context, siteId);
		const scan = scanOf(good ?? {}).replace(/^clean$/, 'scanned clean');
		const other = good ? `the newest good one is ${label(good)} (${scan})` : 'there is no good one';
		throw refused(`The snapshot ${label(one)} ${problem}; ${other}`, 'Choose another snapshot.');
	}
	const { before } = meant;
	const look = async () => await newestOf(context, siteId, before, !takesHacked);
	const key = `snapshot ${siteId} ${before ?? ''} ${takesHacked}`;
	const { found, hacked } = await sharedReads(context, fresh).get(key, look);
	const isLater = instantOf(found?.created_at) > instantOf(before);
	if (found && isGood(found.status) && !isLater) return found;
	const until = before === undefined ? '' : ` made by ${before}`;
	throw refused(
		`The site ${siteId} has no good snapshot${until}${hacked > 0 ? `; hacked ones: ${hacked}` : ''}`,
		`Only good snapshots count. Back up the site first${before === undefined ? '' : ', choose a later time'}, or choose a snapshot by its ID.`,
	);
}

const label = ({ id, created_at: at }: IDataObject) => `${String(id)} of ${String(at)}`;

/** Why a snapshot cannot be used, as a clause; with an unknown status the service decides. */
function problemOf(snapshot: IDataObject, takesHacked: boolean): string | undefined {
	const { status, error_message: why } = snapshot;
	if (['failed', 'cancelled', 'underWay'].includes(statusClass('snapshot', status)))
		return `is ${String(status)}${why ? ` (${String(why)})` : ''}`;
	return takesHacked || scanOf(snapshot) !== 'hacked' ? undefined : 'is hacked';
}

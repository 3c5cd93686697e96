import type { IDataObject, IExecuteSingleFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import type { NewestSnapshot } from '../input/id';
import { instantOf } from '../lib/instant';
import { EVER, GOOD, scanOf } from '../vocabulary/snapshots';
import { statusClass } from '../vocabulary/statusWords';
import { Service } from '../client/service';
import { sharedReads } from '../client/sharedReads';
import { targetRecord } from './onlyIf';

/**
 * The newest snapshot of a site that the service counts as succeeded, and in which no malware was found; undefined
 * when there is none. Costs one request, and more only where the newest one is hacked.
 * @param before ISO 8601; the time itself is included
 */
export const newestSucceeded = async (service: Service, siteId: string, before?: string) =>
	(await newestOf(service, siteId, before, false)).found;

/** The same with how many hacked ones were passed over. */
async function newestOf(service: Service, siteId: string, before?: string, takesHacked = true) {
	const qs = {
		'filters[status:eq]': GOOD,
		...EVER,
		...(before !== undefined && { 'filters[created_at:lte]': before }),
		sort: 'created_at,desc',
	};
	const url = `/sites/${encodeURIComponent(siteId)}/snapshots`;
	const list = { method: 'GET' as const, url, qs };
	const { records: newest } = await service.page(list, 1, { perPage: 1 });
	const isHacked = (snapshot: IDataObject) => !takesHacked && scanOf(snapshot) === 'hacked';
	const all = newest.some(isHacked) ? await service.list(list) : newest;
	return { found: all.find((each) => !isHacked(each)), hacked: all.filter(isHacked).length };
}

/**
 * The snapshot that an item means.
 * @param anew whether what was read earlier in the run is of no use: before a change
 * @throws NodeOperationError when there is none, or it is no good one
 */
export async function snapshotMeant(
	context: IExecuteSingleFunctions,
	siteId: string,
	meant: NewestSnapshot | string,
	{ anew, takesHacked }: { anew: boolean; takesHacked: boolean },
): Promise<IDataObject> {
	const service = new Service(context);
	const refused = (message: string, todo: string) =>
		new NodeOperationError(context.getNode(), message, {
			itemIndex: context.getItemIndex(),
			description: `${todo} Nothing was sent.`,
		});
	if (typeof meant === 'string') {
		const ids = { siteId, snapshotId: meant };
		const one = (await targetRecord(context, 'snapshotId', ids, anew).catch((error: unknown) => {
			if (!takesHacked) throw error;
			return { id: meant, security: { scanner: { status: 'not known' } } };
		})) as IDataObject;
		const problem = problemOf(one, takesHacked);
		if (problem === undefined) return one;
		const good = await newestSucceeded(service, siteId);
		const scan = scanOf(good ?? {}).replace(/^clean$/, 'scanned clean');
		const other = good ? `the newest good one is ${named(good)} (${scan})` : 'there is no good one';
		throw refused(`The snapshot ${named(one)} ${problem}; ${other}`, 'Choose another snapshot.');
	}
	const { before } = meant;
	const read = async () => await newestOf(service, siteId, before, takesHacked);
	const key = `snapshot ${siteId} ${before ?? ''} ${takesHacked}`;
	const { found, hacked } = anew ? await read() : await sharedReads(context).get(key, read);
	const isGood = statusClass('snapshot', found?.status) === 'succeeded';
	if (found && isGood && !(instantOf(found.created_at) > instantOf(before))) return found;
	const until = before === undefined ? '' : ` made by ${before}`;
	throw refused(
		`The site ${siteId} has no good snapshot${until}${hacked > 0 ? `; hacked ones: ${hacked}` : ''}`,
		`Only good snapshots count. Back up the site first${before === undefined ? '' : ', choose a later time'}, or choose a snapshot by its ID.`,
	);
}

const named = ({ id, created_at: at }: IDataObject) => `${String(id)} of ${String(at)}`;

/** Why a snapshot is no good one; with a status that is not known, the service decides. */
function problemOf(snapshot: IDataObject, takesHacked: boolean): string | undefined {
	const { status, error_message: why } = snapshot;
	if (['failed', 'cancelled', 'underWay'].includes(statusClass('snapshot', status)))
		return `is ${String(status)}${why ? ` (${String(why)})` : ''}`;
	return takesHacked || scanOf(snapshot) !== 'hacked' ? undefined : 'is hacked';
}

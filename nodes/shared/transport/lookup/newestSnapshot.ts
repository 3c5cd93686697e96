import type { IDataObject, IExecuteSingleFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import type { NewestSnapshot } from '../../input/snapshot';
import { instantOf } from '../../lib/instant';
import { EVER, GOOD } from '../../vocabulary/snapshots';
import { statusClass } from '../../vocabulary/statusWords';
import { Service } from '../http/service';
import { Run } from '../run/run';

/**
 * The newest snapshot of a site that the service counts as succeeded; undefined when there is none.
 * @param before ISO 8601; the time itself is included
 */
export async function newestSucceeded(
	service: Service,
	siteId: string,
	before?: string,
): Promise<IDataObject | undefined> {
	const qs = {
		'filters[status:eq]': GOOD,
		...EVER,
		...(before !== undefined && { 'filters[created_at:lte]': before }),
		sort: 'created_at,desc',
	};
	const url = `/sites/${encodeURIComponent(siteId)}/snapshots`;
	const { records } = await service.page({ method: 'GET', url, qs }, 1, { perPage: 1 });
	return records[0];
}

/**
 * The snapshot that an item means.
 * @param anew whether what was read earlier in the run is of no use: before a change
 * @throws NodeOperationError when there is none
 */
export async function snapshotMeant(
	context: IExecuteSingleFunctions,
	siteId: string,
	{ before }: NewestSnapshot,
	anew: boolean,
): Promise<IDataObject> {
	const read = async () => await newestSucceeded(new Service(context), siteId, before);
	const found = anew
		? await read()
		: await Run.current(context).once(`snapshot ${siteId} ${before ?? ''}`, read);
	const isGood = statusClass('snapshot', found?.status) === 'succeeded';
	if (found && isGood && !(instantOf(found.created_at) > instantOf(before))) return found;
	const until = before === undefined ? '' : ` made by ${before}`;
	throw new NodeOperationError(
		context.getNode(),
		`The site ${siteId} has no good snapshot${until}`,
		{
			itemIndex: context.getItemIndex(),
			description: `Only good snapshots count. Back up the site first${before === undefined ? '' : ', choose a later time'}, or choose a snapshot by its ID. Nothing was sent.`,
		},
	);
}

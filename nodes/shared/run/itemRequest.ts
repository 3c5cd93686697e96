import { Named, NewestSnapshot, referencesIn, SiteUrl } from '../input/id';
import type { Input, PathId } from '../input/request';
import { allowHacked } from '../input/controls';
import type { ApiRequest, ItemContext } from '../n8n/context';
import type { Operation, Resource } from '../operation';
import { fillPath, partsOf } from '../operation';
import { aboveOf } from '../receive/output';
import { scanOf } from '../vocabulary/snapshots';
import type { WhereToVerify } from '../operation/whereToVerify';
import { finderFor, renames, withIds } from './names';
import { snapshotMeant } from './newestSnapshot';
import { clock } from '../client/clock';
import type { ItemRequest, ItemWork } from './progress';

/** The request of an item, with IDs instead of names. */
export async function requestOf(
	context: ItemContext,
	operation: Operation,
	input: Input,
	options: ItemWork['options'],
	verifyAt: Map<Operation, WhereToVerify>,
): Promise<ItemRequest> {
	const { qs, body, settings } = input;
	const { method, template } = partsOf(operation.route);
	// Before a change, read again: an earlier change of the run may have changed the records.
	const fresh = method !== 'GET' && settings.preview !== true;
	const { ids, byUrl, chosen } = await lookUpNamed(context, operation, input, fresh);
	const { path, label, lists } = verifyAt.get(operation)!;
	const url = fillPath(template, ids);
	const lookedUp = await operation.looksUp?.({ context, ids, url, qs, body, settings });
	return {
		request: {
			...(options as Partial<ApiRequest>),
			...{ method, url, qs, body, lists },
			verifyAt: `${fillPath(path, ids)} (${label})`,
		},
		...{ ids, body, byUrl, settings },
		chosen: { ...chosen, ...lookedUp },
		lastId: Object.values(ids).pop(),
	};
}

type Found = Pick<ItemRequest, 'ids' | 'byUrl' | 'chosen'>;

/**
 * Looks up the records that an item names, and replaces names with IDs in the body, query and settings.
 * @param fresh whether to bypass the cache of the run, as before a change
 */
async function lookUpNamed(
	context: ItemContext,
	operation: Operation,
	{ ids, body, deferred, settings }: Input,
	fresh: boolean,
): Promise<Found> {
	const found: Found = { ids: {}, byUrl: [], chosen: {} };
	const finder = finderFor(context, fresh);
	const { needsGoodSnapshot } = operation;
	const takesHacked = !needsGoodSnapshot || settings[allowHacked.name] === true;
	const snapshotBy = async (meant: NewestSnapshot | string, siteId: unknown) => {
		const snapshot = await snapshotMeant(context, String(siteId), meant, { fresh, takesHacked });
		found.chosen = {
			snapshot_id: snapshot.id,
			snapshot_created_at: snapshot.created_at ?? null,
			snapshot_scanner_status: scanOf(snapshot),
		};
		return String(snapshot.id);
	};
	const find = async (id: PathId, among?: number) => {
		if (id instanceof NewestSnapshot) return await snapshotBy(id, found.ids.siteId);
		const foundId = await finder(id, among);
		if (id instanceof SiteUrl) found.byUrl.push({ site: id, id: foundId, at: clock.now() });
		return foundId;
	};
	for (const [name, id] of Object.entries(ids)) found.ids[name] = await find(id);
	for (const each of deferred) {
		if ('named' in each) each.set(await withIds(find, each.named));
		else if ('snapshot' in each) {
			each.set(await snapshotBy(each.snapshot, each.siteId() ?? found.ids.siteId));
		} else each.set(await dataUri(context, each));
	}
	for (const [name, value] of Object.entries(settings)) {
		// Only names: the URL of Only If is compared, not looked up.
		const isNamed = referencesIn(value).some((each) => each instanceof Named);
		if (isNamed) settings[name] = await withIds(find, value);
	}
	const above = aboveOf(operation, { ids: found.ids, body });
	if (needsGoodSnapshot && !found.chosen.snapshot_id) {
		await snapshotBy(String(above.snapshot_id), above.site_id);
	}
	return found;
}

async function dataUri(
	context: ItemContext,
	{ binaryField, mimeType }: { binaryField: string; mimeType: string },
): Promise<string> {
	const content = await context.helpers.getBinaryDataBuffer(binaryField);
	return `data:${mimeType};base64,${content.toString('base64')}`;
}

/**
 * Looks up names before the first change, so that an unknown name prevents all changes of the run. Names that the run
 * itself may change are looked up later, in their turn.
 */
export async function findNamed(
	context: ItemContext,
	chosen: { resource: Resource; operation: Operation; input: Input },
): Promise<void> {
	const { ids, deferred, settings } = chosen.input;
	const values = deferred.flatMap((each) => ('named' in each ? [each.named] : []));
	const named = referencesIn([Object.values(ids), values, Object.values(settings)]).filter(
		(each) => each instanceof Named && !renames(chosen, each.of),
	);
	await withIds(finderFor(context), named);
}

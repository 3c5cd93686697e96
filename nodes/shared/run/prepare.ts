import type { IDataObject } from 'n8n-workflow';
import { Named, referencesIn, SiteUrl } from '../input/id';
import type { Input, PathId } from '../input/request';
import { allowHacked, NewestSnapshot } from '../input/snapshot';
import type { ApiRequest, ItemContext } from '../n8n/context';
import type { Operation } from '../operation';
import { fillPath } from '../operation';
import { aboveOf } from '../receive/output';
import { scanOf } from '../vocabulary/snapshots';
import type { WhereToVerify } from '../operation/whereToVerify';
import { finderFor, renames, withIds } from './names';
import { snapshotMeant } from './newestSnapshot';
import type { PlannedRequest } from './onlyIf';
import { clock } from '../client/clock';
import type { ItemWork } from './progress';

/** A request with all that it needs, and the id that its path ends with. */
export interface Prepared extends PlannedRequest {
	filled: ApiRequest;
	/** What was looked up for the request, such as its snapshot, by its names in records. */
	chosen: IDataObject;
	lastId?: string;
}

/** The request of an item, with the ids of all that it names. */
export async function requestOf(
	context: ItemContext,
	operation: Operation,
	{ ids, qs, body, deferred, settings }: Input,
	options: ItemWork['options'],
	verifyAt: Map<Operation, WhereToVerify>,
): Promise<Prepared> {
	const [method, template] = operation.route.split(' ') as ['GET' | 'POST' | 'DELETE', string];
	// Of what another change of the run has found nothing is kept.
	const isChange = method !== 'GET' && settings.preview !== true;
	const byUrl: PlannedRequest['byUrl'] = [];
	const finder = finderFor(context, isChange);
	const found: Record<string, string> = {};
	let chosen: IDataObject = {};
	const { needsGoodSnapshot } = operation;
	const takesHacked = !needsGoodSnapshot || settings[allowHacked.name] === true;
	const chosenBy = async (meant: NewestSnapshot | string, siteId: unknown) => {
		const wanted = { anew: isChange, takesHacked };
		const snapshot = await snapshotMeant(context, String(siteId), meant, wanted);
		chosen = {
			snapshot_id: snapshot.id,
			snapshot_created_at: snapshot.created_at ?? null,
			snapshot_scanner_status: scanOf(snapshot),
		};
		return String(snapshot.id);
	};
	const find = async (id: PathId, among?: number) => {
		if (id instanceof NewestSnapshot) return await chosenBy(id, found.siteId);
		const foundId = await finder(id, among);
		if (id instanceof SiteUrl) byUrl.push({ site: id, id: foundId, at: clock.now() });
		return foundId;
	};
	for (const [name, id] of Object.entries(ids)) found[name] = await find(id);
	for (const each of deferred) {
		if ('named' in each) each.set(await withIds(find, each.named));
		else if ('snapshot' in each)
			each.set(await chosenBy(each.snapshot, each.siteId() ?? found.siteId));
		else each.set(await dataUri(context, each));
	}
	for (const [name, value] of Object.entries(settings)) {
		// The URL of Only If is no site that is looked up.
		const isNamed = referencesIn(value).some((each) => each instanceof Named);
		if (isNamed) settings[name] = await withIds(find, value);
	}
	const above = aboveOf(operation, { ids: found, body });
	if (needsGoodSnapshot && !chosen.snapshot_id)
		await chosenBy(String(above.snapshot_id), above.site_id);
	const { path, label, lists } = verifyAt.get(operation)!;
	const seenAt = `${fillPath(path, found)} (${label})`;
	const url = fillPath(template, found);
	const looked = await operation.looksUp?.({ context, ids: found, url, qs, body, settings });
	return {
		filled: {
			...(options as Partial<ApiRequest>),
			method,
			url,
			qs,
			body,
			verifyAt: seenAt,
			lists,
		},
		ids: found,
		body,
		byUrl,
		settings,
		chosen: { ...chosen, ...looked },
		lastId: Object.values(found).pop(),
	};
}

async function dataUri(
	context: ItemContext,
	{ binaryField, mimeType }: { binaryField: string; mimeType: string },
): Promise<string> {
	const content = await context.helpers.getBinaryDataBuffer(binaryField);
	return `data:${mimeType};base64,${content.toString('base64')}`;
}

/**
 * Looks up what an item names, so that a name that nobody has keeps all changes of the run from being sent. What the
 * run itself may rename is looked up when its turn comes.
 */
export async function findNamed(
	context: ItemContext,
	operation: Operation,
	{ ids, deferred, settings }: Input,
): Promise<void> {
	const values = deferred.flatMap((each) => ('named' in each ? [each.named] : []));
	const named = referencesIn([Object.values(ids), values, Object.values(settings)]).filter(
		(each) => each instanceof Named && !renames(operation, each.of),
	);
	await withIds(finderFor(context), named);
}

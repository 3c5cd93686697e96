import type { DeclarativeRestApiSettings, IDataObject } from 'n8n-workflow';
import { type Named, namedIn, NewestSnapshot } from '../input/id';
import type { Input, PathId } from '../input/request';
import { allowHacked } from '../input/controls';
import { fieldsOf } from '../input/field';
import { clock, perRecord, recordIn, textsIn, valueAt } from '../lib';
import { type ApiRequest, isTool, type ItemContext, TRACES, tracing } from '../n8n/context';
import type { Composing, FileAnswer, Operation, Resource, whereToVerify } from '../operation';
import { effectsOf, fillPath, fullName, idsOf, partsOf } from '../operation';
import { recordsOf } from '../receive/answer';
import { fileItem, fileNameOf } from '../receive/file';
import { aboveOf, below, type Item } from '../receive/output';
import { prove } from '../receive/proof';
import { scanOf } from '../vocabulary/snapshots';
import { download, read } from '../client/request';
import { requireAccess, requireShown } from '../client/allowed';
import { finderFor, forgetNames, requireNewName, targetRecord, withIds } from './names';
import { snapshotMeant } from './newestSnapshot';
import { onceKnown } from './pollUntil';
import type { Run } from './run';

export interface Progress {
	/** Whether the operation makes a change, also if the item only previews it. */
	isChange: boolean;
	/** Whether its own request was sent. */
	isSent: boolean;
	/** Whether the service has accepted a request that changes something. */
	isMade: boolean;
	/** Where to see whether the change was made. */
	verifyAt?: string;
	siteId?: string;
	/** The operation as its panel names it. */
	what?: string;
	needsBackups?: boolean;
	/** Secrets in the request, which no message may contain. */
	secrets: string[];
}

export interface ItemWork {
	context: ItemContext;
	run: Run;
	/** n8n's request options, such as a proxy. */
	options: DeclarativeRestApiSettings.ResultOptions['options'];
	progress: Progress;
}

/** Returns the output of an item; `seam` pairs it with the input item. */
export type ItemsOf = (work: ItemWork) => Promise<Item[]>;

export interface Work extends ItemWork {
	resource: Resource;
	operation: Operation;
	input: Input;
	verifyAt: ReturnType<typeof whereToVerify>;
}

/** An item's request with IDs instead of names, from the checks to the response. */
export interface ItemRequest extends Work, Composing {
	/** Check directly before each attempt to send it. */
	before?: () => Promise<void>;
	/** Sites chosen By URL with the IDs found; `at` is the time of the lookup in epoch milliseconds. */
	byUrl: Array<{ site: Named; id: string; at: number }>;
	/** The names that the item has instead of IDs, by the IDs found. */
	names: Map<string, string>;
	/** Looked-up values for the output, such as the snapshot, by output field. */
	chosen: IDataObject;
	/** Fields of the record that Only If has read, for the output. */
	known?: IDataObject;
}

export async function requestOf(work: Work): Promise<ItemRequest> {
	const { context, resource, operation, input, progress, verifyAt } = work;
	const found = await lookUpNamed(work);
	const url = fillPath(partsOf(operation.route).template, found.ids);
	const item = { ...work, ...input, ...found, url };
	const givesName = isTool(context) && operation.renames && !operation.composed;
	if (givesName) await requireNewName(item, `${resource.value}Id`);
	Object.assign(found.chosen, await operation.looksUp?.(item));
	progress.verifyAt = `${fillPath(verifyAt.path, found.ids)} (${verifyAt.label})`;
	return item;
}

export function sentBy(item: ItemRequest): ApiRequest {
	const { context, operation, url, qs, body, before, options, progress } = item;
	const { route, touches, replacesLists } = operation;
	const { lists } = item.verifyAt;
	const request: ApiRequest = {
		...(options as Partial<ApiRequest>),
		...{ method: partsOf(route).method, url, qs, body, before, verifyAt: progress.verifyAt },
		// A model knows tools, no operations.
		lists: isTool(context) && lists ? 'the tool that lists these records' : lists,
		labels: labelsOf(operation),
		does: { effects: effectsOf(operation, body), touches, replacesLists },
	};
	request.around = watched(item, request);
	return request;
}

const labelsOf = perRecord(({ fields }: Operation) => {
	const all = fields.flatMap((field) => [field, ...fieldsOf(field)]);
	return Object.fromEntries(
		all.flatMap(({ target, displayName }) => (target ? [[target.property, displayName]] : [])),
	);
});

/** Looks up the records that an item names, and replaces names with IDs in the body, query and settings. */
async function lookUpNamed({ context, operation, input, progress }: Work) {
	const { ids, qs, body, deferred, settings } = input;
	const found: Pick<ItemRequest, 'ids' | 'byUrl' | 'names' | 'chosen'> = {
		...{ ids: {}, byUrl: [], names: new Map(), chosen: {} },
	};
	// Before a change, read sites By URL and snapshots again: an earlier change of the run may have changed them.
	const fresh = !operation.route.startsWith('GET ') && settings.preview !== true;
	const { needsGoodSnapshot } = operation;
	const takesHacked = !needsGoodSnapshot || settings[allowHacked.name] === true;
	const snapshotBy = async (meant: NewestSnapshot | string) => {
		const siteId = String(found.ids.siteId ?? recordIn(Object.values(body)[0]).site_id);
		const snapshot = await snapshotMeant(context, siteId, meant, { fresh, takesHacked });
		found.chosen = {
			snapshot_id: snapshot.id,
			snapshot_created_at: snapshot.created_at ?? null,
			snapshot_scanner_status: scanOf(snapshot),
		};
		return String(snapshot.id);
	};
	const find = async (id: PathId, among?: number) => {
		if (typeof id === 'string') return id;
		if (id instanceof NewestSnapshot) return await snapshotBy(id);
		const foundId = await finderFor(context, fresh)(id, among);
		if (id.by === 'url') found.byUrl.push({ site: id, id: foundId, at: clock.now() });
		else found.names.set(foundId, id.text);
		return foundId;
	};
	for (const [name, id] of Object.entries(ids)) {
		found.ids[name] = await find(id);
		if (name === 'siteId') progress.siteId = found.ids.siteId;
	}
	for (const part of [qs, body, settings]) await withIds(find, part);
	for (const each of deferred) {
		if ('newest' in each) each.set(await snapshotBy(each.newest));
		else {
			const content = await context.helpers.getBinaryDataBuffer(each.binaryField);
			each.set(`data:${each.mimeType};base64,${content.toString('base64')}`);
		}
	}
	if (needsGoodSnapshot && !found.chosen.snapshot_id) {
		await snapshotBy(String(aboveOf(operation, { ids: found.ids, body }).snapshot_id));
	}
	return found;
}

/** Checks access, before any lookup. @throws NodeOperationError that names the credential */
export async function requireAccessTo({ context, resource, operation, input }: Work) {
	const asked = { what: fullName(resource, operation), route: operation.route };
	await requireAccess(context, asked, effectsOf(operation, input.body));
}

/** Makes a change in its turn, after access and names of all items, except for names that the run itself may change. */
export async function inTurn<T>(work: Work, change: () => Promise<T>): Promise<T | undefined> {
	const { context, run, resource, operation, input } = work;
	/** The kind of ID whose names the operation may change. */
	const renamed = operation.renames && `${resource.value}Id`;
	const lookUp = async () => {
		await requireAccessTo(work);
		const all = namedIn([input.ids, input.qs, input.body, input.settings]);
		const named = all.filter(({ by, of }) => by !== 'url' && of !== renamed);
		if (named.length > 0) await withIds(finderFor(context), named);
	};
	const what = () => JSON.stringify([operation.labels.value, operation.route, input]);
	const make = async () => await change().finally(() => renamed && forgetNames(context, renamed));
	return await run.inOrder(work, what, make, lookUp);
}

/** Marks the request of an item as sent, and leaves a trace if the execution ends during a change. */
export const watched =
	({ context, run, progress }: ItemWork, request: ApiRequest): ApiRequest['around'] =>
	async (attempt) => {
		progress.isSent = true;
		run.hasSent = true;
		if (!progress.isChange) return await attempt();
		const { method, url, verifyAt } = request;
		const item = `item ${context.getItemIndex() + 1}`;
		const trace = {
			key: TRACES.unknown,
			value: `${verifyAt} (${item})`,
			line: `The execution ended while ${method} ${url} was in progress (${item}). The change may have been applied: check ${verifyAt}`,
		};
		const outcome = await tracing(context, trace, attempt);
		progress.isMade ||= Number(valueAt(outcome, 'answer.statusCode')) < 400;
		return outcome;
	};

/** Records in the response to the request of an item. */
export async function answered(item: ItemRequest): Promise<IDataObject[]> {
	const { context, operation, url, ids, body } = item;
	const { answer, touches } = operation;
	// Those of a bulk operation: in the body, or below the wrapper that its response has as well.
	const asked =
		answer.kind === 'bulk'
			? textsIn(body[answer.ids] ?? recordIn(body[answer.wrapper])[answer.ids])
			: [];
	const isRead = operation.route.startsWith('GET ');
	const wanted = { asked, lastId: Object.values(ids).pop(), isRead };
	const ask = async () =>
		await read(context, sentBy(item), async (response, { only }) => {
			const checkProof = (records: IDataObject[]) =>
				prove(operation, { ids, asked, body }, { body: response.body, records });
			// Check IDs first: they say more about a wrong delete than the form of the response.
			if (answer.kind === 'nothing') checkProof([]);
			const records = recordsOf(answer, response, wanted);
			if (only && touches === 'listed') await requireShown(context, url, records);
			checkProof(records);
			return records;
		});
	return await (answer.kind === 'wait' ? onceKnown(context, ask) : ask());
}

/** As `answered`, for a file: it is streamed into n8n's binary store. */
export async function fileOf(file: FileAnswer, item: ItemRequest): Promise<Item> {
	const { context, operation, ids, settings, qs } = item;
	const last = idsOf(operation.route).at(-1);
	// Before the file, which does not wait.
	const record = file.called && last && (await targetRecord(context, last, ids).catch(() => {}));
	const answer = await download(context, sentBy(item), file.mediaType);
	const about: IDataObject = Object.keys(qs).length > 0 ? qs : { id: Object.values(ids).pop() };
	const name = fileNameOf(file, String(about.path ?? about.id ?? ''), record || undefined);
	const json = below(aboveOf(operation, item), about);
	return await fileItem(context, answer, json, { settings, name });
}

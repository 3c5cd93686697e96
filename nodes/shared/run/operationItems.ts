import type { IDataObject } from 'n8n-workflow';
import type { Field, Settings } from '../input/field';
import type { LocatorName } from '../input/locators';
import { locators } from '../input/locators';
import { naming, refuse } from '../input/refusal';
import type { Input } from '../input/request';
import { readInput } from '../input/request';
import type { ApiRequest, ItemContext } from '../n8n/context';
import type { Composed, Operation, Output, Resource } from '../operation';
import { effectsOf, fillPath, idsOf, onlyReads, partsOf } from '../operation';
import type { FileAnswer } from '../vocabulary/fileAnswer';
import type { WhereToVerify } from '../operation/whereToVerify';
import { whereToVerifyAll } from '../operation/whereToVerify';
import type { Item } from '../receive/output';
import { arrangedBy, completing, inOrder, shaped } from '../receive/output';
import { secretsIn } from '../receive/secrets';
import type { Change } from './composed';
import { composedChange, count, withListLock } from './composed';
import { listUpTo } from '../client/records';
import { requireAccess, shownAt } from '../client/allowed';
import { forgetNames } from './names';
import { checkBefore, checkOnlyIf } from './onlyIf';
import { previewOf } from './preview';
import type { Run } from './run';
import { idsIn } from './taskResult';
import { finished, startedBy } from './wait';
import { answered, fileOf } from './answered';
import { countingFor } from './forModel';
import { idsAbove, itemsFor, listItems } from './listItems';
import { findNamed, requestOf } from './itemRequest';
import type { ItemRequest, ItemsOf, ItemWork, Progress } from './progress';
import { watched } from './progress';

/** Resources of a node, and where to see each of their changes. */
interface Tables {
	resources: Resource[];
	verifyAt: Map<Operation, WhereToVerify>;
}

/** Returns a function that produces the output of an item. */
export function operationItems(resources: Resource[]): ItemsOf {
	const tables = { resources, verifyAt: whereToVerifyAll(resources) };
	return async (context, run, work) => await itemsOf(context, run, tables, work);
}

/** The selected operation with its input. */
interface Chosen {
	resource: Resource;
	operation: Operation;
	input: Input;
}

/** An item in progress. */
interface Work extends Chosen {
	context: ItemContext;
	run: Run;
	progress: Progress;
	/** Maximum characters of output; undefined if no model reads it. */
	room?: number;
	/** Checks access, looks up the records that the item names, and builds its request. */
	prepare: () => Promise<ItemRequest>;
}

/** The output of an item. Reads run at once, changes in their turn; empty if another change has failed. */
async function itemsOf(
	context: ItemContext,
	run: Run,
	{ resources, verifyAt }: Tables,
	{ options, progress, room }: ItemWork,
): Promise<Item[]> {
	const chosen = run.enter(context, (item) => {
		const { resource, operation } = operationOf(item, resources);
		progress.isChange = !operation.route.startsWith('GET ');
		return { resource, operation, input: readInput(item, parametersOf(operation)) };
	});
	const { operation, input } = chosen;
	progress.secrets = [...secretsIn(input.qs), ...secretsIn(input.body)];
	const prepare = async () => {
		await requireAccessTo(context, chosen);
		const item = await requestOf(context, operation, input, options, verifyAt);
		item.request.does = doesOf(operation, item.request.body);
		if (input.settings.preview === true) await checkOnlyIf(context, operation, item);
		else if (!onlyReads(operation)) item.request.before = checkBefore(context, operation, item);
		progress.verifyAt = item.request.verifyAt;
		item.request.around = watched(context, run, progress, item.request);
		return item;
	};
	const work: Work = { ...chosen, context, run, progress, room, prepare };
	if (operation.composed) return await composedItems(work, operation.composed);
	if (input.settings.preview === true) return await previewItems(work);
	if (operation.answer.kind === 'file') return await fileItems(work, operation.answer.file);
	if (operation.answer.kind === 'list') return await recordItems(work, operation.answer);
	return await answerItems(work);
}

/** Effects and sites of an operation with a body, for the limits of the credential. */
const doesOf = (operation: Operation, body: unknown, touches = operation.touches) => ({
	effects: effectsOf(operation, body),
	touches,
	replacesLists: operation.replacesLists,
});

/** Checks access before lookups. */
async function requireAccessTo(context: ItemContext, { resource, operation, input }: Chosen) {
	const asked = { what: `${resource.name}: ${operation.labels.name}`, route: operation.route };
	await requireAccess(context, asked, effectsOf(operation, input.body));
}

async function previewItems({ context, resource, operation, prepare }: Work): Promise<Item[]> {
	const { request, ids, chosen } = await prepare();
	const shown = await previewOf(context, resource, operation, request, ids);
	return [{ json: { ...shown, ...(chosen.snapshot_id && { checked: chosen }) } }];
}

const fileItems = async ({ context, run, operation, prepare }: Work, file: FileAnswer) => {
	const item = await prepare();
	return [await run.downloads.run(async () => await fileOf(context, operation, file, item))];
};

/** Records of a list in the selected output mode. */
async function recordItems(
	{ context, operation, input, room, prepare }: Work,
	{ output = {} }: { output?: Partial<Output> },
): Promise<Item[]> {
	const { settings } = input;
	const item = await prepare();
	const shape = shaped(operation, settings, item);
	const { count, isFull } = countingFor(room);
	const listed = await listUpTo(context, item.request, {
		max: settings.returnAll ? undefined : (settings.limit as number),
		complete: completing(context, output, settings),
		shape: (record) => count(withSnapshot(shape(record), item.chosen, settings)),
		isFull,
		keep: operation.touches === 'listed' ? await shownAt(context, item.request.url) : undefined,
	});
	return listItems(context, listed, {
		above: idsAbove(idsIn(item), item.request.qs),
		settings,
		hasFilters: operation.fields.some(({ name }) => name === 'filters'),
	});
}

/** Result of one request, or of the task that it starts. */
async function answerItems(work: Work): Promise<Item[]> {
	const { context, run, operation, input, progress, prepare } = work;
	const { answer, route } = operation;
	const { settings } = input;
	const send = async () => {
		const item = await prepare();
		const asked = async () => await answered(context, operation, item, input);
		const ask = async () => await startedBy(context, answer, item, asked);
		const sent = await withListLock(context, operation, item, ask).finally(() =>
			forgetNames(context, work),
		);
		return { ...sent, item };
	};
	const lookUp = async () => await findNamed(context, work);
	const sent = progress.isChange
		? await run.inOrder(context, () => JSON.stringify([route, input]), send, lookUp)
		: await send();
	if (!sent) return [];
	const ended = await finished(context, answer, sent, { settings, secrets: progress.secrets });
	const { output = {} } = 'output' in answer ? answer : {};
	const records = await completing(context, output, settings)(ended);
	const shape = shaped(operation, settings, sent.item);
	return itemsFor(
		context,
		records.map((record) => withSnapshot(shape(record), sent.chosen, settings)),
		{ above: idsAbove(idsIn(sent), input.qs), settings },
	);
}

/** Adds the looked-up snapshot to a record, unless the record is that snapshot. */
const withSnapshot = (record: IDataObject, chosen: IDataObject, settings: Settings): IDataObject =>
	chosen.snapshot_id === undefined || chosen.snapshot_id === record.id
		? record
		: arrangedBy(settings)(chosen, record);

/** Items of an operation with several requests. */
async function composedItems(work: Work, composed: Composed): Promise<Item[]> {
	const { context, run, operation, input, prepare } = work;
	const { labels } = operation;
	const { settings } = input;
	const start = async () => {
		const item = await prepare();
		const { url, qs = {} } = item.request;
		return { item, at: { context, ids: item.ids, url, qs, body: input.body, settings } };
	};
	if (composed.kind === 'count' || composed.kind === 'reads') {
		const { at } = await start();
		const above = idsAbove({}, at.qs);
		const read = composed.kind === 'reads' ? await composed.read(at) : [await count(at, operation)];
		return itemsFor(context, read.map(inOrder), { above, settings });
	}
	if (settings.preview === true) {
		const { item, at } = await start();
		const change = await composedChange(at, operation, composed).preview();
		return await composedPreview(work, item, change);
	}
	const make = async () => {
		const { item, at } = await start();
		return await composedChange(at, operation, composed).make(async (change) => {
			const what = { ...operation, route: change.route };
			const request = requestFor(work, item, change);
			const sent = await answered(context, what, request, { ...input, body: change.body });
			return sent.records[0]!;
		});
	};
	const done = await run.inOrder(
		context,
		() => JSON.stringify([labels.value, input]),
		async () => await make().finally(() => forgetNames(context, work)),
		async () => await findNamed(context, work),
	);
	if (!done) return [];
	const shape = shaped(operation, settings, { ids: {}, body: {} });
	return itemsFor(context, [{ ...shape(done.record), ...done.beside }]);
}

/** Request of a change in an operation with several requests. */
function requestFor(
	{ context, run, operation, input, progress }: Work,
	{ request }: ItemRequest,
	change: Change,
): ItemRequest {
	const { method, template } = partsOf(change.route);
	const { ids, body } = change;
	const url = fillPath(template, ids);
	const does = doesOf(operation, body, change.touches);
	const sent: ApiRequest = { ...request, method, url, qs: {}, body, does };
	sent.before = async () => {
		await request.before?.();
		await change.before();
	};
	sent.around = watched(context, run, progress, sent);
	const lastId = Object.values(ids).pop();
	return { request: sent, ids, body, byUrl: [], settings: input.settings, chosen: {}, lastId };
}

async function composedPreview(work: Work, item: ItemRequest, change?: Change): Promise<Item[]> {
	const { context, resource, operation } = work;
	const { request, ids } = change ? requestFor(work, item, change) : item;
	const what = { ...operation, route: change?.route ?? operation.route };
	const shown = await previewOf(context, resource, what, request, ids);
	return [{ json: { ...shown, ...(!change && { request: null }) } }];
}

/** The selected resource and operation. */
function operationOf(
	context: ItemContext,
	resources: Resource[],
): { resource: Resource; operation: Operation } {
	const { parameters } = context.getNode();
	const resource = resources.find(({ value }) => value === parameters.resource);
	const operation = resource?.operations.find(
		({ labels }) => labels.value === parameters.operation,
	);
	if (resource && operation) return { resource, operation };
	return naming(context, resource ? 'Operation' : 'Resource', () =>
		refuse('is unknown. Choose one from the list'),
	);
}

/** Parameters of an operation: the IDs in its route and its fields. */
const parametersOf = ({ route, fields }: Operation): Field[] => [
	...idsOf(route).map((name: LocatorName): Field => ({
		...locators[name],
		target: { type: 'path', property: name },
	})),
	...fields,
];

import type { IDataObject } from 'n8n-workflow';
import type { Field, Settings } from '../input/field';
import type { LocatorName } from '../input/locators';
import { locators } from '../input/locators';
import { naming, refuse } from '../input/refusal';
import type { Input } from '../input/request';
import { readInput } from '../input/request';
import type { ApiRequest, ItemContext } from '../n8n/context';
import type { Composed, Operation, Resource } from '../operation';
import { effectsOf, fillPath, idsOf, onlyReads } from '../operation';
import type { WhereToVerify } from '../operation/whereToVerify';
import { whereToVerifyAll } from '../operation/whereToVerify';
import type { Item } from '../receive/item';
import { arrangedBy, completing, shaped } from '../receive/output';
import { secretsIn } from '../receive/secrets';
import { inOrder } from '../receive/order';
import type { Change } from './composed';
import { composedChange, count, withListLock } from './composed';
import { listUpTo } from '../client/paging';
import { requireAccess, shownAt } from '../client/request';
import { forgetNames } from './names';
import { checkOnlyIf, lookBefore } from './onlyIf';
import { previewOf } from './preview';
import type { Run } from './run';
import { idsIn } from './taskResult';
import { finished, startedBy } from './wait';
import { answered, fileOf, warnOf } from './answered';
import { countingFor } from './forModel';
import { idsAbove, itemsFor, listItems } from './listItems';
import type { Prepared } from './prepare';
import { findNamed, requestOf } from './prepare';
import type { ItemsOf, ItemWork, Progress } from './progress';
import { watched } from './progress';

/** What a node can do, and where each change of it is seen. */
interface Tables {
	resources: Resource[];
	verifyAt: Map<Operation, WhereToVerify>;
}

/** Gives the output of an item of a node with these resources. */
export function operationItems(resources: Resource[]): ItemsOf {
	const tables = { resources, verifyAt: whereToVerifyAll(resources) };
	return async (context, run, work) => await itemsOf(context, run, tables, work);
}

/** The output of an item: reads at once, changes when their turn comes; nothing when another change has failed. */
async function itemsOf(
	context: ItemContext,
	run: Run,
	{ resources, verifyAt }: Tables,
	{ options, progress, room }: ItemWork,
): Promise<Item[]> {
	const { resource, operation, input } = run.enter(context, (item) => {
		const chosen = operationOf(item, resources);
		progress.isChange = !chosen.operation.route.startsWith('GET ');
		return { ...chosen, input: readInput(item, parametersOf(chosen.operation)) };
	});
	const { route, touches, answer, effects, labels } = operation;
	const { settings } = input;
	const complete = completing(context, 'output' in answer ? (answer.output ?? {}) : {}, settings);
	progress.secrets = [...secretsIn(input.qs), ...secretsIn(input.body)];
	const prepare = async () => {
		// Also what is only read for a change would be of no use.
		const asked = { what: `${resource.name}: ${labels.name}`, route };
		await requireAccess(context, asked, effects);
		const prepared = await requestOf(context, operation, input, options, verifyAt);
		const does = { effects: effectsOf(operation, prepared.filled.body), touches };
		const added = does.effects.filter((effect) => !effects.includes(effect));
		await requireAccess(context, asked, added);
		prepared.filled.does = does;
		if (settings.preview === true) await checkOnlyIf(context, operation, prepared);
		else if (!onlyReads(operation))
			prepared.filled.before = lookBefore(context, operation, prepared);
		progress.verifyAt = prepared.filled.verifyAt;
		prepared.filled.around = watched(context, run, progress, prepared.filled);
		return prepared;
	};
	if (operation.composed) {
		const one = { resource, operation, composed: operation.composed, input };
		return await composedItems(context, run, progress, one, prepare);
	}
	if (settings.preview === true) {
		const { filled, ids, chosen } = await prepare();
		const shown = await previewOf(context, resource, operation, filled, ids);
		return [{ json: { ...shown, ...(chosen.snapshot_id && { checked: chosen }) } }];
	}
	if (answer.kind === 'file') {
		const prepared = await prepare();
		return [
			await run.downloads.run(async () => await fileOf(context, operation, answer.file, prepared)),
		];
	}
	if (answer.kind === 'list') {
		const prepared = await prepare();
		const { filled } = prepared;
		const { returnAll, limit } = settings;
		const max = returnAll ? undefined : (limit as number);
		const above = idsAbove(idsIn(prepared), filled.qs);
		const hasFilters = operation.fields.some(({ name }) => name === 'filters');
		const shape = shaped(operation, settings, prepared);
		const { count, isFull } = countingFor(room);
		const form = (record: IDataObject) => count(beside(shape(record), prepared.chosen, settings));
		const keep = touches === 'listed' ? await shownAt(context, filled.url) : undefined;
		const paging = { max, complete, shape: form, isFull, keep };
		const listed = await listUpTo(context, filled, paging);
		return listItems(context, listed, { above, settings, hasFilters });
	}
	const send = async () => {
		const prepared = await prepare();
		const asked = async () => await answered(context, operation, prepared, input);
		const ask = async () => await startedBy(context, answer, prepared, asked);
		const sent = await withListLock(context, operation, prepared, ask).finally(() =>
			forgetNames(context, operation),
		);
		warnOf(context, { resource, operation }, prepared, sent);
		return { ...sent, prepared };
	};
	const find = async () => await findNamed(context, operation, input);
	const sent = progress.isChange
		? await run.inOrder(context, () => JSON.stringify([route, input]), send, find)
		: await send();
	if (!sent) return [];
	const about = { settings, secrets: progress.secrets };
	const records = await complete(await finished(context, answer, sent, about));
	const shape = shaped(operation, settings, sent.prepared);
	return itemsFor(
		context,
		records.map((record) => beside(shape(record), sent.chosen, settings)),
		{ above: idsAbove(idsIn(sent), input.qs), settings },
	);
}

/** Says which snapshot was looked up, beside a record that is not this snapshot. */
const beside = (record: IDataObject, chosen: IDataObject, settings: Settings): IDataObject =>
	[undefined, record.id].includes(chosen.snapshot_id as string)
		? record
		: arrangedBy(settings)(chosen, record);

interface Chosen {
	resource: Resource;
	operation: Operation;
	composed: Composed;
	input: Input;
}

/** As `itemsOf`, for an operation that takes several requests. */
async function composedItems(
	context: ItemContext,
	run: Run,
	progress: Progress,
	{ resource, operation, composed, input }: Chosen,
	prepare: () => Promise<Prepared>,
): Promise<Item[]> {
	const { labels } = operation;
	const { settings } = input;
	const begin = async () => {
		const prepared = await prepare();
		const { ids, filled } = prepared;
		const { url, qs = {}, body } = filled;
		const at = { context, ids, url, qs, body: body as IDataObject, settings };
		return { prepared, at };
	};
	if (composed.kind === 'count' || composed.kind === 'reads') {
		const { at } = await begin();
		const above = idsAbove({}, at.qs);
		const read = composed.kind === 'reads' ? await composed.read(at) : [await count(at, operation)];
		return itemsFor(context, read.map(inOrder), { above, settings });
	}
	const preparedFor = ({ filled }: Prepared, change: Change): Prepared => {
		const [method, template] = change.route.split(' ') as ['POST', string];
		const { ids, body } = change;
		const does = { effects: effectsOf(operation, body), touches: change.touches };
		const url = fillPath(template, ids);
		const own: ApiRequest = { ...filled, method, url, qs: {}, body, does };
		own.before = async () => {
			await filled.before?.();
			await change.before();
		};
		own.around = watched(context, run, progress, own);
		const lastId = Object.values(ids).pop();
		return { filled: own, ids, body, byUrl: [], settings, chosen: {}, lastId };
	};
	if (settings.preview === true) {
		const { prepared, at } = await begin();
		const change = await composedChange(at, operation, composed).preview();
		const { filled, ids } = change ? preparedFor(prepared, change) : prepared;
		const what = { ...operation, route: change?.route ?? operation.route };
		const shown = await previewOf(context, resource, what, filled, ids);
		return [{ json: { ...shown, ...(!change && { request: null }) } }];
	}
	const make = async () => {
		const { prepared, at } = await begin();
		return await composedChange(at, operation, composed).make(async (change) => {
			const own = { ...operation, route: change.route };
			const of = preparedFor(prepared, change);
			const sent = await answered(context, own, of, { ...input, body: change.body });
			warnOf(context, { resource, operation: own }, of, sent);
			return sent.records[0]!;
		});
	};
	const find = async () => await findNamed(context, operation, input);
	const done = await run.inOrder(
		context,
		() => JSON.stringify([labels.value, input]),
		async () => await make().finally(() => forgetNames(context, operation)),
		find,
	);
	if (!done) return [];
	const shape = shaped(operation, settings, { ids: {}, body: {} });
	return itemsFor(context, [{ ...shape(done.record), ...done.beside }]);
}

/** What is chosen in the node. */
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

/** All that is read for an operation: the ids in its route, and its fields. */
const parametersOf = ({ route, fields }: Operation): Field[] => [
	...idsOf(route).map((name: LocatorName): Field => ({
		...locators[name],
		target: { type: 'path', property: name },
	})),
	...fields,
];

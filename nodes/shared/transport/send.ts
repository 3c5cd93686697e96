import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecutePaginationFunctions,
	IExecuteSingleFunctions,
	INodeExecutionData,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { effectsBy } from '../access/content';
import type { Field } from '../input/field';
import type { LocatorName } from '../input/locators';
import { locators } from '../input/locators';
import { naming, refuse } from '../input/refusal';
import type { Input, PathId } from '../input/request';
import { readInput } from '../input/request';
import { Named, referencesIn, SiteUrl } from '../input/id';
import { NewestSnapshot } from '../input/snapshot';
import { isTool } from '../n8n/context';
import type { FileAnswer, Operation, Resource } from '../operation';
import { fillPath, idsOf, isSettled, onlyReads } from '../operation';
import { aboveOf, below } from '../receive/above';
import { isWithoutRecord, recordsOf } from '../receive/answer';
import { undoneIn } from '../receive/done';
import { fallbackName, fileItem } from '../receive/file';
import type { UnknownState } from '../receive/proof';
import { prove } from '../receive/proof';
import { secretsIn } from '../receive/secrets';
import { shaped } from '../receive/output';
import { clock } from './pacing/clock';
import type { Change, ComposedOperation, Done } from './composed';
import { changeOf, makeComposed, readComposed, Stale, whileHeld } from './composed';
import type { ApiRequest } from '../n8n/context';
import { FRESH_MS } from './http/exchange';
import { countingFor, errorForModel, forModel, roomOf } from './forModel';
import { idsAbove, itemsFor, listItems } from './items';
import { idsIn } from './waiting/made';
import { snapshotMeant } from './lookup/newestSnapshot';
import { isFirst } from './run/onceARun';
import { finderFor, forgetNames, renames, withIds } from './lookup/names';
import { listUpTo } from './http/paging';
import { download } from './http/download';
import type { Asked } from './lookup/onlyIf';
import { checkOnlyIf, lookBefore } from './lookup/onlyIf';
import type { Progress } from './itemError';
import { itemError } from './itemError';
import { previewOf } from './lookup/preview';
import { read, requireAccess } from './http/request';
import type { Item } from '../receive/item';
import { Run } from './run/run';
import { onceKnown } from './waiting/taskWatch';
import type { Trace } from './run/trace';
import { tracing, TRACES } from './run/trace';
import { finished } from './waiting/wait';

export type PaginationContext = IExecutePaginationFunctions;

type Options = DeclarativeRestApiSettings.ResultOptions['options'];

export type Sender = (
	this: PaginationContext,
	requestData: DeclarativeRestApiSettings.ResultOptions,
) => Promise<INodeExecutionData[]>;

/**
 * The one way from a declarative operation to the service: n8n calls it as its pagination function, once an item.
 * What is sent is what the input room reads from the parameters. Reads run side by side, changes in item order.
 * Every item of output is paired with its input item, also the error items under Continue On Fail.
 */
export function sender(resources: Resource[]): Sender {
	const node = { resources, looks: looksOf(resources) };
	return seam(async (context, run, work) => await itemsOf(context, run, node, work));
}

/** What an item is sent with, and how far it has come. */
export interface Work {
	options: Options;
	progress: Progress;
	/** The most characters of output; undefined where no model reads it. */
	room?: number;
}

/** What n8n calls once an item. @param itemsOf gives the output of an item, which is paired here, or its error */
export function seam(
	itemsOf: (context: PaginationContext, run: Run, work: Work) => Promise<Item[]>,
): Sender {
	return async function ({ options }) {
		const pairedItem = { item: this.getItemIndex() };
		const run = Run.of(this);
		const progress: Progress = { isChange: false, isSent: false, secrets: [] };
		try {
			const room = roomOf(this);
			const items = await itemsOf(this, run, { options, progress, room });
			const shown = room === undefined ? items : forModel(items, room);
			return shown.map(({ json, binary }) => ({ json, ...(binary && { binary }), pairedItem }));
		} catch (error) {
			const failure = await itemError(this, run, error, progress);
			if (isTool(this)) {
				// Of bad input the message says all, and the rest is for people.
				const isOfInput = error instanceof NodeOperationError;
				const rest = isOfInput ? '' : (failure.description ?? '');
				failure.message = errorForModel(failure.message, rest);
				// MCP clients read it as well.
				failure.description = '';
			}
			if (!this.continueOnFail()) throw failure;
			// Plain JSON only: an Error on the item makes null of it in expressions that look back.
			const { details } = failure.context;
			return [{ json: { error: failure.message, details } as IDataObject, pairedItem }];
		} finally {
			run.end();
		}
	};
}

/** The output of an item: reads at once, changes when their turn comes; nothing when another change has failed. */
async function itemsOf(
	context: PaginationContext,
	run: Run,
	node: Node,
	{ options, progress, room }: Work,
): Promise<Item[]> {
	const { resources, looks } = node;
	const { resource, operation, input } = run.enter(context, (item) => {
		const chosen = operationOf(item, resources);
		progress.isChange = !chosen.operation.route.startsWith('GET ');
		return { ...chosen, input: readInput(item, parametersOf(chosen.operation)) };
	});
	const { route, answer, effects, labels } = operation;
	const { settings } = input;
	progress.secrets = [...secretsIn(input.qs), ...secretsIn(input.body)];
	const prepare = async () => {
		// Also what is only read for a change would be of no use.
		await requireAccess(context, `${resource.name}: ${labels.name}`, effects);
		const prepared = await requestOf(context, operation, input, options, looks);
		await requireAccess(context, `${resource.name}: ${labels.name}`, effectsBy(prepared.filled));
		if (settings.preview === true) await checkOnlyIf(context, operation, prepared);
		else if (!onlyReads(operation))
			prepared.filled.before = lookBefore(context, operation, prepared);
		progress.look = prepared.filled.look;
		prepared.filled.around = watched(context, run, progress, prepared.filled);
		return prepared;
	};
	if (operation.composed) {
		const one = { resource, operation: operation as ComposedOperation, input };
		return await composedItems(context, run, progress, one, prepare);
	}
	if (settings.preview === true) {
		const { filled, ids } = await prepare();
		return [{ json: await previewOf(context, resource, operation, filled, ids) }];
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
		const form = (record: IDataObject) => count(withSnapshot(shape(record), prepared.chosen));
		const listed = await listUpTo(context, filled, { max, shape: form, isFull });
		return listItems(context, listed, { above, settings, hasFilters });
	}
	const send = async () => {
		const prepared = await prepare();
		const ask = async () => await answered(context, operation, prepared, input);
		const sent = await whileHeld(context, operation, prepared, ask).finally(() =>
			forgetNames(run, operation),
		);
		warnOf(context, { resource, operation }, prepared, sent);
		return { ...sent, prepared };
	};
	const find = async () => await findNamed(context, operation, input);
	const sent = progress.isChange
		? await run.inOrder(context, () => JSON.stringify([route, input]), send, find)
		: await send();
	if (!sent) return [];
	const records = await finished(context, answer, sent, { settings, secrets: progress.secrets });
	const shape = shaped(operation, settings, sent.prepared);
	return itemsFor(
		context,
		records.map((record) => withSnapshot(shape(record), sent.chosen)),
		{ above: idsAbove(idsIn(sent), input.qs), settings },
	);
}

/** Says which snapshot was looked up, beside a record that is not this snapshot. */
const withSnapshot = (record: IDataObject, chosen: IDataObject): IDataObject =>
	[undefined, record.id].includes(chosen.snapshot_id as string) ? record : { ...record, ...chosen };

interface Chosen {
	resource: Resource;
	operation: ComposedOperation;
	input: Input;
}

/** As `itemsOf`, for an operation that takes several requests. */
async function composedItems(
	context: PaginationContext,
	run: Run,
	progress: Progress,
	{ resource, operation, input }: Chosen,
	prepare: () => Promise<Prepared>,
): Promise<Item[]> {
	const { composed, labels } = operation;
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
		return itemsFor(context, await readComposed(at, operation), { above, settings });
	}
	const preparedFor = ({ filled }: Prepared, change: Change): Prepared => {
		const [method, template] = change.route.split(' ') as ['POST', string];
		const { ids, body } = change;
		const own: ApiRequest = { ...filled, method, url: fillPath(template, ids), qs: {}, body };
		own.before = async () => {
			await filled.before?.();
			if (clock.now() - change.readAt <= FRESH_MS) return;
			if (!(await change.isSame())) throw new Stale();
			change.readAt = clock.now();
		};
		own.around = watched(context, run, progress, own);
		const lastId = Object.values(ids).pop();
		return { filled: own, ids, body, byUrl: [], settings, chosen: {}, lastId };
	};
	if (settings.preview === true) {
		const { prepared, at } = await begin();
		const change = await changeOf(at, operation);
		const { filled, ids } = change ? preparedFor(prepared, change) : prepared;
		const what = { ...operation, route: change?.route ?? operation.route };
		const shown = await previewOf(context, resource, what, filled, ids);
		return [{ json: { ...shown, ...(!change && { request: null }) } }];
	}
	const make = async (): Promise<Done> => {
		const { prepared, at } = await begin();
		return await makeComposed(at, operation, async (change) => {
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
		async () => await make().finally(() => forgetNames(run, operation)),
		find,
	);
	if (!done) return [];
	const { record, beside } = done.settled ? await done.settled() : done.made;
	const shape = shaped(operation, settings, { ids: {}, body: {} });
	return itemsFor(context, [{ ...shape(record), ...beside }]);
}

/** Notes that the request of an item leaves, and leaves a trace where the execution ends during a change. */
export const watched =
	(
		context: PaginationContext,
		run: Run,
		progress: Progress,
		filled: ApiRequest,
	): ApiRequest['around'] =>
	async (attempt) => {
		progress.isSent = true;
		run.hasSent = true;
		return progress.isChange
			? await tracing(context, () => mayBeApplied(context, filled), attempt)
			: await attempt();
	};

/** What is known of a change that is under way when the execution ends. */
function mayBeApplied(context: PaginationContext, { method, url, look }: ApiRequest): Trace {
	const item = `item ${context.getItemIndex() + 1}`;
	return {
		key: TRACES.unknown,
		value: `${look} (${item})`,
		line: `The execution was ended while ${method} ${url} was under way (${item}); it may have been applied: look at ${look}`,
	};
}

/** Where the user sees whether a change was made. */
interface Look {
	/** A path with the names of ids. */
	path: string;
	/** The operation that reads it, such as `Tag: Get`. */
	label: string;
	/** What lists the ids of its route, such as `Tag: Get Many`. */
	lists?: string;
}

/** What a node can do, and where each change of it is seen. */
interface Node {
	resources: Resource[];
	looks: Map<Operation, Look>;
}

const TASKS: Look = { path: '/tasks', label: 'Task: Get Many' };

const looksOf = (resources: Resource[]): Node['looks'] =>
	new Map(
		resources
			.flatMap(({ operations }) => operations)
			.map((operation) => {
				const lists = listsOf(resources, operation);
				return [operation, { ...lookOf(resources, operation), ...(lists && { lists }) }];
			}),
	);

/** What reads the same as an operation changes, or what is above it. */
export function lookOf(resources: Resource[], { route, answer }: Operation): Look {
	if (answer.kind === 'task') return TASKS;
	const reads = resources.flatMap(({ name, operations }) =>
		operations
			.filter((each) => each.route.startsWith('GET ') && !each.composed)
			.map((each) => ({ path: each.route.slice(4), label: `${name}: ${each.labels.name}` })),
	);
	let path = route.slice(route.indexOf('/'));
	while (path !== '') {
		const found = reads.find((each) => each.path === path);
		if (found) return found;
		path = path.slice(0, path.lastIndexOf('/'));
	}
	return TASKS;
}

/** What lists the ids of a route; an id that nothing lists is left out. */
function listsOf(resources: Resource[], { route }: Operation): string {
	const parts = route.slice(route.indexOf('/')).split('/');
	const lists = parts.flatMap((part, index) => {
		const list = part.startsWith('{') && `GET ${parts.slice(0, index).join('/')}`;
		return resources.flatMap(({ name, operations }) =>
			operations
				.filter((each) => each.route === list && !each.composed)
				.map(({ labels }) => `${name}: ${labels.name}`),
		);
	});
	return lists.join(' and ');
}

/** What is chosen in the node. */
function operationOf(
	context: IExecuteSingleFunctions,
	resources: Resource[],
): { resource: Resource; operation: Operation } {
	const { parameters } = context.getNode();
	const resource = resources.find(({ value }) => value === parameters.resource);
	const operation = resource?.operations.find(
		({ labels }) => labels.value === parameters.operation,
	);
	if (resource && operation) return { resource, operation };
	return naming(context, resource ? 'Operation' : 'Resource', () =>
		refuse('is none of those that the node has'),
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

/** A request with all that it needs, and the id that its path ends with. */
interface Prepared extends Asked {
	filled: ApiRequest;
	/** The snapshot that was looked up, by its names in records. */
	chosen: IDataObject;
	lastId?: string;
}

/** What an answer gave. */
interface Answered {
	records: IDataObject[];
	/** The path of the request. */
	url: string;
	ids: Record<string, string>;
	body: unknown;
	chosen: IDataObject;
	unknown: UnknownState[];
}

/** Sends an item's request, and gives the records of the answer. */
async function answered(
	context: PaginationContext,
	operation: Operation,
	{ filled, ids, lastId, chosen }: Prepared,
	{ body }: Input,
): Promise<Answered> {
	const { answer } = operation;
	const asked = answer.kind === 'bulk' ? askedIn(body, answer) : [];
	const isRead = filled.method === 'GET';
	const wanted = { asked, lastId, isRead, isSettled: isSettled(operation.route) };
	const ask = async () =>
		await read(context, filled, (given, form) => {
			const proven = (records: IDataObject[]) =>
				prove(operation, { ids, asked, body }, { body: given.body, records });
			// A delete of another record says more by its ids than by its form.
			if (answer.kind === 'nothing') proven([]);
			const records = recordsOf(answer, given, wanted, form);
			return { records, url: filled.url, ids, body, chosen, unknown: proven(records) };
		});
	return await (answer.kind === 'wait' ? onceKnown(context, ask) : ask());
}

/** Notes in n8n's log what of a change did not come back as it was sent: once a run and field, and never a value. */
function warnOf(
	context: PaginationContext,
	{ resource, operation }: { resource: Resource; operation: Operation },
	{ body, lastId }: Prepared,
	{ records, url, unknown }: Answered,
): void {
	const [record = {}] = records;
	// That it was not shown has been noted.
	if (isWithoutRecord(record)) return;
	const what = `${resource.name}: ${operation.labels.name}`;
	const of = `the answer for ${String(record.id ?? lastId ?? url)}`;
	const warn = (field: string, text: string) => {
		if (isFirst(context, `${what} ${field}`)) {
			context.logger?.warn(`${what}: ${text}`, { node: context.getNode().name });
		}
	};
	for (const { place, state } of unknown) {
		const came = state === undefined ? 'missing' : `"${state}", which this node does not know`;
		warn(place, `in ${of}, ${place} is ${came}: look at the record`);
	}
	for (const { field, isMissing } of undoneIn(operation, body as IDataObject, record)) {
		const came = isMissing ? 'does not have it' : 'has another value';
		warn(field, `${field} was sent, and ${of} ${came}: look at the record`);
	}
}

/** The ids that a bulk operation is for: in the body, or below the wrapper that its answer has, too. */
const askedIn = (body: IDataObject, { wrapper, ids }: { wrapper: string; ids: string }) =>
	(body[ids] ?? (body[wrapper] as IDataObject)[ids]) as string[];

/** As `answered`, for a file: it is streamed into n8n's binary store. */
async function fileOf(
	context: PaginationContext,
	operation: Operation,
	file: FileAnswer,
	prepared: Prepared,
): Promise<Item> {
	const { filled, lastId, settings } = prepared;
	const answer = await download(context, filled, file);
	const about = askedBy(filled, lastId);
	const name = String(about.path ?? about.id ?? '');
	const fallback = fallbackName(file, name);
	const json = below(aboveOf(operation, prepared), about);
	return await fileItem(context, answer, json, { settings, fallback });
}

/**
 * Looks up what an item names, so that a name that nobody has keeps all changes of the run from being sent. What the
 * run itself may rename is looked up when its turn comes.
 */
async function findNamed(
	context: PaginationContext,
	operation: Operation,
	{ ids, deferred, settings }: Input,
): Promise<void> {
	const values = deferred.flatMap((each) => ('named' in each ? [each.named] : []));
	const named = referencesIn([Object.values(ids), values, Object.values(settings)]).filter(
		(each) => each instanceof Named && !renames(operation, each.of),
	);
	await withIds(finderFor(context), named);
}

async function requestOf(
	context: PaginationContext,
	operation: Operation,
	{ ids, qs, body, deferred, settings }: Input,
	options: Options,
	looks: Node['looks'],
): Promise<Prepared> {
	const [method, template] = operation.route.split(' ') as ['GET' | 'POST' | 'DELETE', string];
	// Of what another change of the run has found nothing is kept.
	const isChange = method !== 'GET' && settings.preview !== true;
	const byUrl: Asked['byUrl'] = [];
	const finder = finderFor(context, isChange);
	const found: Record<string, string> = {};
	let chosen: IDataObject = {};
	const newest = async (meant: NewestSnapshot, siteId: unknown) => {
		const snapshot = await snapshotMeant(context, String(siteId), meant, isChange);
		chosen = { snapshot_id: snapshot.id, snapshot_created_at: snapshot.created_at };
		return String(snapshot.id);
	};
	const find = async (id: PathId, among?: number) => {
		if (id instanceof NewestSnapshot) return await newest(id, found.siteId);
		const foundId = await finder(id, among);
		if (id instanceof SiteUrl) byUrl.push({ site: id, id: foundId, at: clock.now() });
		return foundId;
	};
	for (const [name, id] of Object.entries(ids)) found[name] = await find(id);
	for (const each of deferred) {
		if ('named' in each) each.set(await withIds(find, each.named));
		else if ('snapshot' in each)
			each.set(await newest(each.snapshot, each.siteId() ?? found.siteId));
		else each.set(await dataUri(context, each));
	}
	for (const [name, value] of Object.entries(settings)) {
		// The URL of Only If is no site that is looked up.
		const isNamed = referencesIn(value).some((each) => each instanceof Named);
		if (isNamed) settings[name] = await withIds(find, value);
	}
	const { path, label, lists } = looks.get(operation)!;
	const look = `${fillPath(path, found)} (${label})`;
	const url = fillPath(template, found);
	return {
		filled: {
			...(options as Partial<ApiRequest>),
			method,
			url,
			qs,
			body,
			look,
			lists,
		},
		ids: found,
		body,
		byUrl,
		settings,
		chosen,
		lastId: Object.values(found).pop(),
	};
}

async function dataUri(
	context: PaginationContext,
	{ binaryField, mimeType }: { binaryField: string; mimeType: string },
): Promise<string> {
	const content = await context.helpers.getBinaryDataBuffer(binaryField);
	return `data:${mimeType};base64,${content.toString('base64')}`;
}

/** What names the file: the query, or without one the id in the path. */
const askedBy = ({ qs = {} }: ApiRequest, lastId?: string): IDataObject =>
	Object.keys(qs).length > 0 ? qs : { ...(lastId !== undefined && { id: lastId }) };

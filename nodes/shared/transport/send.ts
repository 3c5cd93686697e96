import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecutePaginationFunctions,
	INodeExecutionData,
	JsonObject,
} from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { Field, Settings } from '../input/field';
import type { LocatorName } from '../input/locators';
import { locators } from '../input/locators';
import { naming, refuse } from '../input/refusal';
import type { Input } from '../input/request';
import { readInput } from '../input/request';
import type { Answer, Operation, Resource, Route } from '../operation';
import { idsOf } from '../operation';
import { fileItem } from '../receive/file';
import { toRecords } from '../receive/items';
import { shaped } from '../receive/output';
import type { ApiRequest } from './context';
import { listAll } from './paging';
import { fillPath } from './path';
import { request } from './request';
import type { Item } from './run';
import { Run } from './run';
import { idOf } from './siteByUrl';
import { finished } from './wait';

type Context = IExecutePaginationFunctions;

type Options = DeclarativeRestApiSettings.ResultOptions['options'];

type Sender = (
	this: Context,
	requestData: DeclarativeRestApiSettings.ResultOptions,
) => Promise<INodeExecutionData[]>;

/**
 * The one way from a declarative operation to the service: n8n calls it as its pagination function, once an item.
 * What is sent is what the input room reads from the parameters. Reads run side by side, changes in item order.
 * Every item of output is paired with its input item, also the error items under Continue On Fail.
 */
export function sender(resources: Resource[]): Sender {
	return async function ({ options }) {
		const pairedItem = { item: this.getItemIndex() };
		try {
			const items = await itemsOf(this, resources, options);
			return items.map((item) => ({ ...item, pairedItem }));
		} catch (error) {
			// NodeApiError keeps an error of its own kind as it is.
			const failure =
				error instanceof NodeOperationError
					? error
					: new NodeApiError(this.getNode(), error as JsonObject);
			if (!this.continueOnFail()) throw failure as NodeApiError;
			return [{ json: { error: failure.message }, error: failure, pairedItem }];
		}
	};
}

/** The output of an item: reads at once, changes when their turn comes; nothing when another change has failed. */
async function itemsOf(context: Context, resources: Resource[], options: Options): Promise<Item[]> {
	const run = Run.of(context);
	const { operation, input } = run.enter(context, () => {
		const chosen = operationOf(context, resources);
		return { operation: chosen, input: readInput(context, parametersOf(chosen)) };
	});
	const { route, answer } = operation;
	const { settings } = input;
	const prepare = async () => await requestOf(context, route, input, options);
	if (answer.file) return [await fileOf(context, await prepare(), settings)];

	const send = async () => await answered(context, answer, await prepare(), settings);
	const sent = route.startsWith('GET ') ? await send() : await run.inOrder(context, send);
	if (!sent) return [];
	const records = await finished(context, answer, sent.records, sent.url, settings);
	const shape = shaped(answer, settings);
	return records.map((record) => ({ json: shape(record) }));
}

/** The operation that is chosen in the node. */
function operationOf(context: Context, resources: Resource[]): Operation {
	const { parameters } = context.getNode();
	const resource = resources.find(({ value }) => value === parameters.resource);
	const operation = resource?.operations.find(
		({ labels }) => labels.value === parameters.operation,
	);
	if (operation) return operation;
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
interface Prepared {
	filled: ApiRequest;
	lastId?: string;
}

/** Sends an item's request, and gives the records of the answer. */
async function answered(
	context: Context,
	{ isList }: Answer,
	{ filled, lastId }: Prepared,
	settings: Settings,
): Promise<{ records: IDataObject[]; url: string }> {
	const records = isList
		? await listAll(context, filled, maxOf(settings))
		: toRecords(await request(context, filled), lastId);
	return { records, url: filled.url };
}

/** As `answered`, for a file: it is streamed into n8n's binary store. */
async function fileOf(
	context: Context,
	{ filled, lastId }: Prepared,
	settings: Settings,
): Promise<Item> {
	return await Run.of(context).oneOfAFew(async () => {
		const answer = await request(context, { ...filled, encoding: 'stream' });
		return await fileItem(context, answer, askedBy(filled, lastId), settings);
	});
}

const maxOf = ({ returnAll, limit }: Settings) => (returnAll ? undefined : (limit as number));

async function requestOf(
	context: Context,
	route: Route,
	{ ids, qs, body, deferred }: Input,
	options: Options,
): Promise<Prepared> {
	const [method, template] = route.split(' ') as ['GET' | 'POST' | 'DELETE', string];
	const { url, lastId } = await fillPath(context, template, ids);
	for (const each of deferred) {
		each.set('site' in each ? await idOf(context, each.site) : await dataUri(context, each));
	}
	return { filled: { ...(options as Partial<ApiRequest>), method, url, qs, body }, lastId };
}

async function dataUri(
	context: Context,
	{ binaryField, mimeType }: { binaryField: string; mimeType: string },
): Promise<string> {
	const content = await context.helpers.getBinaryDataBuffer(binaryField);
	return `data:${mimeType};base64,${content.toString('base64')}`;
}

/** What names the file: the query, or without one the id in the path. */
const askedBy = ({ qs = {} }: ApiRequest, lastId?: string): IDataObject =>
	Object.keys(qs).length > 0 ? qs : { ...(lastId !== undefined && { id: lastId }) };

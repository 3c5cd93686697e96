import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecutePaginationFunctions,
	INodeExecutionData,
	JsonObject,
} from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { fileItem } from '../receive/file';
import { toRecords } from '../receive/items';
import type { Shape } from '../receive/output';
import { whole } from '../receive/output';
import type { ApiRequest } from './context';
import { listAll } from './paging';
import { fillPath, readIds } from './path';
import { request } from './request';
import type { Item } from './run';
import { Run } from './run';
import type { Finish } from './wait';

type Sender = (
	this: IExecutePaginationFunctions,
	requestData: DeclarativeRestApiSettings.ResultOptions,
) => Promise<INodeExecutionData[]>;

interface Sending {
	/** The form of the records. */
	shape?: Shape;
	/** What is done with the records once the request is answered, such as waiting for the end of a task. */
	finish?: Finish;
}

/**
 * The one way from a declarative operation to the service: n8n calls it as its pagination function, once an item.
 * Reads run side by side, changes in item order. Every item of output is paired with its input item, also the
 * error items under Continue On Fail.
 */
export function sender({ shape = whole, finish }: Sending = {}): Sender {
	return sending(async (context, requestData) => {
		const sent = await perform(context, requestData, async (filled, lastId) => {
			const isList = filled.qs?.page !== undefined;
			const records = isList
				? await listAll(context, filled, requestData.maxResults as number | undefined)
				: toRecords(await request(context, filled), lastId);
			return { records, url: filled.url };
		});
		if (!sent) return [];
		const records = finish ? await finish(context, sent.records, sent.url) : sent.records;
		return records.map((record) => ({ json: shape(context, record) }));
	});
}

/** As `sender`, for an operation that gives a file: it is streamed into n8n's binary store. */
export function fileSender(): Sender {
	return sending(async (context, requestData) => {
		const item = await perform(context, requestData, async (filled, lastId) =>
			Run.of(context).oneOfAFew(async () => {
				const answer = await request(context, { ...filled, encoding: 'stream' });
				return await fileItem(context, answer, askedBy(filled, lastId));
			}),
		);
		return item ? [item] : [];
	});
}

/** What names the file: the query, or without one the id in the path. */
const askedBy = ({ qs = {} }: ApiRequest, lastId?: string): IDataObject =>
	Object.keys(qs).length > 0 ? qs : { ...(lastId !== undefined && { id: lastId }) };

function sending(
	work: (
		context: IExecutePaginationFunctions,
		requestData: DeclarativeRestApiSettings.ResultOptions,
	) => Promise<Item[]>,
): Sender {
	return async function (requestData) {
		const pairedItem = { item: this.getItemIndex() };
		try {
			const items = await work(this, requestData);
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

/**
 * Sends the item's request when its turn comes: reads at once, changes in item order.
 * @returns what `send` gives; undefined when it was not called, because another item had failed
 */
async function perform<T>(
	context: IExecutePaginationFunctions,
	{ options }: DeclarativeRestApiSettings.ResultOptions,
	send: (filled: ApiRequest, lastId?: string) => Promise<T>,
): Promise<T | undefined> {
	const template = options.url ?? '';
	const run = Run.of(context);
	const ids = run.enter(context, () => readIds(context, template));

	const call = async () => {
		const { url, lastId } = await fillPath(context, template, ids);
		await run.prepare(context);
		return await send({ ...options, url } as ApiRequest, lastId);
	};
	if (options.method === 'GET') return await call();
	return await run.inOrder(context, call);
}

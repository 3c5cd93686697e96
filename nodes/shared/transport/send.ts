import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecutePaginationFunctions,
	INodeExecutionData,
	JsonObject,
} from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { toRecords } from '../receive/items';
import type { Shape } from '../receive/output';
import { whole } from '../receive/output';
import type { ApiRequest } from './context';
import { listAll } from './paging';
import { fillPath, readIds } from './path';
import { request } from './request';
import { Run } from './run';

type Sender = (
	this: IExecutePaginationFunctions,
	requestData: DeclarativeRestApiSettings.ResultOptions,
) => Promise<INodeExecutionData[]>;

/**
 * The one way from a declarative operation to the service: n8n calls it as its pagination function, once an item.
 * Reads run side by side, changes in item order. Every item of output is paired with its input item, also the
 * error items under Continue On Fail.
 */
export function sender(shape: Shape = whole): Sender {
	return async function (requestData) {
		const pairedItem = { item: this.getItemIndex() };
		try {
			const records = await perform(this, requestData);
			return records.map((record) => ({ json: shape(this, record), pairedItem }));
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

async function perform(
	context: IExecutePaginationFunctions,
	{ options, maxResults }: DeclarativeRestApiSettings.ResultOptions,
): Promise<IDataObject[]> {
	const template = options.url ?? '';
	const run = Run.of(context);
	const ids = run.enter(context, () => readIds(context, template));

	const call = async () => {
		const { url, lastId } = await fillPath(context, template, ids);
		const filled = { ...options, url } as ApiRequest;
		const isList = options.qs?.page !== undefined;
		return isList
			? await listAll(context, filled, maxResults as number | undefined)
			: toRecords(await request(context, filled), lastId);
	};
	if (options.method === 'GET') return await call();
	return await run.inOrder(context, call);
}

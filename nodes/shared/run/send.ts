import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecutePaginationFunctions,
	INodeExecutionData,
	INodeTypeDescription,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { isTool } from '../n8n/context';
import type { Resource } from '../operation';
import { itemError } from './itemError';
import { errorForModel, forModel, roomOf } from './forModel';
import { operationItems } from './operationItems';
import type { ItemsOf, Progress } from './progress';
import { Run } from './run';

type Sender = (
	this: IExecutePaginationFunctions,
	requestData: DeclarativeRestApiSettings.ResultOptions,
) => Promise<INodeExecutionData[]>;

/**
 * Sends all requests of declarative operations: n8n calls it as pagination function, once for each item.
 * The request comes from `input/`, not from n8n. Reads run in parallel, changes in item order.
 * Each output item is paired with its input item, also error items under Continue On Fail.
 */
export const sender = (resources: Resource[]): Sender => seam(operationItems(resources));

/** @param itemsOf returns the output of an item, or throws its error */
export function seam(itemsOf: ItemsOf): Sender {
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
				// For bad input the message is enough; the description is for people.
				const isOfInput = error instanceof NodeOperationError;
				const rest = isOfInput ? '' : (failure.description ?? '');
				failure.message = errorForModel(failure.message, rest);
				// MCP clients read the description too.
				failure.description = '';
			}
			if (!this.continueOnFail()) throw failure;
			// Plain JSON only: an Error on the item becomes null in later expressions.
			const { details } = failure.context;
			return [{ json: { error: failure.message, details } as IDataObject, pairedItem }];
		} finally {
			run.end();
		}
	};
}

/** Base URL of requests, the same for all action nodes. */
export const requestDefaults: INodeTypeDescription['requestDefaults'] = {
	baseURL: '={{ $credentials.baseUrl }}',
};

/** Has n8n call `sender` for the requests of a node. */
export const requestOperations = (
	resources: Resource[],
): INodeTypeDescription['requestOperations'] => ({ pagination: sender(resources) });

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
 * The one way from a declarative operation to the service: n8n calls it as its pagination function, once an item.
 * What is sent is what the input room reads from the parameters. Reads run side by side, changes in item order.
 * Every item of output is paired with its input item, also the error items under Continue On Fail.
 */
export const sender = (resources: Resource[]): Sender => seam(operationItems(resources));

/** @param itemsOf gives the output of an item, or throws what becomes its error */
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

/** The same for all action nodes: where requests go. */
export const requestDefaults: INodeTypeDescription['requestDefaults'] = {
	baseURL: '={{ $credentials.baseUrl }}',
};

/** The one function that sends the requests of a node. */
export const requestOperations = (
	resources: Resource[],
): INodeTypeDescription['requestOperations'] => ({ pagination: sender(resources) });

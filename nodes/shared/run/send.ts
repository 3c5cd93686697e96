import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecutePaginationFunctions,
	INodeExecutionData,
} from 'n8n-workflow';
import { nodeNameToToolName, NodeOperationError } from 'n8n-workflow';
import { argumentsIn, isBlank } from '../input/field';
import { naming, refuse, shown } from '../input/refusal';
import { isRecord, listIn, omit, recordIn, valueAt } from '../lib';
import { isTool, type ItemContext } from '../n8n/context';
import type { Resource } from '../operation';
import { detailsOf } from '../receive/errors';
import { itemError } from './itemError';
import type { ItemsOf, Progress } from './itemRequest';
import { operationItems } from './operationItems';
import { errorForModel, forModel, roomOf, startOf } from './outputItems';
import { Run } from './run';

/** Sends all requests of declarative operations instead of n8n: the request comes from `input/`. */
export const sender = (resources: Resource[]) => seam(operationItems(resources));

/** A pagination function, which n8n calls for each item. Output is paired with the item, also errors under Continue On Fail. */
export function seam(itemsOf: ItemsOf) {
	return async function (
		this: IExecutePaginationFunctions,
		{ options }: DeclarativeRestApiSettings.ResultOptions,
	): Promise<INodeExecutionData[]> {
		const pairedItem = { item: this.getItemIndex() };
		const run = Run.of(this);
		const progress: Progress = { isChange: false, isSent: false, isMade: false, secrets: [] };
		const work = { context: this, run, options, progress };
		try {
			if (isTool(this)) checkArguments(this);
			const room = roomOf(this);
			const items = await itemsOf(work);
			const shown = room === undefined ? items : forModel(items, room, startOf(this));
			return shown.map(({ json, binary }) => ({ json, ...(binary && { binary }), pairedItem }));
		} catch (error) {
			if (!progress.isSent) run.fail();
			const failure = await itemError(work, error);
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
			return [{ json: { error: failure.message, details: { ...detailsOf(failure) } }, pairedItem }];
		} finally {
			run.end();
		}
	};
}

/** All arguments of the call, as the model gave them; undefined where n8n does not show them. */
function argumentsOf(context: ItemContext): IDataObject | undefined {
	const started = recordIn(context.getExecuteData().data.main?.[0]?.[0]?.json);
	const request = isRecord(started.body) ? started.body : started;
	if (request.method === 'tools/call') return recordIn(recordIn(request.params).arguments);
	// The interface of the context does not have these.
	const { runIndex = 0, runExecutionData } = context as {
		runIndex?: number;
		runExecutionData?: unknown;
	};
	const runs = recordIn(valueAt(runExecutionData, 'resultData.runData'))[context.getNode().name];
	const given = valueAt(listIn(runs)[runIndex], 'inputOverride.ai_tool.0.0.json');
	// Older versions mix them with the item of the agent.
	return isRecord(given) && !('toolCallId' in given) ? given : undefined;
}

/** Refuses arguments that the tool does not have: n8n drops them, and without them, a list would be the whole fleet. */
function checkArguments(context: ItemContext): void {
	const given = argumentsOf(context);
	if (!given) return;
	const known = argumentsIn(context.getNode().parameters);
	const all = isRecord(given.query) ? { ...given.query, ...omit(given, 'query') } : given;
	// n8n's review in front of a tool adds them.
	const isOfReview = (name: string, value: unknown) =>
		name === 'hitlParameters' ||
		(name === 'tool' && value === nodeNameToToolName(context.getNode()));
	const other = Object.entries(all).find(
		([name, value]) => !known.includes(name) && !isBlank(value) && !isOfReview(name, value),
	);
	if (!other) return;
	const has = known.length > 0 ? `The tool has ${known.join(', ')}` : 'The tool has no arguments';
	naming(context, other[0], () =>
		refuse(`is not one of this tool: ${shown(other[1])}. ${has}. Nothing was sent`),
	);
}

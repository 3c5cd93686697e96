import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { nodeNameToToolName } from 'n8n-workflow';
import { naming, refuse, shown } from '../input/refusal';
import { argumentsIn, isBlank } from '../input/field';
import { isRecord, omit, recordIn } from '../lib';
import type { ItemContext } from '../n8n/context';

/** What a model gives to a tool. n8n drops arguments that the tool does not have, without a word. */

/** Parts of n8n's context of an item that its interface does not have. */
interface Inside {
	runIndex?: number;
	runExecutionData?: {
		resultData?: {
			runData?: Record<
				string,
				Array<{ inputOverride?: { ai_tool?: Array<INodeExecutionData[] | null> } } | undefined>
			>;
		};
	};
}

/** All arguments of the call, as the model gave them; undefined where n8n does not show them. */
function argumentsOf(context: ItemContext): IDataObject | undefined {
	const started = recordIn(context.getExecuteData().data.main?.[0]?.[0]?.json);
	const request = isRecord(started.body) ? started.body : started;
	if (request.method === 'tools/call') return recordIn(recordIn(request.params).arguments);
	const { runIndex = 0, runExecutionData } = context as Inside;
	const runs = runExecutionData?.resultData?.runData?.[context.getNode().name];
	const given = runs?.[runIndex]?.inputOverride?.ai_tool?.[0]?.[0]?.json;
	// Older versions mix them with the item of the agent.
	return given && !('toolCallId' in given) ? given : undefined;
}

/** Refuses arguments that the tool does not have: without them, a list would be the whole fleet. */
export function checkArguments(context: ItemContext): void {
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

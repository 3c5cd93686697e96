import { startChatServer, textOf, type ChatRequest } from '../../sandbox/lib/chatServer';
import { sinceAsked } from './recorder';
import { requests } from './requests';
import { nextOf, type Call, type Script } from './script';

/** A model that plays the scripts of the requests, and errs where it is told to. */

/** @param erring other scripts, by the sentence of the request */
export const startStandIn = async (erring: Record<string, () => Script> = {}) =>
	await startChatServer('stand-in', (request) => {
		const asked = textOf(request.messages.filter(({ role }) => role === 'user').at(-1)!);
		const script = erring[asked] ?? requests.find(({ sentence }) => sentence === asked)?.script;
		if (!script) return 'I do not know that request.';
		const results = sinceAsked(request.messages)
			.filter(({ role }) => role === 'tool')
			.map(textOf);
		const next = nextOf(script(), results);
		return typeof next === 'string'
			? next
			: next.map((call) => ({ tool: call.tool, with: argumentsOf(call, request) }));
	});

/** One behind a review takes the arguments of both. */
function argumentsOf({ tool, given, review = {} }: Call, { tools = [] }: ChatRequest) {
	const schema = tools.find((each) => each.function.name === tool)?.function.parameters;
	return schema?.properties?.toolParameters
		? { toolParameters: given, hitlParameters: review }
		: given;
}

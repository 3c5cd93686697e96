import { randomUUID } from 'node:crypto';
import { startChatServer, textOf } from '../../sandbox/lib/chatServer';
import type { ChatServer, WantedCall } from '../../sandbox/lib/chatServer';

/** A tool with its arguments, as a model would want it called. */
export type Call = [tool: string, given?: Record<string, unknown>];

export type ScriptedModel = Awaited<ReturnType<typeof startScriptedModel>>;

/** Starts a model that calls the tools that a test wants called. */
export async function startScriptedModel() {
	const farewell = 'That is all.';
	const scripts = new Map<string, WantedCall[][]>();
	const promptOf = (request: ChatServer['requests'][number]) =>
		textOf(request.messages.filter(({ role }) => role === 'user').at(-1)!);
	const server = await startChatServer(
		'scripted',
		(request) => scripts.get(promptOf(request))?.shift() ?? farewell,
	);
	return {
		...server,
		farewell,
		/**
		 * Has the model call tools, the calls of a step in one answer.
		 * @param ask begins the conversation with a prompt, and resolves when it has ended
		 */
		async play(steps: Call[][], ask: (prompt: string) => Promise<unknown>) {
			const prompt = randomUUID();
			const script = steps.map((calls) =>
				calls.map(([tool, given = {}]) => ({ tool, with: given, id: `call_${randomUUID()}` })),
			);
			scripts.set(prompt, [...script]);
			await ask(prompt);
			const { messages } = server.requests.filter((each) => promptOf(each) === prompt).at(-1)!;
			const told = messages.filter(({ role }) => role === 'tool');
			const wanted = script.flat();
			// Each result belongs to one call, and each call has one.
			expect(told.map((each) => each.tool_call_id).sort()).toEqual(
				wanted.map(({ id }) => id).sort(),
			);
			return {
				/** What each call gave, as the model reads it, in the order of the script. */
				results: wanted.map(({ id }) => textOf(told.find((each) => each.tool_call_id === id)!)),
			};
		},
	};
}

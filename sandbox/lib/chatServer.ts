import type { AddressInfo } from 'node:net';
import fastify from 'fastify';

/** A chat server on loopback that any node for OpenAI-compatible models can use; who starts it says the answers. */

export interface ToolCall {
	id: string;
	type: 'function';
	function: { name: string; arguments: string };
}

export interface Message {
	role: 'system' | 'developer' | 'user' | 'assistant' | 'tool';
	content?: string | Array<{ text?: string }> | null;
	tool_calls?: ToolCall[];
	tool_call_id?: string;
}

export interface Schema {
	type?: string;
	description?: string;
	default?: unknown;
	required?: string[];
	properties?: Record<string, Schema>;
}

export interface Tool {
	function: { name: string; description?: string; parameters?: Schema };
}

export interface ChatRequest {
	model: string;
	messages: Message[];
	tools?: Tool[];
	stream?: boolean;
}

/** A tool that the model wants called. */
export interface WantedCall {
	tool: string;
	with: Record<string, unknown>;
	/** Default one that no other call has. */
	id?: string;
}

/** What the model says: a sentence, or the tools that it wants called. */
export type Said = string | WantedCall[];

export interface ChatServer {
	/** What the credential of a model takes as its base URL. */
	baseUrl: string;
	/** What has been asked, oldest first. */
	requests: ChatRequest[];
	close(): Promise<void>;
}

export const textOf = ({ content }: Message) =>
	Array.isArray(content) ? content.map(({ text }) => text ?? '').join('') : (content ?? '');

export const modelUrl = (port: number) => `http://127.0.0.1:${port}/v1`;

/**
 * Starts the server.
 * @param model its name
 * @param port 0 for any free one
 */
export async function startChatServer(
	model: string,
	answer: (request: ChatRequest) => Said,
	port = 0,
): Promise<ChatServer> {
	const server = fastify({ forceCloseConnections: true });
	const requests: ChatRequest[] = [];
	let calls = 0;

	const messageOf = (said: Said) => {
		if (typeof said === 'string') return { role: 'assistant', content: said };
		const tool_calls = said.map(({ tool, with: given, id }, index) => ({
			index,
			id: id ?? `call_${++calls}`,
			type: 'function',
			function: { name: tool, arguments: JSON.stringify(given) },
		}));
		return { role: 'assistant', content: null, tool_calls };
	};

	server.get('/v1/models', () => ({ object: 'list', data: [{ id: model, object: 'model' }] }));

	server.post<{ Body: ChatRequest }>('/v1/chat/completions', (request, reply) => {
		const { body } = request;
		requests.push(body);
		const said = answer(body);
		const message = messageOf(said);
		const finish_reason = typeof said === 'string' ? 'stop' : 'tool_calls';
		const common = { id: `chat_${requests.length}`, created: Math.floor(Date.now() / 1000), model };
		if (!body.stream) {
			return reply.send({
				...common,
				object: 'chat.completion',
				choices: [{ index: 0, message, finish_reason }],
				usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
			});
		}
		const chunk = (delta: object, finish: string | null) => {
			const choices = [{ index: 0, delta, finish_reason: finish }];
			return `data: ${JSON.stringify({ ...common, object: 'chat.completion.chunk', choices })}\n\n`;
		};
		return reply
			.type('text/event-stream')
			.send(`${chunk(message, null)}${chunk({}, finish_reason)}data: [DONE]\n\n`);
	});

	server.post('/v1/responses', (_request, reply) =>
		reply.code(404).send({
			error: {
				message:
					'The sandbox model has no Responses API: switch off "Use Responses API" in the node of the model',
			},
		}),
	);

	await server.listen({ port, host: '127.0.0.1' });
	const { port: bound } = server.server.address() as AddressInfo;
	return {
		baseUrl: modelUrl(bound),
		requests,
		close: async () => await server.close(),
	};
}

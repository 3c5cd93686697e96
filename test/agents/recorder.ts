import type { AddressInfo } from 'node:net';
import axios from 'axios';
import fastify from 'fastify';
import { textOf, type ChatRequest, type Message } from '../../sandbox/lib/chatServer';

/** Stands between n8n and a model, and writes down what they say. It alone knows the key. */

/** What a model has done for one request of a person. */
export interface Turn {
	/** The tools that it called, with what it gave them, in order. */
	calls: Array<{ tool: string; given: unknown; result: string }>;
	/** Characters of the tools that were offered with each answer. */
	offered: number;
	/** Characters of all results that it has read. */
	read: number;
	/** Why there is no answer of the model, where its server gave none in the end. */
	failure?: string;
}

export interface Model {
	/** Of a server that speaks like OpenAI, with its version segment. */
	baseUrl: string;
	name: string;
	apiKey: string;
}

/** Starts it on loopback. */
export async function startRecorder({ baseUrl, apiKey }: Model) {
	const server = fastify({ forceCloseConnections: true, bodyLimit: 50e6 });
	let last: ChatRequest | undefined;
	let failure: string | undefined;
	server.post<{ Body: ChatRequest }>('/v1/chat/completions', async (request, reply) => {
		last = request.body;
		try {
			const url = `${baseUrl.replace(/\/+$/, '')}/chat/completions`;
			const { status, headers, data } = await axios.post<string>(url, request.body, {
				headers: { Authorization: `Bearer ${apiKey}` },
				validateStatus: () => true,
				responseType: 'text',
				transformResponse: (text: unknown) => text,
			});
			failure = status < 400 ? undefined : `${status} ${data.slice(0, 500)}`;
			const type = String(headers['content-type'] ?? 'application/json');
			return await reply.code(status).type(type).send(data);
		} catch (error) {
			failure = (error as Error).message;
			return await reply.code(502).send({ error: { message: failure } });
		}
	});
	await server.listen({ port: 0, host: '127.0.0.1' });
	const { port } = server.server.address() as AddressInfo;
	return {
		baseUrl: `http://127.0.0.1:${port}/v1`,
		/** What has been done since the last time. */
		takeTurn() {
			const turn: Turn = { ...turnOf(last), ...(failure && { failure }) };
			last = failure = undefined;
			return turn;
		},
		close: async () => await server.close(),
	};
}

/** What has been said since the person spoke last. */
export function sinceAsked(messages: Message[]): Message[] {
	return messages.slice(messages.map(({ role }) => role).lastIndexOf('user') + 1);
}

/** A model is sent all that was said with each request, so the last one has it. */
function turnOf(request: ChatRequest | undefined): Turn {
	if (!request) return { calls: [], offered: 0, read: 0 };
	const since = sinceAsked(request.messages);
	const told = new Map(
		since
			.filter(({ role }) => role === 'tool')
			.map((message) => [message.tool_call_id, textOf(message)]),
	);
	const calls = since
		.flatMap(({ tool_calls: made = [] }) => made)
		.map(({ id, function: { name, arguments: given } }) => ({
			tool: name,
			given: parsed(given),
			result: told.get(id) ?? '',
		}));
	return {
		calls,
		offered: JSON.stringify(request.tools ?? []).length,
		read: calls.reduce((sum, { result }) => sum + result.length, 0),
	};
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

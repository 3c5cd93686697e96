import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ends } from './ending';

/** An answer of the wayward service; `drop` breaks the connection without one. */
export type Answer = { status?: number; headers?: Record<string, string>; body?: unknown } | 'drop';

export const withHeaders = (answer: Answer, headers: Record<string, string>): Answer =>
	answer === 'drop' ? answer : { ...answer, headers: { ...headers, ...answer.headers } };

const routeOf = (request: string) => request.replace('/api/v6', '').replace(/\?.*/, '');

export interface Wayward {
	baseUrl: string;
	token: string;
	/** Requests so far, as `GET /api/v6/tags?page=1`. */
	requests: string[];
	/** Their routes, as `GET /tags`. */
	routes: () => string[];
	/** Called with each request before it is answered. */
	onRequest?: (request: IncomingMessage) => void;
	close: () => Promise<void>;
}

/**
 * A service that answers as a test tells it to: what the well-behaved one never does. It closes with the test file.
 * @param answer what is answered, or writes the answer itself
 * @param common headers of all answers
 */
export async function startWayward(
	answer: (
		url: URL,
		count: number,
		route: string,
	) => Answer | ((response: ServerResponse) => void | Promise<void>),
	common: Record<string, string> = {},
): Promise<Wayward> {
	const requests: string[] = [];
	const server = createServer((request, response) => {
		service.onRequest?.(request);
		const url = new URL(request.url!, 'http://127.0.0.1');
		requests.push(`${request.method} ${url.pathname}${url.search}`);
		const result = answer(url, requests.length, routeOf(requests.at(-1)!));
		if (result === 'drop') return void request.socket.destroy();
		if (typeof result === 'function') return void result(response);
		const { status = 200, headers = {}, body = '' } = result;
		const text = typeof body === 'string' ? body : JSON.stringify(body);
		const type = typeof body === 'string' ? 'text/plain' : 'application/json';
		response.writeHead(status, { 'Content-Type': type, ...common, ...headers }).end(text);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const service = ends<Wayward>({
		baseUrl: `http://127.0.0.1:${port}/api/v6`,
		token: 'wayward-token',
		requests,
		routes: () => requests.map(routeOf),
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	});
	return service;
}

/** What is answered to each route, such as `GET /tags/7`; 404 to all others. */
export type Answers = Record<string, Answer | (() => Answer)>;

/** A page of a list, of one page unless it has more records in all. */
export const pageOf = (name: string, records: object[], totalItems = records.length): Answer => ({
	body: {
		[name]: records,
		meta: {
			pagination: { perPage: 100, totalPages: Math.ceil(totalItems / 100) || 1, totalItems },
		},
	},
});

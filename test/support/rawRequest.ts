import { request } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http';

export interface RawRequest {
	method?: string;
	headers?: OutgoingHttpHeaders;
	/** Sent as JSON. */
	body?: object;
}

/** What a browser sends for a socket, apart from its `Origin`. */
export const UPGRADE = {
	Connection: 'Upgrade',
	Upgrade: 'websocket',
	'Sec-WebSocket-Version': '13',
	'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
};

/** Sends exactly this path and these headers: what else asks for pages would put both in order. */
export async function rawRequest(server: string, path: string, asked: RawRequest = {}) {
	const { method = 'GET', headers, body } = asked;
	return await new Promise<{ status: number; headers: IncomingHttpHeaders; text: string }>(
		(resolve, reject) => {
			const { hostname, port } = new URL(server);
			const json = body && { 'Content-Type': 'application/json' };
			const sent = request({ hostname, port, method, path, headers: { ...json, ...headers } });
			const take = ({ statusCode, headers: given }: IncomingMessage, text: string) =>
				resolve({ status: statusCode!, headers: given, text });
			sent.on('error', reject);
			sent.on('upgrade', (response, socket) => {
				socket.destroy();
				take(response, '');
			});
			sent.on('response', (response) => {
				let text = '';
				response.on('data', (chunk) => (text += String(chunk)));
				response.on('end', () => take(response, text));
			});
			sent.end(body && JSON.stringify(body));
		},
	);
}

/** Requests of a browser to an address of this machine that are not of a page of that address. */
export const FOREIGN: Array<[string, OutgoingHttpHeaders]> = [
	['a page of another site', { Origin: 'https://example.com' }],
	['a page of another port', { Origin: 'http://127.0.0.1:8080' }],
	['a page without an origin', { Origin: 'null' }],
	['a name that leads to this machine', { Host: 'example.com', Origin: 'http://example.com' }],
	['such a name without an origin', { Host: '127.0.0.1.example.com:80' }],
];

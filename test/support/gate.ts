import { createServer, request as send, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Access } from './engine';

/** A way to a service that holds each request until a test lets it through. */
export interface Gate extends Access {
	close: () => Promise<void>;
}

/**
 * For n8n it is a service of its own, so that nodes that go through different gates share nothing but the service: as
 * in two processes.
 * @param pass is called with each request, such as `GET /tags`, before it goes on; and after its answer has come
 */
export async function startGate(
	service: Access,
	pass: (route: string, forward: () => Promise<void>) => Promise<void>,
): Promise<Gate> {
	const target = new URL(service.baseUrl);
	const server = createServer((request, response) => {
		const forward = async () => {
			const body = await bodyOf(request);
			await new Promise<void>((resolve, reject) => {
				const { method, url: path, headers } = request;
				const { hostname, port } = target;
				const onward = send({ hostname, port, method, path, headers, agent: false }, (answer) => {
					response.writeHead(answer.statusCode!, answer.headers);
					answer.pipe(response).on('finish', resolve);
				});
				onward.on('error', reject).end(body);
			});
		};
		const path = new URL(request.url!, target).pathname.replace(target.pathname, '');
		void pass(`${request.method} ${path}`, forward).catch(() => request.socket.destroy());
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	server.unref();
	const { port } = server.address() as AddressInfo;
	return {
		...service,
		baseUrl: `http://127.0.0.1:${port}${target.pathname}`,
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks);
}

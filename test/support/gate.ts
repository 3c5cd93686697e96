import { request as send, type IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Access } from './engine';
import { startWayward } from './wayward';

export type Gate = Awaited<ReturnType<typeof startGate>>;

/**
 * A way to a service that holds each request until a test lets it through. For n8n it is a service of its own, so that
 * nodes that go through different gates share nothing but the service: as in two processes.
 * @param pass is called with each request, such as `GET /tags`, before it goes on; and after its answer has come
 */
export async function startGate(
	service: Access,
	pass: (route: string, forward: () => Promise<void>) => Promise<void>,
) {
	const { hostname, port } = new URL(service.baseUrl);
	let newest: IncomingMessage;
	const gate = await startWayward((_url, _count, route) => {
		const request = newest;
		return async (response) => {
			const forward = async () => {
				const { method, url: path, headers } = request;
				const answer = await new Promise<IncomingMessage>((resolve, reject) => {
					const onward = send({ hostname, port, method, path, headers, agent: false }, resolve);
					request.pipe(onward.on('error', reject));
				});
				await pipeline(answer, response.writeHead(answer.statusCode!, answer.headers));
			};
			await pass(route, forward).catch(() => request.socket.destroy());
		};
	});
	gate.onRequest = (request) => void (newest = request);
	return { ...service, baseUrl: gate.baseUrl, close: gate.close };
}

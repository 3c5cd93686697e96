import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { checkLive } from '../../../tools/live/cli';
import type { Clock } from '../../../tools/live/guard';

export type Json = Record<string, any>;

/** An answer on its way from the service, which a test changes. */
export interface Passing {
	status: number;
	headers: Record<string, string>;
	/** JSON where it is that. */
	body: any;
}

export interface Proxy {
	baseUrl: string;
	/** As `GET /tags?page=1`. */
	requests: string[];
	/** Every string in what went through. */
	strings: Set<string>;
	close(): Promise<void>;
}

const open: Proxy[] = [];

afterEach(async () => {
	await Promise.all(open.splice(0).map(async (proxy) => await proxy.close()));
});

function stringsIn(value: unknown, into: Set<string>): void {
	if (typeof value === 'string') into.add(value);
	if (typeof value !== 'object' || value === null) return;
	for (const each of Object.values(value)) stringsIn(each, into);
}

/** A server before the service, which changes what goes through. `path` is below the base URL, without the query. */
export async function startProxy(
	{ baseUrl }: { baseUrl: string },
	change: (path: string, answer: Passing, url: URL) => void,
): Promise<Proxy> {
	const below = new URL(baseUrl).pathname;
	const requests: string[] = [];
	const strings = new Set<string>();
	const server = createServer((request, response) => {
		void (async () => {
			const url = new URL(request.url!, baseUrl);
			const path = url.pathname.slice(below.length);
			requests.push(`${request.method} ${path}${url.search}`);
			const answer = await fetch(url, { headers: plain(request.headers) });
			const bytes = Buffer.from(await answer.arrayBuffer());
			const isJson = String(answer.headers.get('content-type')).includes('json');
			const passing: Passing = {
				status: answer.status,
				headers: Object.fromEntries(answer.headers),
				body: isJson ? JSON.parse(bytes.toString()) : bytes,
			};
			change(path, passing, url);
			stringsIn(passing.body, strings);
			const { status, headers, body } = passing;
			for (const name of ['content-length', 'transfer-encoding', 'connection', 'keep-alive']) {
				delete headers[name];
			}
			response.writeHead(status, headers);
			response.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));
		})();
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	server.unref();
	const { port } = server.address() as AddressInfo;
	const proxy: Proxy = {
		baseUrl: `http://127.0.0.1:${port}${below}`,
		requests,
		strings,
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
	open.push(proxy);
	return proxy;
}

const plain = ({ authorization = '' }: IncomingHttpHeaders) => ({ authorization });

/** A clock in which nobody waits: it notes how long one would have. */
export function stillClock(): Clock & { slept: number[] } {
	const slept: number[] = [];
	let now = 0;
	return {
		slept,
		now: () => (now += 7),
		sleep: async (ms) => void slept.push(ms),
	};
}

/** `npm run check -- live` of a service. */
export async function live({ baseUrl }: { baseUrl: string }, token: string, ...args: string[]) {
	return await checkLive(['--base-url', baseUrl, ...args], {
		environment: { SITE_MANAGEMENT_API_TOKEN: token },
		clock: stillClock(),
	});
}

import { checkLive } from '../../../tools/live/cli';
import type { Clock } from '../../../tools/live/guard';
import { startWayward, type Wayward } from '../../support/wayward';

export type Json = Record<string, any>;

/** An answer on its way from the service, which a test changes. */
export interface Passing {
	status: number;
	headers: Record<string, string>;
	/** JSON where it is that. */
	body: any;
}

export interface Proxy extends Wayward {
	/** Every string in what went through. */
	strings: Set<string>;
}

function stringsIn(value: unknown, into: Set<string>): void {
	if (typeof value === 'string') into.add(value);
	if (typeof value !== 'object' || value === null) return;
	for (const each of Object.values(value)) stringsIn(each, into);
}

/** `path` is below the base URL, without the query. */
export type Change = (path: string, answer: Passing, url: URL) => void;

/** A server before the service, which changes what goes through. */
export async function startProxy({ baseUrl }: { baseUrl: string }, change: Change): Promise<Proxy> {
	const strings = new Set<string>();
	const service = await startWayward((asked) => async (response) => {
		const url = new URL(asked.pathname + asked.search, baseUrl);
		const { authorization = '' } = response.req.headers;
		const answer = await fetch(url, { headers: { authorization } });
		const bytes = Buffer.from(await answer.arrayBuffer());
		const isJson = String(answer.headers.get('content-type')).includes('json');
		const passing: Passing = {
			status: answer.status,
			headers: Object.fromEntries(answer.headers),
			body: isJson ? JSON.parse(bytes.toString()) : bytes,
		};
		change(url.pathname.replace('/api/v6', ''), passing, url);
		stringsIn(passing.body, strings);
		const { status, headers, body } = passing;
		for (const name of ['content-length', 'transfer-encoding', 'connection', 'keep-alive']) {
			delete headers[name];
		}
		response.writeHead(status, headers);
		response.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));
	});
	return Object.assign(service, { strings });
}

/** A clock in which nobody waits: it notes how long one would have. */
export function stillClock(): Clock & { slept: number[] } {
	const slept: number[] = [];
	let now = 0;
	return { slept, now: () => (now += 7), sleep: async (ms) => void slept.push(ms) };
}

/** `npm run check -- live` of a service. */
export async function live({ baseUrl }: { baseUrl: string }, token: string, ...args: string[]) {
	return await checkLive(['--base-url', baseUrl, ...args], {
		environment: { SITE_MANAGEMENT_API_TOKEN: token },
		clock: stillClock(),
	});
}

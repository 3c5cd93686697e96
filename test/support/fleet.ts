import axios, { type AxiosInstance } from 'axios';
import {
	ManualClock,
	startService,
	type Service,
	type ServiceOptions,
} from '../../sandbox/service';
import { useClock } from './engine';

/** A request as the service saw it, with the query decoded. */
export interface Sent {
	route: string;
	query: Record<string, string | string[]>;
	body: unknown;
}

export interface Fleet {
	service: Service;
	clock: ManualClock;
	/** Calls the service directly, to prepare and to look. */
	api: AxiosInstance;
	/** What the service has seen since the last `forget`, as `GET /tags`. */
	sent: () => Sent[];
	forget: () => void;
	/** The newest site, as the service's list shows it. */
	sites: (count: number) => Promise<Array<Record<string, any>>>;
}

export const START = Date.parse('2026-03-01T12:00:00Z');

/** Services that a test has not closed: they would keep the process alive. */
const open = new Set<Service>();

// The bench has no such hook.
if (typeof afterAll === 'function') {
	afterAll(async () => {
		for (const service of open) await service.close();
	});
}

/** Starts a service whose clock stands still, with a limit that only tests of the limit can reach. */
export async function startFleet(options: ServiceOptions = {}): Promise<Fleet> {
	const clock = new ManualClock(START);
	const service = await startService({ clock, rateLimit: { limit: 100_000 }, ...options });
	open.add(service);
	const close = service.close.bind(service);
	service.close = async () => {
		open.delete(service);
		await close();
	};
	const api = axios.create({
		baseURL: service.baseUrl,
		headers: { Authorization: `Bearer ${service.token}` },
	});
	return {
		service,
		clock,
		api,
		sent: () => service.requests.map(decode),
		forget: () => void service.requests.splice(0),
		sites: async (count) => {
			const { data } = await api.get('/sites', { params: { perPage: count } });
			service.requests.splice(0);
			return data.sites;
		},
	};
}

/** Has the time of n8n pass as that of the service does; they are otherwise years apart. */
export function inStep({ clock }: Fleet): void {
	useClock({ now: () => clock.now(), sleep: (ms) => clock.advance(ms) });
}

function decode({ method, path, query, body }: Service['requests'][number]): Sent {
	const decoded: Sent['query'] = {};
	for (const [key, value] of new URLSearchParams(query)) {
		if (key.endsWith('[]')) decoded[key] = [...(decoded[key] ?? []), value];
		else decoded[key] = value;
	}
	return { route: `${method} ${path.replace('/api/v6', '')}`, query: decoded, body };
}

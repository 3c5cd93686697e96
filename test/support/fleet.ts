import axios, { type AxiosInstance } from 'axios';
import {
	ManualClock,
	startService,
	type Service,
	type ServiceOptions,
} from '../../sandbox/service';
import { momentOf } from '../../sandbox/service/engine/moment';
import { PLAIN } from '../../sandbox/service/otherService/words';
import { useClock } from './transportClock';

/** A request as the service saw it, with the query decoded. */
export interface Sent {
	route: string;
	query: Record<string, string | string[]>;
	body: unknown;
}

/** A running service in this process whose clock stands still; `checkAnswers.ts` checks all its answers. */
export interface Fleet extends Service {
	clock: ManualClock;
	/** Calls the service directly, to prepare and to look. */
	api: AxiosInstance;
	/** The controls of the sandbox; throws for no status. */
	admin: AxiosInstance;
	/** What the service has seen since the last `forget`, as `GET /tags`. */
	sent: () => Sent[];
	forget: () => void;
	routes: () => string[];
	/** Those of them that change something. */
	changes: () => string[];
	/** The newest sites, as the service's list shows them. */
	sites: (count: number) => Promise<Array<Record<string, any>>>;
}

export interface FleetOptions extends Omit<ServiceOptions, 'clock'> {
	/** The time of the service, in milliseconds; default `START`. */
	at?: number;
	/** Which statuses `api` does not throw for; default those of success. */
	validateStatus?: (status: number) => boolean;
}

export const START = Date.parse('2026-03-01T12:00:00Z');

const open = new Set<Fleet>();

export async function closeFleets(): Promise<void> {
	await Promise.all([...open].map(async (fleet) => await fleet.close()));
}

/** A service that is started once, with the fleet that it began with. */
type Kept = Awaited<ReturnType<typeof startKept>>;

/** Services that nobody uses, by their options: to start one again takes a twentieth of the time. */
const free = new Map<string, Kept[]>();

afterAll(async () => {
	await closeFleets();
	await Promise.all([...free.values()].flat().map(async ({ service }) => await service.close()));
	free.clear();
});

async function startKept(at: number, options: ServiceOptions) {
	const clock = new ManualClock(at);
	const service = await startService({ ...options, clock });
	return { service, clock, beginning: momentOf(service.world) };
}

/** Whether a request reads a site, as a change does for the names in its output. */
export const isSiteRead = ({ route }: Pick<Sent, 'route'>) => /^GET \/sites\/[^/]+$/.test(route);

/** A client of a service, and one of its controls, which throws for no status. */
export const clientsOf = (
	{ baseUrl, token }: Pick<Service, 'baseUrl' | 'token'>,
	validateStatus?: FleetOptions['validateStatus'],
) => ({
	api: axios.create({
		baseURL: baseUrl,
		headers: { Authorization: `Bearer ${token}`, [PLAIN]: 'yes' },
		...(validateStatus && { validateStatus }),
	}),
	admin: axios.create({ baseURL: new URL('/_sandbox', baseUrl).href, validateStatus: () => true }),
});

/** Starts a service with a limit that only tests of the limit can reach. */
export async function startFleet(options: FleetOptions = {}): Promise<Fleet> {
	const { at = START, validateStatus, ...others } = options;
	const rest: ServiceOptions = { rateLimit: { limit: 100_000 }, ...others };
	const key = JSON.stringify([at, rest]);
	const unused = free.get(key)?.pop();
	const kept = unused ?? (await startKept(at, rest));
	const { clock, beginning } = kept;
	const service = unused ? await unused.service.startAgain(beginning) : kept.service;
	const { requests } = service;
	const { api, admin } = clientsOf(service, validateStatus);
	const fleet: Fleet = {
		...service,
		clock,
		api,
		admin,
		sent: () => requests.map(asSent),
		forget: () => void requests.splice(0),
		routes: () => fleet.sent().map(({ route }) => route),
		changes: () => fleet.routes().filter((route) => !route.startsWith('GET ')),
		sites: async (count) => {
			const { data } = await api.get('/sites', { params: { perPage: count } });
			requests.splice(0);
			return data.sites;
		},
		close: async () => {
			if (!open.delete(fleet)) return;
			if ('data' in rest || 'port' in rest) return await service.close();
			await service.pause();
			free.set(key, [...(free.get(key) ?? []), kept]);
		},
	};
	open.add(fleet);
	return fleet;
}

/** One for each test of a file, always the same object. */
export function fleetEach(options: FleetOptions): Fleet {
	const fleet = {} as Fleet;
	beforeEach(async () => void Object.assign(fleet, await startFleet(options)));
	afterEach(async () => await fleet.close());
	return fleet;
}

/** One for all tests of a file, each of which sees its own requests alone. */
export function fleetOnce(options: FleetOptions): Fleet {
	const fleet = {} as Fleet;
	beforeAll(async () => void Object.assign(fleet, await startFleet(options)));
	beforeEach(() => fleet.forget());
	return fleet;
}

/** Has the time of n8n pass as that of the service does; they are otherwise years apart. */
export function inStep({ clock }: Fleet, onSleep?: (ms: number) => void): void {
	const sleep = (ms: number) => {
		clock.advance(ms);
		onSleep?.(ms);
	};
	useClock({ now: () => clock.now(), sleep });
}

export function asSent({ method, path, query, body }: Service['requests'][number]): Sent {
	const decoded: Sent['query'] = {};
	for (const [key, value] of new URLSearchParams(query)) {
		if (key.endsWith('[]')) decoded[key] = [...(decoded[key] ?? []), value];
		else decoded[key] = value;
	}
	return { route: `${method} ${path.replace('/api/v6', '')}`, query: decoded, body };
}

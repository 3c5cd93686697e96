import { day, RealClock, type Clock } from './engine/clock';
import { DataFolder } from './engine/data';
import { setLiving } from './engine/living';
import { putBack } from './engine/moment';
import type { Settings } from './engine/settings';
import { World } from './engine/world';
import { FaultInjector, type Faults } from './http/faults';
import { RateLimiter, type RateLimitOptions } from './http/rateLimit';
import { basePath, type RecordedRequest } from './http/options';
import { createServer } from './http/server';
import { controls, parts, routes, routesBeyond } from './modules';
import { isIn, otherService, type Profile, switchesOf } from './otherService';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

export { ManualClock, RealClock, type Clock } from './engine/clock';
export type { RecordedRequest, World };

export interface ServiceOptions {
	/** TCP port on 127.0.0.1; default 0, any free one. */
	port?: number;
	/** Number of sites of a new demo fleet; default 250. */
	sites?: number;
	/** Seed of everything random of a new fleet; default 1. */
	seed?: number;
	/**
	 * Folder that keeps the fleet from one start to the next; default none. What it holds goes on,
	 * with the `sites` and `seed` that it was begun with: other ones are refused.
	 */
	data?: string;
	/** How many times as fast as real time the service's time passes; default 1. */
	speed?: number;
	/** How far the service's time is ahead of the machine's (negative: behind), in milliseconds. */
	clockOffset?: number;
	/** The service's time; default the machine's at `speed`, with `clockOffset`. */
	clock?: Clock;
	/** The API token; default `sandbox-token`. */
	token?: string;
	/** Default 200 requests per 60,000 ms; of real time, or of `clock` where one is given. */
	rateLimit?: RateLimitOptions;
	/** What the service does wrong; see `faults.ts`. Can be changed through `/_sandbox/faults`. */
	faults?: Faults;
	/**
	 * Another service to be, where it differs from the reference; default one with the words of the nodes. Its
	 * latencies are as many times shorter as `speed` says, and none where `clock` is given.
	 */
	profile?: Profile;
	/** Whether things begin by themselves; default false: only what is asked for or scheduled happens. */
	living?: boolean;
	/** Addresses that the page of the service leads to, by their names, such as `n8n`. */
	links?: Record<string, string>;
	/** Other values for the numbers that the reference leaves open. */
	settings?: Partial<Settings>;
}

export interface Service {
	/** `http://127.0.0.1:PORT/api/v6`. */
	baseUrl: string;
	/** Where a person sees the fleet and what happens to it. */
	pageUrl: string;
	token: string;
	clock: Clock;
	/** Requests to the API in the order of their arrival. */
	requests: RecordedRequest[];
	world: World;
	close(): Promise<void>;
	/** Hears nobody any more, until it is started again. */
	pause(): Promise<void>;
	/** Is after a pause as if it had just been started, with the fleet of `momentOf`, at another address. */
	startAgain(moment: string): Promise<Service>;
}

/** How long before the clock's time the history of a new fleet begins. */
const historyMs = 14 * day;

/** Starts a stand-in of the Site Management Service with a demo fleet. */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
	const { port = 0, speed = 1, token = 'sandbox-token', living = false, links = {} } = options;
	const clock = options.clock ?? new RealClock(speed, options.clockOffset);
	const data = options.data === undefined ? undefined : await DataFolder.open(options.data);
	let world: World;
	try {
		world = await createWorld(options, clock, data);
	} catch (error) {
		await data?.close();
		throw error;
	}
	setLiving(world, living);

	const faults = new FaultInjector(
		{ ...switchesOf(options.profile ?? {}), ...options.faults },
		options.seed ?? 1,
	);
	const onPage: World['onPage'] = (page, next) => faults.changeList(world, page, next);
	world.onPage = onPage;
	const requests: RecordedRequest[] = [];
	const limiter = new RateLimiter(clock, options.rateLimit);
	const save = data && (() => data.save());
	const server = createServer({
		world,
		routes: [...routes, ...routesBeyond.filter(isIn(options.profile))],
		controls,
		token,
		limiter,
		faults,
		other: otherService(options.profile, options.clock ? 0 : speed),
		requests,
		links,
		save,
	});
	try {
		await server.listen({ host: '127.0.0.1', port });
	} catch (error) {
		await data?.close();
		throw error;
	}
	const ticker = options.clock ? undefined : setInterval(() => world.catchUp(), 1000).unref();
	const service = (): Service => {
		const origin = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
		return {
			baseUrl: `${origin}${basePath}`,
			pageUrl: `${origin}/`,
			token,
			clock,
			requests,
			world,
			async close() {
				clearInterval(ticker);
				await server.close();
				await data?.close();
			},
			async pause() {
				const closed = once(server.server.close(), 'close');
				server.server.closeAllConnections();
				await closed;
			},
			async startAgain(moment) {
				Object.assign(world, { living, onPage });
				putBack(world, JSON.parse(moment));
				faults.reset();
				limiter.reset();
				requests.length = 0;
				await once(server.server.listen(0, '127.0.0.1'), 'listening');
				return service();
			},
		};
	};
	return service();
}

/** The fleet that the folder holds, at the time of the clock, or else a new one. */
async function createWorld(
	options: ServiceOptions,
	clock: Clock,
	data: DataFolder | undefined,
): Promise<World> {
	const { settings } = options;
	const saved = await data?.originFor(options);
	const origin = saved ?? { seed: options.seed ?? 1, sites: options.sites ?? 250 };
	const world = new World(clock, parts, origin, { from: clock.now() - historyMs, settings });
	data?.watch(world);
	if (saved) {
		await data?.restore(world);
		// A restart never takes the service's time back, though it may have run ahead of the machine's.
		if (world.now > clock.now()) clock.advance?.(world.now - clock.now());
		world.catchUp();
	} else {
		for (const { seed: fill } of parts) fill?.(world, origin.sites);
		world.settle(world.now);
	}
	await data?.keep(world);
	return world;
}

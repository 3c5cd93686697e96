import type { AddressInfo } from 'node:net';
import { RealClock, type Clock } from './clock';
import { startLiving } from './living';
import type { RateLimitOptions } from './rateLimit';
import { historyMs, seedFleet } from './seed';
import { basePath, createServer, type RecordedRequest } from './server';
import type { Settings } from './settings';
import { World } from './world';

export { ManualClock, RealClock, type Clock } from './clock';
export type { RecordedRequest, World };

export interface ServiceOptions {
	/** TCP port on 127.0.0.1; default 0, any free one. */
	port?: number;
	/** Number of sites of the demo fleet; default 250. */
	sites?: number;
	/** Seed of everything random; default 1. */
	seed?: number;
	/** How many times as fast as real time the service's time passes; default 1. */
	speed?: number;
	/** The service's time; default the machine's at `speed`. */
	clock?: Clock;
	/** The API token; default `sandbox-token`. */
	token?: string;
	/** Default 200 requests per 60,000 ms of clock time. */
	rateLimit?: RateLimitOptions;
	/** Whether tasks start by themselves; default false: only what is asked for happens. */
	living?: boolean;
	/** Other values for the numbers that the reference leaves open. */
	settings?: Partial<Settings>;
}

export interface Service {
	/** `http://127.0.0.1:PORT/api/v6`. */
	baseUrl: string;
	token: string;
	clock: Clock;
	/** Requests to the API in the order of their arrival. */
	requests: RecordedRequest[];
	world: World;
	close(): Promise<void>;
}

/** Starts a stand-in of the Site Management Service with a demo fleet. */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
	const { port = 0, sites = 250, seed = 1, speed = 1, token = 'sandbox-token' } = options;
	const clock = options.clock ?? new RealClock(speed);
	const world = new World(clock, {
		seed,
		from: clock.now() - historyMs,
		settings: options.settings,
	});
	seedFleet(world, sites);
	if (options.living) startLiving(world);

	const requests: RecordedRequest[] = [];
	const server = createServer({ world, token, rateLimit: options.rateLimit, requests });
	await server.listen({ host: '127.0.0.1', port });
	const { port: boundPort } = server.server.address() as AddressInfo;
	return {
		baseUrl: `http://127.0.0.1:${boundPort}${basePath}`,
		token,
		clock,
		requests,
		world,
		close: () => server.close(),
	};
}

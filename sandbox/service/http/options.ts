import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import type { World } from '../engine/world';
import type { FaultInjector } from './faults';
import type { Route } from './kit';
import type { Control } from './module';
import type { RateLimiter } from './rateLimit';

/** A request as it arrived at the API, with the status of its response. */
export interface RecordedRequest {
	/** When it arrived, by the machine's time, in which clients wait. */
	received_at: string;
	method: string;
	/** Undecoded, without the query, with the version segment. */
	path: string;
	/** Undecoded, without the question mark. */
	query: string;
	headers: Record<string, string>;
	/** The parsed JSON, or undefined when there was none. */
	body: unknown;
	status: number;
}

/** How the service is addressed and answers, where that is not by the reference. */
export interface OtherService {
	urlOf(request: IncomingMessage): string;
	bodyOf(request: FastifyRequest, text: string): string;
	/** Has its operations answer like it. */
	speak(api: FastifyInstance): void;
}

export interface ServerOptions {
	world: World;
	/** The operations of the API. */
	routes: Route[];
	/** Controls besides those of the server itself. */
	controls: Control[];
	token: string;
	limiter: RateLimiter;
	faults: FaultInjector;
	/** Where it is another service than that of the reference. */
	other: OtherService;
	/** Requests are appended here; the oldest go beyond `settings.recordedRequests`. */
	requests: RecordedRequest[];
	/** Where a person finds what belongs to the service, by its name. */
	links: Record<string, string>;
	/** Keeps what has changed; no answer goes out before. */
	save?(): Promise<void>;
}

export const basePath = '/api/v6';
export const adminPath = '/_sandbox';
export const pagePath = '/';

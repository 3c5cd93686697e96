import type { World } from '../engine/world';
import type { FaultInjector } from './faults';
import type { Route } from './kit';
import type { Control } from './module';
import type { Profile } from './profile';
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

/** Texts between the words of the reference and those of the service. */
export interface Wording {
	/** The address of a request, in the words of the reference. */
	addressed(url: string): string;
	/** The JSON of a request, in the words of the reference. */
	heard(json: string): string;
	/** The JSON of an answer, in the words of the service. */
	said(json: string): string;
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
	/** How another service answers, and how many times as fast as it this one does; 0 for at once. */
	profile?: Profile;
	profileSpeed?: number;
	/** Requests are appended here; the oldest go beyond `settings.recordedRequests`. */
	requests: RecordedRequest[];
	/** Where a person finds what belongs to the service, by its name. */
	links: Record<string, string>;
	/** Where the service has words of its own. */
	wording?: Wording;
	/** Keeps what has changed; no answer goes out before. */
	save?(): Promise<void>;
}

export const basePath = '/api/v6';
export const adminPath = '/_sandbox';
export const pagePath = '/';

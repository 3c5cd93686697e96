import { LOOPBACK } from '../../nodes/shared/access/credential';
import { rateHeaders } from '../../nodes/shared/receive/answer';
import { UserError } from '../../sandbox/lib/errors';
import { reference } from '../../test/support/reference';
import { componentLists, reads, type Extra } from './reads';

/** The one way out of check:live: nothing else in this folder sends a request. */

export class NotPermitted extends Error {}

/** The account has used up its limit: nothing more is sent. */
export class RateLimited extends Error {}

/** There was no answer; `code` is that of the network, which names no host. */
export class Unreached extends Error {
	constructor(readonly code: string) {
		super(code);
	}
}

export interface Rules {
	/** The base URL, without a slash at its end. */
	base: URL;
	/** What is read besides records. */
	extras: ReadonlySet<Extra>;
}

/** Ids as they may be in a path: nothing that any server could read as another path. */
const ID = /^[A-Za-z0-9_-]{1,100}$/;

/** What paths consist of besides ids: `delete` is never one. */
const literals = new Set(
	reference.flatMap(({ route }) => route.split('/').filter((segment) => /^[a-z-]+$/.test(segment))),
);

export const isSafeId = (text: string) => ID.test(text) && !literals.has(text);

const fits = (template: string, segments: string[]): boolean => {
	const wanted = template.split('/').slice(1);
	return (
		wanted.length === segments.length &&
		wanted.every((each, index) =>
			each.startsWith('{') ? isSafeId(segments[index]!) : each === segments[index],
		)
	);
};

/**
 * Lets a request through that can only read: a GET, below the base URL, of a route that is known as a read and whose
 * query is known, too.
 * @throws NotPermitted
 */
export function permit(method: string, address: string, { base, extras }: Rules): URL {
	const no = (why: string): never => {
		throw new NotPermitted(why);
	};
	if (method !== 'GET') no('Only GET is sent');
	if (!URL.canParse(address)) no('That is no URL');
	const url = new URL(address);
	if (url.href !== address) no('The address can be read in several ways');
	if (url.origin !== base.origin || url.username || url.password) no('That is another host');
	if (url.hash) no('The address has a fragment');
	const below = base.pathname.replace(/\/$/, '');
	if (!url.pathname.startsWith(`${below}/`)) no('That is not below the base URL');
	const path = url.pathname.slice(below.length);
	const segments = path.split('/').slice(1);
	const known = reads.filter((read) => fits(read.path, segments));
	const isList = Object.hasOwn(componentLists, path);
	if (known.length === 0 && !isList) no('No read of the API reference has this path');
	for (const { extra } of known) {
		if (extra && !extras.has(extra)) no(`it is only read with --with ${extra}`);
	}
	const keys = new Set([
		...known.flatMap(({ described }) => Object.keys(described.query ?? {})),
		...(isList ? ['page', 'perPage'] : []),
	]);
	for (const key of url.searchParams.keys()) {
		if (!keys.has(key)) no('The query has a parameter that the API reference does not have');
	}
	return url;
}

/**
 * The address of the service.
 * @throws UserError
 */
export function baseOf(text: string): URL {
	const bad = (what: string) =>
		new UserError(
			`--base-url ${what}.\nGive the address of the service with its version segment, such as https://api.example.com/api/v6`,
		);
	if (!URL.canParse(text)) throw bad('is not a URL');
	const url = new URL(text);
	const isLoopback = url.protocol === 'http:' && LOOPBACK.test(url.hostname);
	if (url.protocol !== 'https:' && !isLoopback) throw bad('must start with https://');
	if (/[?#]/.test(text) || url.username || url.password) {
		throw bad('must be a plain URL without ?, # or a user name');
	}
	url.pathname = url.pathname.replace(/\/+$/, '');
	return url;
}

/** Time, which tests replace. */
export interface Clock {
	/** In milliseconds. */
	now(): number;
	sleep(ms: number): Promise<void>;
}

/** An answer, as far as it was read. */
export interface Answer {
	status: number;
	headers: Record<string, string>;
	/** JSON where it is that, or else text; of a file its first bytes as text. */
	body: unknown;
	isJson: boolean;
	/** Whether the rate-limit headers of the service are there. */
	isCounted: boolean;
	ms: number;
}

export interface GuardOptions extends Rules {
	token: string;
	clock: Clock;
}

/** More than this is not read, of whatever answer. */
const MAX_BYTES = 20_000_000;

/** Of a file only its beginning is looked at. */
const FILE_BYTES = 64_000;

const TIMEOUT_MS = 60_000;

/** With fewer requests left it goes slower, for the workflows of the account need some. */
const SLOWER_BELOW = 50;
/** With fewer than these it waits for the next window. */
const WAIT_BELOW = 10;

/** Sends one request after the other, each only if `permit` lets it through. */
export class Guard {
	/** How many requests have been sent. */
	count = 0;
	private pauseMs = 0;
	private isOver = false;
	private last: Promise<unknown> = Promise.resolve();

	constructor(private readonly options: GuardOptions) {}

	/**
	 * @param path below the base URL, with its ids: `/tags/7`
	 * @throws NotPermitted, RateLimited, Unreached
	 */
	async get(path: string, query: Record<string, string> = {}): Promise<Answer> {
		const { base } = this.options;
		const search = new URLSearchParams(query).toString();
		const address = `${base.href.replace(/\/$/, '')}${path}${search && `?${search}`}`;
		return await this.send('GET', address);
	}

	/** @throws NotPermitted, RateLimited, Unreached */
	async send(method: string, address: string): Promise<Answer> {
		const url = permit(method, address, this.options);
		const turn = this.last.then(async () => await this.request(url));
		this.last = turn.catch(() => undefined);
		return await turn;
	}

	private async request(url: URL): Promise<Answer> {
		if (this.isOver) throw new RateLimited();
		const { clock, token } = this.options;
		if (this.pauseMs > 0) await clock.sleep(this.pauseMs);
		this.count += 1;
		const started = clock.now();
		try {
			const response = await fetch(url, {
				method: 'GET',
				headers: {
					Accept: 'application/json, */*;q=0.1',
					Authorization: `Bearer ${token}`,
				},
				redirect: 'manual',
				signal: AbortSignal.timeout(TIMEOUT_MS),
			});
			const { status } = response;
			const headers = Object.fromEntries(response.headers);
			this.pace(status, headers);
			const isFile = /^attachment|pdf|octet-stream/i.test(
				`${headers['content-disposition'] ?? headers['content-type']}`,
			);
			const text = await textOf(response, isFile);
			const [body, isJson] = isFile ? [text, false] : parsed(text);
			const isCounted = headers['x-ratelimit-limit'] !== undefined;
			return { status, headers, body, isJson, isCounted, ms: clock.now() - started };
		} catch (error) {
			if (error instanceof RateLimited) throw error;
			throw unreached(error as Error & { cause?: NodeJS.ErrnoException });
		}
	}

	/** @throws RateLimited */
	private pace(status: number, headers: Record<string, string>): void {
		const { remaining, resetMs = 60_000 } = rateHeaders(status, headers);
		if (status === 429) {
			this.isOver = true;
			throw new RateLimited();
		}
		this.pauseMs =
			remaining === undefined || remaining >= SLOWER_BELOW
				? 0
				: remaining < WAIT_BELOW
					? resetMs
					: Math.ceil(resetMs / remaining);
	}
}

function unreached({ name, cause, message }: Error & { cause?: NodeJS.ErrnoException }): Unreached {
	if (name === 'TimeoutError') return new Unreached('no answer in time');
	if (message === TOO_LARGE) return new Unreached(TOO_LARGE);
	const code = cause?.code ?? '';
	return new Unreached(/^[A-Z_]{3,40}$/.test(code) ? code : 'the connection broke');
}

const TOO_LARGE = `an answer of more than ${MAX_BYTES / 1_000_000} MB`;

/** @param isFile whether its beginning is enough */
async function textOf(response: Response, isFile: boolean): Promise<string> {
	const chunks: Uint8Array[] = [];
	let size = 0;
	for await (const chunk of response.body ?? []) {
		chunks.push(chunk);
		size += chunk.length;
		if (isFile && size >= FILE_BYTES) break;
		if (size > MAX_BYTES) throw new Error(TOO_LARGE);
	}
	return Buffer.concat(chunks).toString('utf8');
}

function parsed(text: string): [body: unknown, isJson: boolean] {
	try {
		return [JSON.parse(text), true];
	} catch {
		return [text, false];
	}
}

import { setTimeout as sleep } from 'node:timers/promises';
import { Readable } from 'node:stream';
import { ApiError } from './errors';
import { Random } from './random';
import type { Row } from './records';
import { boolean, integer, object, oneOf, string, type Schema } from './schema';
import type { World } from './world';

/** Which requests a fault meets: without any of these all of them. */
export interface Occurrence {
	/** Only so many of the next requests that the rest of this fits; then the fault is over. */
	next?: number;
	/** The share of the requests, 0 to 1; which ones follows from the seed. */
	rate?: number;
	/** Only requests of this method. */
	method?: 'GET' | 'POST' | 'DELETE';
	/** Only requests whose path, below the base address, begins like this. */
	path?: string;
}

/** How a list changes after each of its pages; see `faults.changing_lists`. */
export const listChanges = ['touched', 'added', 'removed'] as const;

/** What the service does wrong, on request. */
export interface Faults {
	latency?: Occurrence & { ms: number; upTo?: number };
	rate_limited?: Occurrence;
	server_errors?: Occurrence & { status?: number };
	dropped_before?: Occurrence;
	dropped_after?: Occurrence;
	slow_bodies?: Occurrence & { ms: number };
	token_expired?: boolean;
	account_inactive?: boolean;
	changing_lists?: (typeof listChanges)[number];
}

const occurrence = {
	next: { ...integer, minimum: 1 },
	rate: { type: 'number', minimum: 0, maximum: 1 },
	method: oneOf('GET', 'POST', 'DELETE'),
	path: string,
};
const duration = { ...integer, minimum: 0, maximum: 600_000 };

/** Every fault: what it does, its value, and how its value is written on the command line. */
export const faults: Record<
	keyof Faults,
	{ does: string; schema: Schema; usage: string; parse(text: string): unknown }
> = {
	latency: {
		does: 'answers come so many milliseconds later, or a number of them from a range',
		schema: object({ ...occurrence, ms: duration, upTo: duration }, ['ms']),
		usage: 'MS[-MS][,WHEN]',
		parse: withDuration,
	},
	rate_limited: {
		does: 'requests are answered with 429, whatever the account has left',
		schema: object(occurrence),
		usage: 'WHEN',
		parse: parseOccurrence,
	},
	server_errors: {
		does: 'requests are answered with 500 (or another status) and have no effect',
		schema: object({ ...occurrence, status: { ...integer, minimum: 500, maximum: 599 } }),
		usage: '[STATUS,]WHEN',
		parse(text) {
			const [, status, rest] = /^(5\d\d)(?:,(.*))?$/.exec(text) ?? [];
			if (status === undefined) return parseOccurrence(text);
			return { status: Number(status), ...parseOccurrence(rest ?? 'always') };
		},
	},
	dropped_before: {
		does: 'the connection is closed without an answer, and the request has no effect',
		schema: object(occurrence),
		usage: 'WHEN',
		parse: parseOccurrence,
	},
	dropped_after: {
		does: 'the connection is closed without an answer, after the request had its effect',
		schema: object(occurrence),
		usage: 'WHEN',
		parse: parseOccurrence,
	},
	slow_bodies: {
		does: 'the body of an answer takes so many milliseconds, in small parts',
		schema: object({ ...occurrence, ms: duration }, ['ms']),
		usage: 'MS[,WHEN]',
		parse: withDuration,
	},
	token_expired: {
		does: 'the API token is no longer valid: every request is answered with 401',
		schema: boolean,
		usage: '',
		parse: () => true,
	},
	account_inactive: {
		does: 'the account is inactive: every request is answered with 403',
		schema: boolean,
		usage: '',
		parse: () => true,
	},
	changing_lists: {
		does: 'after each page of a list the row behind it is touched (its updated_at becomes now), a row is added at the front, or the first row of the page is removed',
		schema: oneOf(...listChanges),
		usage: listChanges.join('|'),
		parse(text) {
			const change = listChanges.find((each) => each === text);
			if (!change) throw new RangeError(`"${text}" is none of ${listChanges.join(', ')}`);
			return change;
		},
	},
};

/** How WHEN is written on the command line. */
export const occurrenceUsage =
	'WHEN is "always", a share like 0.05 or a number of next requests like 3x; then, if wanted, a method and the beginning of a path: "3x POST /tags"';

/** The value of faults from the admin route and of the option `faults`. */
export const faultsSchema = object(
	Object.fromEntries(Object.entries(faults).map(([name, { schema }]) => [name, schema])),
);

interface FaultyRequest {
	method: string;
	/** Below the base address, without the query. */
	path: string;
}

/** Decides for every request which faults it meets. */
export class FaultInjector {
	private readonly random: Random;

	constructor(
		public active: Faults,
		seed: number,
	) {
		this.random = new Random(seed + 4_700);
	}

	/** What happens to a request before it is looked at; `drop` closes its connection. */
	async receive(request: FaultyRequest): Promise<'drop' | undefined> {
		const latency = this.meet('latency', request);
		if (latency) await sleep(this.random.integer(latency.ms, latency.upTo ?? latency.ms));
		return this.meet('dropped_before', request) && 'drop';
	}

	/** Whether the request is one too many. */
	limits(request: FaultyRequest): boolean {
		return this.meet('rate_limited', request) !== undefined;
	}

	/** Fails like a service that is out of order. */
	break(request: FaultyRequest): void {
		const error = this.meet('server_errors', request);
		if (!error) return;
		throw new ApiError(error.status ?? 500, 'internal_error', 'The service failed, on request');
	}

	/** What becomes of the body of an answer; `drop` closes its connection. */
	send(request: FaultyRequest, body: unknown): 'drop' | Readable | undefined {
		if (this.meet('dropped_after', request)) return 'drop';
		if (typeof body !== 'string' && !Buffer.isBuffer(body)) return undefined;
		const slow = this.meet('slow_bodies', request);
		return slow && Readable.from(inParts(Buffer.from(body), slow.ms));
	}

	/** Changes a list after one of its pages was answered with; `next` is the row behind it. */
	changeList(world: World, page: Row[], next: Row | undefined): void {
		const { changing_lists: change } = this.active;
		const row = change === 'touched' ? next : page[0];
		const collection =
			row && world.store.collections().find(([, each]) => each.get(row.id) === row);
		if (!change || !collection) return;
		const [name, rows] = collection;
		const now = world.timestamp();
		world.revision += 1;
		// Lists only look at their rows; it takes an insertion for the change to be noticed.
		if (change === 'touched') rows.insert(Object.assign(row, { updated_at: now }));
		if (change === 'removed') rows.delete(row.id);
		if (change === 'added') {
			const id = /^\d+$/.test(row.id)
				? world.store.nextNumber(name.replace(/s$/, ''))
				: this.random.hex(row.id.length);
			const dates = Object.keys(row).filter((key) => ['created_at', 'updated_at'].includes(key));
			rows.insert({
				...structuredClone(row),
				...Object.fromEntries(dates.map((key) => [key, now])),
				id,
			});
		}
	}

	/** The fault, if the request meets it. */
	private meet<K extends keyof Faults>(
		name: K,
		{ method, path }: FaultyRequest,
	): Extract<Faults[K], Occurrence> | undefined {
		const fault = this.active[name] as Extract<Faults[K], Occurrence> | undefined;
		if (!fault) return undefined;
		if (fault.method !== undefined && fault.method !== method) return undefined;
		if (fault.path !== undefined && !path.startsWith(fault.path)) return undefined;
		if (fault.rate !== undefined && !this.random.chance(fault.rate)) return undefined;
		if (fault.next !== undefined) {
			this.active = {
				...this.active,
				[name]: fault.next > 1 ? { ...fault, next: fault.next - 1 } : undefined,
			};
		}
		return fault;
	}
}

async function* inParts(body: Buffer, ms: number): AsyncGenerator<Buffer> {
	const parts = 10;
	for (let part = 0; part < parts; part++) {
		await sleep(ms / parts);
		const bounds = [part, part + 1].map((each) => Math.floor((each * body.length) / parts));
		yield body.subarray(...bounds);
	}
}

function withDuration(text: string): object {
	const [, ms, upTo, rest = 'always'] = /^(\d+)(?:-(\d+))?(?:,(.*))?$/.exec(text) ?? [];
	if (ms === undefined) throw new RangeError(`"${text}" does not begin with milliseconds`);
	return {
		ms: Number(ms),
		...(upTo !== undefined && { upTo: Number(upTo) }),
		...parseOccurrence(rest),
	};
}

function parseOccurrence(text: string): Occurrence {
	const [, often, count, method, path] =
		/^(always|(\d+)x|[01](?:\.\d+)?)(?: (GET|POST|DELETE))?(?: (\/\S*))?$/.exec(text) ?? [];
	if (often === undefined) throw new RangeError(`"${text}" is no WHEN: ${occurrenceUsage}`);
	return {
		...(count !== undefined && { next: Number(count) }),
		...(count === undefined && often !== 'always' && { rate: Number(often) }),
		...(method !== undefined && { method: method as Occurrence['method'] }),
		...(path !== undefined && { path }),
	};
}

import { ApiError } from '../engine/errors';
import { Random } from '../engine/random';
import type { Row } from '../engine/store';
import type { World } from '../engine/world';
import {
	type Answer,
	type Headers,
	inParts,
	json,
	oddRateHeaderKinds,
	type OddRateHeaders,
	oddRateHeaders,
	redirectStatuses,
	type WrongAnswer,
	wrongAnswerKinds,
	wrongAnswers,
} from './faultAnswers';
import { differing, differingInAll, type HarmlessName, harmlessNames } from '../otherService/forms';
import {
	type Occurrence,
	occurrence,
	parseOccurrence,
	withDuration,
	withKind,
	withStatus,
	wordOf,
} from './occurrence';
import {
	arrayOf,
	boolean,
	integer,
	oneOf,
	type Schema,
	optional,
	object,
	partial,
	limited,
	matching,
} from './schema';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

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
	wrong_answers?: Occurrence & { kind: WrongAnswer };
	redirects?: Occurrence & { status?: (typeof redirectStatuses)[number]; to?: string };
	odd_rate_headers?: Occurrence & { kind: OddRateHeaders };
	harmless?: Occurrence & { only?: HarmlessName; all?: HarmlessName[] };
	hanging?: Occurrence;
	token_expired?: boolean;
	account_inactive?: boolean;
	changing_lists?: (typeof listChanges)[number];
}

const duration = limited(integer, { minimum: 0, maximum: 600_000 });
const serverErrors = Array.from({ length: 100 }, (_, index) => 500 + index);

/** Every fault: what it does, its value, and how its value is written on the command line. */
export const faults: Record<
	keyof Faults,
	{ does: string; schema: Schema; usage: string; parse(text: string): unknown }
> = {
	latency: {
		does: 'Delay responses by this many milliseconds, or by a random number from a range',
		schema: object({ ...occurrence, ms: duration, upTo: optional(duration) }),
		usage: 'MS[-MS][,WHEN]',
		parse: withDuration,
	},
	rate_limited: {
		does: 'Reject requests with 429, whatever is left of the rate limit',
		schema: object(occurrence),
		usage: 'WHEN',
		parse: parseOccurrence,
	},
	server_errors: {
		does: 'Answer requests with 500 or another status. They have no effect.',
		schema: object({
			...occurrence,
			status: optional(limited(integer, { minimum: 500, maximum: 599 })),
		}),
		usage: '[STATUS,]WHEN',
		parse: (text) => withStatus(text, serverErrors, '500 to 599'),
	},
	dropped_before: {
		does: 'Close the connection without a response. The request has no effect.',
		schema: object(occurrence),
		usage: 'WHEN',
		parse: parseOccurrence,
	},
	dropped_after: {
		does: 'Close the connection without a response, after the request has taken effect',
		schema: object(occurrence),
		usage: 'WHEN',
		parse: parseOccurrence,
	},
	slow_bodies: {
		does: 'Send the body of a response in small parts over this many milliseconds',
		schema: object({ ...occurrence, ms: duration }),
		usage: 'MS[,WHEN]',
		parse: withDuration,
	},
	wrong_answers: {
		does: 'Carry out requests, but do not send the expected response. Send a login page (html), nothing (empty), its first half (truncated) or {} (shape). Or send the content in "result" (wrapper), a list without meta (unpaged), or an error with status 200 (error). Files allow only html, empty and truncated.',
		schema: object({ ...occurrence, kind: oneOf(...wrongAnswerKinds) }),
		usage: `${wrongAnswerKinds.join('|')}[,WHEN]`,
		parse: (text) => withKind(text, wrongAnswerKinds),
	},
	redirects: {
		does: 'Redirect requests to a login page, or to another address, with 302 or another status. They have no effect.',
		schema: object({
			...occurrence,
			status: optional(limited(integer, { enum: redirectStatuses })),
			to: optional(matching('^[\\x21-\\x7e]+$')),
		}),
		usage: '[STATUS,]WHEN',
		parse: (text) => withStatus(text, redirectStatuses),
	},
	odd_rate_headers: {
		does: 'Send odd rate-limit headers: blank (empty), -1 (negative), 0.5 (fraction), "soon" (text), or none (missing). Or a limit and remaining requests of 0 (zero), or a reset in seconds since 1970 (epoch) or in a year (year).',
		schema: object({ ...occurrence, kind: oneOf(...oddRateHeaderKinds) }),
		usage: `${oddRateHeaderKinds.join('|')}[,WHEN]`,
		parse: (text) => withKind(text, oddRateHeaderKinds),
	},
	harmless: {
		does: `Send responses whose form differs from the API reference, but not their meaning. Each differs in one way at random, in "only" one way, or in "all" of several ways: ${harmlessNames.join(', ')}`,
		schema: object({
			...occurrence,
			only: optional(oneOf(...harmlessNames)),
			all: optional(arrayOf(oneOf(...harmlessNames))),
		}),
		usage: '[DIFFERENCE,]WHEN',
		parse: withDifference,
	},
	hanging: {
		does: 'Never respond, and keep connections open. Requests have no effect.',
		schema: object(occurrence),
		usage: 'WHEN',
		parse: parseOccurrence,
	},
	token_expired: {
		does: 'Expire the API token: every request returns 401',
		schema: boolean,
		usage: '',
		parse: () => true,
	},
	account_inactive: {
		does: 'Deactivate the account: every request returns 403',
		schema: boolean,
		usage: '',
		parse: () => true,
	},
	changing_lists: {
		does: 'Change a list after each page. The next row is updated now (touched), a row is added at the front (added), or the first row of the page is removed (removed).',
		schema: oneOf(...listChanges),
		usage: listChanges.join('|'),
		parse: (text) => wordOf(text, listChanges),
	},
};

/** The value of faults from the admin route and of the option `faults`. */
export const faultsSchema = partial(
	Object.fromEntries(Object.entries(faults).map(([name, { schema }]) => [name, schema])),
);

/** Reads `[DIFFERENCE,]WHEN`. */
function withDifference(text: string): object {
	const [word = '', ...rest] = text.split(',');
	if (!harmlessNames.some((name) => name === word)) return parseOccurrence(text);
	return { only: word, ...parseOccurrence(rest.join(',') || 'always') };
}

interface FaultyRequest {
	method: string;
	/** Below the base address, without the query. */
	path: string;
	/** The time of the service, in milliseconds. */
	now?: number;
}

/** @param start the beginning of a path; `*` stands for one segment */
const beginsLike = (path: string, start: string) => {
	const segments = path.split('/');
	return start.split('/').every((part, index, all) => {
		const segment = segments[index];
		const isLast = index === all.length - 1;
		return (
			segment !== undefined &&
			(part === '*' || (isLast ? segment.startsWith(part) : segment === part))
		);
	});
};

/** Decides for every request which faults it meets. */
export class FaultInjector {
	active!: Faults;
	private random!: Random;

	constructor(
		private readonly initial: Faults,
		private readonly seed: number,
	) {
		this.reset();
	}

	/** The faults are those of the start, and have met nothing. */
	reset(): void {
		this.active = this.initial;
		this.random = new Random(this.seed + 4_700);
	}

	/** What happens to a request before it is looked at; `drop` closes its connection. */
	async receive(request: FaultyRequest): Promise<'drop' | 'hang' | undefined> {
		const latency = this.meet('latency', request);
		if (latency) await sleep(this.random.integer(latency.ms, latency.upTo ?? latency.ms));
		if (this.meet('dropped_before', request)) return 'drop';
		return this.meet('hanging', request) && 'hang';
	}

	/** Where the request is sent to instead of being carried out. */
	redirect(request: FaultyRequest): Faults['redirects'] {
		return this.meet('redirects', request);
	}

	/** The rate-limit headers of an answer. */
	rateHeaders(request: FaultyRequest, headers: Headers): Headers {
		const odd = this.meet('odd_rate_headers', request);
		return odd ? oddRateHeaders[odd.kind](headers) : headers;
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

	/** What is sent as the answer; `drop` closes its connection. */
	send(request: FaultyRequest, answer: Answer): 'drop' | Answer {
		if (this.meet('dropped_after', request)) return 'drop';
		const sent = this.wrongAnswer(request, answer) ?? this.otherForm(request, answer) ?? answer;
		const { body } = sent;
		if (typeof body !== 'string' && !Buffer.isBuffer(body)) return sent;
		const slow = this.meet('slow_bodies', request);
		return slow ? { ...sent, body: Readable.from(inParts(Buffer.from(body), slow.ms)) } : sent;
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
				: world.random.hex(row.id.length);
			const dates = Object.keys(row).filter((key) => ['created_at', 'updated_at'].includes(key));
			rows.insert({
				...structuredClone(row),
				...Object.fromEntries(dates.map((key) => [key, now])),
				id,
			});
		}
	}

	/** Answers that can not be wrong in the chosen way do not count as met. */
	private wrongAnswer(request: FaultyRequest, answer: Answer): Answer | undefined {
		const fault = this.active.wrong_answers;
		if (!fault || answer.status >= 300) return undefined;
		const wrong: Answer | undefined = wrongAnswers[fault.kind](answer);
		return wrong && this.meet('wrong_answers', request) && wrong;
	}

	/** An answer that can differ in no way does not count as met. */
	private otherForm(request: FaultyRequest, answer: Answer): Answer | undefined {
		const fault = this.active.harmless;
		if (!fault || answer.status >= 300) return undefined;
		const { status, body, type, disposition } = answer;
		const isJson = typeof body === 'string' && body.startsWith('{');
		const told = {
			...request,
			now: request.now ?? Date.now(),
			status,
			content: isJson ? (JSON.parse(body) as Record<string, unknown>) : undefined,
			type,
			disposition,
		};
		const found = (
			fault.all
				? [differingInAll(fault.all, told)]
				: (fault.only ? [fault.only] : harmlessNames).map((name) => differing(name, told))
		).filter((each) => each !== undefined);
		if (found.length === 0 || !this.meet('harmless', request)) return undefined;
		const changed = found[this.random.integer(0, found.length - 1)]!;
		if (!('content' in changed)) return { ...answer, ...changed };
		const { content, ...rest } = changed;
		return {
			...answer,
			...rest,
			type: json,
			body: content === undefined ? '' : JSON.stringify(content),
		};
	}

	/** The fault, if the request meets it. */
	private meet<K extends keyof Faults>(
		name: K,
		{ method, path }: FaultyRequest,
	): Extract<Faults[K], Occurrence> | undefined {
		const fault = this.active[name] as Extract<Faults[K], Occurrence> | undefined;
		if (!fault) return undefined;
		if (fault.method !== undefined && fault.method !== method) return undefined;
		if (fault.path !== undefined && !beginsLike(path, fault.path)) return undefined;
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

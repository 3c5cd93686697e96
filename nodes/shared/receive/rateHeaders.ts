import { instantOf } from '../lib/instant';
import type { ApiResponse } from '../n8n/context';

/** What a response says of the window of its account. Source: Part A, 8. */
export interface RateHeaders {
	limit?: number;
	remaining?: number;
	/** Until the window resets. */
	resetMs?: number;
	/** Whether the request was refused because the window is full. */
	refused?: boolean;
}

/** The wait after a refusal that does not say when the window ends. */
const REFUSED_MS = 5_000;

/** The window is a minute. More is a time, as in the service's older reference, or is ignored. */
const MAX_RESET_S = 61;

const MAX_LIMIT = 1_000_000;

/** The headers that have the form of the reference: whole numbers, within a minute. Others are ignored. */
export function rateHeaders(status: number, headers: Record<string, unknown>): RateHeaders {
	const number = (name: string, min: number, max: number) => {
		const text = String(headers[name] ?? '').trim();
		const value = /^\d+$/.test(text) ? Number(text) : NaN;
		return value >= min && value <= max ? value : undefined;
	};
	const inTime = (name: string) => {
		const seconds = (instantOf(headers[name]) - Date.parse(String(headers.date))) / 1000;
		return seconds >= 0 && seconds <= MAX_RESET_S ? seconds : number(name, 0, MAX_RESET_S);
	};
	const refused = status === 429;
	const limit = number('x-ratelimit-limit', 1, MAX_LIMIT);
	const reset = inTime('x-ratelimit-reset') ?? (refused ? inTime('retry-after') : undefined);
	return {
		limit,
		remaining: number('x-ratelimit-remaining', 0, limit ?? MAX_LIMIT),
		resetMs: reset === undefined ? (refused ? REFUSED_MS : undefined) : reset * 1000,
		refused,
	};
}

/** Whether a response has a rate-limit header. The service sends them with every response. Source: Part A, 8. */
export function hasRateLimit({ statusCode, headers }: Omit<ApiResponse, 'body'>): boolean {
	const { limit, remaining, resetMs } = rateHeaders(statusCode, headers);
	return [limit, remaining, resetMs].some((value) => value !== undefined);
}

/** No content, in the forms that the HTTP client has for it. */
export const isEmpty = (body: unknown) => body === undefined || body === null || body === '';

/** Whether the service itself responded, and no proxy: rate-limit headers, and JSON, a file or nothing. */
export const isOfService = (answer: ApiResponse): boolean =>
	hasRateLimit(answer) && (isEmpty(answer.body) || typeof answer.body === 'object');

/** What an answer tells of the window of its account. Source: Part A, 8. */
export interface RateHeaders {
	limit?: number;
	remaining?: number;
	/** Until the window resets. */
	resetMs?: number;
	/** Whether the request was refused because the window is full. */
	refused?: boolean;
}

/** A refusal that does not tell when to come back. */
const REFUSED_MS = 5_000;

/** The window is a minute; a header that says more is taken for something else, such as a time of day. */
const MAX_RESET_S = 61;

const MAX_LIMIT = 1_000_000;

/** The headers as far as they are what the reference says: whole numbers, within a minute; others are ignored. */
export function rateHeaders(status: number, headers: Record<string, unknown>): RateHeaders {
	const number = (name: string, min: number, max: number) => {
		const text = String(headers[name] ?? '').trim();
		const value = /^\d+$/.test(text) ? Number(text) : NaN;
		return value >= min && value <= max ? value : undefined;
	};
	const refused = status === 429;
	const limit = number('x-ratelimit-limit', 1, MAX_LIMIT);
	const reset =
		number('x-ratelimit-reset', 0, MAX_RESET_S) ??
		(refused ? number('retry-after', 0, MAX_RESET_S) : undefined);
	return {
		limit,
		remaining: number('x-ratelimit-remaining', 0, limit ?? MAX_LIMIT),
		resetMs: reset === undefined ? (refused ? REFUSED_MS : undefined) : reset * 1000,
		refused,
	};
}

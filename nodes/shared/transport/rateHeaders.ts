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

export function rateHeaders(status: number, headers: Record<string, unknown>): RateHeaders {
	const number = (name: string) => {
		const value = Number(headers[name] ?? NaN);
		return Number.isFinite(value) ? value : undefined;
	};
	const refused = status === 429;
	const reset = number('x-ratelimit-reset') ?? (refused ? number('retry-after') : undefined);
	return {
		limit: number('x-ratelimit-limit'),
		remaining: number('x-ratelimit-remaining'),
		resetMs: reset === undefined ? (refused ? REFUSED_MS : undefined) : reset * 1000,
		refused,
	};
}

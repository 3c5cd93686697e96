/** What came of one attempt: an answer, or no answer at all. */
export interface Attempt {
	method: string;
	/** 1 for the first attempt. */
	number: number;
	/** HTTP status; undefined when no answer came. */
	status?: number;
	headers?: Record<string, unknown>;
}

interface Reason {
	why: string;
	applies: (attempt: Attempt) => boolean;
	attempts: number;
	/** Milliseconds to wait before the next attempt takes its turn. */
	wait: (attempt: Attempt) => number;
}

const backoff = ({ number }: Attempt) => 500 * 2 ** (number - 1) + Math.round(Math.random() * 250);

/** Seconds that the service asks for; a date is not read. */
const asked = ({ headers = {} }: Attempt) =>
	Math.max(0, Math.min(Number(headers['retry-after']) || 0, 60));

/** The first reason that applies decides; none means that the attempt stands. */
const REASONS: Reason[] = [
	{
		why: 'the rate limit refused it, so nothing has happened yet; the limiter waits for the reset',
		applies: ({ status }) => status === 429,
		attempts: 10,
		// Where the service does not tell the end of its window well, patience grows.
		wait: ({ number }) => (number < 3 ? 0 : Math.min(15_000, 250 * 2 ** number)),
	},
	{
		why: 'reading again changes nothing, and the connection or the service failed',
		applies: ({ method, status }) => method === 'GET' && (status === undefined || status >= 500),
		attempts: 4,
		wait: (attempt) => Math.max(backoff(attempt), asked(attempt) * 1000),
	},
];

/** Milliseconds to wait before sending the request again, or undefined when it must not be sent again. */
export function retryAfter(attempt: Attempt): number | undefined {
	const reason = REASONS.find(({ applies }) => applies(attempt));
	return reason && attempt.number < reason.attempts ? reason.wait(attempt) : undefined;
}

import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

/** An answer on its way out. */
export interface Answer {
	status: number;
	/** The media type, where it is not the one that the answer has already. */
	type?: string;
	/** The `Content-Disposition`, as it is, or where another one is sent; with another type it goes. */
	disposition?: string;
	/** JSON as text, a file as bytes or a stream; nothing for a 204. */
	body: unknown;
	/** The number of bytes of a stream, where it is known. */
	size?: number;
}

/** Where a redirect leads to that has no `to`. */
export const loginPath = '/login';

export const loginPage = `<!DOCTYPE html>
<html lang="en">
<head><title>Sign in</title></head>
<body>
<h1>Sign in</h1>
<form method="post" action="${loginPath}">
<label>Email <input name="email"></label>
<label>Password <input name="password" type="password"></label>
<button>Sign in</button>
</form>
</body>
</html>
`;

export const html = 'text/html; charset=utf-8';
export const json = 'application/json; charset=utf-8';

export const redirectStatuses = [301, 302, 303, 307, 308] as const;

/**
 * What becomes of the answer to a request that succeeded, for each kind of `faults.wrong_answers`;
 * nothing for an answer that can not be wrong in this way.
 */
export const wrongAnswers = {
	html: () => ({ status: 200, type: html, body: loginPage }),
	empty: () => ({ status: 200, body: '' }),
	truncated: cutInHalf,
	shape: (answer) => instead(answer, withBody(answer.status), {}),
	wrapper: (answer) =>
		rewritten(answer, ({ meta, ...wrapped }) => ({
			result: Object.values(wrapped)[0],
			...(meta !== undefined && { meta }),
		})),
	unpaged: (answer) =>
		rewritten(answer, ({ meta, ...rows }) => (isPaging(meta) ? rows : undefined)),
	error: (answer) => instead(answer, 200, { error: { message: 'Something went wrong' } }),
} satisfies Record<string, (answer: Answer) => Answer | undefined>;

export type WrongAnswer = keyof typeof wrongAnswers;
export const wrongAnswerKinds = Object.keys(wrongAnswers) as WrongAnswer[];

/** Other JSON as the answer; a file stays what it is. */
function instead({ body }: Answer, status: number, content: object): Answer | undefined {
	return isFile(body) ? undefined : { status, type: json, body: JSON.stringify(content) };
}

/** The answer with its JSON changed; nothing when it has none, or the change does not apply. */
function rewritten(
	answer: Answer,
	change: (content: Record<string, unknown>) => object | undefined,
): Answer | undefined {
	if (typeof answer.body !== 'string' || answer.body === '') return undefined;
	const content = change(JSON.parse(answer.body));
	return content && { ...answer, body: JSON.stringify(content) };
}

/** The first half; as the length tells the same, only the content shows that some is missing. */
function cutInHalf({ status, body, size = 0 }: Answer): Answer | undefined {
	if (body instanceof Readable) {
		const half = Math.floor(size / 2);
		if (size === 0) return undefined;
		return { status, size: half, body: Readable.from(start(body, half), { objectMode: false }) };
	}
	if (typeof body !== 'string' && !Buffer.isBuffer(body)) return undefined;
	const bytes = typeof body === 'string' ? Buffer.from(body) : body;
	return { status, body: bytes.subarray(0, Math.floor(bytes.length / 2)) };
}

const withBody = (status: number) => (status === 204 ? 200 : status);

const isFile = (body: unknown) => body instanceof Readable || Buffer.isBuffer(body);

/** Lists alone tell of pages: the `meta` of a bulk operation is another one. */
const isPaging = (meta: unknown) =>
	typeof meta === 'object' && meta !== null && 'pagination' in meta;

/** The first bytes of a file. */
async function* start(file: Readable, size: number): AsyncGenerator<Buffer> {
	let left = size;
	for await (const chunk of file as AsyncIterable<Buffer>) {
		yield chunk.subarray(0, left);
		left -= chunk.length;
		if (left <= 0) return;
	}
}

/** A body that takes so many milliseconds. */
export async function* inParts(body: Buffer, ms: number): AsyncGenerator<Buffer> {
	const parts = 10;
	for (let part = 0; part < parts; part++) {
		await sleep(ms / parts);
		const bounds = [part, part + 1].map((each) => Math.floor((each * body.length) / parts));
		yield body.subarray(...bounds);
	}
}

export type Headers = Record<string, string | number>;

/** What becomes of the rate-limit headers, for each kind of `faults.odd_rate_headers`. */
export const oddRateHeaders = {
	empty: (headers) => all(headers, ''),
	zero: (headers) => ({ ...headers, 'X-RateLimit-Limit': 0, 'X-RateLimit-Remaining': 0 }),
	negative: (headers) => all(headers, -1),
	fraction: (headers) => all(headers, 0.5),
	epoch: (headers) => ({
		...headers,
		'X-RateLimit-Reset': Math.ceil(Date.now() / 1000) + Number(headers['X-RateLimit-Reset']),
	}),
	year: (headers) => ({ ...headers, 'X-RateLimit-Reset': 365 * 24 * 60 * 60 }),
	missing: () => ({}),
	text: (headers) => all(headers, 'soon'),
} satisfies Record<string, (headers: Headers) => Headers>;

export type OddRateHeaders = keyof typeof oddRateHeaders;
export const oddRateHeaderKinds = Object.keys(oddRateHeaders) as OddRateHeaders[];

const all = (headers: Headers, value: string | number): Headers =>
	Object.fromEntries(Object.keys(headers).map((name) => [name, value]));

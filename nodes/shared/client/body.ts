import type { ApiResponse } from '../n8n/context';
import { clock } from './clock';

/** Time for a whole response. n8n's own timeout has the same length but restarts with each byte. */
export const MAX_REQUEST_MS = 300_000;

/** Maximum bytes of a response after decompression; a page of 100 sites has a few MB. Files are streamed. */
const MAX_BYTES = 16 * 1024 ** 2;

/** Maximum bytes to read from an error response. */
const MAX_REFUSAL_BYTES = 100_000;

/** Maximum nesting of lists and objects; the reference has fewer than ten levels. */
const MAX_DEPTH = 100;

/** Grace period so that n8n's own timeout fires first if no byte arrives; such a read is retried. */
const GRACE_MS = 1_000;

/** The response exceeds a limit of time, size or depth; a retry would not help. */
export class Endless extends Error {
	override readonly name = 'Endless';
}

/** `over` rejects with Endless after `ms`, unless `end` is called before. */
function timeLimit(ms: number): { over: Promise<never>; end: () => void } {
	const timer = new AbortController();
	const over = new Promise<never>((_, reject) => {
		clock.guard(ms + GRACE_MS, timer.signal).then(
			() => reject(new Endless(`takes longer than ${Math.round(ms / 1000)} seconds`)),
			() => undefined,
		);
	});
	return { over, end: () => timer.abort() };
}

type Body = AsyncIterable<Uint8Array> & {
	destroy(error?: Error): void;
	once(event: 'close', listener: () => void): void;
};

const isStream = (body: unknown): body is Body =>
	typeof body === 'object' && body !== null && Symbol.asyncIterator in body;

const discard = ({ body }: ApiResponse) => isStream(body) && body.destroy();

/**
 * Reads a response body as JSON or text; a file stays a stream. An error response is cut at the limits.
 * @param ms time for the whole response
 * @returns `isFinal`: whether a retry would give the same response
 * @throws Endless; what the request throws
 */
export async function wholeAnswer(
	answering: Promise<ApiResponse>,
	ms: number,
	isFile: boolean,
): Promise<{ answer: ApiResponse; isFinal: boolean }> {
	const { over, end } = timeLimit(ms);
	over.catch(() => answering.then(discard, () => undefined));
	try {
		const answer = await Promise.race([answering, over]);
		const { body, statusCode } = answer;
		if (!isStream(body) || (isFile && statusCode < 300)) return { answer, isFinal: false };
		return await read(answer, body, over);
	} finally {
		end();
	}
}

/** @param over rejects at the timeout */
async function read(answer: ApiResponse, body: Body, over: Promise<never>) {
	const isRefusal = answer.statusCode >= 300;
	const chunks: Uint8Array[] = [];
	const readAll = async () => {
		let length = 0;
		for await (const chunk of body) {
			chunks.push(chunk);
			length += chunk.length;
			if (isRefusal && length >= MAX_REFUSAL_BYTES) break;
			if (length > MAX_BYTES) throw new Endless(`is larger than ${MAX_BYTES / 1024 ** 2} MB`);
		}
	};
	const failure = await Promise.race([readAll(), over]).catch((error: unknown) => error);
	body.destroy();
	if (failure !== undefined && !isRefusal) throw failure;
	const isFinal = failure instanceof Endless;
	const value = parsed(Buffer.concat(chunks).toString('utf8'), isRefusal);
	return { answer: { ...answer, body: value }, isFinal };
}

function parsed(text: string, isRefusal: boolean): ApiResponse['body'] {
	if (isDeep(text)) {
		if (isRefusal) return text;
		throw new Endless(`is nested more than ${MAX_DEPTH} levels deep`);
	}
	try {
		return JSON.parse(text.replace(/^\uFEFF/, '')) as ApiResponse['body'];
	} catch {
		return text;
	}
}

/** Whether a JSON text is nested too deep for recursive functions. */
function isDeep(text: string): boolean {
	if (!/^[\s\uFEFF]*[[{]/.test(text)) return false;
	let depth = 0;
	let isInString = false;
	for (let at = 0; at < text.length && depth <= MAX_DEPTH; at++) {
		const character = text[at];
		if (isInString && character === '\\') at++;
		else if (character === '"') isInString = !isInString;
		else if (isInString) continue;
		else if (character === '[' || character === '{') depth++;
		else if (character === ']' || character === '}') depth--;
	}
	return depth > MAX_DEPTH;
}

/** Destroys the stream of a file that takes longer than `ms`. */
export function endAfter(body: unknown, ms: number): void {
	if (!isStream(body)) return;
	const { over, end } = timeLimit(ms);
	over.catch(({ message }: Endless) => body.destroy(new Endless(`The file ${message}`)));
	body.once('close', end);
}

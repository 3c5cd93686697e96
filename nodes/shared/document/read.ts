import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { elsewhere } from '../client/redirect';
import { Endless, MAX_REQUEST_MS, wholeAnswer } from '../client/exchange';
import { accountOf, read } from '../client/request';
import { naming, refuse } from '../input/refusal';
import { clock, hash, HOUR_MS, isRecord } from '../lib';
import type { ApiResponse, CallContext } from '../n8n/context';
import { words } from '../vocabulary/words';
import { ApiDocument } from './openapi';

/** Reads the API document of an account, once an hour in each process. */

/** A document that cannot be read is tried again after this long. */
const AGAIN_AFTER_MS = 60_000;

interface Kept {
	/** The last good one. */
	document?: ApiDocument;
	/** Why the last reading failed; undefined after a good one. */
	failure?: Error;
	until: number;
	reading?: Promise<void>;
}

/** By account and address. */
const kept = new Map<string, Kept>();

/** The document of the account, or the last good one. @throws NodeOperationError or NodeApiError if there is none */
export async function documentOf(context: CallContext): Promise<ApiDocument> {
	const { url, key } = await placeOf(context);
	const own = kept.get(key) ?? { until: -Infinity };
	kept.set(key, own);
	if (clock.now() >= own.until) {
		own.reading ??= renew(context, url, own).finally(() => (own.reading = undefined));
		await own.reading;
	}
	if (!own.document) throw own.failure!;
	return own.document;
}

/** The last good document, without a request. */
export const keptDocument = async (context: CallContext): Promise<ApiDocument | undefined> =>
	kept.get((await placeOf(context)).key)?.document;

async function placeOf(context: CallContext) {
	const { baseURL, apiToken, documentUrl } = await accountOf(context);
	const url = documentUrl || `${baseURL}/openapi.json`;
	return { url, key: hash(JSON.stringify([url, baseURL, apiToken]), 22) };
}

async function renew(context: CallContext, url: string, own: Kept): Promise<void> {
	try {
		const body = await bodyAt(context, url).catch((error: Error) => unread(context, url, error));
		own.document = naming(context, 'API Document URL', () => documentIn(body));
		own.until = clock.now() + HOUR_MS;
		own.failure = undefined;
	} catch (error) {
		own.failure = error as Error;
		own.until = clock.now() + AGAIN_AFTER_MS;
		context.logger?.warn(`The API document ${url} cannot be used: ${(error as Error).message}`);
	}
}

/** The token goes only to the service, below its Base URL. */
async function bodyAt(context: CallContext, url: string): Promise<ApiResponse['body']> {
	const { baseURL } = await accountOf(context);
	if (url.startsWith(`${baseURL}/`)) {
		const path = url.slice(baseURL.length);
		// As a stream, because in a response the texts below names such as `password` may be hidden.
		const asked = { method: 'GET', url: path, encoding: 'stream' } as const;
		const whole = async (stream: ApiResponse) =>
			(await wholeAnswer(Promise.resolve(stream), MAX_REQUEST_MS, false)).answer.body;
		return await read(context, asked, async (stream) => words.received(await whole(stream)));
	}
	const answer = await elsewhere(context, url, false);
	if (answer.statusCode < 300) return answer.body;
	const { location } = answer.headers;
	const why =
		typeof location === 'string'
			? `leads to ${location}. Enter that address in the credential`
			: `answers with ${answer.statusCode}, so no document can be read there`;
	return naming(context, 'API Document URL', () => refuse(why));
}

/** The error of a document that did not arrive. */
function unread(context: CallContext, url: string, error: Error): never {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) throw error;
	if (error instanceof Endless) naming(context, 'API Document URL', () => refuse(error.message));
	const message = `The API document ${url} cannot be read: ${error.message}`;
	const description = 'Check "API Document URL" of the credential.';
	throw new NodeApiError(context.getNode(), {}, { message, description });
}

/** @throws Refusal that continues "The API document …" */
export function documentIn(body: unknown): ApiDocument {
	if (isRecord(body)) return new ApiDocument(body);
	const text = typeof body === 'string' ? body.trimStart() : '';
	if (/^<(!doctype|html)/i.test(text)) refuse('is a web page, not an OpenAPI document');
	if (/^(openapi|swagger)\s*:/m.test(text)) {
		refuse('is a document in YAML. Enter the address of the same document in JSON');
	}
	return refuse(text === '' ? 'is empty' : 'is not a JSON object');
}

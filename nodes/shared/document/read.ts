import { NodeApiError } from 'n8n-workflow';
import { elsewhere } from '../client/redirect';
import { accountOf, read } from '../client/request';
import { naming, refuse } from '../input/refusal';
import { clock, HOUR_MS, isRecord } from '../lib';
import type { ApiResponse, CallContext } from '../n8n/context';
import { ApiDocument } from './openapi';

/** Reads the API document of an account, once an hour in each process. */

/** A document that cannot be read is tried again after this long. */
const AGAIN_AFTER_MS = 60_000;

interface Kept {
	/** The last good one. */
	document?: ApiDocument;
	/** Why the last reading failed. */
	failure?: Error;
	until: number;
	reading?: Promise<void>;
}

const kept = new Map<string, Kept>();

/** The document of the account, or the last good one. @throws NodeOperationError or NodeApiError if there is none */
export async function documentOf(context: CallContext): Promise<ApiDocument> {
	const url = await urlOf(context);
	const own = kept.get(url) ?? { until: -Infinity };
	kept.set(url, own);
	if (clock.now() >= own.until) {
		own.reading ??= renew(context, url, own).finally(() => (own.reading = undefined));
		await own.reading;
	}
	if (!own.document) throw own.failure!;
	return own.document;
}

/** The last good document, without a request. */
export const keptDocument = async (context: CallContext): Promise<ApiDocument | undefined> =>
	kept.get(await urlOf(context))?.document;

async function urlOf(context: CallContext): Promise<string> {
	const { baseURL, documentUrl } = await accountOf(context);
	return documentUrl || `${baseURL}/openapi.json`;
}

async function renew(context: CallContext, url: string, own: Kept): Promise<void> {
	try {
		const body = await bodyAt(context, url);
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
		return await read(context, { method: 'GET', url: path }, ({ body }) => body);
	}
	const answer = await elsewhere(context, url, false).catch((error: Error) => {
		throw new NodeApiError(
			context.getNode(),
			{},
			{
				message: `The API document ${url} cannot be read: ${error.message}`,
				description: 'Check "API Document URL" of the credential.',
			},
		);
	});
	if (answer.statusCode < 300) return answer.body;
	const location = answer.headers.location;
	return naming(context, 'API Document URL', () =>
		refuse(
			typeof location === 'string'
				? `leads to ${location}. Enter that address in the credential`
				: `answers with ${answer.statusCode}, so no document can be read there`,
		),
	);
}

function documentIn(body: unknown): ApiDocument {
	if (isRecord(body)) return new ApiDocument(body);
	const text = typeof body === 'string' ? body.trimStart() : '';
	if (/^<(!doctype|html)/i.test(text)) refuse('is a web page, not an OpenAPI document');
	if (/^(openapi|swagger)\s*:/m.test(text)) {
		refuse('is a document in YAML. Enter the address of the same document in JSON');
	}
	return refuse(text === '' ? 'is empty' : 'is not a JSON object');
}

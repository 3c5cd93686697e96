import type {
	IBinaryData,
	IDataObject,
	IExecuteSingleFunctions,
	IPollFunctions,
} from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import { binaryField } from '../input/controls';
import type { Settings } from '../input/field';
import type { FileAnswer } from '../vocabulary/fileAnswer';
import type { ApiResponse } from '../n8n/context';
import { wrong } from './answer';
import { isOfService } from './rateHeaders';
import { inOrder } from './order';
import type { Item } from './output';

/**
 * A file as an item: streamed into n8n's binary store, with the name and the MIME type that the service gives, in the
 * binary field that the user chose.
 * @param about what the file was asked for by, which is in the JSON of the item
 * @param fallback the name of the file where the service gives none
 */
export async function fileItem(
	context: IExecuteSingleFunctions,
	answer: ApiResponse,
	about: IDataObject,
	{ settings, fallback }: { settings: Settings; fallback: string },
): Promise<Item> {
	const binary = await toBinary(context, answer, fallback);
	const { size, ...rest } = about;
	checkContent(context, binary, answer, size);
	return {
		json: inOrder({
			...rest,
			file_name: binary.fileName,
			mime_type: binary.mimeType,
			// Not every version of n8n says how much it has stored.
			size_bytes: binary.bytes ?? (Number(size ?? answer.headers['content-length']) || null),
		}),
		binary: { [String(settings[binaryField.name])]: binary },
	};
}

/** The name of a file to which the service gives none: by its path, or by the id that it was asked for by. */
export function fallbackName({ name, extension = '' }: FileAnswer, askedBy: string): string {
	const ofPath = askedBy.includes('/') ? safeName(askedBy) : undefined;
	return ofPath ?? safeName(`${name}-${askedBy}${extension}`) ?? `${name}${extension}`;
}

/** Types that say nothing about a file. The first is accepted from anybody, the others from the service. */
const ANY_TYPE = ['application/octet-stream', 'binary/octet-stream', 'application/force-download'];

/**
 * Refuses a web page, an error in JSON, another type of file, and a compressed body. Nobody can tell whether a
 * compressed body is whole, and the request asked for none.
 * @param isSent whether the service has redirected to this response
 * @returns the answer, with the type that the file has
 * @throws WrongAnswer
 */
export function checkFile(
	answer: ApiResponse,
	{ mediaType }: FileAnswer,
	isSent = false,
): ApiResponse {
	const { statusCode, headers, body } = answer;
	const type = typeOf(headers) ?? '';
	const isOwn = isSent || isOfService(answer);
	const isNamed = isAttachment(headers) || (isOwn && nameIn(headers) !== undefined);
	const isAnyType = ANY_TYPE.slice(0, isOwn ? undefined : 1).includes(type);
	const isEmpty = statusCode === 204 || String(headers['content-length']).trim() === '0';
	let problem: string | undefined;
	if (isEmpty && (mediaType !== undefined || !isNamed)) problem = 'empty';
	else if (type === 'text/html' && !isNamed) problem = 'a web page';
	else if (/[/+]json$/.test(type) && !isNamed) problem = 'JSON, not a file';
	else if (mediaType && type && type !== mediaType && !isAnyType)
		problem = `${type}, not ${mediaType}`;
	else if (isCompressed(headers, body))
		problem = 'compressed, so that a cut-off file could not be noticed';
	if (problem === undefined) {
		return mediaType && isAnyType && isOwn
			? { ...answer, headers: { ...headers, 'content-type': mediaType } }
			: answer;
	}
	if (isStream(body)) body.destroy();
	return wrong(problem);
}

const isStream = (body: unknown): body is { destroy(): void } =>
	typeof body === 'object' && body !== null && 'destroy' in body;

/** The HTTP client unpacks a body and removes the header; then the body is the stream that unpacks. */
const isCompressed = (headers: ApiResponse['headers'], body: unknown) =>
	/gzip|deflate|br|zstd/i.test(String(headers['content-encoding'] ?? '')) ||
	/^(Unzip|Gunzip|Inflate|BrotliDecompress|ZstdDecompress)/.test(Object(body).constructor.name);

const dispositionOf = (headers: ApiResponse['headers']) =>
	String(headers['content-disposition'] ?? '');

const isAttachment = (headers: ApiResponse['headers']) =>
	/^\s*attachment/i.test(dispositionOf(headers));

const typeOf = (headers: ApiResponse['headers']) =>
	String(headers['content-type'] ?? '')
		.split(';')[0]!
		.trim()
		.toLowerCase() || undefined;

/** The file of a response, streamed into n8n's binary store. */
export async function toBinary(
	context: IExecuteSingleFunctions | IPollFunctions,
	{ body, headers }: ApiResponse,
	fallback: string,
): Promise<IBinaryData> {
	const { helpers } = context;
	const fileName = nameIn(headers) ?? fallback;
	const content = body as Parameters<typeof helpers.prepareBinaryData>[0];
	const binary = await helpers
		.prepareBinaryData(content, fileName, typeOf(headers))
		.catch((error: Error) => cutOff(context, error));
	const length = Number(headers['content-length']);
	// Not every version of n8n says how much it has stored.
	const isWhole = !(length > 0) || binary.bytes === undefined || binary.bytes === length;
	return isWhole ? binary : cutOff(context);
}

/** An empty file is one only where the service says that it is an attachment. */
function checkContent(
	context: IExecuteSingleFunctions | IPollFunctions,
	{ bytes }: IBinaryData,
	{ headers }: ApiResponse,
	size: unknown,
): void {
	if (bytes === 0 && !isAttachment(headers)) {
		throw fileError(
			context,
			'The file is empty',
			'Run the node again. If the file is still empty, check it in the dashboard.',
		);
	}
	if (size !== undefined && bytes !== undefined && bytes !== Number(size)) cutOff(context);
}

function cutOff(context: IExecuteSingleFunctions | IPollFunctions, error?: Error): never {
	throw fileError(
		context,
		'The download stopped before the end of the file',
		`${error ? `${error.message}. ` : ''}Run the node again. A large file may need a longer timeout.`,
	);
}

const fileError = (
	context: IExecuteSingleFunctions | IPollFunctions,
	message: string,
	description: string,
) => new NodeApiError(context.getNode(), {}, { message, description });

/** A parameter of a header. In quotes, a backslash escapes a quote or another backslash. */
const PARAMETER = /;\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;"]*))/g;

/** `attachment; filename="a.pdf"`; the form with a charset comes first where both are sent. Source: RFC 6266. */
function nameIn(headers: ApiResponse['headers']): string | undefined {
	const found = new Map<string, string>();
	for (const [, name, quoted, plain = ''] of `;${dispositionOf(headers)}`.matchAll(PARAMETER)) {
		found.set(name!.toLowerCase(), quoted?.replace(/\\(["\\])/g, '$1') ?? plain.trim());
	}
	const [, charset, encoded = ''] = /^(.*?)'.*?'(.*)$/.exec(found.get('filename*') ?? '') ?? [];
	const bytes = encoded.replace(/%[\da-f]{2}/gi, (code) =>
		Buffer.from(code.slice(1), 'hex').toString('latin1'),
	);
	const plain = found.get('filename') ?? '';
	const names = [decoded(bytes, charset), decoded(plain) ?? plain, bytes];
	return names.map((name = '') => safeName(name)).find(Boolean);
}

/** Bytes, each as a character, in a charset; undefined where they are not valid in it. */
function decoded(bytes: string, charset = 'utf-8'): string | undefined {
	try {
		return new TextDecoder(charset, { fatal: true }).decode(Buffer.from(bytes, 'latin1'));
	} catch {
		return undefined;
	}
}

/** The longest name that file systems allow, in bytes. */
const MAX_NAME = 255;

/** The name that a server gives, without folders and control characters; a long one is cut before its ending. */
function safeName(name: string): string | undefined {
	const base = name
		.split(/[\\/]/)
		.pop()!
		.replace(/[\p{Cc}\p{Cf}\p{Surrogate}]/gu, '')
		.trim();
	if (base === '' || /^\.+$/.test(base)) return undefined;
	if (Buffer.byteLength(base) <= MAX_NAME) return base;
	const [ending = ''] = /\.[^.]{1,20}$/.exec(base) ?? [];
	let stem = base.slice(0, -ending.length || undefined);
	while (Buffer.byteLength(stem + ending) > MAX_NAME) stem = stem.slice(0, -1);
	return stem.replace(/\p{Surrogate}$/u, '') + ending;
}

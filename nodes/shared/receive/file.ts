import type {
	IBinaryData,
	IDataObject,
	IExecuteSingleFunctions,
	IPollFunctions,
	JsonObject,
} from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import { binaryField } from '../input/controls';
import type { Settings } from '../input/field';
import type { FileAnswer } from '../vocabulary/fileAnswer';
import type { ApiResponse } from '../n8n/context';
import { WrongAnswer } from './answer';
import type { Form } from './origin';
import type { Item } from './item';
import { inOrder } from './order';

/**
 * A file answer as an item: streamed into n8n's binary store, under the name and the MIME type that the service
 * gives, in the binary field that the user chose.
 * @param about what the file was asked for by, kept in the JSON of the item
 * @param fallback the name of the file where the service gives none
 */
export async function fileItem(
	context: IExecuteSingleFunctions,
	answer: ApiResponse,
	about: IDataObject,
	{ settings, fallback }: { settings: Settings; fallback: string },
): Promise<Item> {
	const field = settings[binaryField.name] as string;
	const binary = await toBinary(context, answer, fallback);
	const { size, ...rest } = about;
	checkContent(context, binary, answer, size);
	return {
		json: inOrder({
			...rest,
			file_name: binary.fileName,
			mime_type: binary.mimeType,
			// Not every version of n8n tells what it has stored.
			size_bytes: binary.bytes ?? (Number(size ?? answer.headers['content-length']) || null),
		}),
		binary: { [field]: binary },
	};
}

/** The name of a file to which the service gives none: by its path, or by the id that it was asked for by. */
export function fallbackName({ name, extension = '' }: FileAnswer, askedBy: string): string {
	const ofPath = askedBy.includes('/') ? safeName(askedBy) : undefined;
	return ofPath ?? safeName(`${name}-${askedBy}${extension}`) ?? `${name}${extension}`;
}

/**
 * Refuses what is no such file: a web page, an error in JSON, or a body that was compressed on the way although it
 * was asked not to be, of which nobody can tell whether it is whole. From the service, a PDF of another type is
 * known by its beginning.
 * @returns the answer, with the type that the file has
 * @throws WrongAnswer
 */
export async function checkFile(
	answer: ApiResponse,
	{ mediaType }: FileAnswer,
	{ isOfService, note }: Form,
): Promise<ApiResponse> {
	const { statusCode, headers, body } = answer;
	const type = typeOf(headers) ?? '';
	const isNamed = isAttachment(headers) || (isOfService && hasName(headers));
	const fail = (what: string): never => {
		(body as { destroy?: () => void }).destroy?.();
		throw new WrongAnswer(what);
	};
	const isToldEmpty = Number(headers['content-length']) === 0;
	const isEmpty = statusCode === 204 || (isToldEmpty && (await beginningOf(body, 1)) === '');
	if (isEmpty && (mediaType !== undefined || !isNamed)) fail('empty');
	const isPacked = isCompressed(headers, body);
	const isOther = mediaType && type && type !== mediaType && type !== 'application/octet-stream';
	const mayBePdf = isOther && isOfService && mediaType === PDF && !isPacked;
	if (mayBePdf && (await beginningOf(body, 5)) === '%PDF-') {
		note('the PDF has another type');
		return { ...answer, headers: { ...headers, 'content-type': PDF } };
	}
	if (type === 'text/html' && !isNamed) fail('a web page');
	if (/[/+]json$/.test(type) && !isNamed) fail('JSON, not a file');
	if (isOther) fail(`${type}, not ${mediaType}`);
	if (isPacked) fail('compressed, so that a cut-off file could not be noticed');
	if (isNamed && !isAttachment(headers)) note('the file is not an attachment');
	return answer;
}

const PDF = 'application/pdf';

/** A body that has not been read yet. */
interface Unread {
	read(): Buffer | null;
	unshift(chunk: Buffer): void;
	once(event: 'readable' | 'end' | 'error' | 'close', listener: () => void): void;
	off(event: 'readable' | 'end' | 'error' | 'close', listener: () => void): void;
}

const ENDS = ['readable', 'end', 'error', 'close'] as const;

/** The first bytes of a body; what was read of it for that goes back. */
async function beginningOf(body: unknown, length: number): Promise<string> {
	const stream = body as Unread;
	let start = Buffer.alloc(0);
	while (start.length < length) {
		const chunk = stream.read() ?? (await nextOf(stream));
		if (!chunk) break;
		start = Buffer.concat([start, chunk]);
	}
	if (start.length > 0) stream.unshift(start);
	return start.subarray(0, length).toString('latin1');
}

/** What can be read next; null at the end, also where it is cut off. */
async function nextOf(stream: Unread): Promise<Buffer | null> {
	await new Promise<void>((resolve) => {
		const done = () => {
			for (const event of ENDS) stream.off(event, done);
			resolve();
		};
		for (const event of ENDS) stream.once(event, done);
	});
	return stream.read();
}

/** The HTTP client unpacks a body and takes the header away; what is left is the stream that unpacks. */
const isCompressed = (headers: ApiResponse['headers'], body: unknown) =>
	/gzip|deflate|br|zstd/i.test(String(headers['content-encoding'] ?? '')) ||
	/^(Unzip|Gunzip|Inflate|BrotliDecompress|ZstdDecompress)/.test(
		(body as object | null)?.constructor?.name ?? '',
	);

const isAttachment = (headers: ApiResponse['headers']) =>
	/^\s*attachment/i.test(String(headers['content-disposition'] ?? ''));

const hasName = (headers: ApiResponse['headers']) =>
	nameIn(String(headers['content-disposition'] ?? '')) !== undefined;

const typeOf = (headers: ApiResponse['headers']) =>
	String(headers['content-type'] ?? '')
		.split(';')[0]!
		.trim()
		.toLowerCase() || undefined;

/** The file of an answer, streamed into n8n's binary store. */
export async function toBinary(
	context: IExecuteSingleFunctions | IPollFunctions,
	{ body, headers }: ApiResponse,
	fallback: string,
): Promise<IBinaryData> {
	const { helpers } = context;
	const mimeType = typeOf(headers);
	const fileName = nameIn(String(headers['content-disposition'] ?? '')) ?? fallback;
	const content = body as Parameters<typeof helpers.prepareBinaryData>[0];
	try {
		const binary = await helpers.prepareBinaryData(content, fileName, mimeType);
		const length = Number(headers['content-length']);
		// More than announced came compressed, so nobody knows whether it is whole. Not every n8n tells what it stored.
		const isWhole = !(length > 0) || binary.bytes === undefined || binary.bytes === length;
		return isWhole ? binary : cutOff(context);
	} catch (error) {
		return cutOff(context, error as Error);
	}
}

/** A service that names an empty file means it; an answer without name and content is none. */
function checkContent(
	context: IExecuteSingleFunctions | IPollFunctions,
	{ bytes }: IBinaryData,
	{ headers }: ApiResponse,
	size: unknown,
): void {
	if (bytes === 0 && !isAttachment(headers)) {
		throw new NodeApiError(context.getNode(), {} as JsonObject, {
			message: 'The file is empty',
			description: 'Run the node again. If the file is still empty, check it in the dashboard.',
		});
	}
	if (size !== undefined && bytes !== undefined && bytes !== Number(size)) cutOff(context);
}

function cutOff(context: IExecuteSingleFunctions | IPollFunctions, error?: Error): never {
	throw new NodeApiError(context.getNode(), {} as JsonObject, {
		message: 'The download stopped before the end of the file',
		description: `${error ? `${error.message}. ` : ''}Run the node again. A large file may need a longer timeout.`,
	});
}

/** A parameter of a header; of what is in quotes a backslash hides a quote or another one. */
const PARAMETER = /;\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;"]*))/g;

/** `attachment; filename="a.pdf"`; the form with a charset comes first where both are sent. Source: RFC 6266. */
function nameIn(disposition: string): string | undefined {
	const found = new Map<string, string>();
	for (const [, name, quoted, plain = ''] of `;${disposition}`.matchAll(PARAMETER)) {
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

/** Bytes, each as a character, in a charset; undefined where they are none of it. */
function decoded(bytes: string, charset = 'utf-8'): string | undefined {
	try {
		return new TextDecoder(charset, { fatal: true }).decode(Buffer.from(bytes, 'latin1'));
	} catch {
		return undefined;
	}
}

/** What file systems allow, in bytes. */
const MAX_NAME = 255;

/** A name that a server gives: without folders and control characters, and not too long; its ending stays. */
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

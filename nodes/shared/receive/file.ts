import { NodeApiError, type IDataObject, type IPollFunctions } from 'n8n-workflow';
import { binaryField } from '../input/controls';
import type { Settings } from '../input/field';
import type { ApiResponse, ItemContext } from '../n8n/context';
import type { FileAnswer } from '../operation';
import { isOfService, isStream, wrong } from './answer';
import { inOrder, type Item } from './output';

type FileContext = ItemContext | IPollFunctions;
type Headers = ApiResponse['headers'];

/** An item with a file in the chosen binary field, and `about` in its JSON. */
export async function fileItem(
	context: ItemContext,
	answer: ApiResponse,
	{ size, ...about }: IDataObject,
	{ settings, name }: { settings: Settings; name: FileName },
): Promise<Item> {
	const { headers } = answer;
	const binary = await toBinary(context, answer, name);
	const { bytes, fileName, mimeType } = binary;
	if (bytes === 0 && !isAttachment(headers)) {
		const todo = 'Run the node again. If the file is still empty, check it in the dashboard.';
		throw fileError(context, 'The file is empty', todo);
	}
	if (size !== undefined && bytes !== undefined && bytes !== Number(size)) throw cutOff(context);
	const length = Number(size ?? headers['content-length']) || null;
	return {
		json: inOrder({
			...about,
			file_name: fileName,
			mime_type: mimeType,
			size_bytes: bytes ?? length,
		}),
		binary: { [String(settings[binaryField.name])]: binary },
	};
}

/** The name of a file: `own` goes before the name that the service gives, and `fallback` after it. */
export interface FileName {
	own?: string;
	fallback: string;
}

/** Names a file after its record, else after its path, or the ID in the request. */
export function fileNameOf(
	{ name, extension = '', called }: FileAnswer,
	askedBy: string,
	record?: IDataObject,
): FileName {
	const ofPath = askedBy.includes('/') ? safeName(askedBy) : undefined;
	return {
		own: record && called?.(record)?.replace(/[\\/:*?"<>|]+/g, ' '),
		fallback: ofPath ?? safeName(`${name}-${askedBy}${extension}`) ?? `${name}${extension}`,
	};
}

/** Types of any file. A proxy may use the first one, the service all of them. */
const ANY_TYPE = ['application/octet-stream', 'binary/octet-stream', 'application/force-download'];

/** The response with a file. @throws WrongAnswer */
export function checkFile(answer: ApiResponse, mediaType?: string): ApiResponse {
	const { statusCode, headers, body } = answer;
	const type = typeOf(headers) ?? '';
	const isTrusted = isOfService(answer);
	const isNamed = isAttachment(headers) || (isTrusted && nameIn(headers) !== undefined);
	const isAnyType = (isTrusted ? ANY_TYPE : ANY_TYPE.slice(0, 1)).includes(type);
	const isEmpty = statusCode === 204 || String(headers['content-length']).trim() === '0';
	let problem: string | undefined;
	if (isEmpty && (mediaType !== undefined || !isNamed)) problem = 'empty';
	else if (type === 'text/html' && !isNamed) problem = 'a web page';
	else if (/[/+]json$/.test(type) && !isNamed) problem = 'JSON, not a file';
	else if (mediaType && type && type !== mediaType && !isAnyType)
		problem = `${type}, not ${mediaType}`;
	if (problem === undefined) {
		return mediaType && isAnyType && isTrusted
			? { ...answer, headers: { ...headers, 'content-type': mediaType } }
			: answer;
	}
	if (isStream(body)) body.destroy();
	return wrong(problem);
}

const dispositionOf = (headers: Headers) => String(headers['content-disposition'] ?? '');

const isAttachment = (headers: Headers) => /^\s*attachment/i.test(dispositionOf(headers));

const typeOf = (headers: Headers) =>
	String(headers['content-type'] ?? '')
		.replace(/;.*/s, '')
		.trim()
		.toLowerCase() || undefined;

/** Streams the file of a response into n8n's binary store. */
export async function toBinary(context: FileContext, answer: ApiResponse, named: FileName) {
	const { body, headers } = answer;
	const { helpers } = context;
	const content = body as Parameters<typeof helpers.prepareBinaryData>[0];
	const name = safeName(named.own ?? '') ?? nameIn(headers) ?? named.fallback;
	const binary = await helpers
		.prepareBinaryData(content, name, typeOf(headers))
		.catch(({ message }: Error) => {
			throw cutOff(context, `${message}. `);
		});
	const length = Number(headers['content-length']);
	// Only newer versions of n8n return the number of stored bytes.
	if (length > 0 && binary.bytes !== undefined && binary.bytes !== length) throw cutOff(context);
	return binary;
}

const cutOff = (context: FileContext, why = '') =>
	fileError(
		context,
		'The download stopped before the end of the file',
		`${why}Run the node again. A large file may need a longer timeout.`,
	);

const fileError = (context: FileContext, message: string, description: string) =>
	new NodeApiError(context.getNode(), {}, { message, description });

/** A parameter of a header. In quotes, a backslash escapes a quote or another backslash. */
const PARAMETER = /;\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;"]*))/g;

/** The file name in `attachment; filename="a.pdf"`; an encoded `filename*` comes first. Source: RFC 6266. */
function nameIn(headers: Headers): string | undefined {
	const parameters = new Map<string, string>();
	for (const [, name, quoted, plain = ''] of `;${dispositionOf(headers)}`.matchAll(PARAMETER)) {
		parameters.set(name!.toLowerCase(), quoted?.replace(/\\(["\\])/g, '$1') ?? plain.trim());
	}
	const [, encoded = ''] = /^.*?'.*?'(.*)$/.exec(parameters.get('filename*') ?? '') ?? [];
	const bytes = encoded.replace(/%[\da-f]{2}/gi, (code) =>
		Buffer.from(code.slice(1), 'hex').toString('latin1'),
	);
	const plain = parameters.get('filename') ?? '';
	const names = [inUtf8(bytes), inUtf8(plain) ?? plain, bytes];
	return names.map((name = '') => safeName(name)).find(Boolean);
}

/** Decodes bytes, each in a character; undefined if they are not UTF-8. */
function inUtf8(bytes: string): string | undefined {
	try {
		return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(bytes, 'latin1'));
	} catch {
		return undefined;
	}
}

/** A name without folders and control characters. */
function safeName(name: string): string | undefined {
	const base = name
		.replace(/^.*[\\/]/s, '')
		.replace(/[\p{Cc}\p{Cf}\p{Surrogate}]/gu, '')
		.trim();
	return /^\.*$/.test(base) ? undefined : base;
}

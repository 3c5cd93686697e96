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
import type { ApiResponse } from '../transport/context';
import type { Item } from '../transport/run';

/**
 * A file answer as an item: streamed into n8n's binary store, under the name and the MIME type that the service
 * gives, in the binary field that the user chose.
 * @param about what the file was asked for by, kept in the JSON of the item
 */
export async function fileItem(
	context: IExecuteSingleFunctions,
	answer: ApiResponse,
	about: IDataObject,
	settings: Settings,
): Promise<Item> {
	const field = settings[binaryField.name] as string;
	const binary = await toBinary(context, answer);
	return {
		json: {
			...about,
			fileName: binary.fileName,
			mimeType: binary.mimeType,
			fileSize: binary.fileSize,
		},
		binary: { [field]: binary },
	};
}

/** The file of an answer, streamed into n8n's binary store. */
export async function toBinary(
	context: IExecuteSingleFunctions | IPollFunctions,
	{ body, headers }: ApiResponse,
): Promise<IBinaryData> {
	const { helpers } = context;
	const mimeType =
		String(headers['content-type'] ?? '')
			.split(';')[0]!
			.trim() || undefined;
	const fileName = nameIn(String(headers['content-disposition'] ?? ''));
	const content = body as Parameters<typeof helpers.prepareBinaryData>[0];
	try {
		const binary = await helpers.prepareBinaryData(content, fileName, mimeType);
		if (isShort(binary, headers)) return cutOff(context);
		return binary;
	} catch (error) {
		return cutOff(context, error as Error);
	}
}

/** Not every version of n8n tells the length of what it has stored. */
function isShort({ bytes }: IBinaryData, headers: ApiResponse['headers']): boolean {
	const length = Number(headers['content-length'] ?? NaN);
	return bytes !== undefined && !headers['content-encoding'] && bytes < length;
}

function cutOff(context: IExecuteSingleFunctions | IPollFunctions, error?: Error): never {
	throw new NodeApiError(context.getNode(), {} as JsonObject, {
		message: 'The file was cut off while it was read',
		description: `${error ? `${error.message}. ` : ''}Run the node again; a large file may need a longer time-out.`,
	});
}

/** `attachment; filename="a.pdf"`; the form in UTF-8 comes first where both are sent. Source: RFC 6266. */
function nameIn(disposition: string): string | undefined {
	const [, encoded] = /filename\*=(?:UTF-8|utf-8)'[^']*'([^;]+)/.exec(disposition) ?? [];
	if (encoded) return baseName(decoded(encoded.trim()));
	const [, quoted, plain] = /filename=(?:"((?:[^"\\]|\\.)*)"|([^;]+))/.exec(disposition) ?? [];
	const name = quoted?.replace(/\\(.)/g, '$1') ?? plain?.trim();
	return name ? baseName(name) : undefined;
}

function decoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

/** A name that a server gives must not lead to another folder. */
const baseName = (name: string) => name.split(/[\\/]/).pop() || undefined;

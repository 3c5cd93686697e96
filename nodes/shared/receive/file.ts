import type {
	IBinaryData,
	IDataObject,
	IExecuteSingleFunctions,
	IPollFunctions,
} from 'n8n-workflow';
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
): Promise<Item> {
	const field = context.getNodeParameter('binaryPropertyName') as string;
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
	{ helpers }: IExecuteSingleFunctions | IPollFunctions,
	{ body, headers }: ApiResponse,
): Promise<IBinaryData> {
	const mimeType =
		String(headers['content-type'] ?? '')
			.split(';')[0]!
			.trim() || undefined;
	const fileName = nameIn(String(headers['content-disposition'] ?? ''));
	const content = body as Parameters<typeof helpers.prepareBinaryData>[0];
	return await helpers.prepareBinaryData(content, fileName, mimeType);
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

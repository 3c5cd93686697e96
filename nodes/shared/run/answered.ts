import type { IDataObject } from 'n8n-workflow';
import type { Input } from '../input/request';
import type { ApiRequest, ItemContext } from '../n8n/context';
import type { Operation } from '../operation';
import type { FileAnswer } from '../vocabulary/fileAnswer';
import { recordsOf } from '../receive/answer';
import { fallbackName, fileItem } from '../receive/file';
import type { Item } from '../receive/output';
import { aboveOf, below } from '../receive/output';
import { prove } from '../receive/proof';
import { download } from '../client/download';
import { read } from '../client/request';
import { requireShown } from '../client/allowed';
import { onceKnown } from './taskWatch';
import type { ItemRequest } from './progress';

/** What an answer gave. */
export interface Answered {
	records: IDataObject[];
	/** The path of the request. */
	url: string;
	ids: Record<string, string>;
	body: unknown;
	chosen: IDataObject;
}

/** Sends an item's request, and gives the records of the answer. */
export async function answered(
	context: ItemContext,
	operation: Operation,
	{ request, ids, lastId, chosen }: ItemRequest,
	{ body }: Input,
): Promise<Answered> {
	const { answer, touches } = operation;
	const asked = answer.kind === 'bulk' ? askedIn(body, answer) : [];
	const isRead = request.method === 'GET';
	const isSettled = answer.kind === 'record' && answer.settles === true;
	const wanted = { asked, lastId, isRead, isSettled };
	const ask = async () =>
		await read(context, request, async (given, { only }) => {
			const proven = (records: IDataObject[]) =>
				prove(operation, { ids, asked, body }, { body: given.body, records });
			// A delete of another record says more by its ids than by its form.
			if (answer.kind === 'nothing') proven([]);
			const records = recordsOf(answer, given, wanted);
			if (only && touches === 'listed') await requireShown(context, request.url, records);
			proven(records);
			return { records, url: request.url, ids, body, chosen };
		});
	return await (answer.kind === 'wait' ? onceKnown(context, ask) : ask());
}

/** The ids that a bulk operation is for: in the body, or below the wrapper that its answer has, too. */
const askedIn = (body: IDataObject, { wrapper, ids }: { wrapper: string; ids: string }) =>
	(body[ids] ?? (body[wrapper] as IDataObject)[ids]) as string[];

/** As `answered`, for a file: it is streamed into n8n's binary store. */
export async function fileOf(
	context: ItemContext,
	operation: Operation,
	file: FileAnswer,
	item: ItemRequest,
): Promise<Item> {
	const { request, lastId, settings } = item;
	const answer = await download(context, request, file);
	const about = askedBy(request, lastId);
	const name = String(about.path ?? about.id ?? '');
	const fallback = fallbackName(file, name);
	const json = below(aboveOf(operation, item), about);
	return await fileItem(context, answer, json, { settings, fallback });
}

/** What names the file: the query, or without one the id in the path. */
const askedBy = ({ qs = {} }: ApiRequest, lastId?: string): IDataObject =>
	Object.keys(qs).length > 0 ? qs : { ...(lastId !== undefined && { id: lastId }) };

import type { IDataObject } from 'n8n-workflow';
import type { Input } from '../input/request';
import type { ApiRequest, ItemContext } from '../n8n/context';
import type { Operation, Resource } from '../operation';
import type { FileAnswer } from '../vocabulary/fileAnswer';
import { aboveOf, below } from '../receive/above';
import { isWithoutRecord, recordsOf } from '../receive/answer';
import { undoneIn } from '../receive/done';
import { fallbackName, fileItem } from '../receive/file';
import type { Item } from '../receive/item';
import type { UnknownState } from '../receive/proof';
import { prove } from '../receive/proof';
import { download } from '../client/download';
import { read, requireShown } from '../client/request';
import { isFirst } from '../client/onceARun';
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
	unknown: UnknownState[];
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
		await read(context, request, async (given, form, { only }) => {
			const proven = (records: IDataObject[]) =>
				prove(operation, { ids, asked, body }, { body: given.body, records });
			// A delete of another record says more by its ids than by its form.
			if (answer.kind === 'nothing') proven([]);
			const records = recordsOf(answer, given, wanted, form);
			if (only && touches === 'listed') await requireShown(context, request.url, records);
			return { records, url: request.url, ids, body, chosen, unknown: proven(records) };
		});
	return await (answer.kind === 'wait' ? onceKnown(context, ask) : ask());
}

/** Notes in n8n's log what of a change did not come back as it was sent: once a run and field, and never a value. */
export function warnOf(
	context: ItemContext,
	{ resource, operation }: { resource: Resource; operation: Operation },
	{ body, lastId }: ItemRequest,
	{ records, url, unknown }: Answered,
): void {
	const [record = {}] = records;
	// That it was not shown has been noted.
	if (isWithoutRecord(record)) return;
	const what = `${resource.name}: ${operation.labels.name}`;
	const of = `the answer for ${String(record.id ?? lastId ?? url)}`;
	const warn = (field: string, text: string) => {
		if (isFirst(context, `${what} ${field}`)) {
			context.logger?.warn(`${what}: ${text}`, { node: context.getNode().name });
		}
	};
	for (const { place, state } of unknown) {
		const came = state === undefined ? 'missing' : `"${state}", which this node does not know`;
		warn(place, `in ${of}, ${place} is ${came}: look at the record`);
	}
	for (const { field, isMissing } of undoneIn(operation, body as IDataObject, record)) {
		const came = isMissing ? 'does not have it' : 'has another value';
		warn(field, `${field} was sent, and ${of} ${came}: look at the record`);
	}
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

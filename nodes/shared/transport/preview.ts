import type { IDataObject, IExecuteSingleFunctions } from 'n8n-workflow';
import { effectTexts } from '../access/effects';
import { isRecord } from '../isRecord';
import type { Field } from '../input/field';
import type { LocatorName } from '../input/locators';
import type { Operation, Resource } from '../operation';
import { idsOf } from '../operation';
import { valueAt } from '../receive/output';
import { isSecretAt } from '../receive/errors';
import { CHECKS, targets } from '../targets';
import type { ApiRequest } from './context';
import { targetRecord, wholeList } from './guard';

type Context = IExecuteSingleFunctions;

/** What of a record a preview shows besides what tells it from others; never a secret. */
const SHOWN = ['id', 'status', 'created_at'];

/** More records than these are looked for in the list of all of them. */
const FEW = 20;

/** What an operation would send, and to which records; nothing is sent that changes anything. */
export async function previewOf(
	context: Context,
	{ name }: Resource,
	operation: Operation,
	{ method, url, qs, body }: ApiRequest,
	ids: Record<string, string>,
): Promise<IDataObject> {
	const target: IDataObject = {};
	for (const id of idsOf(operation.route)) {
		const record = await targetRecord(context, id, ids);
		target[keyOf(id)] = record ? briefly(record, id) : { id: ids[id] };
	}
	for (const [id, asked] of named(operation, body)) {
		const records = await recordsOf(context, id, asked);
		target[Array.isArray(asked) ? `${keyOf(id)}s` : keyOf(id)] = Array.isArray(asked)
			? records
			: records[0];
	}
	return {
		preview: true,
		operation: `${name}: ${operation.labels.name}`,
		does: operation.effects.map((effect) => effectTexts[effect].name),
		request: {
			method,
			path: url,
			...(hasContent(qs) && { query: blanked(qs) as IDataObject }),
			...(hasContent(body) && { body: blanked(body) as IDataObject }),
		},
		target,
	};
}

/** `stagingSiteId` is a `staging_site`. */
const keyOf = (id: LocatorName) => targets[id]?.label.replaceAll(' ', '_') ?? id.replace(/Id$/, '');

function briefly(record: IDataObject, id: LocatorName): IDataObject {
	const target = targets[id]!;
	const places = CHECKS.flatMap((check) => target[check] ?? []);
	const shown = [...SHOWN, ...places].filter((place) => valueAt(record, place) !== undefined);
	return Object.fromEntries(shown.map((place) => [place, valueAt(record, place)])) as IDataObject;
}

/** The records that a body names, such as `staging_site.site_id`. */
function named({ fields }: Operation, body: unknown): Array<[LocatorName, string | string[]]> {
	if (!isRecord(body)) return [];
	const all = fields.flatMap((field) => [field, ...((field.options ?? []) as Field[])]);
	return all.flatMap(({ name, target }): Array<[LocatorName, string | string[]]> => {
		const id = (name in targets ? name : name.replace(/s$/, '')) as LocatorName;
		if (target?.type !== 'body' || !targets[id]) return [];
		const value = valueAt(body as IDataObject, target.property);
		return value ? [[id, value as string | string[]]] : [];
	});
}

/** Records with what tells them from others; one that is not there is shown by its id alone. */
async function recordsOf(
	context: Context,
	id: LocatorName,
	asked: string | string[],
): Promise<IDataObject[]> {
	const wanted = [asked].flat();
	if (wanted.length <= FEW) {
		return await Promise.all(
			wanted.map(async (each) => {
				const record = await targetRecord(context, id, { [id]: each }).catch(() => undefined);
				return record ? briefly(record, id) : { id: each };
			}),
		);
	}
	const url = targets[id]!.path.replace(/\/\{\w+\}$/, '');
	const all = await wholeList(context, url);
	const byId = new Map(all.map((record) => [String(record.id), record]));
	return wanted.map((each) => (byId.has(each) ? briefly(byId.get(each)!, id) : { id: each }));
}

const hasContent = (value: unknown) => isRecord(value) && Object.keys(value).length > 0;

/** The most characters of a text that a preview shows; a logo as a data URI has millions. */
const MAX_TEXT = 1_000;

/** The same without what must not be read by others. */
function blanked(value: unknown, isSecret = false): unknown {
	if (Array.isArray(value)) return value.map((each) => blanked(each, isSecret));
	if (isRecord(value)) {
		return Object.fromEntries(
			Object.entries(value).map(([key, each]) => [
				key,
				blanked(each, isSecretAt(key, each, isSecret)),
			]),
		);
	}
	if (isSecret && value !== null) return '********';
	return typeof value === 'string' && value.length > MAX_TEXT
		? `${value.slice(0, MAX_TEXT - 1)}…`
		: value;
}

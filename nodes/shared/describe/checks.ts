import type {
	IDataObject,
	IExecuteSingleFunctions,
	IHttpRequestOptions,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
} from 'n8n-workflow';
import { NodeOperationError, displayParameter } from 'n8n-workflow';
import { heldIn } from '../locator';
import { Run } from '../transport/run';
import { findSiteByUrl, isSiteUrl } from '../transport/siteByUrl';
import type { Convert } from './convert';
import { Refusal, convertOf, idIn, refuse, within } from './convert';

/** A parameter of an operation, and what the kit has to know of it beyond n8n's own description. */
export type Field = INodeProperties & {
	/** Its place below the wrapper, where that is not its name in snake case: `sync.daily_sync_time`. */
	wire?: string;
	/** Makes of the value what the service takes, where the type of the field does not tell. */
	as?: Convert;
	/**
	 * A rule that the type does not tell; `read` gives other parameters, within a group its other fields.
	 * @returns how the sentence "The parameter "Name" …" ends when the rule is broken
	 */
	rule?: (value: unknown, read: (name: string) => unknown) => string | undefined;
	/** The choice in another parameter that it belongs to: with another choice it must not be set. */
	belongsTo?: { choice: INodeProperties; value: string | boolean };
};

/** Where a field's value goes in the request, and where the parameter stands in the node. */
export interface Target {
	/** A query key as it is, or a path in the body such as `tag.name`. */
	type: 'query' | 'body';
	property: string;
	/** The collection that holds the field, such as `filters`. */
	within?: string;
}

type PreSend = (
	this: IExecuteSingleFunctions,
	options: IHttpRequestOptions,
) => Promise<IHttpRequestOptions>;

/** Wire name of a parameter: `dailySyncTime` is sent as `daily_sync_time`. */
export const wireName = (name: string) =>
	name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * The check of one field, run before anything is sent: null and undefined are always refused, a blank value is
 * refused where the field is required and not sent where it is not, and the rest is converted by the field's type.
 */
export function check(field: Field, { type, property, within }: Target): PreSend {
	const path = within ? `${within}.${field.name}` : field.name;
	return guarded(field, (context, options) => {
		const [holder, key] =
			type === 'query'
				? [(options.qs ??= {}), property]
				: holderOf(options.body as IDataObject, property);
		const read = (name: string) => context.getNodeParameter(name, undefined);
		const value = valueOf(field, holder[key], context, read);
		if (value === undefined) removeIn(options, type, property);
		else holder[key] = value as IDataObject[string];

		if (
			value !== undefined &&
			field.type === 'resourceLocator' &&
			heldIn(context.getNodeParameter(path, '')).isUrl
		) {
			// Looked up only when the item's turn comes: for a change, once every item has been checked.
			if (!isSiteUrl(String(value))) refuse(`is not a URL: "${String(value)}"`);
			Run.of(context).before(context, async () => {
				holder[key] = await findSiteByUrl(context, String(value));
			});
		}
	});
}

/** The check of a parameter that is not sent but read, such as Limit. */
export function checkParameter(field: Field, within?: string): PreSend {
	const path = within ? `${within}.${field.name}` : field.name;
	return guarded(field, (context) => {
		// The fallback keeps n8n from refusing an expression without a value in words of its own.
		const value: unknown = context.getNodeParameter(path, null);
		valueOf(field, value, context, (name) => context.getNodeParameter(name, undefined));
	});
}

/** Refuses an update in which nothing was chosen to be updated. */
export function notEmpty(field: INodeProperties): PreSend {
	return guarded(field, (context) => {
		const chosen = context.getNodeParameter(field.name, {}) as object;
		if (Object.keys(chosen).length === 0) {
			refuse('is empty: add at least one field to it');
		}
	});
}

/**
 * Sends the empty value of what the user chose to clear, and refuses what is set at the same time.
 * @param empty place below the wrapper -> its empty value
 */
export function clearing(
	field: Field,
	wrapper: string,
	empty: Record<string, IDataObject[string]>,
): PreSend {
	return guarded(field, (context, options) => {
		const chosen: unknown = context.getNodeParameter(`updateFields.${field.name}`);
		for (const path of valueOf(field, chosen, context, () => undefined) as string[]) {
			const [holder, key] = holderOf(options.body as IDataObject, `${wrapper}.${path}`);
			if (holder[key] !== undefined) refuse(`clears "${path}", which is also set`);
			holder[key] = empty[path] as IDataObject[string];
		}
	});
}

/** Sends the image in the binary field that the parameter names, as a data URI. */
export function dataUri(field: Field, { property, within }: Target): PreSend {
	return guarded(field, (context, options) => {
		const sent: unknown = context.getNodeParameter(`${within}.${field.name}`);
		const name = valueOf(field, sent, context, () => undefined) as string;
		const { mimeType } = binaryIn(context, name);
		if (!mimeType.startsWith('image/')) refuse(`names no image, but a file of type "${mimeType}"`);
		const [holder, key] = holderOf(options.body as IDataObject, property);
		if (holder[key] === null) refuse('sets what is also cleared');
		if (holder[key] !== undefined) refuse('is set together with the data URI: choose one');
		Run.of(context).before(context, async () => {
			const content = await context.helpers.getBinaryDataBuffer(name);
			holder[key] = `data:${mimeType};base64,${content.toString('base64')}`;
		});
	});
}

function binaryIn(context: IExecuteSingleFunctions, name: string) {
	try {
		return context.helpers.assertBinaryData(name);
	} catch {
		return refuse(`names no binary field of this item: "${name}"`);
	}
}

/** Adds the user's own JSON to the body, and refuses what another field sets. */
export function merging(field: Field, { property, within }: Target): PreSend {
	return guarded(field, (context, options) => {
		const path = within ? `${within}.${field.name}` : field.name;
		const sent: unknown = context.getNodeParameter(path, null);
		const read = (name: string) => context.getNodeParameter(name, undefined);
		const more = valueOf(field, sent, context, read);
		if (more === undefined) return;
		const [holder, key] = holderOf(options.body as IDataObject, property);
		holder[key] = merged((holder[key] ?? {}) as IDataObject, more as IDataObject);
	});
}

function merged(base: IDataObject, more: IDataObject, place = ''): IDataObject {
	const result = { ...base };
	for (const [key, value] of Object.entries(more)) {
		const old = result[key];
		if (isPlain(old) && isPlain(value)) result[key] = merged(old, value, `${place}${key}.`);
		else if (old === undefined || old === '') result[key] = value;
		else refuse(`sets "${place}${key}", which is also a field of its own`);
	}
	return result;
}

const isPlain = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Runs `step` before anything is sent; what it throws keeps the item from being sent. */
function guarded(
	field: INodeProperties,
	step: (context: IExecuteSingleFunctions, options: IHttpRequestOptions) => void,
): PreSend {
	return async function (options) {
		try {
			step(this, options);
		} catch (error) {
			Run.of(this).refuse(this, refusalOf(this, field, error as Error));
		}
		return options;
	};
}

function refusalOf(
	context: IExecuteSingleFunctions,
	{ displayName }: INodeProperties,
	error: Error,
) {
	const known = error instanceof Refusal;
	const name = [displayName, ...(known ? error.path : [])].join(' > ');
	return new NodeOperationError(
		context.getNode(),
		`The parameter "${name}" ${known ? error.message : 'cannot be used'}`,
		{
			itemIndex: context.getItemIndex(),
			description: `${known ? '' : `${error.message}. `}Nothing was sent. If the parameter is an expression, check what it gives for this item.`,
		},
	);
}

const present = (value: unknown): unknown => {
	if (value === undefined || value === null) refuse('has no value');
	return value;
};

/** The value as the service takes it, or undefined when it is blank and therefore not set. */
function valueOf(
	field: Field,
	value: unknown,
	context: IExecuteSingleFunctions,
	read: (name: string) => unknown,
): unknown {
	if (!isChosen(field, read)) return unset(field, value);
	present(value);
	const broken = field.rule?.(value, read);
	if (broken) refuse(broken);
	if (field.type !== 'fixedCollection') return converted(field, value, context);

	const rows = rowsOf(field, value);
	if (rows === undefined) {
		if (!field.required) return undefined;
		const [only] = field.options as INodePropertyCollection[];
		refuse(`needs its "${only!.displayName}"`);
	}
	const built = Array.isArray(rows)
		? rows.map((row, index) => rowOf(field, row, context, index))
		: rowOf(field, rows, context);
	return field.as ? field.as(built, context) : built;
}

/** Whether the choice that a field belongs to is made: where that is an expression, the editor cannot tell. */
function isChosen({ belongsTo }: Field, read: (name: string) => unknown): boolean {
	if (!belongsTo) return true;
	const { choice, value } = belongsTo;
	return String(read(choice.name)).trim().toLowerCase() === String(value);
}

/** Refuses a value that would be left out although the user set it. */
function unset(field: Field, value: unknown): undefined {
	const { displayName, options = [] } = field.belongsTo!.choice;
	const chosen = (options as INodePropertyOptions[]).find(
		(option) => option.value === field.belongsTo!.value,
	);
	if (!isBlank(field, value)) {
		refuse(`is set, but "${displayName}" is not ${chosen ? `"${chosen.name}"` : 'on'}`);
	}
	return undefined;
}

function isBlank(field: Field, value: unknown): boolean {
	if (value === undefined || value === null || value === field.default) return true;
	const held = field.type === 'resourceLocator' ? idIn(value) : value;
	return (typeof held === 'string' && held.trim() === '') || isEmpty(held);
}

function converted(field: Field, value: unknown, context: IExecuteSingleFunctions): unknown {
	const held = field.type === 'resourceLocator' ? idIn(value) : value;
	// Left out, the entry of a broken expression would turn "with this tag" into "all".
	if (Array.isArray(held) && held.some((entry) => entry === undefined || entry === null)) {
		refuse('has an entry without a value');
	}
	const blank = typeof held === 'string' && held.trim() === '';
	const result = blank ? undefined : convertOf(field)(held, context);
	if (result !== undefined && !isEmpty(result)) return result;
	if (field.required) refuse('is empty');
	return undefined;
}

/** A list or an object without anything in it, such as what `, ,` gives. */
const isEmpty = (value: unknown) =>
	Array.isArray(value) ? value.length === 0 : isPlain(value) && Object.keys(value).length === 0;

/** What the user added to a group: n8n keeps it one level deeper than the service takes it. */
function rowsOf({ options = [] }: Field, value: unknown) {
	const [only] = options as INodePropertyCollection[];
	const rows = (value as IDataObject)[only!.name] as IDataObject | IDataObject[] | undefined;
	return Array.isArray(rows) && rows.length === 0 ? undefined : rows;
}

/** One row of a group under the names that the service uses; blank fields are left out. */
function rowOf(
	{ options = [] }: Field,
	row: IDataObject,
	context: IExecuteSingleFunctions,
	index?: number,
): IDataObject {
	const [only] = options as INodePropertyCollection[];
	const read = (name: string) => row[name];
	const sent: IDataObject = {};
	for (const field of only!.values as Field[]) {
		if (!displayParameter(row as never, field, null, null)) continue;
		const part = [...(index === undefined ? [] : [String(index + 1)]), field.displayName];
		const given = field.name in row ? row[field.name] : '';
		const value = within(part, () => valueOf(field, given, context, read));
		if (value === undefined) continue;
		const [holder, key] = holderOf(sent, field.wire ?? wireName(field.name));
		holder[key] = value as IDataObject[string];
	}
	return sent;
}

/** Takes a value out of the request, and the objects that held nothing else. */
function removeIn(options: IHttpRequestOptions, type: Target['type'], property: string): void {
	if (type === 'query') {
		delete options.qs![property];
		return;
	}
	const parts = property.split('.');
	while (parts.length > 0) {
		const [holder, key] = holderOf(options.body as IDataObject, parts.join('.'));
		delete holder[key];
		parts.pop();
		if (Object.keys(holder).length > 0) return;
	}
}

/** The object that holds the last part of a path in the body; made where it is missing. */
function holderOf(body: IDataObject, path: string): [IDataObject, string] {
	const parts = path.split('.');
	const key = parts.pop()!;
	return [parts.reduce((object, part) => (object[part] ??= {}) as IDataObject, body), key];
}

import { DateTime } from 'luxon';
import type {
	IDataObject,
	IExecuteSingleFunctions,
	IHttpRequestOptions,
	INodeProperties,
	INodePropertyCollection,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { toList } from '../list';
import { Run } from '../transport/run';

/** A parameter of an operation, and what the kit has to know of it beyond n8n's own description. */
export type Field = INodeProperties & {
	/** Its place below the wrapper, where that is not its name in snake case: `sync.daily_sync_time`. */
	wire?: string;
	/** Whether the text is a list: separated by commas or lines, or an array from an expression. */
	list?: boolean;
};

/** Where a field's value goes in the request: a query key as it is, or a path in the body such as `tag.name`. */
export interface Target {
	type: 'query' | 'body';
	property: string;
}

/** Turns the value that n8n put into the request into the value that the service takes, or refuses it. */
type Check = (value: unknown, context: IExecuteSingleFunctions) => unknown;

type PreSend = (
	this: IExecuteSingleFunctions,
	options: IHttpRequestOptions,
) => Promise<IHttpRequestOptions>;

/** In a query, an empty value means that the field is not set. */
const isUnset = (value: unknown) => value === '' || (Array.isArray(value) && value.length === 0);

/** Bad input; the message continues "The parameter "Name" …". */
class Refusal extends Error {}

/**
 * The check of one field, run before anything is sent. It is chosen by the field's type: date and time to
 * ISO 8601 UTC, numbers, booleans, lists, groups; null and undefined are always refused.
 */
export function check(field: Field, { type, property }: Target): PreSend {
	const convert = checkOf(field);
	return guarded(field, (context, options) => {
		const [holder, key] =
			type === 'query'
				? [(options.qs ??= {}), property]
				: holderOf(options.body as IDataObject, property);
		const value = convert(present(holder[key]), context);
		if (type === 'query' && isUnset(value)) delete holder[key];
		else holder[key] = value as IDataObject[string];
	});
}

/** The check of a parameter that is not sent but read, such as Limit. */
export function checkParameter(field: Field): PreSend {
	const convert = checkOf(field);
	return guarded(field, (context) => {
		// The fallback keeps n8n from refusing an expression without a value in words of its own.
		convert(present(context.getNodeParameter(field.name, null)), context);
	});
}

/** Refuses an update in which nothing was chosen to be updated. */
export function notEmpty(field: INodeProperties): PreSend {
	return guarded(field, (context) => {
		const chosen = context.getNodeParameter(field.name, {}) as object;
		if (Object.keys(chosen).length === 0) {
			throw new Refusal('is empty: add at least one field to it');
		}
	});
}

/** Sends null for what the user chose to clear, and refuses what is set at the same time. */
export function clearing(field: INodeProperties, wrapper: string): PreSend {
	return guarded(field, (context, options) => {
		const chosen = list(true)(present(context.getNodeParameter(`updateFields.${field.name}`)));
		for (const path of chosen) {
			const [holder, key] = holderOf(options.body as IDataObject, `${wrapper}.${path}`);
			if (holder[key] !== undefined) throw new Refusal(`clears "${path}", which is also set`);
			holder[key] = null;
		}
	});
}

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
	return new NodeOperationError(
		context.getNode(),
		`The parameter "${displayName}" ${known ? error.message : 'cannot be used'}`,
		{
			itemIndex: context.getItemIndex(),
			description: `${known ? '' : `${error.message}. `}Nothing was sent. If the parameter is an expression, check what it gives for this item.`,
		},
	);
}

const present = (value: unknown): unknown => {
	if (value === undefined || value === null) throw new Refusal('has no value');
	return value;
};

function checkOf(field: Field): Check {
	const { type, required, typeOptions } = field;
	if (type === 'multiOptions' || field.list) return list(required ?? false);
	if (type === 'fixedCollection') return group(field);
	const convert: Record<string, Check | undefined> = {
		dateTime,
		boolean,
		number: number(typeOptions?.minValue),
	};
	const converted = convert[type] ?? ((value) => value);
	return (value, context) => converted(required ? filled(value) : value, context);
}

const filled = (value: unknown): unknown => {
	if (String(value).trim() === '') throw new Refusal('is empty');
	return value;
};

/** Local values are read in the time zone of the workflow. */
const dateTime: Check = (value, context) => {
	if (value === '') return value;
	const zone = context.getTimezone();
	const time =
		value instanceof Date
			? DateTime.fromJSDate(value)
			: DateTime.fromISO(DateTime.isDateTime(value) ? (value.toISO() ?? '') : String(value), {
					zone,
				});
	if (!time.isValid) throw new Refusal(`is not a date and time: "${String(value)}"`);
	return time.toUTC().toISO({ suppressMilliseconds: true });
};

const number =
	(min = -Infinity): Check =>
	(value) => {
		const parsed = typeof value === 'string' && value.trim() ? Number(value) : value;
		if (typeof parsed !== 'number' || !Number.isFinite(parsed)) {
			throw new Refusal(`is not a number: "${String(value)}"`);
		}
		if (parsed < min) throw new Refusal(`must be at least ${min}`);
		return parsed;
	};

const boolean: Check = (value) => {
	if (typeof value === 'boolean') return value;
	const text = String(value).trim().toLowerCase();
	if (text === 'true' || text === 'false') return text === 'true';
	throw new Refusal(`is neither true nor false: "${String(value)}"`);
};

const list =
	(required: boolean) =>
	(value: unknown): string[] => {
		const entries = toList(value);
		if (required && entries.length === 0) throw new Refusal('is empty');
		return entries;
	};

/** A group of fields that is added as a whole: n8n keeps it one level deeper than the service takes it. */
const group = ({ options = [] }: INodeProperties): Check => {
	const [only] = options as INodePropertyCollection[];
	return (value) => {
		const fields = (value as IDataObject)[only!.name] as IDataObject | undefined;
		if (!fields) throw new Refusal(`needs its "${only!.displayName}"`);
		for (const { name, displayName, required } of only!.values) {
			const blank = String(fields[name] ?? '').trim() === '';
			if (required && blank) throw new Refusal(`needs its "${displayName}"`);
		}
		return fields;
	};
};

/** The object that holds the last part of a path in the body; made where it is missing. */
function holderOf(body: IDataObject, path: string): [IDataObject, string] {
	const parts = path.split('.');
	const key = parts.pop()!;
	return [parts.reduce((object, part) => (object[part] ??= {}) as IDataObject, body), key];
}

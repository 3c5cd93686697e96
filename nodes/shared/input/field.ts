import type {
	FromAIArgument,
	IDataObject,
	IExecuteSingleFunctions,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
	NodeParameterValueType,
} from 'n8n-workflow';
import { traverseNodeParameters } from 'n8n-workflow';
import { isPlain } from '../lib';

/** The IDs of records that can be named. */
const NAMED_IDS = [
	'clientId',
	'reportTemplateId',
	'scheduleId',
	'senderEmailId',
	'siteId',
	'tagId',
	'teamMemberId',
] as const;

export type NamedId = (typeof NAMED_IDS)[number];

export const isNamedId = (name: string): name is NamedId => NAMED_IDS.some((each) => each === name);

/** The context of a node: the time zone of the workflow, and the evaluation of expressions. */
export type Zoned = Pick<IExecuteSingleFunctions, 'getTimezone'> &
	Partial<Pick<IExecuteSingleFunctions, 'evaluateExpression' | 'getItemIndex'>>;

/** Converts a value that is not blank to what the service accepts. @throws Refusal */
export type Convert = (value: unknown, context: Zoned) => unknown;

/** Where the value of a field goes. A field without a target is read, not sent, such as Limit. */
export type FieldTarget =
	/** A place in the body is such as `tag.name`. `isInside`: a field of the group has the routing for n8n. */
	| { type: 'path' | 'query' | 'body'; property: string; isInside?: boolean }
	/** A place of the body: for an object in JSON, or for the content of the binary field that is named, as a data URI. */
	| { type: 'merge' | 'dataUri'; property: string }
	/** The places below this one of the body that are listed get their empty values. */
	| { type: 'clear'; property: string; empty: Record<string, IDataObject[string]> };

/** A parameter: n8n's description, and what only this package reads. */
export type Field = INodeProperties & {
	target?: FieldTarget;
	/** Its place below the wrapper. @default its name in snake case */
	wire?: string;
	/** Converts the value. @default by the type of the field */
	as?: Convert;
	/**
	 * Why expressions can only return the listed choices, except in a query. `ofNode`: the node acts on the option itself.
	 * `form`: each makes a different request. `change`: the setting keeps working without the workflow.
	 */
	closed?: 'ofNode' | 'form' | 'change';
	/** Returns the end of the sentence "The parameter "Name" …" if it is broken. `raw` still has its expressions. */
	rule?: (value: unknown, read: (name: string) => unknown, raw: unknown) => string | undefined;
	/** The choice in another parameter that it depends on. With another choice it must not be set. */
	belongsTo?: {
		choice: Field;
		value: string | boolean;
		/** Whether it is ignored, not refused, with another choice. */
		mayStand?: boolean;
	};
	/** For a switch: the position in which it shows other fields. */
	showsWith?: boolean;
	/** Whether messages must not contain its value, like that of a password. */
	secret?: boolean;
	/** Whether a blank text from an expression counts as not set: leaving it out widens nothing. */
	maySkip?: boolean;
	/** Whether few people set it: it comes after what guards the change. */
	isSeldom?: boolean;
	/** The kind of record, if the value can also be a name. */
	names?: NamedId;
	/** Whether any value counts, also none: the operation itself says what it cannot use. */
	takesAll?: boolean;
	/** Query parameters sent with it, unless it is off or the user sets them. */
	also?: Record<string, string>;
	/** For an update: whether at least one of the collection's fields must be added. */
	needsOne?: boolean;
};

type Options = Pick<Field, 'options'>;

/** The choices of a field of type options or multiOptions. */
export const optionsOf = ({ options = [] }: Options) =>
	options.filter((option): option is INodePropertyOptions => 'value' in option);

export const fieldsOf = ({ options = [] }: Options) =>
	options.filter((option): option is Field => 'type' in option);

/** The group of a fixedCollection: this package has one in each. */
export const groupOf = ({ options = [] }: Options) =>
	options.find(
		(option): option is INodePropertyCollection & { values: Field[] } => 'values' in option,
	)!;

/** The converted values by parameter name. A parameter that is not set is missing. */
export type Settings = Record<string, unknown>;

/** Wire name of a parameter: `dailySyncTime` is sent as `daily_sync_time`. */
export const wireName = (name: string) =>
	name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Null, undefined or NaN: the result of an expression that found nothing. */
export const isMissing = (value: unknown) =>
	value === undefined || value === null || Number.isNaN(value);

/** A missing or empty value, or a list of such. An expression must not return it: all sites would match. */
export function isBlank(value: unknown): boolean {
	return isMissing(value) || isLeftBlank(value) || (Array.isArray(value) && value.every(isBlank));
}

/** The value of an untouched field of the editor: a text of white space, an empty list or an empty object. */
export function isLeftBlank(value: unknown): boolean {
	if (typeof value === 'string') return value.trim() === '';
	if (Array.isArray(value)) return value.length === 0;
	return isPlain(value) && Object.keys(value).length === 0;
}

/** Whether a parameter, or a part of it, is an expression. */
export function hasExpression(raw: unknown): boolean {
	if (typeof raw === 'string') return raw.startsWith('=');
	return typeof raw === 'object' && raw !== null && Object.values(raw).some(hasExpression);
}

/** The arguments that a model fills in, in parameters or a part of them. */
export function argumentsIn(parameters: unknown): string[] {
	const found: FromAIArgument[] = [];
	traverseNodeParameters(parameters as NodeParameterValueType, found);
	return [...new Set(found.map(({ key }) => key))];
}

/** Whether a model fills in a parameter, or a part of it. n8n knows all three spellings of the function. */
export const isByModel = (raw: unknown) => /\$fromai\b/i.test(JSON.stringify(raw) ?? '');

import type {
	IDataObject,
	IExecuteSingleFunctions,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
} from 'n8n-workflow';
import type { NamedId } from './named';

/** What n8n hands to a node, action or trigger: it knows the time zone of the workflow, and evaluates expressions. */
export type Zoned = Pick<IExecuteSingleFunctions, 'getTimezone'> &
	Partial<Pick<IExecuteSingleFunctions, 'evaluateExpression' | 'getItemIndex'>>;

/**
 * Turns the value of a parameter, which is not blank, into the value that the service takes.
 * @throws Refusal
 */
export type Convert = (value: unknown, context: Zoned) => unknown;

/** Where the value of a field goes. A field without a target is not sent but read, such as Limit. */
export type FieldTarget =
	| {
			/** The path of the URL, the query under this key, or a place in the body such as `tag.name`. */
			type: 'path' | 'query' | 'body';
			property: string;
			/** Whether the routing for n8n stands at a field of the group. */
			isInside?: boolean;
	  }
	| {
			/** The field's JSON object is merged into the object at this place of the body. */
			type: 'merge';
			property: string;
	  }
	| {
			/** The field names a binary field of the item, whose content goes to this place of the body as a data URI. */
			type: 'dataUri';
			property: string;
	  }
	| {
			/** The field lists places below this one of the body, which get their empty values. */
			type: 'clear';
			property: string;
			empty: Record<string, IDataObject[string]>;
	  };

/** A parameter of an operation or a trigger, and what is to be known of it beyond n8n's own description. */
export type Field = INodeProperties & {
	target?: FieldTarget;
	/** Its place below the wrapper, where that is not its name in snake case: `sync.daily_sync_time`. */
	wire?: string;
	/** Makes of the value what the service takes, where the type of the field does not tell. */
	as?: Convert;
	/** For a list of choices: why it takes no other, not even from an expression. A query is always open. */
	closed?: string;
	/**
	 * A rule that the type does not tell; `read` gives other parameters, within a group its other fields, and `raw`
	 * is the value before its expressions were evaluated.
	 * @returns how the sentence "The parameter "Name" …" ends when the rule is broken
	 */
	rule?: (value: unknown, read: (name: string) => unknown, raw: unknown) => string | undefined;
	/** The choice in another parameter that it belongs to: with another choice it must not be set. */
	belongsTo?: {
		choice: Field;
		value: string | boolean;
		/** Whether it may stand there with another choice, and is not looked at then. */
		mayStand?: boolean;
	};
	/** For a switch: the position in which it shows other fields. */
	showsWith?: boolean;
	/** Whether its value must not be repeated in a message; passwords need not say so. */
	secret?: boolean;
	/** Whether a blank text by expression means that it is not set: nothing is read or touched for the lack of it. */
	maySkip?: boolean;
	/** The records that it names, where they can be named otherwise than by ID. */
	names?: NamedId;
	/** Query parameters that go with it, unless it is off or the user sets them. */
	also?: Record<string, string>;
	/** For an update: whether at least one of the collection's fields must be added. */
	needsOne?: boolean;
};

type Options = Pick<Field, 'options'>;

/** The choices of a field of type options or multiOptions. */
export const optionsOf = ({ options = [] }: Options) =>
	options.filter((option): option is INodePropertyOptions => 'value' in option);

/** The fields of a collection. */
export const fieldsOf = ({ options = [] }: Options) =>
	options.filter((option): option is Field => 'type' in option);

/** The group of a fixedCollection: this package has one in each. */
export const groupOf = ({ options = [] }: Options) =>
	options.find(
		(option): option is INodePropertyCollection & { values: Field[] } => 'values' in option,
	)!;

/** What the user has set, converted, by the names of the parameters; what is not set is missing. */
export type Settings = Record<string, unknown>;

/** Wire name of a parameter: `dailySyncTime` is sent as `daily_sync_time`. */
export const wireName = (name: string) =>
	name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

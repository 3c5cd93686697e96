import type {
	IDataObject,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
} from 'n8n-workflow';
import type { Field, Target } from './checks';
import { check, checkParameter, clearing, dataUri, merging, notEmpty, wireName } from './checks';
import { toEmail, toEmails, toEntries } from './convert';
import type { Filters } from './filters';
import { labelOf } from './filters';

/** Gives a body field a place of its own below the wrapper, such as `sync.daily_sync_time`. */
export const at = (wire: string, field: Field): Field => ({ ...field, wire });

/** Marks a text field as a list, and says so. */
export const listOf = (field: Field): Field => ({
	...field,
	typeOptions: { rows: 2 },
	description: `${field.description}. Entries are separated by commas or lines, or come in an array from an expression.`,
	as: toEntries,
});

/** Marks a text field as an email address. */
export const emailOf = (field: Field): Field => ({ ...field, as: toEmail });

/** Marks a text field as a list of email addresses. */
export const emailsOf = (field: Field): Field => ({ ...listOf(field), as: toEmails });

/**
 * Shows a field only with one choice in another field. Where the choice is an expression, the run tells: with
 * another choice the field must not be set, and is not needed.
 */
export const onlyWith = (
	choice: INodeProperties,
	value: string | boolean,
	field: Field,
): Field => ({
	...field,
	displayOptions: { show: { ...field.displayOptions?.show, [choice.name]: [value] } },
	belongsTo: { choice, value },
});

/** A field as n8n describes it, without what only the kit knows. */
function described({
	wire: _wire,
	as: _as,
	rule: _rule,
	belongsTo: _belongsTo,
	...field
}: Field): INodeProperties {
	if (field.type !== 'fixedCollection') return field;
	const groups = (field.options as INodePropertyCollection[]).map((group) => ({
		...group,
		values: group.values.map(described),
	}));
	return { ...field, options: groups };
}

function routed(field: Field, target: Target): INodeProperties {
	const { within: _within, ...sent } = target;
	return {
		...described(field),
		routing: {
			send: {
				...sent,
				...(target.type === 'query' && { propertyInDotNotation: false }),
				preSend: [check(field, target)],
			},
		},
	};
}

/**
 * A field that goes into the body, below the wrapper object if there is one. A blank value is not sent.
 * @param within the collection that the field is an option of
 */
export function inBody(
	wrapper: string | undefined,
	field: Field,
	within?: string,
): INodeProperties {
	const name = field.wire ?? wireName(field.name);
	return routed(field, { type: 'body', property: wrapper ? `${wrapper}.${name}` : name, within });
}

/** A field that goes into the query under this key. A blank value is not sent. */
export function inQuery(key: string, field: Field, within?: string): INodeProperties {
	return routed(field, { type: 'query', property: key, within });
}

const byDisplayName = (a: INodeProperties, b: INodeProperties) =>
	a.displayName.localeCompare(b.displayName);

/**
 * A body field inside a collection. A required one must not be blank once it is added; n8n itself would want it
 * added, too, so that is for the check alone.
 */
function addable(wrapper: string | undefined, field: Field, within: string): INodeProperties {
	const { required: _required, ...option } = inBody(wrapper, field, within);
	return option;
}

/** A collection whose options are offered by name. */
function collection(
	displayName: string,
	name: string,
	placeholder: string,
	options: INodeProperties[],
	description?: string,
): INodeProperties {
	return {
		displayName,
		name,
		type: 'collection',
		placeholder,
		...(description && { description }),
		default: {},
		options: options.sort(byDisplayName),
	};
}

/** Optional body fields, of which only those that the user adds are sent. */
export function additionalFields(
	wrapper: string | undefined,
	fields: Field[],
	{ openBody = false } = {},
): INodeProperties[] {
	if (fields.length === 0 && !openBody) return [];
	const name = 'additionalFields';
	const options = fields.map((field) => {
		// An added group without content is a mistake; a blank text means that it is not set.
		const required = field.required || field.type === 'fixedCollection';
		return addable(wrapper, { ...field, required }, name);
	});
	if (openBody) options.push(bodyFields(wrapper!, name));
	return [collection('Additional Fields', name, 'Add Field', options)];
}

/** Query parameters that only some need. */
export function queryOptions(fields: Record<string, Field>): INodeProperties[] {
	const entries = Object.entries(fields);
	if (entries.length === 0) return [];
	const name = 'options';
	const options = entries.map(([key, field]) => inQuery(key, field, name));
	return [collection('Options', name, 'Add Option', options)];
}

/** What an update can clear: place below the wrapper -> label, or the label with an empty value other than null. */
export type Clearable = Record<string, string | [label: string, empty: IDataObject[string]]>;

/**
 * The fields of an update, of which at least one is wanted and only those that the user adds are sent. A field
 * that is added must not be blank: what to empty is chosen under Clear.
 * @param clear fields that can be emptied
 */
export function updateFields(
	wrapper: string,
	fields: Field[],
	{ clear, openBody = false }: { clear?: Clearable; openBody?: boolean } = {},
): INodeProperties[] {
	const name = 'updateFields';
	const options = fields.map((field) =>
		// What has its route already, such as a file, is taken as it is.
		field.routing ? field : addable(wrapper, { ...field, required: true }, name),
	);
	if (clear) options.push(clearField(wrapper, clear));
	if (openBody) options.push(bodyFields(wrapper, name));
	const all = collection(
		'Update Fields',
		name,
		'Add Field',
		options,
		'What is not added here stays as it is',
	);
	return [{ ...all, routing: { send: { preSend: [notEmpty(all)] } } }];
}

function clearField(wrapper: string, clear: Clearable): INodeProperties {
	const entries = Object.entries(clear).map(([path, what]) => {
		const [name, empty] = Array.isArray(what) ? what : [what, null];
		return { name, path, empty };
	});
	const field: INodeProperties = {
		displayName: 'Clear',
		name: 'clear',
		type: 'multiOptions',
		options: entries
			.map(({ name, path }) => ({ name, value: path }))
			.sort((a, b) => a.name.localeCompare(b.name)),
		default: [],
		description: 'What to empty or remove in the record',
	};
	const empty = Object.fromEntries(entries.map(({ path, empty: value }) => [path, value]));
	return {
		...field,
		routing: { send: { preSend: [clearing({ ...field, required: true }, wrapper, empty)] } },
	};
}

/** For fields that the API reference does not name: the user's own JSON, merged into the wrapper. */
function bodyFields(wrapper: string, within: string): INodeProperties {
	const field: INodeProperties = {
		displayName: 'Additional Body Fields',
		name: 'additionalBodyFields',
		type: 'json',
		default: '{}',
		description: `Fields that this node does not offer, as a JSON object. They are added to the "${wrapper}" object of the request under the names that you give them.`,
	};
	const required = { ...field, required: true };
	return {
		...field,
		routing: {
			send: { preSend: [merging(required, { type: 'body', property: wrapper, within })] },
		},
	};
}

/** A JSON object of the user's own that goes into the body at this place, whose names the API reference leaves open. */
export function jsonInto(place: string, field: Field): INodeProperties {
	const target: Target = { type: 'body', property: place };
	return { ...described(field), routing: { send: { preSend: [merging(field, target)] } } };
}

/**
 * A parameter without a place of its own in the request, whose value is checked all the same.
 * @param within the collection that holds it
 */
const checked = (field: Field, within?: string): INodeProperties => ({
	...described(field),
	routing: { send: { preSend: [checkParameter(field, within)] } },
});

/** A field that is not sent, but decides which others are. */
export const choiceOf = (field: Field) => checked(field);

/** The filters of a list under Filters. */
export function filterFields(filters: Filters): INodeProperties[] {
	const entries = Object.entries(filters);
	if (entries.length === 0) return [];
	const name = 'filters';
	const options = entries.map(([key, field]) => inQuery(`filters[${key}]`, field, name));
	return [
		collection(
			'Filters',
			name,
			'Add Filter',
			options,
			'Only records that match all filters are returned. An empty filter is ignored.',
		),
	];
}

/** Sort by one field; without it the service's own order holds, newest first in most lists. */
export function sortFields(keys: string[]): INodeProperties[] {
	if (keys.length === 0) return [];
	const firstKey = keys[0]!;
	const options: INodePropertyOptions[] = keys
		.map((key) => ({ name: labelOf(key), value: key }))
		.sort((a, b) => a.name.localeCompare(b.name));
	return [
		checked({
			displayName: 'Sort',
			name: 'sort',
			type: 'fixedCollection',
			placeholder: 'Add Sort',
			default: {},
			description: 'Without it the order of the service holds, in most lists the newest first',
			options: [
				{
					displayName: 'Sort By',
					name: 'by',
					values: [
						{
							displayName: 'Field',
							name: 'field',
							type: 'options',
							options,
							default: firstKey,
							required: true,
						},
						{
							displayName: 'Direction',
							name: 'direction',
							type: 'options',
							options: [
								{ name: 'Ascending', value: 'asc' },
								{ name: 'Descending', value: 'desc' },
							],
							default: 'desc',
							required: true,
							routing: {
								send: {
									type: 'query',
									property: 'sort',
									value: '={{ $parent.field }},{{ $value }}',
								},
							},
						},
					],
				},
			],
		}),
	];
}

const limit: INodeProperties = {
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 50,
	description: 'Max number of results to return',
	displayOptions: { show: { returnAll: [false] } },
};

/** Return All or up to a limit. Pages and their size are the transport's business. */
export const pageFields: INodeProperties[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
		routing: { request: { qs: { page: 1 } } },
	},
	{
		...limit,
		routing: {
			send: { preSend: [checkParameter(limit)] },
			output: { maxResults: '={{ $value }}' },
		},
	},
];

/** The time zone in which the service reads timestamp filters. Source: Part A, 4.1. */
export const timezone: INodeProperties = {
	displayName: 'Time Zone',
	name: 'timezone',
	type: 'string',
	default: '',
	placeholder: 'e.g. Europe/Berlin',
	description:
		'Time zone in which the service reads times that are sent without one. The times of the filters above always carry theirs.',
};

const output: INodeProperties = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	options: [
		{
			name: 'Raw',
			value: 'raw',
			description: 'Everything that the service returns',
		},
		{
			name: 'Selected Fields',
			value: 'selected',
			description: 'Only the fields that you choose',
		},
		{
			name: 'Simplified',
			value: 'simplified',
			description: 'The most useful fields, without nesting and without secrets',
		},
	],
	default: 'simplified',
	required: true,
	description: 'How much of each record is returned',
};

/**
 * Output as Simplified, Raw or Selected Fields, for records of more than ten fields.
 * @param usual what a new node starts with
 */
export function outputFields(
	fields: string[],
	usual: 'simplified' | 'raw' = 'simplified',
): INodeProperties[] {
	const selected: INodeProperties = {
		displayName: 'Fields',
		name: 'outputFields',
		type: 'multiOptions',
		options: fields.map((field) => ({ name: labelOf(field), value: field })),
		default: ['id'],
		required: true,
		description: 'The fields to return',
		displayOptions: { show: { output: ['selected'] } },
	};
	return [checked({ ...output, default: usual }), checked(selected)];
}

const binaryField: INodeProperties = {
	displayName: 'Put Output File in Field',
	name: 'binaryPropertyName',
	type: 'string',
	default: 'data',
	required: true,
	hint: 'The name of the output binary field to put the file in',
};

/** Where a file goes that an operation gives. */
export const fileFields: INodeProperties[] = [checked(binaryField)];

/**
 * A field that takes a file from a binary field of the item and sends it as a data URI.
 * @param within the collection that holds it
 */
export function dataUriFrom(wrapper: string, field: Field, within: string): INodeProperties {
	const target: Target = { type: 'body', property: `${wrapper}.${field.wire}`, within };
	return {
		...described(field),
		routing: { send: { preSend: [dataUri({ ...field, required: true }, target)] } },
	};
}

const timeLimit: INodeProperties = {
	displayName: 'Time Limit (Minutes)',
	name: 'timeLimit',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 60,
	description:
		'How long to wait at most. After that the node fails; the work itself goes on, and the error has its ID.',
};

const onFailure: INodeProperties = {
	displayName: 'When It Fails',
	name: 'onFailure',
	type: 'options',
	options: [
		{
			name: 'Fail',
			value: 'fail',
			description: 'The node fails with the step and the site at which it ended',
		},
		{
			name: 'Return It',
			value: 'return',
			description: 'The output is as for a success; its status tells',
		},
	],
	default: 'fail',
	description: 'What to do when it fails or is cancelled or aborted',
};

const within = 'waitOptions';

/** How long an operation waits, and what it does when that goes wrong. */
export const waitOptions: INodeProperties[] = [
	collection(
		'Wait Options',
		within,
		'Add Option',
		[timeLimit, onFailure].map((field) => checked(field, within)),
	),
];

/** Whether an operation waits for the end of the work that it starts. */
export const waitFields: INodeProperties[] = [
	{
		displayName: 'Wait for Completion',
		name: 'waitForCompletion',
		type: 'boolean',
		default: false,
		description: 'Whether to go on only when the work has ended, with its result as output',
	},
	...waitOptions.map((field) => ({
		...field,
		displayOptions: { show: { waitForCompletion: [true] } },
	})),
];

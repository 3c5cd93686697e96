import type { INodeProperties, INodePropertyOptions, INodePropertyRouting } from 'n8n-workflow';
import type { Field, Target } from './checks';
import { check, checkParameter, clearing, notEmpty } from './checks';

/** Wire name of a parameter: `dailySyncTime` is sent as `daily_sync_time`. */
const wireName = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Gives a body field a place of its own below the wrapper, such as `sync.daily_sync_time`. */
export const at = (wire: string, field: INodeProperties): Field => ({ ...field, wire });

/** Marks a text field as a list: separated by commas or lines, or an array from an expression. */
export const listOf = (field: INodeProperties): Field => ({ ...field, list: true });

function routed({ wire: _wire, list, ...described }: Field, target: Target): INodeProperties {
	const send: INodePropertyRouting['send'] = {
		...target,
		...(target.type === 'query' && { propertyInDotNotation: false }),
		preSend: [check({ ...described, list }, target)],
	};
	return { ...described, routing: { send } };
}

/** A field that goes into the body, below the wrapper object if there is one. */
export function inBody(wrapper: string | undefined, field: Field): INodeProperties {
	const name = field.wire ?? wireName(field.name);
	return routed(field, { type: 'body', property: wrapper ? `${wrapper}.${name}` : name });
}

/** A field that goes into the query under this key. */
export function inQuery(key: string, field: Field): INodeProperties {
	return routed(field, { type: 'query', property: key });
}

const byDisplayName = (a: INodeProperties, b: INodeProperties) =>
	a.displayName.localeCompare(b.displayName);

/**
 * A body field inside a collection. A required one must not be blank once it is added; n8n itself would want it
 * added, too, so that is for the check alone.
 */
function addable(wrapper: string | undefined, field: Field): INodeProperties {
	const { required: _required, ...described } = inBody(wrapper, field);
	return described;
}

/** Optional body fields, of which only those that the user adds are sent. */
export function additionalFields(wrapper: string | undefined, fields: Field[]): INodeProperties[] {
	if (fields.length === 0) return [];
	return [
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			options: fields.map((field) => addable(wrapper, field)).sort(byDisplayName),
		},
	];
}

/** What an update can clear: place below the wrapper -> label. */
export type Clearable = Record<string, string>;

/**
 * The fields of an update, of which at least one is wanted and only those that the user adds are sent.
 * @param clear fields for which the service takes null; that is sent only where the user asks for it
 */
export function updateFields(
	wrapper: string,
	fields: Field[],
	clear?: Clearable,
): INodeProperties[] {
	const options = fields.map((field) => addable(wrapper, field));
	const collection: INodeProperties = {
		displayName: 'Update Fields',
		name: 'updateFields',
		type: 'collection',
		placeholder: 'Add Field',
		description: 'What is not added here stays as it is',
		default: {},
		options: [...options, ...(clear ? [clearField(wrapper, clear)] : [])].sort(byDisplayName),
	};
	return [{ ...collection, routing: { send: { preSend: [notEmpty(collection)] } } }];
}

function clearField(wrapper: string, clear: Clearable): INodeProperties {
	const field: INodeProperties = {
		displayName: 'Clear',
		name: 'clear',
		type: 'multiOptions',
		options: Object.entries(clear).map(([value, name]) => ({ name, value })),
		default: [],
		description: 'What to remove from the record',
	};
	return { ...field, routing: { send: { preSend: [clearing(field, wrapper)] } } };
}

/** Filters of a list by the service's key, such as `name:contains`. Source: Part A, 4.1. */
export type Filters = Record<`${string}:${Operator}`, INodeProperties>;

type Operator = 'contains' | 'eq' | 'in' | 'gte' | 'lte' | 'gt' | 'lt' | 'present';

export function filterFields(filters: Filters): INodeProperties[] {
	const entries = Object.entries(filters);
	if (entries.length === 0) return [];
	return [
		{
			displayName: 'Filters',
			name: 'filters',
			type: 'collection',
			placeholder: 'Add Filter',
			description: 'Only records that match all filters are returned. An empty filter is ignored.',
			default: {},
			options: entries.map(([key, field]) => inQuery(`filters[${key}]`, field)).sort(byDisplayName),
		},
	];
}

/**
 * The two filters of a timestamp, from then on and until then: `created_at` gives `createdAfter` and `createdBefore`.
 * @param label for people, such as `Created`
 */
export function timeFilters(field: string, label: string): Filters {
	const name = field
		.replace(/_at$/, '')
		.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
	const bound = (word: string, meaning: string, suffix: string): INodeProperties => ({
		displayName: `${label} ${word}`,
		name: `${name}${suffix}`,
		type: 'dateTime',
		default: '',
		description: `Only records with this time or ${meaning}, in the time zone of the workflow`,
	});
	return {
		[`${field}:gte`]: bound('After', 'a later one', 'After'),
		[`${field}:lte`]: bound('Before', 'an earlier one', 'Before'),
	};
}

const labelOf = (field: string) =>
	field
		.split('_')
		.map((word) => word.charAt(0).toUpperCase() + word.slice(1))
		.join(' ')
		.replace(/\b(Id|Php|Url|Wp)\b/g, (word) => word.toUpperCase());

/** Sort by one field; without it the service's own order holds, newest first in most lists. */
export function sortFields(keys: string[]): INodeProperties[] {
	if (keys.length === 0) return [];
	const firstKey = keys[0]!;
	const options: INodePropertyOptions[] = keys
		.map((key) => ({ name: labelOf(key), value: key }))
		.sort((a, b) => a.name.localeCompare(b.name));
	return [
		{
			displayName: 'Sort',
			name: 'sort',
			type: 'fixedCollection',
			placeholder: 'Add Sort',
			default: {},
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
		},
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

/** Output as Simplified, Raw or Selected Fields, for records of more than ten fields. */
export function outputFields(fields: string[]): INodeProperties[] {
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
	return [
		{
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
		},
		{ ...selected, routing: { send: { preSend: [checkParameter(selected)] } } },
	];
}

import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import {
	binaryField,
	ignoreBlankFilters,
	includeTotal,
	limit,
	onFailure,
	output,
	returnAll,
	timeLimit,
	waitForCompletion,
	whenNone,
} from '../input/controls';
import type { Field } from '../input/field';
import { wireName } from '../input/field';
import { CLOSED, toEmail, toEmailEntry, toPaths } from '../input/forms';
import { listOf as listBy, toTexts } from '../input/list';
import type { IdsName, LocatorName } from '../input/locators';
import { idLoaders, locators } from '../input/locators';
import { omit } from '../lib/omit';
import { documentation } from './documentation';
import type { Filters } from './filters';
import { labelOf } from './filters';

/** Gives a body field a place of its own below the wrapper, such as `sync.daily_sync_time`. */
export const at = (wire: string, field: Field): Field => ({ ...field, wire });

/** How the entries of a list are given. */
const ENTRIES = 'Entries separated by commas or lines, or an array from an expression';

/**
 * Marks a text field as a list, and says so.
 * @param pick the field that is wanted where records are given, such as `path`
 */
export const listOf = (field: Field, pick = 'name'): Field => ({
	...field,
	typeOptions: { rows: 2 },
	description: `${field.description}. ${ENTRIES}.`,
	as: field.as ?? toTexts(pick),
});

/** Marks a text field as an email address. */
export const emailOf = (field: Field): Field => ({ ...field, as: toEmail });

/** Marks a text field as a list of email addresses. */
export const emailsOf = (field: Field): Field =>
	listOf({ ...field, as: listBy('email', toEmailEntry) });

/** An id in a body, a query or a filter: the locator of that name, not required, with another description. */
export function idField(name: LocatorName, description: string): Field {
	return { ...omit(locators[name], 'required'), description };
}

/** What else than IDs an expression may give, where records can be named. */
const ELSE = { siteId: 'URLs and titles', clientId: 'names and emails' } as const;

const elseOf = (id: LocatorName) => (id in ELSE ? ELSE[id as keyof typeof ELSE] : 'names');

/** The last sentence of a list that n8n loads, as its linter wants it. */
const FROM_LIST =
	'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.';

/** Several ids that are offered by name: `siteIds` offers what `getSites` loads. */
export function idsField(name: IdsName, description: string): Field {
	const id = name.replace(/s$/, '') as LocatorName;
	const { displayName, names } = locators[id];
	return {
		displayName: `${displayName} Names or IDs`,
		name,
		type: 'multiOptions',
		typeOptions: { loadOptionsMethod: idLoaders[name] },
		default: [],
		names,
		description: `${description}. An expression can also return ${elseOf(id)}. ${FROM_LIST}`,
	};
}

/** The records that a bulk operation or a list is for, as text or from an expression. */
export function idList(name: `${LocatorName}s`): Field {
	const id = name.replace(/s$/, '') as LocatorName;
	const { displayName, modes, names } = locators[id];
	const example = modes!.find((mode) => mode.name === 'id')!.placeholder;
	const isSite = id === 'siteId';
	return {
		displayName: isSite ? 'Site IDs or URLs' : `${displayName} Names or IDs`,
		name,
		type: 'string',
		typeOptions: { rows: 2 },
		default: '',
		placeholder: `${example}, ${isSite ? 'https://www.example.com' : '77ab03ce12'}`,
		names,
		description: `IDs${isSite ? ', URLs or titles' : ` or ${elseOf(id)}`} of the ${displayName.toLowerCase()}s. ${ENTRIES}.`,
	};
}

/**
 * Shows a field only with one choice in another field. Where the choice is an expression, the run tells: with
 * another choice the field must not be set, and is not needed. To the editor it is not required, which would want
 * it with every expression.
 */
export const onlyWith = (choice: Field, value: string | boolean, field: Field): Field => ({
	...field,
	displayOptions: { show: { ...field.displayOptions?.show, [choice.name]: [value] } },
	belongsTo: { choice, value },
});

/** As `onlyWith`, for a field that may be set with another choice, too, and does not count then. */
const readWith = (choice: Field, value: string | boolean, field: Field): Field => {
	const shown = onlyWith(choice, value, field);
	return { ...shown, belongsTo: { choice, value, mayStand: true } };
};

/** What n8n must not see of a field: only the kit knows it. */
const OF_KIT = [
	'target',
	'wire',
	'as',
	'rule',
	'belongsTo',
	'closed',
	'secret',
	'maySkip',
	'showsWith',
	'also',
	'needsOne',
	'names',
] as const;

/** A field as n8n describes it; its routing says where its value goes. */
export function described(field: Field): INodeProperties {
	const { target, belongsTo, required, options } = field;
	return {
		...omit(field, 'required', ...OF_KIT),
		...(required && isAlwaysShown(belongsTo) && { required }),
		...(options && { options: options.map(describedOption) }),
		...routingOf(target),
	};
}

/** n8n shows a field whose choice is an expression with any choice, and would want it then. */
const isAlwaysShown = (belongsTo: Field['belongsTo']) =>
	!belongsTo || belongsTo.mayStand || belongsTo.choice.noDataExpression === true;

type Option = NonNullable<INodeProperties['options']>[number];

function describedOption(option: Option): Option {
	// An option of a collection is needed once it is added; n8n itself would want it added, too.
	if ('type' in option) return described({ ...option, required: false });
	return 'values' in option ? { ...option, values: option.values.map(described) } : option;
}

/** What is sent is what the input room makes of the parameters; the routing says the same to those who read it. */
export function routingOf(target: Field['target']): Pick<INodeProperties, 'routing'> {
	if (target?.type === 'body') {
		const { type, property } = target;
		return { routing: { send: { type, property } } };
	}
	if (target?.type !== 'query' || target.isInside) return {};
	const { type, property } = target;
	return { routing: { send: { type, property, propertyInDotNotation: false } } };
}

/** A field that goes into the body, below the wrapper object if there is one. */
export function inBody(wrapper: string | undefined, field: Field): Field {
	const name = field.wire ?? wireName(field.name);
	return { ...field, target: { type: 'body', property: wrapper ? `${wrapper}.${name}` : name } };
}

/** A field that goes into the query under this key. */
export const inQuery = (key: string, field: Field): Field => ({
	...field,
	target: { type: 'query', property: key },
});

/** A collection whose options are offered by name. */
export function collection(
	displayName: string,
	name: string,
	placeholder: string,
	options: Field[],
	description?: string,
): Field {
	return {
		displayName,
		name,
		type: 'collection',
		placeholder,
		...(description && { description }),
		default: {},
		options: options.sort((a, b) => a.displayName.localeCompare(b.displayName)),
	};
}

/** Optional body fields, of which only those that the user adds are sent. */
export function additionalFields(
	wrapper: string | undefined,
	fields: Field[],
	{ openBody = false, needsOne = false } = {},
): Field[] {
	if (fields.length === 0 && !openBody) return [];
	const options = fields.map((field) =>
		inBody(wrapper, {
			...field,
			// An added group without content is a mistake; a blank text changes nothing.
			required: field.required || field.type === 'fixedCollection',
			maySkip: field.type === 'string' && !field.as,
		}),
	);
	if (openBody) options.push(bodyFields(wrapper!));
	const all = collection('Additional Fields', 'additionalFields', 'Add Field', options);
	return [{ ...all, ...(needsOne && { needsOne }) }];
}

/** Query parameters that only some need, and what else decides about a list. */
export function queryOptions(fields: Record<string, Field>, controls: Field[] = []): Field[] {
	const options = Object.entries(fields).map(([key, field]) => inQuery(key, field));
	const all = [...options, ...controls];
	return all.length === 0 ? [] : [collection('Options', 'options', 'Add Option', all)];
}

/** What an update can clear: place below the wrapper -> label, or the label with an empty value other than null. */
export type Clearable = Record<string, string | [label: string, empty: string | string[]]>;

/**
 * The fields of an update, of which at least one is wanted and only those that the user adds are sent. A field
 * that is added must not be blank: what to empty is chosen under Clear.
 * @param clear fields that can be emptied
 */
export function updateFields(
	wrapper: string,
	fields: Field[],
	{ clear, openBody = false }: { clear?: Clearable; openBody?: boolean } = {},
): Field[] {
	const options = fields.map((field): Field => ({
		...(field.target ? field : inBody(wrapper, field)),
		required: true,
	}));
	if (clear) options.push(clearField(wrapper, clear));
	if (openBody) options.push(bodyFields(wrapper));
	const all = collection(
		'Update Fields',
		'updateFields',
		'Add Field',
		options,
		'Fields you do not add stay unchanged',
	);
	return [{ ...all, needsOne: true }];
}

/**
 * A field of an update whose list takes the place of the one that the record has.
 * @param what its entries, such as `Sites`
 * @param lost what becomes of those that it leaves out, as a clause
 */
export function replacing(field: Field, what: string, lost: string): Field {
	const { description = '' } = field;
	const isLoaded = description.endsWith(FROM_LIST);
	const own = isLoaded ? description.slice(0, -FROM_LIST.length).trim() : description;
	const warned = `${own.replace(/\.?$/, '.')} The new list replaces the current one: ${lost}. To keep the others, use Add ${what} or Remove ${what}.`;
	return {
		...field,
		displayName: isLoaded ? `Replace ${what.slice(0, -1)} Names or IDs` : `Replace ${what}`,
		description: isLoaded ? `${warned} ${FROM_LIST}` : warned,
	};
}

function clearField(wrapper: string, clear: Clearable): Field {
	const entries = Object.entries(clear).map(([path, what]) => {
		const [name, empty] = Array.isArray(what) ? what : [what, null];
		return { name, path, empty };
	});
	return {
		displayName: 'Clear',
		name: 'clear',
		type: 'multiOptions',
		closed: CLOSED.ofNode,
		options: entries
			.map(({ name, path }) => ({ name, value: path }))
			.sort((a, b) => a.name.localeCompare(b.name)),
		default: [],
		required: true,
		description: 'Fields to empty in the record',
		target: {
			type: 'clear',
			property: wrapper,
			empty: Object.fromEntries(entries.map(({ path, empty }) => [path, empty])),
		},
	};
}

/** For fields that the API reference does not name: the user's own JSON, merged into the wrapper. */
const bodyFields = (wrapper: string): Field =>
	jsonInto(wrapper, {
		displayName: 'Additional Body Fields',
		name: 'additionalBodyFields',
		type: 'json',
		default: '{}',
		required: true,
		description: `Fields that this node does not offer, as a JSON object. They are added to the "${wrapper}" object of the request.`,
	});

/** A JSON object of the user's own that goes into the body at this place, whose names the API reference leaves open. */
export const jsonInto = (place: string, field: Field): Field => ({
	...field,
	target: { type: 'merge', property: place },
});

/** The filters of a list under Filters. */
export function filterFields(filters: Filters): Field[] {
	const options = Object.entries(filters).map(([key, field]) => inQuery(`filters[${key}]`, field));
	if (options.length === 0) return [];
	return [
		collection(
			'Filters',
			'filters',
			'Add Filter',
			options,
			'Records must match all filters. A blank filter is ignored. An expression that returns nothing is an error, unless Ignore Blank Filters is on.',
		),
	];
}

/** Options of every list that has filters. */
const filterControls = (filters: Filters): Field[] =>
	Object.keys(filters).length > 0 ? [ignoreBlankFilters] : [];

/** Options of every paged list. */
export const listControls = (filters: Filters): Field[] => [
	...filterControls(filters),
	includeTotal,
	whenNone,
];

/** Options of a list without pages. */
export const emptyControls: Field[] = queryOptions({}, [whenNone]);

/** Sort by one field; without it the service's own order holds, newest first in most lists. */
export function sortFields(keys: string[]): Field[] {
	if (keys.length === 0) return [];
	const firstKey = keys[0]!;
	const options: INodePropertyOptions[] = keys
		.map((key) => ({ name: labelOf(key), value: key }))
		.sort((a, b) => a.name.localeCompare(b.name));
	const field: Field = {
		displayName: 'Sort',
		name: 'sort',
		type: 'fixedCollection',
		placeholder: 'Add Sort',
		default: {},
		description: "If not set, the service's default order is used, usually newest first",
		as: (by) => Object.values(by as object).join(),
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
							send: { type: 'query', property: 'sort', value: '={{ $parent.field }},{{ $value }}' },
						},
					},
				],
			},
		],
	};
	return [{ ...field, target: { type: 'query', property: 'sort', isInside: true } }];
}

/** Return All or up to a limit. Pages and their size are the transport's business. */
export const pageFields: Field[] = [returnAll, readWith(returnAll, false, limit)];

/** The time zone in which the service reads timestamp filters. Source: Part A, 4.1. */
export const timezone: Field = {
	displayName: 'Time Zone',
	name: 'timezone',
	type: 'string',
	default: '',
	placeholder: 'e.g. Europe/Berlin',
	description: 'Time zone for times without one. Times in filters always include a time zone.',
};

/** Output as Simplified, Raw or Selected Fields, by the fields of the record. */
export function outputFields(fields: string[]): Field[] {
	const selected: Field = {
		displayName: 'Fields',
		name: 'outputFields',
		type: 'multiOptions',
		as: toPaths,
		options: [...fields]
			.sort()
			.map((field) => ({ name: labelOf(field.replaceAll('.', '_')), value: field })),
		// By expression Output shows this field whatever it gives, and n8n would not run it blank.
		default: [fields.includes('id') ? 'id' : fields[0]!],
		required: true,
		description:
			'An expression can name any field, including nested fields such as connection.status. Passwords are only returned if you name them.',
	};
	return [output, readWith(output, 'selected', selected)];
}

/** Where a file goes that an operation gives. */
export const fileFields: Field[] = [binaryField];

/** How long an operation waits, and what it does when that goes wrong. */
export const waitOptions: Field[] = [
	collection('Wait Options', 'waitOptions', 'Add Option', [timeLimit, onFailure]),
];

/** Whether an operation waits for the end of the work that it starts. */
export const waitFields: Field[] = [
	waitForCompletion,
	...waitOptions.map((field) => ({
		...field,
		displayOptions: { show: { waitForCompletion: [true] } },
	})),
];

/** As `waitFields`, for a sync, of which a site has one at a time. */
export const syncWaitFields: Field[] = waitFields.map((field) =>
	field === waitForCompletion
		? {
				...field,
				description: `${field.description}. Another running backup of the site ends first.`,
			}
		: field,
);

/** In which form an operation that has waited returns what was made. */
export const waitedFields = (fields: string[]): Field[] =>
	outputFields(fields).map((field) => ({
		...(field.belongsTo ? field : readWith(waitForCompletion, true, field)),
		displayOptions: { show: { ...field.displayOptions?.show, waitForCompletion: [true] } },
	}));

/** What n8n says when a workflow with a trigger is published. */
export const activationMessage =
	'The first poll notes where to start. From then on, each event starts the workflow once. Earlier events do not start it.';

/** What a trigger says above its fields. @param first one sentence of its own, or two */
export const pollNotice = (first: string): INodeProperties => ({
	displayName: `${first} <a href="${documentation('triggers.md#cost')}" target="_blank">What a poll costs, and what it cannot detect</a>.`,
	name: 'pollNotice',
	type: 'notice',
	default: '',
});

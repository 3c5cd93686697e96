import type { INodePropertyOptions } from 'n8n-workflow';
import { ignoreBlankFilters, includeTotal, limit, returnAll, whenNone } from '../input/controls';
import type { Field } from '../input/field';
import { recordIn } from '../lib/records';
import { collection, inQuery, labelOf, queryOptions, readWith } from './fields';
import { choice, choices, dateTime, group, optionsFrom, text, toggle } from '../input/kinds';

/** Words for lists: filters, sorting, and how many records. Source: Part A, 4.1. */

/** Filters of a list by the service's key, such as `name:contains`. */
export type Filters = Record<`${string}:${Operator}`, Field>;

type Operator = 'contains' | 'eq' | 'in' | 'gte' | 'lte' | 'gt' | 'lt' | 'present';

/** What differs from the default of a filter. */
type More = Partial<Pick<Field, 'displayName' | 'name' | 'default' | 'description'>>;

/** `last_name` as a parameter: `lastName`. */
const nameOf = (field: string) =>
	field.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** A label in the middle of a sentence: `Company Name` becomes `company name`, `IP Address` becomes `IP address`. */
const inSentence = (field: string) =>
	labelOf(field).replace(/\b[A-Z][a-z]+/g, (word) => word.toLowerCase());

const textFilter = (name: string, displayName: string, example: string, description: string) =>
	text(name, displayName, { placeholder: `e.g. ${example}`, description }) satisfies Field;

/**
 * A filter for a part of a text: `first_name` becomes `firstNameContains`.
 * @param records what the list contains, such as `clients`
 * @param example a typical value
 */
export function contains(records: string, field: string, example: string, more?: More): Filters {
	const description = `Only ${records} whose ${inSentence(field)} contains this text`;
	const label = `${labelOf(field)} Contains`;
	const one = textFilter(`${nameOf(field)}Contains`, label, example, description);
	return { [`${field}:contains`]: { ...one, ...more } };
}

/** A text to search for in several fields. */
export const search = (example: string, description: string): Filters => ({
	'search:contains': textFilter('search', 'Search', example, description),
});

/** A filter for the exact value of a text field. */
export function exactly(records: string, field: string, example: string, more?: More): Filters {
	const description = `Only ${records} with exactly this ${inSentence(field)}`;
	const one = textFilter(nameOf(field), labelOf(field), example, description);
	return { [`${field}:eq`]: { ...one, ...more } };
}

/** A filter for something that is on or off. */
export function whether(
	field: string,
	displayName: string,
	description: string,
	more?: More,
): Filters {
	const name = nameOf(field);
	const one = toggle(name, displayName, { default: true, description });
	return { [`${field}:eq`]: { ...one, ...more } };
}

/** A filter for one of the known values. @default the first */
export function oneOf(
	field: string,
	values: Array<string | INodePropertyOptions>,
	description: string,
	more?: More,
): Filters {
	const options = values.map((value) =>
		typeof value === 'string' ? { name: labelOf(value), value } : value,
	);
	const first = options[0]!.value;
	const one = choice(nameOf(field), labelOf(field), {
		default: first,
		options: options.sort((a, b) => a.name.localeCompare(b.name)),
		description,
	});
	return { [`${field}:eq`]: { ...one, ...more } };
}

/** Adds a filter for several values to that for one: to `status` comes `statusIsOneOf`. */
export function orSome(one: Filters, name?: string): Filters {
	const [[key, field]] = Object.entries(one) as [[string, Field]];
	const several = choices(name ?? `${field.name}IsOneOf`, `${field.displayName} Is One Of`, {
		options: field.options,
		description: `${field.displayName} is one of these values`,
	});
	return { ...one, [key.replace(/:eq$/, ':in')]: several };
}

/**
 * The two filters of a timestamp: `created_at` gives `createdAfter` and `createdBefore`.
 * @param label for people, such as `Created`
 */
export function timeFilters(field: string, label: string): Filters {
	const bound = (word: string, meaning: string): Field =>
		dateTime(`${nameOf(field.replace(/_at$/, ''))}${word}`, `${label} ${word}`, {
			description: `At this time or ${meaning}, in the workflow's time zone`,
		});
	return {
		[`${field}:gte`]: bound('After', 'later'),
		[`${field}:lte`]: bound('Before', 'earlier'),
	};
}

/** Filters for the times of creation and of the last change. */
export const lifeFilters: Filters = {
	...timeFilters('created_at', 'Created'),
	...timeFilters('updated_at', 'Updated'),
};

/** Options of a list without pages. */
export const emptyControls: Field[] = queryOptions({}, [whenNone]);

/** The fields of a paged list: Return All or Limit, filters, sorting and options. */
export function listFields(filters: Filters, sortBy: string[], query: Record<string, Field>) {
	const options = Object.entries(filters).map(([key, field]) => inQuery(`filters[${key}]`, field));
	const description =
		'Records must match all filters. A blank filter is ignored. An expression that returns nothing is an error, unless Ignore Blank Filters is on.';
	const hasFilters = options.length > 0;
	return [
		returnAll,
		readWith(returnAll, false, limit),
		...(hasFilters ? [collection('Filters', 'filters', 'Add Filter', options, description)] : []),
		...(sortBy.length > 0 ? [sortField(sortBy)] : []),
		...queryOptions(query, [...(hasFilters ? [ignoreBlankFilters] : []), includeTotal, whenNone]),
	];
}

/** Sort by one field. @default the service's order, newest first in most lists */
function sortField(keys: string[]): Field {
	const firstKey = keys[0]!;
	const options: INodePropertyOptions[] = keys
		.map((key) => ({ name: labelOf(key), value: key }))
		.sort((a, b) => a.name.localeCompare(b.name));
	return group('sort', 'Sort', {
		placeholder: 'Add Sort',
		description: "If not set, the service's default order is used, usually newest first",
		target: { type: 'query', property: 'sort', isInside: true },
		as: (by) => Object.values(recordIn(by)).join(),
		options: [
			{
				displayName: 'Sort By',
				name: 'by',
				values: [
					choice('field', 'Field', { options, default: firstKey, required: true }),
					choice('direction', 'Direction', {
						options: optionsFrom({ asc: 'Ascending', desc: 'Descending' }),
						default: 'desc',
						required: true,
						routing: {
							send: { type: 'query', property: 'sort', value: '={{ $parent.field }},{{ $value }}' },
						},
					}),
				],
			},
		],
	});
}

/** The time zone in which the service reads timestamp filters. Source: Part A, 4.1. */
export const timezone = text('timezone', 'Time Zone', {
	placeholder: 'e.g. Europe/Berlin',
	description: 'Time zone for times without one. Times in filters always include a time zone.',
});

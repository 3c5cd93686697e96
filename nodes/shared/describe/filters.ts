import type { INodePropertyOptions } from 'n8n-workflow';
import * as controls from '../input/controls';
import type { Field } from '../input/field';
import { labelOf, recordIn } from '../lib';
import { inQuery, readWith } from './about';
import { collection, queryOptions } from './fields';
import {
	byName,
	choice,
	choices,
	dateTime,
	entryOf,
	group,
	optionsFrom,
	text,
} from '../input/kinds';

/** Words for lists: filters, sorting, and how many records. Source: Part A, 4.1. */

/** Filters of a list by the service's key, such as `name:contains`. */
export type Filters = Record<`${string}:${Operator}`, Field>;

type Operator = 'contains' | 'eq' | 'in' | 'gte' | 'lte' | 'gt' | 'lt' | 'present';

type More = Partial<Pick<Field, 'displayName' | 'name' | 'default' | 'description'>>;

/** `last_name` as a parameter: `lastName`. */
const nameOf = (field: string) =>
	field.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** A label in the middle of a sentence: `Company Name` becomes `company name`, `IP Address` becomes `IP address`. */
const inSentence = (field: string) =>
	labelOf(field).replace(/\b[A-Z][a-z]+/g, (word) => word.toLowerCase());

/** A filter for a part of a text: `first_name` becomes `firstNameContains`. @param records such as `clients` */
export function contains(records: string, field: string, example: string, more?: More): Filters {
	const one = text(`${nameOf(field)}Contains`, `${labelOf(field)} Contains`, {
		placeholder: `e.g. ${example}`,
		description: `Only ${records} whose ${inSentence(field)} contains this text`,
		...more,
	});
	return { [`${field}:contains`]: one };
}

export function exactly(records: string, field: string, example: string): Filters {
	const one = text(nameOf(field), labelOf(field), {
		placeholder: `e.g. ${example}`,
		description: `Only ${records} with exactly this ${inSentence(field)}`,
	});
	return { [`${field}:eq`]: one };
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
	const one = choice(nameOf(field), labelOf(field), {
		default: options[0]!.value,
		options: options.sort(byName),
		description,
		...more,
	});
	return { [`${field}:eq`]: one };
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

/** The two filters of a timestamp: `created_at` gives `createdAfter` and `createdBefore`. @param label such as `Created` */
export function timeFilters(field: string, label: string): Filters {
	const bound = (word: string, meaning: string) =>
		dateTime(`${nameOf(field.replace(/_at$/, ''))}${word}`, `${label} ${word}`, {
			description: `This time (ISO) or ${meaning}`,
		});
	return {
		[`${field}:gte`]: bound('After', 'later'),
		[`${field}:lte`]: bound('Before', 'earlier'),
	};
}

export const lifeFilters: Filters = {
	...timeFilters('created_at', 'Created'),
	...timeFilters('updated_at', 'Updated'),
};

/** Options of a list without pages. */
export const emptyControls: Field[] = queryOptions([controls.whenNone]);

/** The fields of a paged list: Return All or Limit, filters, sorting and options. */
export function listFields(filters: Filters, sortBy: string[], query: Field[]): Field[] {
	const options = Object.entries(filters).map(([key, field]) => inQuery(`filters[${key}]`, field));
	const hasFilters = options.length > 0;
	const hasTimes = options.some(({ type, typeOptions }) => type === 'dateTime' && !typeOptions);
	const zone = hasTimes ? " Times are in the workflow's time zone." : '';
	const all = collection('Filters', 'filters', 'Add Filter', options);
	const description = `Records must match all filters. A filter left blank is ignored.${zone}`;
	return [
		controls.returnAll,
		readWith(controls.returnAll, false, controls.limit),
		controls.startFrom,
		...(hasFilters ? [{ ...all, description }] : []),
		...(sortBy.length > 0 ? [sortField(sortBy)] : []),
		...queryOptions([
			...query,
			...(hasFilters ? [controls.ignoreBlankFilters] : []),
			controls.includeTotal,
			controls.whenNone,
		]),
	];
}

/** Sort by one field. @default the service's order, newest first in most lists */
function sortField(keys: string[]): Field {
	const options = keys.map((key) => ({ name: labelOf(key), value: key })).sort(byName);
	return group('sort', 'Sort', {
		placeholder: 'Add Sort',
		description: "If not set, the service's default order is used, usually newest first",
		target: { type: 'query', property: 'sort', isInside: true },
		as: (by) => Object.values(recordIn(by)).join(),
		options: entryOf('by', 'Sort By', [
			choice('field', 'Field', { options, default: keys[0], required: true }),
			choice('direction', 'Direction', {
				options: optionsFrom({ asc: 'Ascending', desc: 'Descending' }),
				default: 'desc',
				required: true,
				routing: {
					send: { type: 'query', property: 'sort', value: '={{ $parent.field }},{{ $value }}' },
				},
			}),
		]),
	});
}

/** The time zone in which the service reads timestamp filters. Source: Part A, 4.1. */
export const timezone = text('timezone', 'Time Zone', {
	placeholder: 'e.g. Europe/Berlin',
	description: 'Time zone for times without one. Times in filters always include a time zone.',
});

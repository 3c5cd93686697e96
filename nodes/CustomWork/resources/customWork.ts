import type { Field, Filters } from '../../shared/describe';
import {
	contains,
	get,
	getMany,
	inBody,
	lifeFilters,
	on,
	operation,
	remove,
	resource,
	search,
	update,
	verb,
} from '../../shared/describe';

const title: Field = {
	displayName: 'Title',
	name: 'title',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. Contact form repaired',
	description: 'What was done, up to 150 characters',
};

const performedOn: Field = {
	displayName: 'Performed On',
	name: 'performedOn',
	type: 'dateTime',
	typeOptions: { dateOnly: true },
	default: '',
	required: true,
	description:
		'Day of the work, today at the latest. The date counts as written; a time and its time zone are ignored.',
};

const description: Field = {
	displayName: 'Description',
	name: 'description',
	type: 'string',
	typeOptions: { rows: 3 },
	default: '',
	placeholder: 'e.g. Moved the shop to the new theme',
	description: 'More about the work, up to 500 characters',
};

const customWorks: Field = {
	displayName: 'Custom Works',
	name: 'customWorks',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Custom Work',
	default: {},
	required: true,
	description: 'One call creates all of them. Each becomes an output item.',
	options: [
		{ displayName: 'Custom Work', name: 'work', values: [title, performedOn, description] },
	],
};

const performedOnIs = (name: string, displayName: string, which: string): Field => ({
	displayName,
	name,
	type: 'dateTime',
	typeOptions: { dateOnly: true },
	default: '',
	description: `Only works performed ${which}. The date counts as written; a time and its time zone are ignored.`,
});

const filters: Filters = {
	...search('theme', 'Only works whose title or description contains this text'),
	...contains('works', 'title', 'Theme'),
	...contains('works', 'description', 'checkout'),
	'performed_on:eq': performedOnIs('performedOn', 'Performed On', 'on this day'),
	'performed_on:gte': performedOnIs('performedAfter', 'Performed After', 'on this day or later'),
	'performed_on:lte': performedOnIs('performedBefore', 'Performed Before', 'by this day'),
	...lifeFilters,
};

/** Part B, 4.2. */
export const customWork = resource('Custom Work', 'customWork', 'organises', [
	getMany('Get many custom works', 'GET /sites/{siteId}/custom-works', {
		filters,
		sortBy: ['performed_on', 'created_at', 'updated_at', 'title', 'description'],
	}),
	operation(
		verb('Create custom works', 'Create one or more custom works of a site'),
		on('POST /sites/{siteId}/custom-works', { makes: 'custom_works' }),
		[inBody(undefined, customWorks)],
		{ kind: 'records', wrapper: 'custom_works' },
	),
	get('Get custom work', 'GET /sites/{siteId}/custom-works/{customWorkId}'),
	update('Update custom work', 'POST /sites/{siteId}/custom-works/{customWorkId}/update', {
		wrapper: 'custom_work',
		fields: [title, performedOn, description],
		clear: { description: ['Description', ''] },
	}),
	remove('Delete custom work', 'DELETE /sites/{siteId}/custom-works/{customWorkId}'),
]);

import { inBody } from '../../shared/describe/about';
import { remove, update } from '../../shared/describe/changes';
import { day } from '../../shared/describe/fields';
import { contains, type Filters, lifeFilters } from '../../shared/describe/filters';
import { act, get, getMany, resource } from '../../shared/describe/resource';
import { entryOf, group, text } from '../../shared/input/kinds';
import { on } from '../../shared/operation';

const title = text('title', 'Title', {
	required: true,
	placeholder: 'e.g. Contact form repaired',
	description: 'What was done, up to 150 characters',
});

const performedOn = day('performedOn', 'Performed On', {
	required: true,
	description: 'Day of the work, today at the latest',
});

const description = text('description', 'Description', {
	typeOptions: { rows: 3 },
	placeholder: 'e.g. Moved the shop to the new theme',
	description: 'More about the work, up to 500 characters',
});

const customWorks = group('customWorks', 'Custom Works', {
	typeOptions: { multipleValues: true },
	placeholder: 'Add Custom Work',
	required: true,
	description: 'One call creates all of them. Each becomes an output item.',
	options: entryOf('work', 'Custom Work', [title, performedOn, description]),
});

const performedOnIs = (name: string, displayName: string, which: string) =>
	day(name, displayName, { description: `Only works performed ${which}` });

const filters: Filters = {
	'search:contains': text('search', 'Search', {
		placeholder: 'e.g. theme',
		description: 'Only works whose title or description contains this text',
	}),
	...contains('works', 'title', 'Theme'),
	...contains('works', 'description', 'checkout'),
	'performed_on:eq': performedOnIs('performedOn', 'Performed On', 'on this day'),
	'performed_on:gte': performedOnIs('performedAfter', 'Performed After', 'on this day or later'),
	'performed_on:lte': performedOnIs('performedBefore', 'Performed Before', 'by this day'),
	...lifeFilters,
};

/** Part B, 4.2. */
export const customWork = resource('Custom Work', 'organises', [
	getMany('Get many custom works', 'GET /sites/{siteId}/custom-works', {
		filters,
		sortBy: ['performed_on', 'created_at', 'updated_at', 'title', 'description'],
	}),
	act('Create custom works', on('POST /sites/{siteId}/custom-works', { makes: 'custom_works' }), {
		description: 'Create one or more custom works of a site',
		fields: inBody(undefined, [customWorks]),
		kind: 'records',
		wrapper: 'custom_works',
	}),
	get('Get custom work', 'GET /sites/{siteId}/custom-works/{customWorkId}'),
	update('Update custom work', 'POST /sites/{siteId}/custom-works/{customWorkId}/update', {
		fields: [title, performedOn, description],
		clear: { description: ['Description', ''] },
	}),
	remove('Delete custom work', 'DELETE /sites/{siteId}/custom-works/{customWorkId}'),
]);

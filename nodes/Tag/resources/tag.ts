import type { Field, Filters } from '../../shared/describe';
import {
	bulk,
	contains,
	create,
	createOrUpdate,
	exactly,
	fewer,
	get,
	getMany,
	idList,
	idsField,
	kept,
	lifeFilters,
	outputOf,
	remove,
	resource,
	update,
} from '../../shared/describe';

const name: Field = {
	displayName: 'Name',
	name: 'name',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. Online Shop',
	description: 'Name of the tag',
};

const color: Field = {
	displayName: 'Color',
	name: 'color',
	type: 'color',
	default: '#2f80ed',
	description: 'Color of the tag in the dashboard, as a hex value such as #2f80ed',
};

const filters: Filters = {
	...exactly('tags', 'name', 'Care plan'),
	...contains('tags', 'name', 'care'),
	'color:eq': {
		displayName: 'Color',
		name: 'color',
		type: 'color',
		default: '',
		description: 'Only tags of this color',
	},
	'site_id:in': idsField('siteIds', 'Only tags of these sites'),
	...lifeFilters,
};

/** Part A, 2.15. */
const output = outputOf({
	...kept('id', 'name', 'color'),
	site_count: 'site_ids.length',
	...kept('site_ids', 'created_at', 'updated_at'),
});

const listed = fewer(output, 'id', 'name', 'color', 'site_count', 'created_at', 'updated_at');

/** Part A, 4.13. */
export const tag = resource('Tag', 'tag', 'organises', [
	getMany('Get many tags', 'GET /tags', {
		filters,
		sortBy: ['created_at', 'updated_at', 'name', 'color'],
		output: listed,
	}),
	create('Create tag', 'POST /tags', {
		wrapper: 'tag',
		required: [name],
		optional: [color],
		output,
	}),
	createOrUpdate('Create or update tag', 'POST /tags', {
		wrapper: 'tag',
		by: [name, 'name:eq'],
		optional: [color],
		update: 'POST /tags/{tagId}/update',
		output,
	}),
	get('Get tag', 'GET /tags/{tagId}', { output }),
	update('Update tag', 'POST /tags/{tagId}/update', {
		wrapper: 'tag',
		fields: [name, color],
		clear: { color: 'Color' },
		output,
	}),
	remove(
		'Delete tag',
		'DELETE /tags/{tagId}',
		'the tag is removed from all its sites and cannot be restored',
	),
	bulk(
		{
			name: 'Assign to Sites',
			value: 'assign',
			action: 'Assign tag to sites',
			description: 'Assign a tag to sites',
		},
		'POST /tags/{tagId}/assign',
		idList('siteIds'),
	),
	bulk(
		{
			name: 'Remove From Sites',
			value: 'remove',
			action: 'Remove tag from sites',
			description: 'Remove a tag from sites',
		},
		'POST /tags/{tagId}/remove',
		idList('siteIds'),
	),
]);

import type { INodeProperties } from 'n8n-workflow';
import type { Filters } from '../../shared/describe';
import {
	bulk,
	create,
	get,
	getMany,
	remove,
	resource,
	timeFilters,
	update,
} from '../../shared/describe';

const name: INodeProperties = {
	displayName: 'Name',
	name: 'name',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. Online Shop',
	description: 'Name of the tag',
};

const color: INodeProperties = {
	displayName: 'Color',
	name: 'color',
	type: 'color',
	default: '#2f80ed',
	required: true,
	description: 'Color of the tag in the dashboard, as a hex value such as #2f80ed',
};

const siteIds: INodeProperties = {
	displayName: 'Site IDs',
	name: 'siteIds',
	type: 'string',
	default: '',
	placeholder: 'e.g. 5f0c2a9d41, 77ab03ce12',
	description:
		'IDs separated by commas or lines, or an array from an expression. One call takes them all; each becomes an item of output that tells whether it succeeded.',
};

const filters: Filters = {
	'name:eq': {
		displayName: 'Name',
		name: 'name',
		type: 'string',
		default: '',
		description: 'Only the tag with exactly this name',
	},
	'name:contains': {
		displayName: 'Name Contains',
		name: 'nameContains',
		type: 'string',
		default: '',
		description: 'Only tags with this text in their name',
	},
	'color:eq': {
		displayName: 'Color',
		name: 'color',
		type: 'color',
		default: '',
		description: 'Only tags of this color',
	},
	'site_id:in': {
		displayName: 'Site Names or IDs',
		name: 'siteIds',
		type: 'multiOptions',
		typeOptions: { loadOptionsMethod: 'getSites' },
		default: [],
		description:
			'Only tags that one of these sites has. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	},
	...timeFilters('created_at', 'Created'),
	...timeFilters('updated_at', 'Updated'),
};

/** Part A, 4.13. */
export const tag = resource('Tag', 'tag', [
	getMany('Get many tags', 'GET /tags', {
		filters,
		sortBy: ['created_at', 'updated_at', 'name', 'color'],
	}),
	create('Create a tag', 'POST /tags', { wrapper: 'tag', required: [name], optional: [color] }),
	get('Get a tag', 'GET /tags/{tagId}'),
	update('Update a tag', 'POST /tags/{tagId}/update', { wrapper: 'tag', fields: [name, color] }),
	remove('Delete a tag', 'DELETE /tags/{tagId}', 'Deleting a tag also takes it off all sites.'),
	bulk(
		{ name: 'Assign to Sites', value: 'assign', action: 'Assign a tag to sites' },
		'POST /tags/{tagId}/assign',
		siteIds,
	),
	bulk(
		{ name: 'Remove From Sites', value: 'remove', action: 'Remove a tag from sites' },
		'POST /tags/{tagId}/remove',
		siteIds,
	),
]);

import { bulk, create, createOrUpdate, remove, update } from '../../shared/describe/changes';
import { idList, idsField } from '../../shared/describe/fields';
import { contains, exactly, type Filters, lifeFilters } from '../../shared/describe/filters';
import { kept, lacking, outputOf } from '../../shared/describe/output';
import { get, getMany, resourceWith } from '../../shared/describe/resource';
import { color, text } from '../../shared/input/kinds';
import { ofRecord, on, withSites } from '../../shared/operation';

const name = text('name', 'Name', {
	required: true,
	placeholder: 'e.g. Online Shop',
	description: 'Name of the tag',
});

const tagColor = color('color', 'Color', {
	default: '#2f80ed',
	description: 'Color of the tag in the dashboard, as a hex value such as #2f80ed',
});

const filters: Filters = {
	...exactly('tags', 'name', 'Care plan'),
	...contains('tags', 'name', 'care'),
	'color:eq': color('color', 'Color', { description: 'Only tags of this color' }),
	'site_id:in': idsField('siteIds', 'Only tags of these sites'),
	...lifeFilters,
};

/** Part A, 2.15. */
const output = outputOf({
	...kept('id', 'name', 'color'),
	site_count: 'site_ids.length',
	...kept('site_ids', 'created_at', 'updated_at'),
});

const created = on('POST /tags', { mayNameNone: true });

const updated = ofRecord('POST /tags/{tagId}/update');

const ofSites = (verb: string) => on(`POST /tags/{tagId}/${verb}`, { sites: ['site_ids'] });

/** Part A, 4.13. */
export const tag = resourceWith(output, 'Tag', 'organises', [
	getMany('Get many tags', withSites('GET /tags'), {
		filters,
		sortBy: ['created_at', 'updated_at', 'name', 'color'],
		output: lacking(output, 'site_ids'),
	}),
	create('Create tag', created, { required: [name], optional: [tagColor] }),
	createOrUpdate('Create or update tag', created, {
		by: [name, 'name:eq'],
		optional: [tagColor],
		update: updated,
	}),
	get('Get tag', withSites('GET /tags/{tagId}')),
	update('Update tag', updated, { fields: [name, tagColor], clear: { color: 'Color' } }),
	remove('Delete tag', ofRecord('DELETE /tags/{tagId}'), {
		irreversible: 'the tag is removed from all its sites and cannot be restored',
	}),
	bulk('Assign tag to sites', ofSites('assign'), idList('siteIds'), {
		name: 'Assign to Sites',
		value: 'assign',
		description: 'Assign a tag to sites',
	}),
	bulk('Remove tag from sites', ofSites('remove'), idList('siteIds'), {
		name: 'Remove From Sites',
		value: 'remove',
		description: 'Remove a tag from sites',
	}),
]);

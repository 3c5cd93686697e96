import type { Field, Filters } from '../../shared/describe';
import {
	at,
	bulk,
	contains,
	create,
	get,
	getMany,
	idList,
	idsField,
	irreversible,
	lifeFilters,
	resource,
	update,
} from '../../shared/describe';
import { template } from '../../shared/resources/templateData';

const name: Field = {
	displayName: 'Name',
	name: 'name',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. Monthly Care Plan',
	description: 'Name of the template',
};

const filters: Filters = {
	...contains('templates', 'name', 'Monthly'),
	'site_id:in': idsField(
		'siteIds',
		'Only templates that a scheduled report of one of these sites uses',
	),
	...lifeFilters,
};

/** Part A, 4.10. */
export const reportTemplate = resource('Report Template', 'reportTemplate', [
	getMany('Get many report templates', 'GET /report-templates', {
		filters,
		sortBy: ['created_at', 'updated_at', 'name'],
	}),
	create('Create a report template', 'POST /report-templates', {
		wrapper: 'report_template',
		required: [name],
		optional: template.fields,
	}),
	get('Get a report template', 'GET /report-templates/{reportTemplateId}'),
	update('Update a report template', 'POST /report-templates/{reportTemplateId}/update', {
		wrapper: 'report_template',
		fields: [name, ...template.fields],
		clear: template.clear,
	}),
	irreversible(
		'they cannot be brought back',
		bulk(
			{ name: 'Delete', value: 'delete', action: 'Delete report templates' },
			'POST /report-templates/delete',
			at('ids', idList('reportTemplateIds')),
		),
		'One that an active or paused scheduled report uses is kept, and its item says so.',
	),
]);

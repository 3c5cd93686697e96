import type { IDataObject } from 'n8n-workflow';
import { at } from '../../shared/describe/about';
import { bulk, create, update } from '../../shared/describe/changes';
import { idList, idsField } from '../../shared/describe/fields';
import { contains, type Filters, lifeFilters } from '../../shared/describe/filters';
import { kept, outputOf } from '../../shared/describe/output';
import { get, getMany, resourceWith } from '../../shared/describe/resource';
import { text } from '../../shared/input/kinds';
import { ofRecord, on, withSites } from '../../shared/operation';
import { listIn, recordIn } from '../../shared/lib';
import { templateFields } from '../../shared/resources/templateData';

const name = text('name', 'Name', {
	required: true,
	placeholder: 'e.g. Monthly Care Plan',
	description: 'Name of the template',
});

const filters: Filters = {
	...contains('templates', 'name', 'Monthly'),
	'site_id:in': idsField(
		'siteIds',
		'Only templates used by a scheduled report of one of these sites',
	),
	...lifeFilters,
};

const listed = {
	...kept('id', 'name'),
	site_count: 'site_ids.length',
	...kept('created_at', 'updated_at'),
};

/** The keys of the sections that a report shows, in their order. */
const visibleSections = ({ section_order: order, sections }: IDataObject): unknown =>
	listIn(order).filter((key) => recordIn(recordIn(sections)[String(key)]).visible !== false);

/** Part A, 2.11 and 2.12: lists do not contain the layout of the reports. */
const output = outputOf(
	{
		...listed,
		site_ids: 'site_ids',
		language: 'general.language',
		primary_color: 'general.primary_color',
		date_format: 'general.date_format',
		visible_sections: visibleSections,
		email_subject: 'email.subject',
		attach_pdf: 'email.attach_pdf',
		sender_email_id: 'email.sender_email.id',
		sender_email: 'email.sender_email.email',
	},
	['email', 'general', 'section_order', 'sections'],
);

/** Part A, 4.10. */
export const reportTemplate = resourceWith(output, 'Report Template', 'organises', [
	getMany('Get many report templates', withSites('GET /report-templates'), {
		filters,
		sortBy: ['created_at', 'updated_at', 'name'],
		output: outputOf(listed, ['site_ids']),
	}),
	create('Create report template', on('POST /report-templates', { mayNameNone: true }), {
		required: [name],
		optional: templateFields,
	}),
	get('Get report template', withSites('GET /report-templates/{reportTemplateId}')),
	update('Update report template', ofRecord('POST /report-templates/{reportTemplateId}/update'), {
		fields: [name, ...templateFields],
		clear: { 'email.sender_email': 'Sender Email', 'email.body': 'Email Body' },
	}),
	bulk(
		'Delete report templates',
		on('POST /report-templates/delete', { records: 'ids' }),
		at('ids', idList('reportTemplateIds')),
		{
			irreversible: 'the templates cannot be restored',
			guards: { id: 'reportTemplateId', place: 'ids' },
			notice:
				'A template that an active or paused scheduled report uses is kept, and its item says so.',
			renames: true,
		},
	),
]);

import type { World } from '../../engine/world';
import { textFilters, timestampFilters } from '../../http/filters';
import { bulk, failing, resource } from '../../http/kit';
import { fields } from '../../http/paging';
import { ids, notBlank, string, timestamp, object, changesOf, optionals } from '../../http/schema';
import { sitesUsing } from '../scheduledReports/rules';
import type { ReportTemplateRow } from './rows';
import {
	dataFrom,
	dataOf,
	mergeData,
	requireSender,
	templateInput,
	templateOutput,
	viewData,
} from './rules';

const listed = {
	id: string,
	site_ids: ids,
	name: string,
	created_at: timestamp,
	updated_at: timestamp,
};

const listView = (template: ReportTemplateRow, world: World) => ({
	id: template.id,
	site_ids: sitesUsing(template.id, world),
	name: template.name,
	created_at: template.created_at,
	updated_at: template.updated_at,
});

/** Part A 2.12 and 4.10. */
const templates = resource<ReportTemplateRow>({
	name: 'report_template',
	plural: 'report_templates',
	path: '/report-templates',
	kind: (store) => store.reportTemplates,
	view: (template, world) => ({
		...listView(template, world),
		...viewData(dataOf(template), world),
	}),
	listView,
	schema: object({ ...listed, ...templateOutput }),
	listSchema: object(listed),
});

const templateFields = { name: notBlank, ...templateInput };

export const reportTemplateRoutes = [
	templates.list('listReportTemplates', {
		filters: {
			...textFilters('name'),
			...timestampFilters('created_at', 'updated_at'),
			site_id: {
				type: 'string',
				operators: ['in'],
				value: ({ id }, world) => sitesUsing(id, world),
			},
		},
		sort: fields('name', 'created_at', 'updated_at'),
		defaultSort: 'created_at,desc',
	}),
	templates.create(
		'createReportTemplate',
		object({ ...optionals(templateFields), name: notBlank }),
		({ world }, { name, ...data }) => {
			requireSender(world, data.email?.sender_email, 'report_template.email');
			return world.store.reportTemplates.insert({
				id: world.random.hex(24),
				name,
				...dataFrom(world, '', data),
				created_at: world.timestamp(),
				updated_at: world.timestamp(),
			});
		},
	),
	templates.show('showReportTemplate'),
	templates.update(
		'updateReportTemplate',
		changesOf(templateFields),
		(template, { name = template.name, ...data }, { world }) => {
			requireSender(world, data.email?.sender_email, 'report_template.email');
			const merged = mergeData(dataOf(template), data);
			Object.assign(template, { name, ...merged, updated_at: world.timestamp() });
		},
	),
	failing(
		[],
		bulk('deleteReportTemplates', '/report-templates/delete', 'ids', ({ world }) => (id) => {
			if (!world.store.reportTemplates.get(id)) {
				return { code: 'not_found', message: 'Report template was not found' };
			}
			if (sitesUsing(id, world).length > 0) {
				return { code: 'template_in_use', message: 'A scheduled report uses the template' };
			}
			world.store.reportTemplates.delete(id);
			return undefined;
		}),
	),
];

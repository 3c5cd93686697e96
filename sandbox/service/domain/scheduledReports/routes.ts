import type { World } from '../../engine/world';
import { timestampFilters } from '../../http/filters';
import { failing, resource } from '../../http/kit';
import { fields } from '../../http/paging';
import {
	ids,
	notBlank,
	oneOf,
	string,
	timestamp,
	timezone,
	object,
	changesOf,
	optionals,
} from '../../http/schema';
import { needing } from '../account/needs';
import { scheduledDataInput, scheduledDataOutput, viewData } from '../reportTemplates/rules';
import { siteSummary } from '../reports/rules';
import { reportFrequencies, type ScheduledReportRow, scheduledReportStatuses } from './rows';
import {
	createScheduledReport,
	ownData,
	pauseScheduledReport,
	resumeScheduledReport,
	updateScheduledReport,
} from './rules';

const common = {
	id: string,
	title: string,
	site: object({ id: string, title: string, url: string }),
	template_id: string,
	status: oneOf(...scheduledReportStatuses),
	frequency: oneOf(...reportFrequencies),
	timezone: string,
	started_at: timestamp,
	next_report_at: timestamp,
	created_at: timestamp,
	updated_at: timestamp,
};

function commonView(
	{ internal: _internal, site_id: siteId, ...row }: ScheduledReportRow,
	world: World,
) {
	const site = siteSummary(world.store.sites.get(siteId)!);
	return { ...row, title: `${site.title} ${row.frequency} report`, site };
}

/** Part A 2.13 and 4.11. The report of a site that is gone is gone, too. */
const scheduledReports = resource<ScheduledReportRow>({
	name: 'scheduled_report',
	plural: 'scheduled_reports',
	path: '/scheduled-reports',
	kind: (store) => store.scheduledReports,
	rows: ({ world: { store } }) =>
		store.scheduledReports.peek().filter((row) => store.sites.get(row.site_id)),
	view: (row, world) => ({
		...commonView(row, world),
		report_template_data: viewData(ownData(world, row), world),
	}),
	listView: (row, world) => ({
		...commonView(row, world),
		email: { recipients: ownData(world, row).email.recipients },
	}),
	schema: object({ ...common, report_template_data: scheduledDataOutput }),
	listSchema: object({ ...common, email: object({ recipients: ids }) }),
});

const changeable = {
	timezone,
	started_at: timestamp,
	frequency: oneOf(...reportFrequencies),
	report_template_data: scheduledDataInput,
};

export const scheduledReportRoutes = needing('scheduled_reports', [
	scheduledReports.list('listScheduledReports', {
		filters: {
			site_id: { type: 'string', operators: ['eq'], value: (row) => row.site_id },
			status: { type: scheduledReportStatuses, operators: ['eq'], value: (row) => row.status },
			frequency: { type: reportFrequencies, operators: ['eq'], value: (row) => row.frequency },
			...timestampFilters('created_at'),
		},
		sort: fields('created_at', 'next_report_at'),
		defaultSort: 'created_at,desc',
	}),
	failing(
		[404, 422],
		scheduledReports.create(
			'createScheduledReport',
			object({
				...optionals(changeable),
				site_id: notBlank,
				started_at: timestamp,
				frequency: changeable.frequency,
			}),
			({ world }, sent) => createScheduledReport(world, sent),
		),
	),
	scheduledReports.show('showScheduledReport'),
	failing(
		[422],
		scheduledReports.delete('deleteScheduledReport', (row, { world }) =>
			world.store.scheduledReports.delete(row.id),
		),
	),
	scheduledReports.update(
		'updateScheduledReport',
		changesOf({ ...changeable, template_id: notBlank }),
		(row, changes, { world }) => updateScheduledReport(world, row, changes),
	),
	scheduledReports.action('pauseScheduledReport', 'pause', (row, { world }) =>
		pauseScheduledReport(world, row),
	),
	scheduledReports.action('resumeScheduledReport', 'resume', (row, { world }) =>
		resumeScheduledReport(world, row),
	),
]);

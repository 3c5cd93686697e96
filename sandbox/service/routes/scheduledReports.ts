import { timestampFilters } from '../filters';
import { resource } from '../kit';
import { fields } from '../paging';
import { scheduledDataInput, scheduledDataOutput, viewData } from '../reportData';
import { siteSummary } from '../reports';
import {
	reportFrequencies,
	scheduledReportStatuses,
	type ScheduledReportRow,
} from '../rows/reports';
import {
	createScheduledReport,
	ownData,
	pauseScheduledReport,
	resumeScheduledReport,
	updateScheduledReport,
} from '../scheduledReports';
import { ids, notBlank, object, oneOf, record, string, timestamp, timezone } from '../schema';
import type { World } from '../world';

const common = {
	id: string,
	title: string,
	site: record({ id: string, title: string, url: string }),
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
	schema: record({ ...common, report_template_data: scheduledDataOutput }),
	listSchema: record({ ...common, email: record({ recipients: ids }) }),
});

const changeable = {
	timezone,
	started_at: timestamp,
	frequency: oneOf(...reportFrequencies),
	report_template_data: scheduledDataInput,
};

export const scheduledReportRoutes = [
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
	scheduledReports.create(
		'createScheduledReport',
		object({ site_id: notBlank, ...changeable }, ['site_id', 'started_at', 'frequency']),
		({ world }, sent) => createScheduledReport(world, sent),
	),
	scheduledReports.show('showScheduledReport'),
	scheduledReports.delete('deleteScheduledReport', (row, { world }) =>
		world.store.scheduledReports.delete(row.id),
	),
	scheduledReports.update(
		'updateScheduledReport',
		{ ...object({ ...changeable, template_id: notBlank }), minProperties: 1 },
		(row, changes, { world }) => updateScheduledReport(world, row, changes),
	),
	scheduledReports.action('pauseScheduledReport', 'pause', (row, { world }) =>
		pauseScheduledReport(world, row),
	),
	scheduledReports.action('resumeScheduledReport', 'resume', (row, { world }) =>
		resumeScheduledReport(world, row),
	),
];

import { notFound, unprocessable } from '../../engine/errors';
import type { Handler, World } from '../../engine/world';
import type { ReportTemplateInput } from '../reportTemplates/rows';
import { dataFrom, requireSender, requireTemplate } from '../reportTemplates/rules';
import { addReport, clientOf, sendMail } from '../reports/rules';
import { nextOccurrence, toUtc } from '../shared/recurrence';
import type { reportFrequencies, ScheduledReportRow } from './rows';
import { DateTime } from 'luxon';

export interface ScheduledReportFields {
	site_id: string;
	timezone?: string;
	started_at: string;
	frequency: (typeof reportFrequencies)[number];
	report_template_data?: ReportTemplateInput;
}

export type ScheduledReportChanges = Partial<Omit<ScheduledReportFields, 'site_id'>> & {
	template_id?: string;
};

/** Part A 4.11; a site has at most one scheduled report, active or paused. */
export function createScheduledReport(
	world: World,
	fields: ScheduledReportFields,
): ScheduledReportRow {
	const { site_id: siteId, report_template_data: data = {} } = fields;
	if (!world.store.sites.get(siteId)) throw notFound(`The site ${siteId}`);
	if (world.store.scheduledReports.peek().some((other) => other.site_id === siteId)) {
		throw unprocessable('exists', 'scheduled_report.site_id', 'has a scheduled report already');
	}
	requireData(world, data);
	const now = world.timestamp();
	const row = world.store.scheduledReports.insert({
		id: world.random.hex(24),
		site_id: siteId,
		template_id: '',
		status: 'active',
		frequency: fields.frequency,
		timezone: fields.timezone ?? 'UTC',
		started_at: toUtc(fields.started_at),
		next_report_at: now,
		created_at: now,
		updated_at: now,
		internal: { data },
	});
	scheduleNext(world, row);
	return row;
}

/** Another template takes the place of what the report has of its own, except whom it goes to. */
export function updateScheduledReport(
	world: World,
	row: ScheduledReportRow,
	changes: ScheduledReportChanges,
): void {
	const { template_id: templateId, report_template_data: input = {}, ...timing } = changes;
	requireTemplate(world, templateId, 'scheduled_report.template_id');
	requireData(world, input);
	if (templateId !== undefined) {
		const { recipients, send_to_client } = ownData(world, row).email;
		row.template_id = templateId;
		row.internal.data = { email: { recipients, send_to_client } };
	}
	const own = row.internal.data;
	row.internal.data = {
		...own,
		...input,
		general: { ...own.general, ...input.general },
		sections: { ...own.sections, ...input.sections },
		email: { ...own.email, ...input.email },
	};
	row.updated_at = world.timestamp();
	if (Object.keys(timing).length === 0) return;
	Object.assign(row, timing);
	row.started_at = toUtc(row.started_at);
	scheduleNext(world, row);
}

/** All the data of a report: its template's with its own. */
export function ownData(world: World, row: ScheduledReportRow) {
	const { email, ...data } = dataFrom(world, row.template_id, row.internal.data);
	return { ...data, email: { send_to_client: false, recipients: [], ...email } };
}

export function pauseScheduledReport(world: World, row: ScheduledReportRow): void {
	requireStatus(row, 'active');
	row.status = 'paused';
	row.updated_at = world.timestamp();
}

export function resumeScheduledReport(world: World, row: ScheduledReportRow): void {
	requireStatus(row, 'paused');
	row.status = 'active';
	row.updated_at = world.timestamp();
	scheduleNext(world, row);
}

/** The sites with a scheduled report, active or paused, that uses the template. */
export function sitesUsing(templateId: string, world: World): string[] {
	return world.store.scheduledReports
		.peek()
		.filter((row) => row.template_id === templateId && world.store.sites.get(row.site_id))
		.map((row) => row.site_id);
}

export const scheduledReportHandlers: Record<string, Handler> = {
	'scheduled_report.due': (world, { scheduled_report_id: id, at }) => {
		const row = world.store.scheduledReports.get(String(id));
		// Another date means that the report was changed since.
		if (row?.status !== 'active' || row.next_report_at !== at) return;
		makeReport(world, row);
		scheduleNext(world, row);
	},
};

/** Makes and sends the report of the period that ends before `at`. */
export function makeReport(world: World, row: ScheduledReportRow, at = world.now): void {
	const site = world.store.sites.get(row.site_id);
	if (!site) return;
	const data = ownData(world, row);
	const due = DateTime.fromMillis(at, { zone: row.timezone });
	const report = addReport(
		world,
		{
			site_id: row.site_id,
			type: 'scheduled',
			timezone: row.timezone,
			start_date: due.minus(periods[row.frequency]).toISODate()!,
			end_date: due.minus({ days: 1 }).toISODate()!,
			data,
		},
		world.timestamp(at),
	);
	const client = data.email.send_to_client ? clientOf(world, site) : null;
	const addresses = new Set([...data.email.recipients, ...(client ? [client.email] : [])]);
	for (const address of addresses) sendMail(world, report!, address, at);
}

export const periods: Record<ScheduledReportRow['frequency'], object> = {
	weekly: { weeks: 1 },
	biweekly: { weeks: 2 },
	monthly: { months: 1 },
};

/** Lets the next report happen by the timeline. */
function scheduleNext(world: World, row: ScheduledReportRow): void {
	const at = nextOccurrence(row.frequency, row.started_at, world.now, row.timezone);
	row.next_report_at = at;
	const payload = { scheduled_report_id: row.id, at };
	world.timeline.schedule({ at: Date.parse(at), kind: 'scheduled_report.due', payload });
}

function requireData(world: World, data: ReportTemplateInput): void {
	const { sender_email: sender } = data.email ?? {};
	requireSender(world, sender, 'scheduled_report.report_template_data.email');
}

function requireStatus({ status }: ScheduledReportRow, wanted: typeof status): void {
	if (status === wanted) return;
	throw unprocessable(`not_${wanted}`, 'scheduled_report_id', `is a report that is ${status}`);
}

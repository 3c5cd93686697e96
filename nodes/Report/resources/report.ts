import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import { asRequired, at, inBody, onlyWith } from '../../shared/describe/about';
import { create, remove } from '../../shared/describe/changes';
import { additionalFields, day, idField } from '../../shared/describe/fields';
import { type Filters, oneOf, timeFilters } from '../../shared/describe/filters';
import { kept, madeAs, outputOf } from '../../shared/describe/output';
import { act, get, getMany, resource } from '../../shared/describe/resource';
import { choice, optionsFrom, text } from '../../shared/input/kinds';
import { type Composing, ofRecord, on, withSites } from '../../shared/operation';
import { clock, recordIn, recordsIn, urlFrom } from '../../shared/lib';
import { statusWord } from '../../shared/vocabulary/values';
import {
	emailFields,
	mailed,
	recipients,
	reportData,
	timezone,
} from '../../shared/resources/templateData';
import { clientName } from '../../shared/resources/outputs';
import { naming } from '../../shared/run/relatedNames';

const period = choice('period', 'Period', {
	closed: 'form',
	options: optionsFrom({
		custom: ['Custom', 'From Start Date to End Date'],
		last7Days: ['Last 7 Days', 'The seven days up to yesterday'],
		lastMonth: ['Last Month', 'The calendar month before the current one'],
	}),
	default: 'custom',
	description: 'Days of the report. The site needs snapshots in them.',
	// The service takes days.
	target: undefined,
});

const startDate = day('startDate', 'Start Date', {
	description: 'First day of the report',
	hint: 'Required',
});

const endDate = day('endDate', 'End Date', {
	description: 'Last day of the report',
	hint: 'Required',
});

/** Sets the days of a period, by the time zone of the report or else of the workflow. */
async function daysOfPeriod({ context, body, settings }: Composing): Promise<IDataObject> {
	const report = recordIn(body.report);
	const zone = String(report.timezone ?? context.getTimezone());
	const today = DateTime.fromMillis(clock.now(), { zone });
	const month = today.minus({ months: 1 });
	const days: Record<string, DateTime[]> = {
		last7Days: [today.minus({ days: 7 }), today.minus({ days: 1 })],
		lastMonth: [month.startOf('month'), month.endOf('month')],
	};
	const [start, end] = days[String(settings.period)] ?? [];
	if (start && end) {
		Object.assign(report, { start_date: start.toISODate(), end_date: end.toISODate() });
	}
	return {};
}

const filters: Filters = {
	...oneOf(
		'type',
		['scheduled', { name: 'One-Time', value: 'one_time' }],
		'Only one-time reports, or only reports of a schedule',
	),
	'site_id:eq': idField('siteId', 'Only reports about this site'),
	'client_id:eq': idField('clientId', 'Only reports for this client'),
	'sender_email:eq': text('sender', 'Sender', {
		placeholder: 'e.g. reports@example.com',
		description: 'Only reports with this sender',
	}),
	...oneOf(
		'recipient_status',
		['bounced', 'delivered', 'failed', 'opened', 'sent', 'spam'],
		'Only reports with this email status for at least one recipient',
	),
	...timeFilters('created_at', 'Created'),
};

const clientIdOf = ({ client }: IDataObject) => recordIn(client).id;

/** A report names a person; a client is known by its company. */
const clientNames = naming(
	'client',
	['client_name'],
	(report) => [clientIdOf(report)],
	(report, named) => {
		const client = named(clientIdOf(report));
		return client ? { ...report, client_name: clientName({ client }) } : report;
	},
);

/** The addresses of the recipients with this status. */
const withStatus =
	(status: string) =>
	({ email }: IDataObject) =>
		recordsIn(recordIn(email).recipients)
			.filter((recipient) => statusWord(recipient.status) === status)
			.map((recipient) => recipient.email);

/** Part A, 2.10. */
export const reportOutput = outputOf(
	{
		...kept('id', 'title', 'type', 'site.id', 'site.title', 'site.url', 'client.id'),
		client_name: ({ client_name: name, client }) => name || recordIn(client).name || undefined,
		client_contact: 'client.name',
		...kept('client.email', 'start_date', 'end_date', 'created_at'),
		subject: 'email.subject',
		recipient_count: 'email.recipients.length',
		recipients: 'email.recipients.email',
		opened: withStatus('opened'),
		bounced: withStatus('bounced'),
		failed: withStatus('failed'),
		spam: withStatus('spam'),
	},
	['email', 'email.attach_pdf', 'email.body', 'email.recipients', 'email.sender_email.email'],
	clientNames,
);

/** `2026-11` for days of one month. */
function periodOf({ start_date: start, end_date: end }: IDataObject): string {
	const [from = '', to = ''] = [start, end].map((day) => String(day ?? '').slice(0, 10));
	return from.slice(0, 7) === to.slice(0, 7) ? to.slice(0, 7) : `${from} to ${to}`;
}

/** `Report Amber Cycles 2026-11.pdf`, for the person who gets the file. */
function fileName(report: IDataObject): string | undefined {
	const { title, url } = recordIn(report.site);
	const site = title || urlFrom(String(url))?.host;
	return site ? `Report ${String(site)} ${periodOf(report)}.pdf` : undefined;
}

export const reportFile = {
	name: 'report',
	extension: '.pdf',
	mediaType: 'application/pdf',
	called: fileName,
};

/** Part A, 4.9. */
export const report = resource('Report', { usual: 'cares', sendEmail: 'sendsMail' }, [
	getMany('Get many reports', withSites('GET /reports'), {
		filters,
		sortBy: ['created_at'],
		output: reportOutput,
	}),
	{
		...create('Create report', on('POST /reports', { sites: ['report.site_id'] }), {
			notice:
				'A report is about one site. For a client, list its sites with Site: Get Many first: each gets its own report.',
			required: [
				idField('siteId', 'The site to report on'),
				period,
				...[startDate, endDate].map((each) => onlyWith(period, 'custom', each)),
			],
			optional: [
				timezone,
				at('template_id', idField('reportTemplateId', 'The template that the report follows')),
				...reportData,
			],
			adds: mailed('report.report_template_data.email'),
			task: { output: madeAs('report_id', reportOutput), from: 'report' },
		}),
		looksUp: daysOfPeriod,
	},
	get('Get report', withSites('GET /reports/{reportId}'), { output: reportOutput }),
	remove('Delete report', ofRecord('DELETE /reports/{reportId}')),
	act('Download report', ofRecord('GET /reports/{reportId}/download'), {
		description: 'Download a completed report as a PDF file',
		kind: 'file',
		file: reportFile,
	}),
	act('Send report by email', ofRecord('POST /reports/{reportId}/send-email'), {
		name: 'Send by Email',
		value: 'sendEmail',
		irreversible: 'real people get the email immediately',
		fields: [
			...inBody('send_email', [asRequired(recipients)]),
			...additionalFields('send_email', emailFields),
		],
		kind: 'bulk',
		wrapper: 'send_email',
		ids: 'recipients',
	}),
]);

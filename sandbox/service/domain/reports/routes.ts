import { timestampFilters } from '../../http/filters';
import { Attachment, bulkAnswer, bulkResult, resource, route } from '../../http/kit';
import { fields } from '../../http/paging';
import {
	arrayOf,
	binary,
	boolean,
	date,
	notBlank,
	nullable,
	oneOf,
	string,
	timestamp,
	timezone,
	object,
	optional,
} from '../../http/schema';
import { taskStart, taskStartSchema } from '../../http/taskStart';
import { templateDataInput } from '../reportTemplates/rules';
import { reportPdf } from './pdf';
import { recipientStatuses, type ReportRow, reportTypes } from './rows';
import { prepareEmail, sendMail, startReport } from './rules';

const recipient = object({
	email: string,
	status: oneOf(...recipientStatuses),
	sent_at: nullable(timestamp),
	delivered_at: nullable(timestamp),
	opened_at: nullable(timestamp),
});

/** Part A 2.10 and 4.9. */
const reports = resource<ReportRow>({
	name: 'report',
	plural: 'reports',
	path: '/reports',
	kind: (store) => store.reports,
	view: ({ internal: _internal, ...report }) => report,
	schema: object({
		id: string,
		title: string,
		site: object({ id: string, title: string, url: string }),
		type: oneOf(...reportTypes),
		client: nullable(object({ id: string, name: string, email: string })),
		start_date: date,
		end_date: date,
		created_at: timestamp,
		email: object({
			subject: string,
			body: nullable(string),
			attach_pdf: boolean,
			sender_email: nullable(object({ id: string, email: string })),
			recipients: arrayOf(recipient),
		}),
	}),
});

const createReport = route({
	operationId: 'createReport',
	method: 'POST',
	path: '/reports',
	body: object({
		report: object({
			site_id: notBlank,
			timezone: optional(timezone),
			start_date: date,
			end_date: date,
			template_id: optional(notBlank),
			report_template_data: optional(templateDataInput),
		}),
	}),
	status: 201,
	response: taskStartSchema,
	handle: ({ world, body }) => taskStart(startReport(world, body.report)),
});

const downloadReport = route({
	operationId: 'downloadReport',
	method: 'GET',
	path: '/reports/{report_id}/download',
	status: 200,
	mediaType: 'application/pdf',
	response: binary,
	handle: async (context) => {
		const report = reports.find(context);
		return new Attachment(`report-${report.id}.pdf`, await reportPdf(report));
	},
});

const emailFields = object({
	recipients: arrayOf(string, { minItems: 1 }),
	sender_email: optional(nullable(object({ id: string }))),
	subject: optional(notBlank),
	body: optional(nullable(string)),
	attach_pdf: optional(boolean),
});

export const reportRoutes = [
	reports.list('listReports', {
		filters: {
			type: { type: reportTypes, operators: ['eq'], value: (report) => report.type },
			site_id: { type: 'string', operators: ['eq'], value: (report) => report.site.id },
			client_id: { type: 'string', operators: ['eq'], value: ({ client }) => client?.id },
			// The reference does not say whether the id or the address is meant: both are answered.
			sender_email: {
				type: 'string',
				operators: ['eq'],
				value: ({ email: { sender_email: sender } }) => [sender?.id, sender?.email],
			},
			recipient_status: {
				type: recipientStatuses,
				operators: ['eq'],
				value: ({ email }) => email.recipients.map(({ status }) => status),
			},
			...timestampFilters('created_at'),
		},
		sort: fields('created_at'),
		defaultSort: 'created_at,desc',
	}),
	createReport,
	reports.show('showReport'),
	reports.delete('deleteReport', (report, { world }) => world.store.reports.delete(report.id)),
	downloadReport,
	reports.action(
		'sendReportEmail',
		'send-email',
		(report, { world, body }) => {
			const { recipients, ...email } = body.send_email;
			prepareEmail(world, report, email);
			return bulkAnswer('send_email', 'recipients', recipients, (address) =>
				sendMail(world, report, address),
			);
		},
		object({ send_email: emailFields }),
		bulkResult('send_email', 'recipients'),
	),
];

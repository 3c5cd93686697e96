import type { Field, Filters } from '../../shared/describe';
import {
	additionalFields,
	at,
	create,
	get,
	getMany,
	idField,
	inBody,
	operation,
	remove,
	resource,
	timeFilters,
	warning,
} from '../../shared/describe';
import {
	emailFields,
	recipients,
	reportData,
	timezone,
} from '../../ReportTemplate/resources/templateData';

const startDate: Field = {
	displayName: 'Start Date',
	name: 'startDate',
	type: 'dateTime',
	typeOptions: { dateOnly: true },
	default: '',
	description: 'First day of the report; there must be backup snapshots of the site in its range',
};

const endDate: Field = {
	displayName: 'End Date',
	name: 'endDate',
	type: 'dateTime',
	typeOptions: { dateOnly: true },
	default: '',
	description: 'Last day of the report',
};

const filters: Filters = {
	'type:eq': {
		displayName: 'Type',
		name: 'type',
		type: 'options',
		options: [
			{ name: 'One-Time', value: 'one_time' },
			{ name: 'Scheduled', value: 'scheduled' },
		],
		default: 'scheduled',
		description: 'Only reports made once, or only those of scheduled reports',
	},
	'site_id:eq': idField('siteId', 'Only reports on this site'),
	'client_id:eq': idField('clientId', 'Only reports for this client'),
	'sender_email:eq': {
		displayName: 'Sender',
		name: 'sender',
		type: 'string',
		default: '',
		placeholder: 'e.g. reports@example.com',
		description: 'Only reports with this sender',
	},
	'recipient_status:eq': {
		displayName: 'Recipient Status',
		name: 'recipientStatus',
		type: 'options',
		options: [
			{ name: 'Bounced', value: 'bounced' },
			{ name: 'Delivered', value: 'delivered' },
			{ name: 'Failed', value: 'failed' },
			{ name: 'Opened', value: 'opened' },
			{ name: 'Sent', value: 'sent' },
			{ name: 'Spam', value: 'spam' },
		],
		default: 'bounced',
		description: 'Only reports whose e-mail has this state at a recipient',
	},
	...timeFilters('created_at', 'Created'),
};

/** Part A, 4.9. */
export const report = resource('Report', 'report', [
	getMany('Get many reports', 'GET /reports', { filters, sortBy: ['created_at'] }),
	create('Create a report', 'POST /reports', {
		wrapper: 'report',
		required: [idField('siteId', 'The site to report on'), startDate, endDate],
		optional: [
			timezone,
			at('template_id', idField('reportTemplateId', 'The template that the report follows')),
			...reportData,
		],
		startsTask: true,
	}),
	get('Get a report', 'GET /reports/{reportId}'),
	remove(
		'Delete a report',
		'DELETE /reports/{reportId}',
		'This deletes the report. The service has no operation that brings it back.',
	),
	operation(
		{
			name: 'Download',
			value: 'download',
			action: 'Download a report',
			description: 'Download a completed report as a PDF file',
		},
		'GET /reports/{reportId}/download',
		[],
		{ file: true },
	),
	operation(
		{ name: 'Send by Email', value: 'sendEmail', action: 'Send a report by email' },
		'POST /reports/{reportId}/send-email',
		[
			warning('This sends an e-mail to real people: each address below gets the report.'),
			inBody('send_email', { ...recipients, required: true }),
			...additionalFields('send_email', emailFields),
		],
	),
]);

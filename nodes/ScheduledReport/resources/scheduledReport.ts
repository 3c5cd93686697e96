import { at, below } from '../../shared/describe/about';
import { create, listChanges, remove, update } from '../../shared/describe/changes';
import { idField, replacing } from '../../shared/describe/fields';
import { type Filters, oneOf, timeFilters } from '../../shared/describe/filters';
import { kept, outputOf } from '../../shared/describe/output';
import { act, get, getMany, resourceWith } from '../../shared/describe/resource';
import type { Field } from '../../shared/input/field';
import { choice, dateTime, optionsFrom, toggleOn } from '../../shared/input/kinds';
import { ofRecord, on, type Simplified, withSites } from '../../shared/operation';
import { mailed, recipients, reportData, timezone } from '../../shared/resources/templateData';

const frequency = choice('frequency', 'Frequency', {
	closed: 'change',
	options: optionsFrom({ biweekly: 'Biweekly', monthly: 'Monthly', weekly: 'Weekly' }),
	default: 'monthly',
	description: 'How often a report is created',
});

const startedAt = dateTime('startedAt', 'Start', {
	description: 'Date and time of the first report. Later reports repeat from there.',
});

const sendToClient = toggleOn('sendToClient', 'Send to Client', {
	description: 'Whether the client of the site also receives the report',
});

const email = 'report_template_data.email';

/** The layout of a report, and its recipients. */
const reportFields = (whom: Field) => [...reportData, ...below(email, [sendToClient, whom])];

const newRecipients = replacing(
	recipients,
	'Recipients',
	'addresses that the new list leaves out no longer receive reports',
);

const filters: Filters = {
	'site_id:eq': idField('siteId', 'Only the scheduled report of this site'),
	...oneOf(
		'status',
		['active', 'paused'],
		'Only scheduled reports in this state. A paused one creates no reports.',
	),
	'frequency:eq': {
		...frequency,
		description: 'Only scheduled reports that repeat at this interval',
	},
	...timeFilters('created_at', 'Created'),
};

/** Lists contain only the recipients of the email, single records all its data, so also `more`. Part A, 2.13. */
const told = (recipients: string, more: Simplified = {}) =>
	outputOf(
		{
			...kept('id', 'title', 'site.id', 'site.title', 'site.url'),
			report_template_id: 'template_id',
			...kept('status', 'frequency', 'timezone', 'started_at', 'next_report_at'),
			recipient_count: `${recipients}.length`,
			recipients,
			...more,
		},
		['created_at', 'updated_at', recipients.split('.')[0]!],
	);

const output = told(`${email}.recipients`, {
	send_to_client: `${email}.send_to_client`,
	subject: `${email}.subject`,
	sender_email_id: `${email}.sender_email.id`,
	sender_email: `${email}.sender_email.email`,
});

const does = {
	usual: 'cares',
	update: 'sendsMail',
	addRecipients: 'sendsMail',
	removeRecipients: 'sendsMail',
	resume: 'sendsMail',
} as const;

const created = on('POST /scheduled-reports', { sites: ['scheduled_report.site_id'] });

const updated = ofRecord('POST /scheduled-reports/{scheduledReportId}/update');

/** Part A, 4.11. */
export const scheduledReport = resourceWith(output, 'Scheduled Report', does, [
	getMany('Get many scheduled reports', withSites('GET /scheduled-reports'), {
		filters,
		sortBy: ['created_at', 'next_report_at'],
		output: told('email.recipients'),
	}),
	create('Create scheduled report', created, {
		sideEffect:
			'the scheduled report is active at once, and its recipients get the reports by email',
		notice:
			'A scheduled report is about one site. For a client, schedule one for each of its sites.',
		required: [
			idField('siteId', 'The site to report on. It must not have a scheduled report yet.'),
			frequency,
			{ ...startedAt, hint: 'Required' },
		],
		optional: [timezone, ...reportFields(recipients)],
		opens: ['recipients', 'sendToClient'],
		adds: mailed(`scheduled_report.${email}`),
	}),
	get('Get scheduled report', withSites('GET /scheduled-reports/{scheduledReportId}')),
	update('Update scheduled report', updated, {
		fields: [
			frequency,
			startedAt,
			timezone,
			at('template_id', idField('reportTemplateId', 'The template of the reports')),
			...reportFields(newRecipients),
		],
		clear: {
			[`${email}.sender_email`]: 'Sender Email',
			[`${email}.body`]: 'Email Body',
			[`${email}.recipients`]: ['Recipients', []],
		},
	}),
	...listChanges(updated, {
		of: 'scheduled report',
		entries: recipients,
		change: { place: `${email}.recipients`, entry: 'recipient' },
	}),
	remove('Delete scheduled report', ofRecord('DELETE /scheduled-reports/{scheduledReportId}'), {
		notice: 'To pause the scheduled report instead, use Pause.',
	}),
	act('Pause scheduled report', ofRecord('POST /scheduled-reports/{scheduledReportId}/pause'), {
		proves: { status: 'paused' },
	}),
	act('Resume scheduled report', ofRecord('POST /scheduled-reports/{scheduledReportId}/resume'), {
		sideEffect: 'real people get its reports by email again',
		proves: { status: 'active' },
	}),
]);

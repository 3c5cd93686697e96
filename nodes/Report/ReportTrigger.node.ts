import type {
	IBinaryData,
	IDataObject,
	INodeType,
	INodeTypeDescription,
	IPollFunctions,
} from 'n8n-workflow';
import { download } from '../shared/client/request';
import { Semaphore } from '../shared/client/queue';
import {
	asRequired,
	choice,
	collection,
	idField,
	namesIn,
	number,
	optionsFrom,
	outputFields,
	queryOptions,
	toggle,
} from '../shared/describe';
import { hash, HOUR_MS, recordIn, recordsIn } from '../shared/lib';
import { documentation, eventNames, eventsField, methods, pollOf, triggerOf } from '../shared/node';
import type { EventDetails, Occurrence, Polled } from '../shared/polling/feed';
import { filtersOf } from '../shared/polling/sources';
import { fileNameOf, toBinary } from '../shared/receive/file';
import { completing, simplified } from '../shared/receive/output';
import { otherStatus } from '../shared/resources/statusEvents';
import { MAX_DOWNLOADS } from '../shared/run/run';
import { statusWord } from '../shared/vocabulary/values';
import { reportFile, reportOutput } from './resources/report';

const events = eventsField(
	{
		bounced: ['Email Bounced', 'The email to a recipient bounced'],
		delivered: ['Email Delivered', 'The email was delivered to a recipient'],
		failed: ['Email Failed', 'The email to a recipient could not be sent'],
		spam: ['Email Marked as Spam', 'A recipient marked the email as spam'],
		opened: ['Email Opened', 'A recipient opened the email'],
		otherStatus: [
			'Other Status',
			'The email to a recipient has a status that this node does not know. Reported once for each status.',
		],
		created: ['Report Created', 'A report was created, once or by a schedule'],
	},
	['created'],
	'What starts the workflow: once for each report, and once for each email event of each recipient',
);

const filters = collection('Filters', 'filters', 'Add Filter', [
	asRequired(idField('clientId', 'Only reports for this client')),
	asRequired(idField('siteId', 'Only reports about this site')),
	choice('type', 'Type', {
		options: optionsFrom({ one_time: 'One-Time', scheduled: 'Scheduled' }),
		default: 'scheduled',
		description: 'Only one-time reports, or only reports of a schedule',
	}),
]);

const DEFAULT_DAYS = 3;

const options = queryOptions([
	toggle('attachPdf', 'Attach PDF', {
		description:
			'Whether to attach the PDF of the report as the binary field "data". This costs one request for each report. The field "pdf_attached" shows whether the item has it.',
	}),
	number('followDays', 'Follow Emails For (Days)', {
		typeOptions: { minValue: 1, maxValue: 30, numberPrecision: 0 },
		default: DEFAULT_DAYS,
		description:
			'Email events count only for reports that are at most this many days old. n8n can remember the events of about 1,700 reports. If there are more, the oldest are no longer followed.',
	}),
]);

const parameters = [
	events,
	filters,
	...outputFields([...reportOutput.fields, 'recipient']),
	...options,
];

const FACTS = ['delivered', 'opened', 'bounced', 'failed', 'spam'];

/** Emails are read from the oldest followed report on: the service filters by creation only. */
function reportFeeds(days: number, query: IDataObject): Polled['feeds'] {
	const list = { kind: 'timed' as const, url: '/reports', timeField: 'created_at', query };
	const created = { key: 'created', event: 'created' };
	return {
		created: { ...list, events: ['created'], occurrences: () => [created] },
		emails: {
			...list,
			events: [...FACTS, 'otherStatus'],
			occurrences: emailOccurrences,
			// No status of a recipient is final: a report can be sent again at any time.
			isOpen: () => true,
			openForMs: days * 24 * HOUR_MS,
		},
	};
}

/** Identifies a recipient each time the report is sent. */
const nameOf = (email: unknown, sentAt: unknown) =>
	hash(`${String(email)} ${String(sentAt || null)}`, 4);

/** The email events of a report until now, for each recipient and sending. */
function emailOccurrences(report: IDataObject): Occurrence[] {
	const recipients = recordsIn(recordIn(report.email).recipients);
	const undated = recipients.filter((each) => !each.sent_at).map(({ email }) => email);
	const counts = new Map<string, number>();
	return recipients.flatMap((recipient) => {
		const { email, sent_at: sentAt, status } = recipient;
		const json = { recipient, ...report };
		// A time can be null although the status says that it has happened. Source: Part A, 2.10.
		const facts = FACTS.filter((fact) => statusWord(status) === fact || recipient[`${fact}_at`]);
		const happened = (of: string): Occurrence[] => [
			...facts.map((event) => ({ key: event[0]! + of, event })),
			...otherStatus('reportEmail', status, of),
		];
		// The service may set `sent_at` later.
		const earlier = undated.includes(email) ? [] : happened(nameOf(email, null));
		return happened(nameOf(email, sentAt)).map((occurrence, index) => {
			const { key } = occurrence;
			const count = (counts.get(key) ?? 0) + 1;
			counts.set(key, count);
			const was = earlier[index]?.key;
			return { ...occurrence, json, key: count > 1 ? `${key}${count}` : key, was };
		});
	});
}

/** Adds the PDF of the report in the binary field `data`. Each is read once per poll, a few at a time. */
function pdfs(context: IPollFunctions): EventDetails {
	const files = new Map<string, Promise<IBinaryData>>();
	const downloads = new Semaphore(MAX_DOWNLOADS);
	const fileOf = async (id: string, json: IDataObject) => {
		const url = `/reports/${encodeURIComponent(id)}/download`;
		const pdf = await download(context, { method: 'GET', url }, reportFile.mediaType);
		return await toBinary(context, pdf, fileNameOf(reportFile, id, json));
	};
	return {
		read: async (_context, json) => {
			const id = String(json.id);
			const file = files.get(id) ?? downloads.run(async () => await fileOf(id, json));
			files.set(id, file);
			return { json: { ...json, pdf_attached: true }, binary: { data: await file } };
		},
		without: { pdf_attached: false },
		waitMs: HOUR_MS,
		tries: 1,
	};
}

const added = ['event', 'pdf_attached'];

/** The output of an event of an email: it has its recipient, too. */
const emailOutput = {
	recipient_email: 'recipient.email',
	recipient_status: 'recipient.status',
	...reportOutput.simplified,
};

export class ReportTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Report Trigger',
		name: 'reportTrigger',
		icon: {
			light: 'file:../../icons/report.svg',
			dark: 'file:../../icons/report.dark.svg',
		},
		documentationUrl: documentation('nodes.md#site-management-report-trigger'),
		subtitle: eventNames(events),
		description:
			'Create, download and send reports about sites, or start a workflow when a report is created, or its email is delivered, opened or fails',
		defaults: { name: 'Report Trigger' },
		...triggerOf(parameters, namesIn(emailOutput, ...added)),
	};

	methods = methods;

	poll = pollOf(parameters, (set, context) => {
		const { attachPdf = false, followDays = DEFAULT_DAYS, clientId, siteId, type } = set;
		const query = filtersOf({ 'client_id:eq': clientId, 'site_id:eq': siteId, 'type:eq': type });
		const ofReport = simplified(reportOutput.simplified, set, added);
		const ofEmail = simplified(emailOutput, set, added);
		return {
			feeds: reportFeeds(Number(followDays), query),
			...(attachPdf === true && { details: pdfs(context) }),
			complete: completing(context, reportOutput, set),
			shape: (json) => (json.recipient ? ofEmail : ofReport)(json),
			what: 'report',
			nothingToShow:
				'None of the last 100 reports that match the filters has one of the chosen events. Choose more events, remove a filter, or try again after the next report.',
		};
	});
}

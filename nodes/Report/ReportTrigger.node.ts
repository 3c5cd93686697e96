import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import {
	asRequired,
	choice,
	collection,
	idField,
	number,
	optionsFrom,
	outputFields,
	queryOptions,
	toggle,
} from '../shared/describe';
import type { Settings } from '../shared/input/field';
import { textsIn } from '../shared/lib';
import { filtersOf } from '../shared/polling/sources';
import type { Shape } from '../shared/receive/output';
import {
	documentation,
	eventsField,
	eventsSubtitle,
	methods,
	pollOf,
	triggerOf,
} from '../shared/node';
import { completing, simplified } from '../shared/receive/output';
import { reportOutput } from './resources/report';
import { reportEvents, reportFeeds } from './resources/reportEvents';
import { pdfs } from './resources/reportPdf';

const events = eventsField(
	reportEvents,
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
			'Whether to attach the PDF of the report to each item, in the binary field "data". This costs one request for each report. If a report is not complete, its event waits for up to an hour. The field "pdf_attached" shows whether the item has a PDF.',
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

export class ReportTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Report Trigger',
		name: 'reportTrigger',
		icon: {
			light: 'file:../../icons/report.svg',
			dark: 'file:../../icons/report.dark.svg',
		},
		version: 1,
		documentationUrl: documentation('nodes.md#site-management-report-trigger'),
		subtitle: eventsSubtitle(events),
		description:
			'Create, download and send reports about sites, or start a workflow when a report is created, or its email is delivered, opened or fails',
		defaults: { name: 'Report Trigger' },
		...triggerOf(parameters),
	};

	methods = methods;

	poll = pollOf(parameters, (set, context) => {
		const { attachPdf = false, followDays = DEFAULT_DAYS, clientId, siteId, type } = set;
		const query = filtersOf({ 'client_id:eq': clientId, 'site_id:eq': siteId, 'type:eq': type });
		return {
			feeds: reportFeeds(textsIn(set.events), Number(followDays), query),
			...(attachPdf === true && { details: pdfs(context) }),
			complete: completing(context, reportOutput, set),
			shape: shapeOf(set),
			nothingToShow: {
				message: 'No report to show yet',
				description:
					'None of the last 100 reports that match the filters has one of the chosen events. Choose more events, remove a filter, or try again after the next report.',
			},
		};
	});
}

/** The output of an event; one of an email has its recipient, too. */
function shapeOf(set: Settings): Shape {
	const added = ['event', 'pdf_attached'];
	const ofReport = simplified(reportOutput.simplified, set, added);
	const recipient = { recipient_email: 'recipient.email', recipient_status: 'recipient.status' };
	const ofEmail = simplified({ ...recipient, ...reportOutput.simplified }, set, added);
	return (json) => (json.recipient ? ofEmail : ofReport)(json);
}

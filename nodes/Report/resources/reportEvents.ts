import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';
import type { Occurrence, TimedFeed } from '../../shared/polling/feed';
import { isRecord } from '../../shared/isRecord';

/** The events of a report that a workflow can start on. */
export const reportEvents: INodePropertyOptions[] = [
	{
		name: 'E-Mail Bounced',
		value: 'bounced',
		description: 'The e-mail to a recipient came back',
	},
	{
		name: 'E-Mail Delivered',
		value: 'delivered',
		description: 'The e-mail has reached a recipient',
	},
	{
		name: 'E-Mail Failed',
		value: 'failed',
		description: 'The e-mail to a recipient could not be sent',
	},
	{
		name: 'E-Mail Marked as Spam',
		value: 'spam',
		description: 'A recipient has the e-mail among the spam',
	},
	{
		name: 'E-Mail Opened',
		value: 'opened',
		description: 'A recipient has opened the e-mail',
	},
	{
		name: 'Report Created',
		value: 'created',
		description: 'A report was made, once or by a schedule',
	},
];

/** What has happened to the e-mail of a recipient: a time that is set stays a fact in any later state. Part A, 2.10. */
const facts: Record<string, (recipient: IDataObject) => boolean> = {
	delivered: ({ delivered_at: at }) => Boolean(at),
	opened: ({ opened_at: at }) => Boolean(at),
	bounced: ({ status }) => status === 'bounced',
	failed: ({ status }) => status === 'failed',
	spam: ({ status }) => status === 'spam',
};

const DAY_MS = 86_400_000;

/**
 * The reports, of which nothing but the time of creation can be asked for.
 * @param days how old a report may be whose e-mails are followed
 */
export function reportFeed(events: string[], days: number, query: IDataObject): TimedFeed {
	const feed: TimedFeed = {
		url: '/reports',
		timeField: 'created_at',
		query,
		occurrences: reportOccurrences(events),
	};
	if (!events.some((event) => event in facts)) return feed;
	// No state of the recipients is final: a report can be sent to others, or to the same again, at any time.
	return { ...feed, isOpen: () => true, openForMs: days * DAY_MS };
}

/** The chosen events of a report until now: its creation, and those of each recipient of each time it was sent. */
export function reportOccurrences(events: string[]): (report: IDataObject) => Occurrence[] {
	const emailEvents = Object.keys(facts).filter((event) => events.includes(event));
	return (report) => {
		const created = events.includes('created')
			? [{ key: `${String(report.id)}:created`, event: 'created' }]
			: [];
		const ofRecipients = recipientsOf(report).flatMap((recipient) => {
			const { email, sent_at: sentAt } = recipient;
			return emailEvents
				.filter((event) => facts[event]!(recipient))
				.map((event) => ({
					key: [report.id, event, email, sentAt].map((part) => String(part ?? '')).join(':'),
					event,
					json: { recipient, ...report },
				}));
		});
		return [...created, ...ofRecipients];
	};
}

function recipientsOf({ email }: IDataObject): IDataObject[] {
	const recipients = isRecord(email) ? email.recipients : undefined;
	return Array.isArray(recipients) ? (recipients as unknown[]).filter(isRecord) : [];
}

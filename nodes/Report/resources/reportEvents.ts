import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';
import type { Occurrence, Polled } from '../../shared/polling/feed';
import { hash } from '../../shared/polling/seenStore';
import { isRecord, recordsIn } from '../../shared/lib/isRecord';
import { otherStatus, otherStatusEvent } from '../../shared/resources/otherStatus';
import { statusWord } from '../../shared/vocabulary/statusWords';

/** The events of a report that a workflow can start on. */
export const reportEvents: INodePropertyOptions[] = [
	{
		name: 'Email Bounced',
		value: 'bounced',
		description: 'The email to a recipient bounced',
	},
	{
		name: 'Email Delivered',
		value: 'delivered',
		description: 'The email was delivered to a recipient',
	},
	{
		name: 'Email Failed',
		value: 'failed',
		description: 'The email to a recipient could not be sent',
	},
	{
		name: 'Email Marked as Spam',
		value: 'spam',
		description: 'A recipient marked the email as spam',
	},
	{
		name: 'Email Opened',
		value: 'opened',
		description: 'A recipient opened the email',
	},
	otherStatusEvent(
		'The email to a recipient has a status that this node does not know. Reported once for each status.',
	),
	{
		name: 'Report Created',
		value: 'created',
		description: 'A report was created, once or by a schedule',
	},
];

const FACTS = ['delivered', 'opened', 'bounced', 'failed', 'spam'];

/** A time that is set stays a fact in any later status, and every time can be null. Source: Part A, 2.10. */
const hasHappened = (event: string, recipient: IDataObject) =>
	statusWord(recipient.status) === event || Boolean(recipient[`${event}_at`]);

const DAY_MS = 86_400_000;

/**
 * The lists to read for the chosen events: the reports, of which nothing but the time of creation can be asked for,
 * are read from the last one on for new ones, and from the oldest one that is followed for their e-mails.
 * @param days how old a report may be whose e-mails are followed
 */
export function reportFeeds(events: string[], days: number, query: IDataObject): Polled['feeds'] {
	const list = { url: '/reports', timeField: 'created_at', query };
	const feeds: Polled['feeds'] = {};
	if (events.includes('created')) {
		feeds.created = {
			timed: { ...list, occurrences: () => [{ key: 'created', event: 'created' }] },
		};
	}
	if (events.some((event) => event !== 'created')) {
		feeds.emails = {
			timed: {
				...list,
				occurrences: emailOccurrences,
				// No state of the recipients is final: a report can be sent to others, or to the same again, at any time.
				isOpen: () => true,
				openForMs: days * DAY_MS,
			},
		};
	}
	return feeds;
}

/** A recipient of a sending among those of the same report. */
const RECIPIENT_LENGTH = 4;

const nameOf = (email: unknown, sentAt: unknown) =>
	hash(`${String(email)} ${String(sentAt || null)}`, RECIPIENT_LENGTH);

/** What has happened to the e-mails of a report until now: to each recipient of each time it was sent. */
function emailOccurrences(report: IDataObject): Occurrence[] {
	const recipients = recipientsOf(report);
	const undated = recipients.filter((each) => !each.sent_at).map(({ email }) => email);
	const counts = new Map<string, number>();
	return recipients.flatMap((recipient) => {
		const { email, sent_at: sentAt, status } = recipient;
		const json = { recipient, ...report };
		const happened = (of: string): Occurrence[] => [
			...FACTS.filter((event) => hasHappened(event, recipient)).map((event) => ({
				key: event[0]! + of,
				event,
				json,
			})),
			...otherStatus('reportEmail', status, of).map((other) => ({ ...other, json })),
		];
		// The service may fill in later when it sent an email.
		const earlier = undated.includes(email) ? [] : happened(nameOf(email, null));
		return happened(nameOf(email, sentAt)).map((occurrence, index) => {
			const { key } = occurrence;
			const count = (counts.get(key) ?? 0) + 1;
			counts.set(key, count);
			const was = earlier[index]?.key;
			return { ...occurrence, key: count > 1 ? `${key}${count}` : key, ...(was && { was }) };
		});
	});
}

const recipientsOf = ({ email }: IDataObject) => recordsIn(isRecord(email) && email.recipients);

import type { IDataObject } from 'n8n-workflow';
import type { Occurrence, Polled } from '../../shared/polling/feed';
import { hash, recordIn, recordsIn } from '../../shared/lib';
import { otherStatus } from '../../shared/resources/statusEvents';
import { statusWord } from '../../shared/vocabulary/values';
import { optionsFrom } from '../../shared/describe';

/** The events of a report that a workflow can start on. */
export const reportEvents = optionsFrom({
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
});

const FACTS = ['delivered', 'opened', 'bounced', 'failed', 'spam'];

/** An event has happened if its time is set, or the status says so: every time can be null. Source: Part A, 2.10. */
const hasHappened = (event: string, recipient: IDataObject) =>
	statusWord(recipient.status) === event || Boolean(recipient[`${event}_at`]);

const DAY_MS = 86_400_000;

/**
 * The feeds for the chosen events. New reports are read from the last one on, emails from the oldest followed report on:
 * the service filters by creation only.
 * @param days how long the emails of a report are followed
 */
export function reportFeeds(events: string[], days: number, query: IDataObject): Polled['feeds'] {
	const list = { kind: 'timed' as const, url: '/reports', timeField: 'created_at', query };
	const feeds: Polled['feeds'] = {};
	if (events.includes('created')) {
		feeds.created = { ...list, occurrences: () => [{ key: 'created', event: 'created' }] };
	}
	if (events.some((event) => event !== 'created')) {
		feeds.emails = {
			...list,
			occurrences: emailOccurrences,
			// No status of a recipient is final: a report can be sent again at any time.
			isOpen: () => true,
			openForMs: days * DAY_MS,
		};
	}
	return feeds;
}

/** Length of the hash that identifies a recipient each time the report is sent. */
const RECIPIENT_LENGTH = 4;

const nameOf = (email: unknown, sentAt: unknown) =>
	hash(`${String(email)} ${String(sentAt || null)}`, RECIPIENT_LENGTH);

/** The email events of a report until now, for each recipient and sending. */
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
		// The service may set `sent_at` later.
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

const recipientsOf = ({ email }: IDataObject) => recordsIn(recordIn(email).recipients);

import { unprocessable } from '../../engine/errors';
import { textFilters, timestampFilters } from '../../http/filters';
import type { Context } from '../../http/context';
import { failing, resource } from '../../http/kit';
import { fields } from '../../http/paging';
import {
	boolean,
	emailAddress,
	notBlank,
	oneOf,
	string,
	timestamp,
	object,
	limited,
	changesOf,
} from '../../http/schema';
import { needing } from '../account/needs';
import { requireNewEmail } from '../shared/emails';
import { type SenderEmailRow, senderEmailStatuses } from './rows';
import {
	checkRecord,
	createSender,
	dnsRecords,
	moveReturnPath,
	rotateDkim,
	sendVerification,
} from './rules';

const dnsRecord = object({ hostname: string, value: string, verified: boolean });

/** Part A 2.4 and 4.5. */
const senderEmails = resource<SenderEmailRow>({
	name: 'sender_email',
	plural: 'sender_emails',
	path: '/sender-emails',
	kind: (store) => store.senderEmails,
	view: ({ internal: _internal, ...sender }) => sender,
	schema: object({
		id: string,
		email: string,
		name: string,
		status: oneOf(...senderEmailStatuses),
		domain: object({ dkim: dnsRecord, return_path: dnsRecord }),
		created_at: timestamp,
		updated_at: timestamp,
	}),
});

/** An action of a sender of that status; it fails with 422 for the others. */
const actionWhile = (
	status: SenderEmailRow['status'],
	operationId: string,
	verb: string,
	act: (sender: SenderEmailRow, context: Context) => void,
) =>
	senderEmails.action(operationId, verb, (sender, context) => {
		if (sender.status !== status) {
			throw unprocessable(`not_${status}`, 'sender_email_id', `is ${sender.status}`);
		}
		act(sender, context);
		sender.updated_at = context.world.timestamp();
	});

export const senderEmailRoutes = needing('sender_emails', [
	failing(
		[422],
		senderEmails.list('listSenderEmails', {
			filters: {
				...textFilters('email', 'name'),
				status: {
					type: senderEmailStatuses,
					operators: ['eq'],
					value: (sender) => sender.status,
				},
				domain_dkim_verified: {
					type: 'boolean',
					operators: ['eq'],
					value: ({ domain }) => domain.dkim.verified,
				},
				domain_return_path_verified: {
					type: 'boolean',
					operators: ['eq'],
					value: ({ domain }) => domain.return_path.verified,
				},
				...timestampFilters('created_at', 'updated_at'),
			},
			sort: fields('email', 'name', 'status', 'created_at', 'updated_at'),
			defaultSort: 'created_at,desc',
		}),
	),
	senderEmails.create(
		'createSenderEmail',
		object({ email: emailAddress, name: notBlank }),
		({ world }, sent) => {
			requireNewEmail(world.store.senderEmails.peek(), sent.email, 'sender_email.email');
			return createSender(world, sent);
		},
	),
	failing([422], senderEmails.show('showSenderEmail')),
	failing(
		[422],
		senderEmails.delete('deleteSenderEmail', ({ id }, { world }) =>
			world.store.senderEmails.delete(id),
		),
	),
	senderEmails.update(
		'updateSenderEmail',
		limited(changesOf({ name: notBlank }), { additionalProperties: true }),
		(sender, { name = sender.name, ...others }, { world }) => {
			for (const hostname of texts(others)) moveReturnPath(world, sender, hostname);
			Object.assign(sender, { name, updated_at: world.timestamp() });
		},
	),
	actionWhile(
		'pending',
		'resendSenderEmailVerification',
		'resend-verification',
		(sender, { world }) => sendVerification(world, sender),
	),
	actionWhile('verified', 'rotateSenderEmailDkim', 'rotate-dkim', (sender, { world }) =>
		rotateDkim(world, sender),
	),
	actionWhile('verified', 'verifySenderEmailDkim', 'verify-dkim', (sender) =>
		checkRecord(sender, 'dkim'),
	),
	actionWhile('verified', 'verifySenderEmailReturnPath', 'verify-return-path', (sender) =>
		checkRecord(sender, 'return_path'),
	),
	senderEmails.action('refreshSenderEmail', 'refresh', (sender, { world }) => {
		if (sender.internal.ownership_confirmed) sender.status = 'verified';
		for (const record of dnsRecords) checkRecord(sender, record);
		sender.updated_at = world.timestamp();
	}),
]);

/**
 * The texts in a value, however deep. The name of the field for the host of the return path is not
 * shown (Part A 4.5): whatever text an update has besides the name is that host.
 */
function texts(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	return value === null || typeof value !== 'object' ? [] : Object.values(value).flatMap(texts);
}

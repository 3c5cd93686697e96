import { unprocessable } from '../../engine/errors';
import type { Handler, World } from '../../engine/world';
import type { DnsRecord, SenderEmailRow } from './rows';

declare module '../../engine/settings' {
	interface Settings {
		/** How long it takes to follow the link of a verification mail, in milliseconds. */
		ownershipConfirmationMs: number;
		/** How long it takes until a new DNS record of a sender's domain is found, in milliseconds. */
		dnsPublicationMs: number;
	}
}

export const dnsRecords = ['dkim', 'return_path'] as const;
type RecordName = (typeof dnsRecords)[number];

/** Adds a sender whose ownership is not confirmed and whose DNS records are not published yet. */
export function createSender(
	world: World,
	fields: { email: string; name: string },
	random = world.random,
): SenderEmailRow {
	const now = world.timestamp();
	const domain = domainOf(fields.email);
	const sender = world.store.senderEmails.insert({
		id: random.hex(24),
		email: fields.email,
		name: fields.name,
		status: 'pending',
		domain: { dkim: newDkim(domain, random), return_path: newReturnPath(`bounces.${domain}`) },
		created_at: now,
		updated_at: now,
		internal: {
			ownership_confirmed: false,
			verification_sent_at: now,
			published: { dkim: false, return_path: false },
		},
	});
	sendVerification(world, sender);
	for (const record of dnsRecords) awaitPublication(world, sender, record);
	return sender;
}

/** Sends a mail whose link the owner follows some time later. */
export function sendVerification(world: World, sender: SenderEmailRow): void {
	sender.internal.verification_sent_at = world.timestamp();
	world.after(world.settings.ownershipConfirmationMs, 'sender.confirmed', { id: sender.id });
}

/** Replaces the DKIM record by one that has to be published first. */
export function rotateDkim(world: World, sender: SenderEmailRow): void {
	replaceRecord(world, sender, 'dkim', newDkim(domainOf(sender.email), world.random));
}

/** Moves the return path to another host, whose record has to be published first. */
export function moveReturnPath(world: World, sender: SenderEmailRow, hostname: string): void {
	if (!/^([a-z0-9_]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/i.test(hostname)) {
		throw unprocessable('invalid', 'sender_email', `has ${hostname}, which is not a host name`);
	}
	if (hostname === sender.domain.return_path.hostname) return;
	replaceRecord(world, sender, 'return_path', newReturnPath(hostname));
}

/** Takes over whether the record can be found in the DNS. */
export function checkRecord(sender: SenderEmailRow, record: RecordName): void {
	sender.domain[record].verified = sender.internal.published[record];
}

export const senderHandlers: Record<string, Handler> = {
	'sender.confirmed': (world, { id }) => {
		const sender = world.store.senderEmails.get(String(id));
		if (sender) sender.internal.ownership_confirmed = true;
	},
	'sender.published': (world, { id, record, key }) => {
		const sender = world.store.senderEmails.get(String(id));
		const name = record as RecordName;
		// A record that was replaced in the meantime is published for nothing.
		if (sender && keyOf(sender.domain[name]) === key) sender.internal.published[name] = true;
	},
};

function replaceRecord(
	world: World,
	sender: SenderEmailRow,
	name: RecordName,
	record: DnsRecord,
): void {
	sender.domain[name] = record;
	sender.internal.published[name] = false;
	awaitPublication(world, sender, name);
}

function awaitPublication(world: World, sender: SenderEmailRow, record: RecordName): void {
	const key = keyOf(sender.domain[record]);
	world.after(world.settings.dnsPublicationMs, 'sender.published', { id: sender.id, record, key });
}

const keyOf = ({ hostname, value }: DnsRecord) => `${hostname} ${value}`;

const domainOf = (email: string) => email.slice(email.lastIndexOf('@') + 1);

const newDkim = (domain: string, random: World['random']): DnsRecord => ({
	hostname: `${random.hex(12)}._domainkey.${domain}`,
	value: `k=rsa; p=${random.hex(64)}`,
	verified: false,
});

const newReturnPath = (hostname: string): DnsRecord => ({
	hostname,
	value: 'return.mail.example.net',
	verified: false,
});

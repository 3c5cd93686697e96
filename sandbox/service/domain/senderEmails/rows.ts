import type { Row } from '../../engine/store';

/** Part A 2.4. */
export const senderEmailStatuses = ['pending', 'verified'] as const;

/** A DNS record that the owner of a sender's domain shall publish. */
export interface DnsRecord {
	hostname: string;
	value: string;
	verified: boolean;
}

/** Part A 2.4. */
export interface SenderEmailRow extends Row {
	email: string;
	name: string;
	status: (typeof senderEmailStatuses)[number];
	domain: { dkim: DnsRecord; return_path: DnsRecord };
	created_at: string;
	updated_at: string;
	internal: {
		/** Whether the owner has followed the link of the verification mail. */
		ownership_confirmed: boolean;
		verification_sent_at: string;
		/** Which DNS records can be found as they are now. */
		published: { dkim: boolean; return_path: boolean };
	};
}

declare module '../../engine/store' {
	interface Collections {
		senderEmails: Collection<SenderEmailRow>;
	}
}

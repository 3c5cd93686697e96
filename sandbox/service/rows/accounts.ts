import type { Row } from '../records';

/** Part A 2.2 and 2.14. */
export const accountRoles = ['collaborator', 'administrator', 'co_owner'] as const;
/** Part A 2.2. */
export const managedAccountStatuses = ['pending', 'connected', 'rejected'] as const;
/** Part A 2.3. */
export const storageProviders = ['cloudstore_a', 'cloudstore_b'] as const;
export const destinationStatuses = ['active', 'inactive'] as const;
/** Part A 2.4. */
export const senderEmailStatuses = ['pending', 'verified'] as const;
/** Part A 2.5 and 2.6. */
export const pluginBrandingTypes = ['default', 'custom', 'hidden'] as const;
export const wpLoginTypes = ['default', 'custom'] as const;
/** Part A 2.14. */
export const teamMemberStatuses = ['connected', 'pending'] as const;

/** The id of a row of which the account has exactly one. */
export const onlyId = 'account';

/** Part A 2.2: another account that invited the owner of this one. */
export interface ManagedAccountRow extends Row {
	email: string;
	role: (typeof accountRoles)[number];
	company_name: string;
	status: (typeof managedAccountStatuses)[number];
	all_sites_access: boolean;
	created_at: string;
	updated_at: string;
}

/** What a storage provider tells about the account that gave access. */
export interface StorageAccess {
	email: string;
	provider_account_id: string;
	provider_metadata: Record<string, string>;
	config: Record<string, string>;
}

/** Part A 2.3. A provider without a saved destination has a row whose id is the provider's. */
export interface BackupDestinationRow extends Row {
	provider: (typeof storageProviders)[number];
	provider_label: string;
	name: string;
	status: (typeof destinationStatuses)[number];
	connected: boolean;
	email: string | null;
	provider_account_id: string | null;
	provider_metadata: Record<string, string>;
	config: Record<string, string>;
	last_tested_at: string | null;
	last_error_code: string | null;
	last_error_message: string | null;
	created_at: string;
	updated_at: string;
	internal: {
		/** The access that the provider grants; null when none was given or it was revoked there. */
		access: StorageAccess | null;
	};
}

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

/** Part A 2.5. */
export interface PluginBranding {
	type: (typeof pluginBrandingTypes)[number];
	name: string | null;
	description: string | null;
	author: { name: string | null; url: string | null };
}

export interface PluginBrandingRow extends Row, PluginBranding {}

/** Part A 2.6; the type follows from the other fields. */
export interface WpLoginRow extends Row {
	logo_file: string | null;
	label: string | null;
	error_message: string | null;
	tooltip: string | null;
	internal: { sender_email_id: string | null };
}

/** Part A 2.14: a member or, while pending, an invitation. */
export interface TeamMemberRow extends Row {
	name: string;
	email: string;
	company_name: string;
	note: string;
	role: (typeof accountRoles)[number];
	status: (typeof teamMemberStatuses)[number];
	all_sites_access: boolean;
	site_ids: string[];
	two_fa_enabled: boolean;
	created_at: string;
	updated_at: string;
}

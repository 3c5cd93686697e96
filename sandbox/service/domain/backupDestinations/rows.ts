import type { Row } from '../../engine/store';

/** Part A 2.3. */
export const storageProviders = ['cloudstore_a', 'cloudstore_b'] as const;
export const destinationStatuses = ['active', 'inactive'] as const;

declare module '../../engine/settings' {
	interface Settings {
		/** Whether the account can use the storage provider `cloudstore_b` (Part A 2.3). */
		cloudstoreBEnabled: boolean;
		/** Storage providers that can not be reached just now (Part A 7, status 503). */
		unavailableProviders: ReadonlyArray<BackupDestinationRow['provider']>;
	}
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
		/** The access has run out: a test succeeds and returns the error. */
		isExpired?: boolean;
	};
}

declare module '../../engine/store' {
	interface Collections {
		backupDestinations: Collection<BackupDestinationRow>;
	}
}

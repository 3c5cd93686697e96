import type { Row } from '../../engine/store';
import type { accountRoles } from '../shared/roles';

/** Part A 2.2. */
export const managedAccountStatuses = ['pending', 'connected', 'rejected'] as const;

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

declare module '../../engine/store' {
	interface Collections {
		managedAccounts: Collection<ManagedAccountRow>;
	}
}

import type { Row } from '../../engine/store';
import type { accountRoles } from '../shared/roles';

/** Part A 2.14. */
export const teamMemberStatuses = ['connected', 'pending'] as const;

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

declare module '../../engine/store' {
	interface Collections {
		teamMembers: Collection<TeamMemberRow>;
	}
}

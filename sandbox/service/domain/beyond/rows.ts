import type { Row } from '../../engine/store';

export const userRoles = [
	'administrator',
	'editor',
	'author',
	'contributor',
	'subscriber',
] as const;
export const secondFactors = ['not_applied', 'pending', 'applied'] as const;

/** A user of the CMS of a site. */
export interface UserRow extends Row {
	username: string;
	email: string;
	role: (typeof userRoles)[number];
	two_fa_status: (typeof secondFactors)[number];
	first_name: string | null;
	locale: string;
	created_at: string;
	password_changed_at: string | null;
}

/** Nothing where a field stays as the site has it by itself. */
export interface ComponentState {
	active?: boolean;
	locked?: boolean;
	deleted?: boolean;
}

export interface IpList {
	mode: 'allow' | 'block';
	entries: Array<{ type: 'single' | 'range'; ip?: string; from?: string; to?: string }>;
	note: string | null;
	expires_at: string | null;
}

/** What of a site nobody knows by the reference, once it was changed; the id is that of the site. */
export interface BeyondRow extends Row {
	/** By main file. */
	components: Record<string, ComponentState>;
	users: UserRow[];
	/** Ids of the detections that are marked as safe. */
	safe: string[];
	ip_list: IpList;
}

declare module '../../engine/store' {
	interface Collections {
		beyond: SiteCollection<BeyondRow>;
	}
}

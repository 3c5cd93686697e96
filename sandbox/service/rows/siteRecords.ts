import type { Row } from '../records';

/** Part B 2.2. */
export interface CustomWorkRow extends Row {
	site_id: string;
	title: string;
	description: string;
	performed_on: string;
	created_at: string;
	updated_at: string;
}

interface Author {
	name: string;
	email: string;
}

/** Earlier content of a note (Part B 2.3). */
export interface NoteVersion extends Row {
	content: string;
	user: Author;
	created_at: string;
	updated_at: string;
}

/** Part B 2.3. */
export interface NoteRow extends Row {
	site_id: string;
	content: string;
	user: Author;
	created_at: string;
	updated_at: string;
	internal: {
		/** Oldest first. */
		versions: NoteVersion[];
	};
}

/** Part B 2.4. */
export const objectTypes = [
	'post',
	'comment',
	'category',
	'tag',
	'menu',
	'user_profile',
	'plugin',
	'theme',
	'multisite',
	'user',
	'wp_core',
	'site',
	'files',
	'shop_product',
	'shop_order',
	'shop_product_category',
	'shop_product_tag',
	'shop_product_attribute',
	'shop_tax_rate',
	'shop_product_download_access',
	'shop_shipping_zone_method',
	'unknown',
] as const;

/** Part B 2.4. */
export const eventTypes = [
	'added',
	'created',
	'edited',
	'updated',
	'modified',
	'deleted',
	'published',
	'drafted',
	'pending',
	'scheduled',
	'trashed',
	'stuck',
	'unstuck',
	'approved',
	'unapproved',
	'spammed',
	'activated',
	'deactivated',
	'changed',
	'archived',
	'unarchived',
	'login',
	'logout',
	'password_reset',
	'hacked',
	'granted',
	'revoked',
	'status_changed',
	'unknown',
] as const;

/** Part B 2.4. */
export interface ActivityLogRow extends Row {
	site_id: string;
	username: string;
	ip_address: string;
	country_code: string;
	object_type: (typeof objectTypes)[number];
	event_type: (typeof eventTypes)[number];
	event_details: Record<string, string>;
	timestamp: string;
}

/** Part B 2.6. */
export interface ImportantPageRow extends Row {
	site_id: string;
	url: string;
}

/** Part B 2.9; its id is that of the site. */
export interface SiteSettingsRow extends Row {
	wp_auto_updates: { enabled: boolean };
	shop_db_upgrade: { enabled: boolean };
}

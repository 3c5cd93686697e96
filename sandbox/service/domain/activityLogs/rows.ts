import type { Row } from '../../engine/store';

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

declare module '../../engine/store' {
	interface Collections {
		activityLogs: SiteCollection<ActivityLogRow>;
	}
}

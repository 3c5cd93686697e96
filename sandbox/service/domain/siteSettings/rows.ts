import type { Row } from '../../engine/store';

/** Part B 2.9; its id is that of the site. */
export interface SiteSettingsRow extends Row {
	wp_auto_updates: { enabled: boolean };
	shop_db_upgrade: { enabled: boolean };
}

declare module '../../engine/store' {
	interface Collections {
		siteSettings: SiteCollection<SiteSettingsRow>;
	}
}

import type { Row } from '../../engine/store';
import type { Settings } from '../../engine/settings';

/**
 * What the plan of a site can have. The reference tells of backups and of monitoring (Part B 4.5, 4.7 and 4.8); the
 * others are switches of the sandbox, for a 422 of which the reference does not show the condition.
 */
export const siteFeatures = [
	'backups',
	'performance',
	'activity_logs',
	'notes',
	'site_settings',
] as const;

/** What the plan of the account can have: the same for all sites, four of the reference, and such switches. */
export const planFeatures = [
	...siteFeatures,
	// Part A 2.7 and 4.6.
	'plugin_branding',
	'wp_login',
	'auto_update_backup',
	'visual_regression',
	'auto_updates',
	'scheduled_reports',
	'sender_emails',
	'staging_sites',
	'tags',
] as const;

export type SiteFeature = (typeof siteFeatures)[number];
export type PlanFeature = (typeof planFeatures)[number];

/** The limits of the account's plan (Part A 8 and Part B 4.8), by the settings that hold them. */
export const planLimits = {
	tags_per_site: 'tagsPerSite',
	staging_days: 'stagingMaxDays',
	syncs_per_day: 'syncsPerDay',
	important_pages_per_site: 'importantPagesPerSite',
} as const satisfies Record<string, keyof Settings>;

export type PlanLimit = keyof typeof planLimits;
export const planLimitNames = Object.keys(planLimits) as PlanLimit[];

/** The plan of one site, whose id it has; a site without one has every feature that the account has. */
export interface SitePlanRow extends Row {
	without: SiteFeature[];
}

declare module '../../engine/settings' {
	interface Settings {
		/** Features that the account's plan has (Part A 4.6; which plan has which: not shown). */
		planFeatures: readonly PlanFeature[];
		/** The name and e-mail of whoever the API token belongs to (Part B 2.3). */
		currentUser: { name: string; email: string };
	}
}

declare module '../../engine/store' {
	interface Collections {
		sitePlans: SiteCollection<SitePlanRow>;
	}
}

import { unprocessable } from '../../engine/errors';
import type { World } from '../../engine/world';

/** Parts of the service that need a plan with them (Part A 2.7 and 4.6, Part B 3). */
export const planFeatures = [
	'plugin_branding',
	'wp_login',
	'backups',
	'performance',
	'auto_update_backup',
	'visual_regression',
] as const;

export type PlanFeature = (typeof planFeatures)[number];

declare module '../../engine/settings' {
	interface Settings {
		/** Features that the account's plan has (Part A 4.6; which plan has which: not shown). */
		planFeatures: readonly PlanFeature[];
		/** The name and e-mail of whoever the API token belongs to (Part B 2.3). */
		currentUser: { name: string; email: string };
	}
}

/** Fails with 422 when the account's plan does not have the feature. */
export function requireFeature(world: World, feature: PlanFeature, param: string): void {
	if (!world.settings.planFeatures.includes(feature)) {
		throw unprocessable('plan', param, `needs a plan with the feature ${feature}`);
	}
}

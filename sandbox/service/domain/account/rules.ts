import { unprocessable } from '../../engine/errors';
import type { Settings } from '../../engine/settings';
import type { World } from '../../engine/world';
import {
	type PlanFeature,
	planFeatures,
	type PlanLimit,
	planLimitNames,
	planLimits,
	type SiteFeature,
} from './rows';

/** Fails with 422 when the account's plan does not have the feature. */
export function requireFeature(world: World, feature: PlanFeature, param: string): void {
	if (world.settings.planFeatures.includes(feature)) return;
	throw unprocessable('plan', param, `needs a plan with the feature ${feature}`);
}

/** Fails with 422 when the plan of the account, or of the site itself, does not have the feature. */
export function requireSiteFeature(world: World, site: { id: string }, feature: SiteFeature): void {
	requireFeature(world, feature, 'site_id');
	if (!world.store.sitePlans.get(site.id)?.without.includes(feature)) return;
	throw unprocessable('plan', 'site_id', `is a site whose plan lacks the feature ${feature}`);
}

export const featuresWithout = (lacking: readonly PlanFeature[]): PlanFeature[] =>
	planFeatures.filter((feature) => !lacking.includes(feature));

/** The settings that hold the limits; those that are not given stay. */
export const limitSettings = (limits: Partial<Record<PlanLimit, number>>): Partial<Settings> =>
	Object.fromEntries(
		planLimitNames
			.filter((name) => limits[name] !== undefined)
			.map((name) => [planLimits[name], limits[name]]),
	);

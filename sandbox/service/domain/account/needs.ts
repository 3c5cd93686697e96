import type { Context } from '../../http/context';
import type { Route } from '../../http/kit';
import { errorStatuses } from '../../http/statuses';
import { siteOf } from '../sites/rules';
import type { PlanFeature, SiteFeature } from './rows';
import { requireFeature, requireSiteFeature } from './rules';

/** The same operations; those of them that can fail with 422 need a feature of the account's plan. */
export const needing = (feature: PlanFeature, routes: Route[]): Route[] =>
	checked(routes, ({ world }) => requireFeature(world, feature, feature));

/** The same with a feature of the plan of the site that the path names. */
export const needingOfSite = (feature: SiteFeature, routes: Route[]): Route[] =>
	checked(routes, (context) => requireSiteFeature(context.world, siteOf(context), feature));

const checked = (routes: Route[], check: (context: Context) => void): Route[] =>
	routes.map((one) => {
		if (!errorStatuses(one).includes(422)) return one;
		return {
			...one,
			handle(context) {
				check(context);
				return one.handle(context);
			},
		};
	});

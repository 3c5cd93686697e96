import type { World } from '../../engine/world';
import { control } from '../../http/module';
import { arrayOf, atLeast, object, oneOf, optional, partial } from '../../http/schema';
import { siteOf } from '../sites/rules';
import { planFeatures, planLimitNames, planLimits, siteFeatures } from './rows';
import { featuresWithout, limitSettings } from './rules';

const limits = partial(Object.fromEntries(planLimitNames.map((name) => [name, atLeast(0)])));

/** The plan of the account as it is, and those of the sites that lack something of it. */
function plans({ settings, store }: World) {
	const without = planFeatures.filter((feature) => !settings.planFeatures.includes(feature));
	return {
		account: {
			features: settings.planFeatures,
			without,
			limits: Object.fromEntries(planLimitNames.map((name) => [name, settings[planLimits[name]]])),
		},
		sites: store.sitePlans.all().map(({ id, without: lacking }) => ({
			site_id: id,
			without: lacking,
		})),
	};
}

export const planControls = [
	control({
		method: 'GET',
		path: '/plan',
		does: "The features and limits of the account's plan, and the sites whose plan lacks features",
		handle: ({ world }) => plans(world),
	}),
	control({
		method: 'POST',
		path: '/plan',
		does: `Changes the account's plan until the service stops: {"without"?: [features], "limits"?: {name: number}}. Operations that need a missing feature return 422; [] restores all features. Features: ${planFeatures.join(', ')}. Limits: ${planLimitNames.join(', ')}`,
		body: object({
			without: optional(arrayOf(oneOf(...planFeatures))),
			limits: optional(limits),
		}),
		handle({ world, body }) {
			const { settings } = world;
			if (body.without) settings.planFeatures = featuresWithout(body.without);
			Object.assign(settings, limitSettings(body.limits ?? {}));
			return plans(world);
		},
	}),
	control({
		method: 'POST',
		path: '/sites/{site_id}/plan',
		does: `Changes the plan of one site: {"without": [features]}. Features: ${siteFeatures.join(', ')}`,
		body: object({ without: arrayOf(oneOf(...siteFeatures)) }),
		handle({ world, params, body }) {
			const site = siteOf({ world, params });
			const without = siteFeatures.filter((feature) => body.without.includes(feature));
			if (without.length > 0) world.store.sitePlans.insert({ id: site.id, without });
			else world.store.sitePlans.delete(site.id);
			return plans(world);
		},
	}),
];

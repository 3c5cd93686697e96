import type { Settings } from '../../engine/settings';
import { wordOf } from '../../http/occurrence';
import { planFeatures, planLimitNames } from './rows';
import { featuresWithout, limitSettings } from './rules';

/** How a plan is written on the command line. */
export const planUsage = {
	without: `the account's plan lacks these features, whose operations answer with 422: ${planFeatures.join(', ')}`,
	limits: `limits of the account's plan: ${planLimitNames.join(', ')}`,
};

/** Reads `FEATURE,…`. */
export const parseFeatures = (text: string): Partial<Settings> => ({
	planFeatures: featuresWithout(text.split(',').map((word) => wordOf(word, planFeatures))),
});

/** Reads `LIMIT=N,…`. */
export function parseLimits(text: string): Partial<Settings> {
	const limits = text.split(',').map((part) => {
		const [, name, value] = /^(\w+)=(\d+)$/.exec(part) ?? [];
		if (name === undefined) throw new RangeError(`"${part}" is no LIMIT=N`);
		return [wordOf(name, planLimitNames), Number(value)];
	});
	return limitSettings(Object.fromEntries(limits));
}

import type { Settings } from '../../engine/settings';
import { wordOf } from '../../http/occurrence';
import { planFeatures, planLimitNames } from './rows';
import { featuresWithout, limitSettings } from './rules';

/** How a plan is written on the command line. */
export const planUsage = {
	without: `Remove these features from the account's plan. Their operations return 422. Features: ${planFeatures.join(', ')}`,
	limits: `Set limits of the account's plan. Limits: ${planLimitNames.join(', ')}`,
};

/** Reads `FEATURE,…`. */
export const parseFeatures = (text: string): Partial<Settings> => ({
	planFeatures: featuresWithout(text.split(',').map((word) => wordOf(word, planFeatures))),
});

/** Reads `LIMIT=N,…`. */
export function parseLimits(text: string): Partial<Settings> {
	const limits = text.split(',').map((part) => {
		const [, name, value] = /^(\w+)=(\d+)$/.exec(part) ?? [];
		if (name === undefined) throw new RangeError(`"${part}" is not in the form LIMIT=N`);
		return [wordOf(name, planLimitNames), Number(value)];
	});
	return limitSettings(Object.fromEntries(limits));
}

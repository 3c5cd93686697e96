import { resources } from './resources';
import type { Rules } from './shared/access/check';
import { ruleOf } from './shared/operation';

/** What each request does, by its route: the credential looks at requests of other nodes, too. */
export const rules: Rules = new Map(
	resources.flatMap(({ operations }) =>
		operations
			.filter(({ composed }) => !composed)
			.map((operation) => [operation.route, ruleOf(operation)] as const),
	),
);

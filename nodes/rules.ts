import { resources } from './resources';
import type { Rule, Rules } from './shared/access/check';
import type { Operation } from './shared/operation';

/** Records with passwords in their single views. Source: Part A, 2.16; Part B, 2.1. */
const SECRET_RECORDS = ['site', 'staging_site'];

/** What the signer has to know of an operation. */
const ruleOf = ({ effects, answer }: Operation): Rule => ({
	effects,
	hasSecrets: answer.kind === 'record' && SECRET_RECORDS.includes(answer.wrapper ?? ''),
});

/** What each request does, by its route: the credential looks at requests of other nodes, too. */
export const rules: Rules = new Map(
	resources.flatMap(({ operations }) =>
		operations
			.filter(({ composed }) => !composed)
			.map((operation) => [operation.route, ruleOf(operation)] as const),
	),
);

import type { INodeTypeDescription } from 'n8n-workflow';
import type { Resources } from '../describe';
import { builderHint, hints, properties } from '../describe';
import { requestDefaults, requestOperations } from '../run/send';

/** What the tables of its resources make of an action node; n8n's linter wants to read all else in its class. */
export function nodeOf(resources: Resources) {
	const shown = hints(resources);
	return {
		builderHint: builderHint(resources),
		defaultVersion: 1,
		requestDefaults,
		requestOperations: requestOperations(resources),
		...(shown && shown.length > 0 && { hints: shown }),
		properties: properties(resources),
	} satisfies Partial<INodeTypeDescription>;
}

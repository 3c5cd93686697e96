import type { INodeTypeDescription } from 'n8n-workflow';
import type { Resource } from '../operation';
import { describedWithCosts } from '../operation';

/**
 * What an AI that builds workflows reads of each operation. Without it n8n takes the text of the first resource that
 * has an operation of the same value. All else n8n writes itself, all fields with each operation anew: what many
 * operations have alike has to be short, and a condition on the operation inside a collection counts as met.
 */
export const builderHint = (resources: Resource[]): INodeTypeDescription['builderHint'] => ({
	extraTypeDefContent: resources.flatMap(({ value: resource, operations }) =>
		operations.map((one) => ({
			content: describedWithCosts(one),
			displayOptions: { show: { resource: [resource], operation: [one.labels.value] } },
		})),
	),
});

import type { INodeTypeDescription } from 'n8n-workflow';
import type { Resource } from '../operation';
import type { Rules } from '../access/check';
import { anyRequestSender, sender } from './send';

/** The same for all action nodes: where requests go. */
export const requestDefaults: INodeTypeDescription['requestDefaults'] = {
	baseURL: '={{ $credentials.baseUrl }}',
};

/** The one function that sends the requests of a node. */
export const requestOperations = (
	resources: Resource[],
): INodeTypeDescription['requestOperations'] => ({ pagination: sender(resources) });

/**
 * As `requestOperations`, for a node that sends whatever request its parameters say.
 * @param own its one resource
 * @param known what the operations of all nodes do
 * @param rules the same, as the credential knows it
 */
export const anyRequestOperations = (
	own: Resource,
	known: Resource[],
	rules: Rules,
): INodeTypeDescription['requestOperations'] => ({
	pagination: anyRequestSender(own, known, rules),
});

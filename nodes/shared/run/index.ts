import type { INodeTypeDescription } from 'n8n-workflow';
import type { Resource } from '../operation';
import { sender } from './send';

/** The same for all action nodes: where requests go. */
export const requestDefaults: INodeTypeDescription['requestDefaults'] = {
	baseURL: '={{ $credentials.baseUrl }}',
};

/** The one function that sends the requests of a node. */
export const requestOperations = (
	resources: Resource[],
): INodeTypeDescription['requestOperations'] => ({ pagination: sender(resources) });

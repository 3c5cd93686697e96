import type { INodeTypeDescription } from 'n8n-workflow';
import { sender } from './send';

/** The same for all action nodes: where requests go, and the one function that sends them. */
export const requestDefaults: INodeTypeDescription['requestDefaults'] = {
	baseURL: '={{ $credentials.baseUrl }}',
};

export const requestOperations: INodeTypeDescription['requestOperations'] = {
	pagination: sender(),
};

export { endOfSync, taskEnded } from './wait';

import { act, on } from '../../shared/describe';
import type { Resource } from '../../shared/operation';
import { anyRequestFields } from '../requestFields';

export const request: Resource = {
	name: 'Request',
	value: 'request',
	operations: [
		act('Send request to API', on('ANY /', 'noSite'), {
			description:
				'Any method and path of the API, for what the other nodes cannot do yet. The output is the unchanged response.',
			fields: anyRequestFields,
			kind: 'any',
		}),
	],
};

import type { Resource } from '../../shared/operation';
import { anyRequestFields } from '../requestFields';

/** Any request to the service. */
export const request: Resource = {
	name: 'Request',
	value: 'request',
	operations: [
		{
			labels: {
				name: 'Send',
				value: 'send',
				action: 'Send request to API',
				description:
					'Any method and path of the API, for what the other nodes cannot do yet. The output is the unchanged response.',
			},
			route: 'ANY /',
			touches: 'noSite',
			effects: [],
			isFinal: false,
			fields: anyRequestFields,
			answer: { kind: 'any' },
		},
	],
};

import { act } from '../../shared/describe/resource';
import { on, type Resource } from '../../shared/operation';
import { anyOperationFields } from '../anyOperation';
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
		act('Run any API operation', on('ANY /', 'noSite'), {
			name: 'Any Operation',
			value: 'anyOperation',
			description:
				"Any operation of the service's own API document, with its own parameters. Also operations that the other nodes do not have.",
			fields: anyOperationFields,
			kind: 'any',
		}),
	],
};

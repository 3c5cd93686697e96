import type { INodeProperties } from 'n8n-workflow';
import type { Resource } from '../operation';

/** Only where the node is a tool of an agent. */
const asTool = { '@tool': [true] };

/**
 * What a model reads of an operation: n8n's own text, `Delete a site in Site Management`, or where that would leave out
 * a consequence, `Delete a site: it leaves the account`. n8n adds no choice of its own where a node has one.
 */
export function toolFields(resources: Resource[]): INodeProperties[] {
	return [
		{
			displayName: 'Tool Description',
			name: 'descriptionType',
			type: 'options',
			noDataExpression: true,
			options: [
				{
					name: 'Set Automatically',
					value: 'operation',
					description: 'What the operation does, and what it brings about',
				},
				{ name: 'Set Manually', value: 'manual', description: 'A text of your own' },
			],
			default: 'operation',
			displayOptions: { show: asTool },
		},
		{
			displayName: 'Description',
			name: 'toolDescription',
			type: 'string',
			typeOptions: { rows: 2 },
			default: '',
			required: true,
			placeholder: 'e.g. Lists the sites of one client',
			description: 'What the tool does and when to use it; the model reads it',
			displayOptions: { show: { ...asTool, descriptionType: ['manual'] } },
		},
		...resources.flatMap(({ value: resource, operations }) =>
			operations.flatMap(({ labels: { action, value, consequence } }): INodeProperties[] =>
				consequence === undefined
					? []
					: [
							{
								displayName: 'Tool Description',
								name: 'toolDescription',
								type: 'hidden',
								default: `${action}: ${consequence}`,
								displayOptions: {
									show: {
										...asTool,
										descriptionType: ['operation'],
										resource: [resource],
										operation: [value],
									},
								},
							},
						],
			),
		),
	];
}

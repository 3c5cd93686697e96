import type { Field } from '../input/field';
import type { Operation } from '../operation';

/**
 * What a model reads of an operation as a tool of an agent: where nothing is set n8n's own text, `Get a site in Site
 * Management`, and where that would leave out a consequence, `Delete a site: it leaves the account`. n8n adds no such
 * field of its own where a node has one.
 */
export function toolFields({ labels: { action, consequence } }: Operation): Field[] {
	const text = consequence === undefined ? '' : `${action}: ${consequence}`;
	return [
		{
			displayName: 'Tool Description',
			name: 'toolDescription',
			type: 'string',
			typeOptions: { rows: 2 },
			default: text,
			placeholder: 'e.g. Lists the sites of one client',
			description: 'What the model reads of the tool; if empty, what the operation does',
			displayOptions: { show: { '@tool': [true] } },
		},
	];
}

import type { INodeProperties } from 'n8n-workflow';
import type { Field } from '../input/field';
import type { Resource } from '../operation';

/** For tools of an agent alone, which n8n gives no such field of its own where a node has one. */
const field = (text: string): Field => ({
	displayName: 'Tool Description',
	name: 'toolDescription',
	type: 'string',
	typeOptions: { rows: 2 },
	default: text,
	placeholder: 'e.g. Lists the sites of one client',
	description: 'What the model reads of the tool; if empty, what the operation does',
	displayOptions: { show: { '@tool': [true] } },
});

/** Which operations have a field, by their resource. */
export interface Shared {
	field: Field;
	used: Map<Resource, string[]>;
}

/**
 * What a model reads of an operation: where nothing is set n8n's own text, `Get a site in Site Management`, and where
 * that would leave out a consequence, `Delete a site: it leaves the account`.
 * @param shown gives the properties for a field
 */
export function toolFields(
	resources: Resource[],
	shown: (one: Shared) => INodeProperties[],
): INodeProperties[] {
	const plain: Shared = { field: field(''), used: new Map() };
	const told: Shared[] = [];
	for (const resource of resources) {
		for (const { labels } of resource.operations) {
			const { action, value, consequence } = labels;
			if (consequence === undefined)
				plain.used.set(resource, [...(plain.used.get(resource) ?? []), value]);
			else
				told.push({
					field: field(`${action}: ${consequence}`),
					used: new Map([[resource, [value]]]),
				});
		}
	}
	return [plain, ...told].flatMap(shown);
}

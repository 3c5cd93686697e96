import type { INodeProperties, INodePropertyCollection, INodeTypeDescription } from 'n8n-workflow';
import { actionNodes, description } from '../support/engine';

/** What a person sees in the panels of the nodes, as far as it can be told from the descriptions. */

const TRIGGERS = ['task', 'autoUpdate', 'report', 'site', 'activityLog'];

const isProperty = (option: object): option is INodeProperties => 'type' in option;
const isGroup = (option: object): option is INodePropertyCollection => 'values' in option;

/** All fields of a panel, also those of collections and the ways to name a record. */
function fieldsOf(properties: INodeProperties[], path = ''): Array<[string, INodeProperties]> {
	return properties.flatMap((property) => {
		const here = `${path}${property.name}`;
		const inside = (property.options ?? []).flatMap((option) => {
			if (isProperty(option)) return fieldsOf([option], `${here}.`);
			return isGroup(option) ? fieldsOf(option.values, `${here}.`) : [];
		});
		const modes = (property.modes ?? [])
			.filter(({ type }) => type === 'string')
			.map((mode): [string, INodeProperties] => [`${here} (${mode.displayName})`, mode as never]);
		return [[here, property] as [string, INodeProperties], ...modes, ...inside];
	});
}

let nodes: INodeTypeDescription[];

beforeAll(async () => {
	const triggers = TRIGGERS.map(async (name) => await description(`${name}Trigger`));
	nodes = [...(await actionNodes()), ...(await Promise.all(triggers))];
});

it('shows an example in each text field that begins empty', () => {
	const bare = nodes.flatMap(({ name, properties }) =>
		fieldsOf(properties)
			.filter(([, { type, default: value }]) => type === 'string' && (value ?? '') === '')
			.filter(([, { placeholder, typeOptions }]) => {
				const isSecret = typeOptions?.password === true;
				// n8n's own rules want that address in fields for one.
				return !isSecret && !/^(e\.g\. .|name@email\.com$)/.test(placeholder ?? '');
			})
			.map(([path]) => `${name}: ${path}`),
	);
	expect(bare).toEqual([]);
});

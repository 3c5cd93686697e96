import type { INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';
import { Workflow } from 'n8n-workflow';
import { actionNodes, description, nodeType } from '../support/engine';
import { toolOf } from '../support/tool';

/** What n8n names nodes and tools, and shows below their names. */

const TRIGGERS = [
	'autoUpdateTrigger',
	'backupTrigger',
	'reportTrigger',
	'siteTrigger',
	'stagingSiteTrigger',
	'taskTrigger',
];

interface Chosen {
	type: INodeTypeDescription;
	resource: INodePropertyOptions;
	operation: INodePropertyOptions;
}

async function operationsOf(): Promise<Chosen[]> {
	return (await actionNodes()).flatMap((type) => {
		const [resources] = type.properties.filter(({ name }) => name === 'resource');
		return (resources!.options as INodePropertyOptions[]).flatMap((resource) =>
			type.properties
				.filter(
					({ name, displayOptions }) =>
						name === 'operation' && displayOptions!.show!.resource!.includes(resource.value),
				)
				.flatMap(({ options }) => options as INodePropertyOptions[])
				.map((operation) => ({ type, resource, operation })),
		);
	});
}

/** As the editor resolves it: by the parameters alone. */
function subtitleOf({ subtitle, name }: INodeTypeDescription, parameters: object): unknown {
	const node = { name: 'A', type: name, typeVersion: 1, id: 'a', position: [0, 0], parameters };
	const workflow = new Workflow({
		nodes: [node as never],
		connections: {},
		active: false,
		nodeTypes: { getByNameAndVersion: () => undefined } as never,
	});
	return workflow.expression.getSimpleParameterValue(node as never, subtitle!, 'internal', {});
}

it('a node and a tool are named by what they do, and n8n cuts no name', async () => {
	const all = await operationsOf();
	expect(all.length).toBeGreaterThan(150);
	for (const { type, resource, operation } of all) {
		const chosen = { resource: resource.value, operation: operation.value };
		const { name } = toolOf(await nodeType(type.name), chosen);
		expect(name).toBe(`${operation.action} in ${type.defaults.name}`);
		expect([name, name.length <= 64]).toEqual([name, true]);
		expect(operation.action).toMatch(/^[A-Z][a-z]+ [\w -]+$/);
	}
});

it('the subtitle of a node has the names of operation and resource', async () => {
	for (const { type, resource, operation } of await operationsOf()) {
		if (type.name === 'api') continue;
		const chosen = { resource: resource.value, operation: operation.value };
		expect(subtitleOf(type, chosen)).toBe(`${operation.name} · ${resource.name}`);
	}
});

it.each(TRIGGERS)('the subtitle of %s has the names of its events', async (name) => {
	const type = await description(name);
	const [events] = type.properties.filter((property) => property.name === 'events');
	const options = (events!.options as INodePropertyOptions[]).slice(0, 2);
	const names = options.map((option) => option.name).join(', ');
	expect(subtitleOf(type, { events: options.map(({ value }) => value) })).toBe(names);
	expect(subtitleOf(type, { events: options[0]!.value })).toBe(options[0]!.name);
});

import type { INodeProperties, INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';
import { actionNodes, allNodes, nodeType } from '../support/engine';
import { evaluated, nodeOf, toolOf } from '../support/tool';

async function operationsOf() {
	return (await actionNodes()).flatMap((type) => {
		const named = (name: string) => type.properties.filter((property) => property.name === name);
		const optionsOf = ({ options }: INodeProperties) => options as INodePropertyOptions[];
		return optionsOf(named('resource')[0]!).flatMap((resource) =>
			named('operation')
				.filter(({ displayOptions }) => displayOptions!.show!.resource!.includes(resource.value))
				.flatMap(optionsOf)
				.map((operation) => ({ type, resource, operation })),
		);
	});
}

/** As the editor resolves it: by the parameters alone. */
const subtitleOf = ({ subtitle, name }: INodeTypeDescription, parameters: object) =>
	evaluated(subtitle, nodeOf(name, parameters));

it('a node and a tool are named by what they do, and n8n cuts no name', async () => {
	const all = await operationsOf();
	expect(all.length).toBeGreaterThan(150);
	for (const { type, resource, operation } of all) {
		const chosen = { resource: resource.value, operation: operation.value };
		const { name } = toolOf(await nodeType(type.name), chosen);
		expect(name).toBe(`${operation.action} in ${type.defaults.name}`);
		expect([name, name.length <= 64]).toEqual([name, true]);
	}
});

it('the subtitle of a node has the names of operation and resource, and n8n cuts none', async () => {
	for (const { type, resource, operation } of await operationsOf()) {
		if (type.name === 'api') continue;
		const chosen = { resource: resource.value, operation: operation.value };
		const full = `${operation.name} · ${resource.name}`;
		const subtitle = String(subtitleOf(type, chosen));
		expect(subtitle).toBe(full.length > 30 ? operation.name : full);
		expect([subtitle, subtitle.length <= 30]).toEqual([subtitle, true]);
	}
});

it('the subtitle of a request has its method and path', async () => {
	const api = await nodeType('api');
	const apiOperation = { __rl: true, mode: 'list', value: 'POST /tags', cachedResultName: 'Tags' };
	const any = { resource: 'request', operation: 'anyOperation', apiOperation };
	expect(subtitleOf(api.description, any)).toBe('POST /tags');
	const send = { resource: 'request', operation: 'send', method: 'GET', path: '/tags' };
	expect(subtitleOf(api.description, send)).toBe('GET /tags');
});

it('the subtitle of a trigger has the names of its events', async () => {
	for (const type of await allNodes()) {
		const events = type.properties.find((property) => property.name === 'events');
		if (!type.polling || !events) continue;
		const [first, second] = events.options as [INodePropertyOptions, INodePropertyOptions];
		const subtitle = subtitleOf(type, { events: [first.value, second.value] });
		expect(subtitle).toBe(`${first.name}, ${second.name}`);
		expect(subtitleOf(type, { events: first.value })).toBe(first.name);
	}
});

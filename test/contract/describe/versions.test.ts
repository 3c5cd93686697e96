import type { INodeParameters } from 'n8n-workflow';
import type { Field, Resources } from '../../../nodes/shared/describe';
import { act, on, properties, resource } from '../../../nodes/shared/describe';
import { sender } from '../../../nodes/shared/run/send';
import { addNode, nodeType, runNode } from '../../support/engine';
import { fleetOnce } from '../../support/fleet';

/** How a node gets a second version: saved nodes keep the field of their version, with its default. */

/** A field of one version alone. */
const of = (version: number, value: string, name = 'color'): Field => ({
	...{ displayName: name, name, type: 'string', default: value },
	displayOptions: { show: { '@version': [version] } },
	target: { type: 'query', property: `filters[${name}:eq]` },
});

const fleet = fleetOnce({ sites: 1 });
beforeAll(async () => {
	const fields = [of(1, '#112233'), of(2, '#445566'), of(2, '', 'name')];
	const list = { name: 'Get Many', value: 'getAll', kind: 'list', wrapper: 'tags' } as const;
	const getAll = act('Get many tags', on('GET /tags', 'listed'), { ...list, fields });
	const resources: Resources = [resource('Tag', 'reads', [getAll])];
	addNode({
		description: {
			...(await nodeType('tag')).description,
			...{ name: 'twoVersions', version: [1, 2], defaultVersion: 2, hints: [] },
			requestOperations: { pagination: sender(resources) },
			properties: properties(resources),
		},
	});
});

it.each<[version: number, parameters: INodeParameters, filters: object]>([
	[1, {}, { 'filters[color:eq]': '#112233' }],
	[2, {}, { 'filters[color:eq]': '#445566' }],
	[1, { color: '#778899' }, { 'filters[color:eq]': '#778899' }],
	[2, { name: '={{ "Shop" }}' }, { 'filters[color:eq]': '#445566', 'filters[name:eq]': 'Shop' }],
	[1, { name: 'Shop' }, { 'filters[color:eq]': '#112233' }],
])('a node of version %i with %j', async (typeVersion, parameters, filters) => {
	const run = { node: 'twoVersions', parameters, settings: { typeVersion } };
	expect((await runNode(fleet, run)).error).toBeUndefined();
	expect(fleet.sent()[0]!.query).toEqual({ page: '1', perPage: '100', ...filters });
});

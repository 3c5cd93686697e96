import path from 'node:path';
import type {
	INodeProperties,
	INodePropertyOptions,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { n8n as about } from '../../../package.json';
import bounds from '../../../tools/bounds.json';
import { actionNodes } from '../../support/engine';

/**
 * What an AI that builds workflows reads of a node: n8n writes down all fields of each operation, also those that
 * other operations have alike, and gives the whole node at once. The length of n8n's own text is bounded in
 * e2e/agents.test.ts; `npm run sizes` shows it.
 */

let nodes: INodeTypeDescription[];

beforeAll(async () => {
	nodes = await actionNodes();
});

/** The operations of a node, each with all fields that it may show. */
const panelsOf = ({ name, properties }: INodeTypeDescription) =>
	properties
		.filter((property) => property.name === 'operation')
		.flatMap(({ displayOptions, options }) => {
			const [resource] = displayOptions!.show!.resource as string[];
			return (options as INodePropertyOptions[]).map(({ value }) => ({
				name: `${name}/${resource}/${String(value)}`,
				fields: properties.filter(
					({ type, displayOptions: { show } = {} }) =>
						type !== 'notice' &&
						show?.resource?.includes(resource!) &&
						show.operation?.includes(value),
				),
			}));
		});

/** The descriptions without what n8n adds on loading. */
const built = about.nodes.map((file) => {
	const [className] = path.basename(file).split('.');
	const classes = require(path.resolve(file)) as Record<string, new () => INodeType>;
	return new classes[className!]!().description;
});

it('has no node with more parameters or a longer description than its bounds', () => {
	const over = built
		.map((node) => ({
			name: node.name,
			parameters: node.properties.length,
			kilobytes: JSON.stringify(node).length / 1000,
		}))
		.filter((node) => node.parameters > bounds.parameters || node.kilobytes > bounds.kilobytes);
	expect(over).toEqual([]);
});

/** The fields of collections, by their paths. */
const within = (node: INodeTypeDescription) =>
	panelsOf(node).flatMap(({ name, fields }) =>
		fields
			.filter(({ type }) => type === 'collection')
			.map((group) => ({
				path: `${name}: ${group.name}`,
				fields: group.options as INodeProperties[],
			})),
	);

// n8n takes such a condition for met, and tells of the field all the same.
it('no field of a collection has a condition on resource or operation', () => {
	const asking = nodes
		.flatMap(within)
		.flatMap(({ path, fields }) =>
			fields
				.filter(({ displayOptions: { show, hide } = {} }) =>
					Object.keys({ ...show, ...hide }).some((key) => /^\/?(resource|operation)$/.test(key)),
				)
				.map(({ name }) => `${path}.${name}`),
		);
	expect(asking).toEqual([]);
});

it('has no collection without fields', () => {
	const empty = nodes.flatMap(within).filter(({ fields }) => fields.length === 0);
	expect(empty.map(({ path }) => path)).toEqual([]);
});

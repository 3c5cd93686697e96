import path from 'node:path';
import type { INodeProperties, INodeType } from 'n8n-workflow';
import { n8n as about } from '../../../package.json';
import bounds from '../../../tools/bounds.json';
import { actionNodes } from '../../support/engine';

/**
 * What an AI that builds workflows reads of a node: n8n gives the whole node at once, with all fields of each
 * operation. The length of n8n's own text is bounded in e2e/agents.test.ts; `npm run sizes` shows it.
 */

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

// n8n takes such a condition for met, and tells of the field all the same.
it('a collection has fields, none with a condition on resource or operation', async () => {
	const wrong = (await actionNodes()).flatMap(({ name: node, properties }) =>
		properties
			.filter(({ type }) => type === 'collection')
			.filter(({ options }) => {
				const fields = options as INodeProperties[];
				const asked = fields.flatMap(({ displayOptions: { show, hide } = {} }) =>
					Object.keys({ ...show, ...hide }),
				);
				return fields.length === 0 || asked.some((key) => /^\/?(resource|operation)$/.test(key));
			})
			.map(({ name }) => `${node}: ${name}`),
	);
	expect(wrong).toEqual([]);
});

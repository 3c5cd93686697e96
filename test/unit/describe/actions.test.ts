import type { INodeType, INodePropertyOptions } from 'n8n-workflow';
import { n8n } from '../../../package.json';
import { act } from '../../../nodes/shared/describe';
import { beginsWith, describedAs } from '../../../nodes/shared/operation';

/** Actions, which n8n gives as names to new nodes and to tools: n8n's guidelines want them without articles. */

const nodes = n8n.nodes
	.filter((file) => !file.endsWith('Trigger.node.js'))
	.map((file) => {
		const source = file.replace(/^dist/, '../../..').replace(/\.js$/, '');
		const [name = ''] = /\w+(?=\.node)/.exec(file) ?? [];
		const module = jest.requireActual<Record<string, new () => INodeType>>(source);
		return new module[name]!().description;
	});

const all = nodes.flatMap(({ properties, defaults }) =>
	properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ options }) => options as INodePropertyOptions[])
		.map(({ action = '', description = '' }) => ({ action, description, node: defaults.name })),
);

const actions = all.map(({ action }) => action);

const hasArticle = (action: string) => /\b(a|an|the)\b/i.test(action);

it('have no articles', () => {
	expect(actions.length).toBeGreaterThan(150);
	expect(actions.filter(hasArticle)).toEqual([]);
	expect(['Get a tag', 'Create an account', 'Reset the log'].filter(hasArticle)).toHaveLength(3);
});

it('are verb and object in sentence case', () => {
	expect(actions.filter((action) => !/^[A-Z][a-z]+ [\w -]+$/.test(action))).toEqual([]);
});

it('are unique within the package', () => {
	expect(actions.filter((action, index) => actions.indexOf(action) !== index)).toEqual([]);
});

it('are short enough for the name of a tool, which n8n cuts at 64 characters', () => {
	const names = all.map(({ action, node }) => `${action} in ${node}`);
	expect(names.filter((name) => name.length > 64)).toEqual([]);
});

it('are not the descriptions, which are sentences with articles', () => {
	const isList = (action: string) => /^Get many [a-z ]+s$/.test(action);
	const bare = all.filter(({ action, description }) => action === description);
	expect(bare.map(({ action }) => action).filter((action) => !isList(action))).toEqual([]);
});

it.each([
	['Get tag', 'Get a tag'],
	['Create important page', 'Create an important page'],
	['Delete clients', 'Delete clients'],
	['Restore site from backup', 'Restore a site from backup'],
])('%s is described as: %s', (action, expected) => {
	const { labels } = act(action, 'GET /sites/{siteId}');
	expect(describedAs(labels)).toBe(expected);
	expect(beginsWith(action, expected)).toBe(true);
});

it.each([
	['Get tag', 'Get many tags'],
	['Download report', 'Start a task'],
])('%s is not how this begins: %s', (action, text) => {
	expect(beginsWith(action, text)).toBe(false);
});

import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { lintText, type Finding } from '../../tools/lint/workflowLint';
import { locator } from '../support/locator';
import { nodeOf as builtNode } from '../support/workflow';

/** `npm run lint -- workflows`: what n8n drops of a node before it runs, and guards that guard nothing. */

const nodeOf = (type: string, parameters: object, name = 'Ours') =>
	builtNode('1', name, type, parameters);

const textOf = (...nodes: object[]) => JSON.stringify({ name: 'Mine', nodes, connections: {} });

const found = (type: string, parameters: object): Array<[string, string]> =>
	lintText(textOf(nodeOf(type, parameters))).map(({ parameter, todo }) => [parameter, todo]);

const remove = (more: object, id: unknown = '={{ $json.id }}') => ({
	resource: 'site',
	operation: 'delete',
	siteId: locator(id),
	...more,
});

const url = (onlyIfUrl: string) => ({ onlyIfUrl });

const list = (more: object) => ({ operation: 'getAll', ...more });
const ofModel = (key: string) => `={{ $fromAI('${key}') }}`;
const ofSites = (key: string) => `={{ $('Sites').item.json.${key} }}`;

it.each<[string, object, string, RegExp]>([
	['site', list({ filters: '={{ $json.filters }}' }), 'filters', /and n8n makes an empty one/],
	['site', list({ filters: { clientID: '1' } }), 'filters > clientID', /It has .*clientId/],
	['site', list({ sort: { sortBy: {} } }), 'sort > sortBy', /is no group of it.* It has by/],
	['site', list({ sort: { by: { key: 'url' } } }), 'sort > by > key', /is no field of it/],
	['site', remove({ onlyif: 'url' }), 'onlyif', /is no parameter of the node/],
	['site', remove({ onlyIfEmail: 'x' }), 'onlyIfEmail', /is no parameter of the node/],
	['site', { ...remove(url('x')), operation: 'get' }, 'onlyIfUrl', /does not belong to the chosen/],
	['site', { operation: 'get', output: 'all' }, 'output', /is not one of its options/],
	['site', { resource: 'site', operation: 'destroy' }, 'operation', /choose one of .*delete/],
	['site', { resource: 'house', operation: 'delete' }, 'resource', /choose one of .*site/],
	['siteTool', remove(url(ofModel('url'))), 'onlyIfUrl', /by the model/],
	['site', remove(url('={{ $json.url }}')), 'onlyIfUrl', /from where the ID comes from/],
	['site', remove(url(ofSites('url')), ofSites('id')), 'onlyIfUrl', /from where the ID comes from/],
	['house', {}, 'type', /is no node of n8n-nodes-site-management/],
])('in %s %j, "%s" is found', (type, parameters, parameter, todo) => {
	expect(found(type, parameters)).toEqual([[parameter, expect.stringMatching(todo)]]);
});

it.each<[string, string, object]>([
	['a check with a fixed text', 'site', remove(url('https://a.example'))],
	['a check from elsewhere', 'site', remove(url("={{ $('Ticket').item.json.host }}"))],
	['a check of the execution', 'site', remove(url('=https://{{ $execution.id }}.example'))],
	['a fixed check of a model', 'siteTool', remove(url('https://a.example'), ofModel('site'))],
	['parameters of n8n', 'siteTool', list({ toolDescription: 'x', requestOptions: {} })],
	['polls', 'siteTrigger', { pollTimes: { item: [{ mode: 'everyMinute' }] }, events: ['up'] }],
	['the first resource, left out', 'tag', { operation: 'delete', tagId: locator('1') }],
	['filters one by one', 'site', list({ filters: { clientId: '={{ $json.id }}' } })],
])('%s is fine', (_, type, parameters) => {
	expect(found(type, parameters)).toEqual([]);
});

it('the incoming item is that of the previous node', () => {
	const guarded = nodeOf('site', remove(url("={{ $('Sites').first().json.url }}")));
	const connections = { Sites: { main: [[{ node: 'Ours', type: 'main', index: 0 }]] } };
	const lint = (more: object) => lintText(JSON.stringify({ nodes: [guarded], ...more }));
	expect(lint({ connections })).toHaveLength(1);
	expect(lint({})).toEqual([]);
});

it('leaves values of another workflow to that workflow', () => {
	const guarded = nodeOf('site', remove(url('={{ $json.url }}')));
	const connections = { Handed: { main: [[{ node: 'Ours', type: 'main', index: 0 }]] } };
	const lint = (type: string) =>
		lintText(JSON.stringify({ nodes: [guarded, { name: 'Handed', type }], connections }));
	expect(lint('n8n-nodes-base.executeWorkflowTrigger')).toEqual([]);
	expect(lint('n8n-nodes-base.webhook')).toHaveLength(1);
});

it('several workflows in a file, and nodes of others', () => {
	const wrong = textOf(nodeOf('site', { operation: 'getAll', filters: '={{ {} }}' }, 'One'), {
		...nodeOf('site', { filters: '={{ {} }}' }),
		type: 'n8n-nodes-base.set',
	});
	const both = lintText(`[${wrong},${wrong}]`);
	expect(both.map(({ node }: Finding) => node)).toEqual(['One', 'One']);
});

it.each(['', '{', '[]', '{}', 'null', '[null]', '{ "nodes": {} }'])('refuses %j', (text) => {
	expect(lintText(text)).toEqual([
		{ node: '', parameter: '', todo: expect.stringMatching(/^is not .*export/) },
	]);
});

const root = path.resolve(__dirname, '../..');

it('the command reports file, node and parameter, and fails', () => {
	const folder = path.join(root, 'test/.tmp/workflowLint');
	mkdirSync(folder, { recursive: true });
	const file = path.join(folder, 'mine.json');
	const run = () =>
		spawnSync(process.execPath, ['tools/lint/workflows.mjs', file], {
			cwd: root,
			encoding: 'utf8',
		});
	writeFileSync(file, textOf(nodeOf('site', remove({ onlyif: 'url' }), 'Delete it')));
	const failed = run();
	expect(failed.stdout).toMatch(
		/^test\/\.tmp\/workflowLint\/mine\.json: node "Delete it": parameter "onlyif": is no parameter of the node.*\n1 problem in 1 file\n$/,
	);
	expect(failed.status).toBe(1);
	writeFileSync(file, textOf(nodeOf('site', remove({}))));
	expect(run()).toMatchObject({ status: 0, stdout: '0 problems in 1 file\n' });
});

it('two tools that a model would know by one name are found, where one agent or server has both', () => {
	const long = 'List the sites of the fleet that have had no good backup for seven days';
	const names = [`${long}, for the office`, `${long}, for an agent`, 'Another tool'];
	const nodes = names.map((name) => nodeOf('siteTool', list({}), name));
	const connected = (users: string[]) =>
		JSON.stringify({
			nodes,
			connections: Object.fromEntries(
				names.map((name, index) => {
					const to = { node: users[index], type: 'ai_tool', index: 0 };
					return [name, { ai_tool: [[to]] }];
				}),
			),
		});
	const seen = lintText(connected(['Agent', 'Agent', 'Agent']));
	expect(seen.map(({ node, parameter }) => [node, parameter])).toEqual([
		[names[0], 'name'],
		[names[1], 'name'],
	]);
	expect(seen[0]!.todo).toContain(`as "${names[1]}" does, and n8n starts neither`);
	expect(lintText(connected(['Agent', 'Server', 'Agent']))).toEqual([]);
});

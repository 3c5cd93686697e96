import * as tables from '../../nodes/resources';
import { needsConfirmation, onlyReads } from '../../nodes/shared/operation';
import { exampleCredentials, readExample } from '../../sandbox/lib/examples';

/** How examples 12 and 12a are put together: what a model may do by itself, what it has to ask for, and what a person is shown. */

const service = { baseUrl: 'http://127.0.0.1:1/api/v6', token: 'token' };

const workflow = readExample('12-fleet-tools.json', { service });
const changesOnly = readExample('12a-fleet-changes.json', { service });

type Links = Record<string, Record<string, Array<Array<{ node: string }>>>>;

const toolsOf = (name: string, { connections } = workflow) =>
	((connections as Links)[name]?.ai_tool?.[0] ?? []).map(({ node }) => node);

const operationOf = ({ resource, operation }: Record<string, unknown>) =>
	Object.values(tables)
		.find(({ value }) => value === resource)!
		.operations.find(({ labels }) => labels.value === operation)!;

const toolsIn = ({ nodes }: typeof workflow) =>
	nodes
		.filter(({ type }) => type.startsWith('n8n-nodes-site-management.'))
		.map(({ name, type, parameters, credentials }) => ({
			name,
			type,
			parameters,
			text: JSON.stringify(parameters),
			credential: credentials!.siteManagementApi!.name,
			operation: operationOf(parameters),
		}));

const tools = toolsIn(workflow);
const reading = tools.filter(({ operation }) => onlyReads(operation));
const previews = tools.filter(({ parameters }) => parameters.confirmedCode === '');
const changing = tools.filter((each) => !reading.includes(each) && !previews.includes(each));
const behindServers = toolsIn(changesOnly);

const reviewOf = (tool: string) => {
	const [above] = toolsOf(tool);
	return workflow.nodes.find(({ name }) => name === above)!;
};

/** What a model fills in: the names, and the description and whatever comes after it. */
const filledIn = (text: string) =>
	[...text.matchAll(/\$fromAI\('(\w+)', '((?:[^'\\]|\\.)+)'(.*?)\) }}/g)].map(
		([, key, description, rest]) => ({ key: key!, description: description!, rest: rest! }),
	);

it.each([...tools, ...behindServers])('$name says which values it takes', ({ text }) => {
	const all = filledIn(text);
	expect(all).toHaveLength(text.split('$fromAI(').length - 1);
	for (const { description, rest } of all) {
		const isOptional = /'string', ''$/.test(rest);
		expect(/\. Blank (for all|for none|to leave it unchanged)\.$/.test(description)).toBe(
			isOptional,
		);
		if (!isOptional) expect(description).not.toContain('Blank');
	}
});

it.each(reading)('$name is read by the agent and by MCP clients', ({ name, credential }) => {
	expect(toolsOf(name).sort()).toEqual(['Fleet agent', 'MCP server']);
	expect(credential).toBe('Site Management Sandbox (Read Only)');
});

it('a model reads with at most 20 tools', () => expect(reading.length).toBeLessThanOrEqual(20));

it.each(previews)('$name cannot do what it says', ({ name, type, parameters, credential }) => {
	expect(toolsOf(name)).toEqual(['Fleet agent']);
	const codes = { confirmation: 'code', confirmedWhat: '', confirmedCode: '' };
	const { toolDescription } = parameters;
	const [tool, ...others] = changing.filter((each) => String(toolDescription).includes(each.name));
	expect(others).toEqual([]);
	// A code is good for the same values alone, also those for the output.
	const values = { ...tool!.parameters, ...codes, toolDescription };
	expect([type, credential, parameters]).toEqual([tool!.type, tool!.credential, values]);
	expect(tool!.parameters).toMatchObject({ confirmation: 'code' });
	expect(tool!.parameters.toolDescription).toContain(name);
});

it.each(behindServers)('$name is behind a server, and asks for a code', (tool) => {
	const { name, parameters, operation, credential } = tool;
	const [server, ...others] = toolsOf(name, changesOnly);
	expect([server, others]).toEqual([expect.stringMatching(/ server$/), []]);
	expect(parameters).not.toHaveProperty('confirmation');
	expect(needsConfirmation(operation, [...operation.effects])).toBe(
		/Two calls/.test(String(parameters.toolDescription)),
	);
	const sendsOrGives = operation.effects.some(
		(each) => each === 'sendsMail' || each === 'givesAccess',
	);
	expect(credential).toBe(
		`Site Management Sandbox (${sendsOrGives ? 'Email and Access' : 'Agent'})`,
	);
});

it('each server has few tools', () => {
	for (const server of new Set(behindServers.flatMap(({ name }) => toolsOf(name, changesOnly)))) {
		const few = behindServers.filter(({ name }) => toolsOf(name, changesOnly)[0] === server).length;
		expect([server, few >= 4, few <= 9]).toEqual([server, true, true]);
	}
});

it.each(changing)('$name asks a person first', ({ name, credential }) => {
	expect(credential).toBe('Site Management Sandbox (Agent)');
	expect(toolsOf(name)).toHaveLength(1);
	const review = reviewOf(name);
	expect(review.type).toBe('@n8n/n8n-nodes-langchain.chatHitlTool');
	expect(toolsOf(review.name)).toEqual(['Fleet agent']);
	expect(changing.filter((each) => toolsOf(each.name)[0] === review.name)).toHaveLength(1);
});

it.each(changing)('the review of $name shows all that the tool gets', ({ name, text }) => {
	const message = String(reviewOf(name).parameters.message);
	const shown = [...message.matchAll(/\$json\.toolParameters\?\.(\w+) \?\? ''}`\.slice\(/g)].map(
		([, key]) => key!,
	);
	for (const key of shown) expect(message).toContain(`$json.toolParameters?.query?.${key} ?? `);
	const given = filledIn(text).map(({ key }) => key);
	expect(shown.sort()).toEqual(given.filter((key) => key !== 'code').sort());
	// What the agent says of itself is marked as that.
	const own = message.split('\n').filter((line) => line.includes('$fromAI('));
	for (const line of own) expect(line).toContain(', as the agent gives it{{');
	expect(message).not.toMatch(/\$tool\b/);
});

it('all reviews quote and cut alike', () => {
	const lines = changing
		.flatMap(({ name }) => String(reviewOf(name).parameters.message).split('\n'))
		.filter((line) => line.includes('{{'));
	const forms = lines.map((line) => {
		const [, value, most] = /`\$\{([^`]+) \?\? ''\}`\.slice\(0, (\d+)\)/.exec(line)!;
		const same = line
			.replaceAll(value!, 'value')
			.replaceAll(new RegExp(`\\b${most}\\b`, 'g'), 'most');
		return same.replace(/^- [^{]+/, '');
	});
	expect(lines.length).toBeGreaterThan(changing.length);
	// What a code is for has quotes of its own, in which the tool has quoted titles.
	const [ofValues, ofWhat, ...more] = [...new Set(forms)];
	expect(more).toEqual([]);
	expect(forms.filter((form) => form === ofWhat)).toHaveLength(previews.length);
	expect(ofValues).toContain('codePointAt');
	expect(ofWhat).toContain('codePointAt');
});

it('the credential of the changes allows what they need, and no more', () => {
	const all = exampleCredentials({ service, mailbox: { smtpPort: 1 }, model: { baseUrl: '' } });
	const dataOf = (wanted: string) => all.find(({ name }) => name === wanted)!.data;
	const allOf = 'Site Management Sandbox (Agent)';
	const theirs = [...changing, ...behindServers].filter(({ credential }) => credential === allOf);
	const needed = new Set(theirs.flatMap(({ operation }) => operation.effects));
	const { access, allowed, maxChanges, maxHarmful } = dataOf(allOf);
	expect(access).toBe('selected');
	expect((allowed as string[]).sort()).toEqual(
		[...needed].filter((each) => each !== 'reads').sort(),
	);
	expect(maxChanges).toBeLessThanOrEqual(25);
	expect(maxHarmful).toBeLessThanOrEqual(5);
	expect(dataOf('Site Management Sandbox (Read Only)').access).toBe('readOnly');
	// n8n gives a new node the newest one.
	const ours = all.filter(({ type }) => type === 'siteManagementApi');
	expect(ours.at(-1)!.name).toBe('Site Management Sandbox');
});

import * as tables from '../../nodes/resources';
import { onlyReads } from '../../nodes/shared/operation';
import { exampleCredentials, readExample } from '../../sandbox/lib/examples';

const resources = Object.values(tables);

/** How example 12 is put together: what a model may do by itself, what it has to ask for, and what a person is shown. */

const service = { baseUrl: 'http://127.0.0.1:1/api/v6', token: 'token' };

const workflow = readExample('12-fleet-tools.json', { service });

type Links = Record<string, Record<string, Array<Array<{ node: string }>>>>;

const toolsOf = (name: string) =>
	((workflow.connections as Links)[name]?.ai_tool?.[0] ?? []).map(({ node }) => node);

const operationOf = ({ resource, operation }: Record<string, unknown>) =>
	resources
		.find(({ value }) => value === resource)!
		.operations.find(({ labels }) => labels.value === operation)!;

const tools = workflow.nodes
	.filter(({ type }) => type.startsWith('n8n-nodes-site-management.'))
	.map(({ name, parameters, credentials }) => ({
		name,
		parameters,
		text: JSON.stringify(parameters),
		credential: credentials!.siteManagementApi!.name,
		operation: operationOf(parameters),
	}));

const reading = tools.filter(({ operation }) => onlyReads(operation));
const changing = tools.filter(({ operation }) => !onlyReads(operation));

const reviewOf = (tool: string) => {
	const [above] = toolsOf(tool);
	return workflow.nodes.find(({ name }) => name === above)!;
};

/** What a model fills in: the names, and the description and whatever comes after it. */
const filledIn = (text: string) =>
	[...text.matchAll(/\$fromAI\('(\w+)', '((?:[^'\\]|\\.)+)'(.*?)\) }}/g)].map(
		([, key, description, rest]) => ({ key: key!, description: description!, rest: rest! }),
	);

it.each(tools)('$name says of each value which ones it takes, and what blank means', ({ text }) => {
	const all = filledIn(text);
	expect(all).toHaveLength(text.split('$fromAI(').length - 1);
	for (const { description, rest } of all) {
		if (/'string', ''$/.test(rest)) expect(description).toMatch(/\. Blank for all\.$/);
		else expect(description).not.toContain('Blank');
	}
});

it.each(reading)('$name is read by the agent and by MCP clients', ({ name, credential }) => {
	expect(toolsOf(name).sort()).toEqual(['Fleet agent', 'MCP server']);
	expect(credential).toBe('Site Management Sandbox (Read Only)');
});

it.each(changing)('$name asks a person first', ({ name, credential }) => {
	expect(credential).toBe('Site Management Sandbox (Agent)');
	expect(toolsOf(name)).toHaveLength(1);
	const review = reviewOf(name);
	expect(review.type).toBe('@n8n/n8n-nodes-langchain.chatHitlTool');
	expect(toolsOf(review.name)).toEqual(['Fleet agent']);
	expect(changing.filter((each) => toolsOf(each.name)[0] === review.name)).toHaveLength(1);
});

it.each(changing)(
	'the review of $name shows all that the tool gets, and no ID',
	({ name, text }) => {
		const message = String(reviewOf(name).parameters.message);
		const shown = [...message.matchAll(/\$json\.toolParameters\?\.(\w+) \?\? ''}`\.slice\(/g)].map(
			([, key]) => key!,
		);
		for (const key of shown) expect(message).toContain(`$json.toolParameters?.query?.${key} ?? `);
		const given = filledIn(text).map(({ key }) => key);
		expect(shown.sort()).toEqual(given.filter((key) => !key.endsWith('_id')).sort());
		// What the agent says of itself is marked as that.
		const own = message.split('\n').filter((line) => line.includes('$fromAI('));
		for (const line of own) expect(line).toContain(', as the agent gives it{{');
		expect(message).not.toMatch(/\$tool\b/);
	},
);

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
	expect(new Set(forms).size).toBe(1);
	expect(forms[0]).toContain('codePointAt');
});

it('the credential of the changes allows what they need, and no more', () => {
	const all = exampleCredentials({ service, mailbox: { smtpPort: 1 }, model: { baseUrl: '' } });
	const dataOf = (wanted: string) => all.find(({ name }) => name === wanted)!.data;
	const needed = new Set(changing.flatMap(({ operation }) => operation.effects));
	const { access, allowed, maxChanges, maxHarmful } = dataOf('Site Management Sandbox (Agent)');
	expect(access).toBe('selected');
	expect((allowed as string[]).sort()).toEqual(
		[...needed].filter((each) => each !== 'reads').sort(),
	);
	expect(maxChanges).toBeLessThanOrEqual(25);
	expect(maxHarmful).toBeLessThanOrEqual(5);
	expect(dataOf('Site Management Sandbox (Read Only)').access).toBe('readOnly');
});

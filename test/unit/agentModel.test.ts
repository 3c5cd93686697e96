import axios from 'axios';
import { startAgentModel, TOOLS } from '../../sandbox/lib/agentModel';
import type { ChatServer } from '../../sandbox/lib/chatServer';

/** The model of a few rules, as a node for OpenAI-compatible models asks it. */

let model: ChatServer;

beforeAll(async () => {
	model = await startAgentModel();
});

afterAll(async () => await model.close());

const client = axios.create({ proxy: false, validateStatus: () => true });

const tools = Object.values(TOOLS).map((name) => ({
	type: 'function',
	function: {
		name,
		parameters: {
			properties: name === TOOLS.sync || name === TOOLS.note ? { toolParameters: {} } : {},
		},
	},
}));

type Said = { content: string | null; tool_calls?: Array<{ id: string; function: object }> };

/** Asks, with what the tools have given so far. */
async function ask(request: string, ...results: Array<[tool: string, content: unknown]>) {
	const since = results.flatMap(([name, content], index) => [
		{ role: 'assistant', tool_calls: [{ id: `c${index}`, function: { name, arguments: '{}' } }] },
		{ role: 'tool', tool_call_id: `c${index}`, content: JSON.stringify(content) },
	]);
	const messages = [{ role: 'user', content: request }, ...since];
	const url = `${model.baseUrl}/chat/completions`;
	const { data } = await client.post<{ choices: Array<{ message: Said }> }>(url, {
		messages,
		tools,
	});
	const { content, tool_calls: [call] = [] } = data.choices[0]!.message;
	return content ?? call!.function;
}

const site = (name: string) => ({
	id: 'a'.repeat(24),
	title: name,
	url: `https://${name}.example.com`,
});

it.each([
	['Which sites are hacked?', TOOLS.sites, { malware: 'hacked', limit: 100 }],
	['Which tasks have failed?', TOOLS.tasks, { status: 'failed', limit: 20 }],
	['Tell me about rose.example.com', TOOLS.sites, { url_contains: 'rose.example.com', limit: 10 }],
	[
		`List the snapshots of ${'b'.repeat(24)}`,
		TOOLS.snapshots,
		{ site_id: 'b'.repeat(24), limit: 10 },
	],
])('understands "%s"', async (request, name, wanted) => {
	expect(await ask(request)).toEqual({ name, arguments: JSON.stringify(wanted) });
});

it('goes on with the site that it has found', async () => {
	const found: [string, unknown] = [TOOLS.sites, [site('rose')]];
	expect(await ask('Sync rose', found)).toEqual({
		name: TOOLS.sync,
		arguments: JSON.stringify({
			toolParameters: { site_url: site('rose').url, message: 'Asked for in the chat' },
			hitlParameters: { site_title: 'rose' },
		}),
	});
	expect(await ask('Sync rose', found, [TOOLS.sync, [{ snapshot_id: '1' }]])).toContain('started');
});

it('asks which of several sites is meant, and says that there is none', async () => {
	const none = [{ count: 0, message: 'No records were found' }];
	const several = await ask('Sync ro', [TOOLS.sites, [site('rose'), site('iron')]]);
	expect(several).toContain(site('iron').url);
	expect(await ask('Sync ro', [TOOLS.sites, none])).toBe('No site has “ro” in its address.');
});

it('tells what a tool has told in place of records', async () => {
	const refused = [{ error: 'The service does not answer' }];
	expect(await ask('Which sites are down?', [TOOLS.sites, refused])).toBe(
		'That did not work: The service does not answer',
	);
	const declined = [{ output: 'User rejected the tool call' }];
	expect(await ask('Sync rose', [TOOLS.sites, [site('rose')]], [TOOLS.sync, declined])).toBe(
		'You have declined it: nothing was changed.',
	);
});

it('helps with everything else', async () => {
	for (const request of ['help', '', 'Delete all sites']) {
		expect(await ask(request)).toContain('I understand:\n- Which sites are disconnected?');
	}
});

it('streams where it is asked to', async () => {
	const messages = [{ role: 'user', content: 'help' }];
	const url = `${model.baseUrl}/chat/completions`;
	const { data, headers } = await client.post<string>(url, { messages, stream: true });
	expect(headers['content-type']).toContain('text/event-stream');
	const chunks = data.trim().split('\n\n');
	expect(chunks.at(-1)).toBe('data: [DONE]');
	expect(chunks[0]).toContain('I understand:');
});

it('tells its name, and what it can not do', async () => {
	const { data } = await client.get<{ data: object[] }>(`${model.baseUrl}/models`);
	expect(data.data).toEqual([expect.objectContaining({ id: 'sandbox-rules' })]);
	const { status, data: refused } = await client.post<object>(`${model.baseUrl}/responses`, {});
	expect(status).toBe(404);
	expect(JSON.stringify(refused)).toContain('Use Responses API');
});

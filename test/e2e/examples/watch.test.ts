import axios from 'axios';
import type { Workflow } from '../../../sandbox/lib/content';
import { TOOLS } from '../../../sandbox/lib/agentModel';
import { MCP_TOKEN } from '../../../sandbox/lib/examples';
import { openChat } from '../../support/chat';
import { EXAMPLE_MS, EXAMPLES_START_MS, startExamples, succeeded } from '../../support/examples';
import type { Examples } from '../../support/examples';
import { activate, ended } from '../../support/n8n';

/** The examples that keep watch over the fleet. */

let examples: Examples;

beforeAll(async () => {
	examples = await startExamples('examples-watch');
}, EXAMPLES_START_MS);

afterAll(async () => {
	await examples?.stop();
}, EXAMPLE_MS);

const store = () => examples.service.world.store;

/** Another copy of an example, in which some parameters of some nodes are others. */
const changed =
	(id: string, parameters: Record<string, Record<string, unknown>>) =>
	(workflow: Workflow): Workflow => ({
		...workflow,
		id,
		nodes: workflow.nodes.map((node) => ({
			...node,
			parameters: { ...node.parameters, ...parameters[node.name] },
		})),
	});

describe('the fleet agent', () => {
	const TRIGGER = 'When a message comes';
	let workflowId: string;
	let ask: ReturnType<typeof openChat>;

	beforeAll(async () => {
		workflowId = await examples.add('12-fleet-agent.json');
		ask = openChat(examples.n8n, workflowId, TRIGGER);
	});

	const end = async (executionId: string) =>
		succeeded(await ended(examples.n8n.rest, executionId, EXAMPLE_MS));

	/** Asks something that needs no approval. @returns the answer */
	const answerTo = async (question: string) => {
		const { next, executionId } = await ask(question);
		const { text } = await next();
		await end(executionId);
		return text;
	};

	/** What the tools have given the model in its last turn. */
	const given = () => {
		const { messages } = examples.model.requests.at(-1)!;
		const asked = messages.map(({ role }) => role).lastIndexOf('user');
		return messages
			.slice(asked)
			.filter(({ role }) => role === 'tool')
			.map(({ content }) => String(content));
	};

	const siteUrl = (id: string) => store().sites.get(id)!.url;

	it(
		'answers from what a tool has given, for one request',
		async () => {
			const sites = store().sites.peek();
			const disconnected = sites.filter(({ connection }) => connection.status === 'disconnected');
			expect(disconnected.length).toBeGreaterThan(1);
			let text = '';
			const requests = await examples.requestsOf(async () => {
				text = await answerTo('Which sites are disconnected?');
			});
			expect(requests).toEqual(['GET /sites']);
			const [sent] = examples.service.requests.slice(-1);
			expect(decodeURIComponent(sent!.query)).toContain(
				'filters[connection_status:eq]=disconnected',
			);
			for (const { title, url } of disconnected) expect(text).toContain(`${title} (${url})`);
			expect(text).toContain(`${disconnected.length} sites are disconnected`);
		},
		EXAMPLE_MS,
	);

	it(
		'tells the model of an error in words that it can act on',
		async () => {
			const id = '0'.repeat(24);
			const text = await answerTo(`Show ${id}`);
			expect(given()).toEqual([expect.stringContaining(`The site ${id} was not found`)]);
			expect(text).toContain(`The site ${id} was not found`);
		},
		EXAMPLE_MS,
	);

	it.each([
		{ button: 'Decline', cost: 1, said: 'You have declined it: nothing was changed.' },
		{ button: 'Approve', cost: 3, said: 'has been started.' },
	])(
		'starts no sync before a person has clicked, and then: $button',
		async ({ button, cost, said }) => {
			const { id } = store().sites.peek()[3]!;
			const changes = () => examples.service.requests.filter(({ method }) => method === 'POST');
			const before = changes().length;
			const requests = await examples.requestsOf(async () => {
				const { next, executionId } = await ask(`Sync ${new URL(siteUrl(id)).host}`);
				const question = await next();
				expect(question.text).toContain('Sync a site');
				expect(question.text).toContain(siteUrl(id));
				expect(question.buttons.sort()).toEqual(['Approve', 'Decline']);
				expect(changes()).toHaveLength(before);
				await question.click(button);
				expect((await next()).text).toContain(said);
				await end(executionId);
			});
			expect(requests.filter((one) => one.startsWith('POST'))).toEqual(
				button === 'Approve' ? [`POST /sites/${id}/sync`] : [],
			);
			expect(requests).toHaveLength(cost);
		},
		EXAMPLE_MS,
	);

	it(
		'writes a note once a person has approved it',
		async () => {
			const { id } = store().sites.peek()[5]!;
			const content = 'Ask the owner before updating';
			const { next, executionId } = await ask(`Note on ${new URL(siteUrl(id)).host}: ${content}`);
			await (await next()).click('Approve');
			expect((await next()).text).toContain('The note stands on');
			await end(executionId);
			const notes = store().notes.peek();
			expect(notes.filter((note) => note.content === content)).toEqual([
				expect.objectContaining({ site_id: id }),
			]);
		},
		EXAMPLE_MS,
	);

	it(
		'says in the chat why there is no answer',
		async () => {
			const other = await examples.add(
				'12-fleet-agent.json',
				changed('fleetAgentNoModel', { 'Chat model': { responsesApiEnabled: true } }),
			);
			const { next, executionId } = await openChat(examples.n8n, other, TRIGGER)('help');
			const { text } = await next();
			expect(text).toContain('The agent could not answer:');
			expect(text).toContain('could not be found');
			expect(text).toContain('npm start -- --agent');
			await end(executionId);
		},
		EXAMPLE_MS,
	);

	it(
		'offers the tools that read by MCP, to those who have the token',
		async () => {
			await activate(examples.n8n.rest, workflowId);
			const { call, open } = mcpClient(MCP_TOKEN);
			await open();
			const { tools } = await call<{ tools: Array<{ name: string; description: string }> }>(
				'tools/list',
			);
			const { sites, site, tasks, snapshots } = TOOLS;
			expect(tools.map(({ name }) => name).sort()).toEqual([sites, site, tasks, snapshots].sort());
			const down = store()
				.sites.peek()
				.filter(({ uptime }) => uptime.status === 'down');
			const { content } = await call<{ content: Array<{ text: string }> }>('tools/call', {
				name: sites,
				arguments: { uptime: 'down' },
			});
			for (const { url } of down) expect(content[0]!.text).toContain(url);
			expect(JSON.parse(content[0]!.text)).toHaveLength(down.length);
			await expect(mcpClient('another').open()).rejects.toThrow('403');
		},
		EXAMPLE_MS,
	);

	/** As much of an MCP client as two calls need. */
	function mcpClient(token: string) {
		let session: string | undefined;
		const post = async (body: object) =>
			await axios.post<string>(
				`${examples.n8n.baseUrl}/mcp/fleet`,
				{ jsonrpc: '2.0', ...body },
				{
					proxy: false,
					responseType: 'text',
					headers: {
						Authorization: `Bearer ${token}`,
						Accept: 'application/json, text/event-stream',
						...(session && { 'mcp-session-id': session }),
					},
				},
			);
		const call = async <T>(method: string, params: object = {}) => {
			const { data, headers } = await post({ id: 1, method, params });
			session ??= headers['mcp-session-id'] as string;
			const { result } = JSON.parse(/^data: (.*)$/m.exec(data)?.[1] ?? data) as { result: T };
			return result;
		};
		const open = async () => {
			const clientInfo = { name: 'test', version: '1' };
			await call('initialize', { protocolVersion: '2025-03-26', capabilities: {}, clientInfo });
			await post({ method: 'notifications/initialized' });
		};
		return { call, open };
	}
});

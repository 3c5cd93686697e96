import axios from 'axios';
import { saveCredential, type Workflow } from '../../sandbox/lib/content';
import { startService } from '../../sandbox/service';
import { AT_MOST_2, READ_ONLY, toolNodes, type ToolNode } from './agentTools';
import { asSent } from './fleet';
import { locator } from './locator';
import { newestVersion, startTestN8n, type TestN8n } from './n8n';
import { startScriptedModel, type Call } from './scriptedModel';
import { starting } from './starting';
import { addActive } from './workflow';

/** A real n8n with agents and an MCP server that have the nodes as tools, beside the service. */

const PACKAGE = 'n8n-nodes-site-management';
const LANGCHAIN = '@n8n/n8n-nodes-langchain';

/** What calls the tools in a workflow. */
interface Caller {
	/** The path of its webhook, also the id of its workflow. */
	path: string;
	/** Undefined for an MCP server. */
	agentVersion?: number;
	tools: Record<string, ToolNode>;
}

export type Agents = Awaited<ReturnType<typeof startAgents>>;

export const ALL = 'agent-of-all-tools';

export const MCP_SERVER = 'mcp-server-of-all-tools';

/**
 * Starts everything: the newest agent and an MCP server, both with all tools.
 * @param where an n8n that is there already, or the name of one to be started
 */
export async function startAgents(where: TestN8n | string) {
	return await starting(async (runs) => {
		const rateLimit = { limit: 100_000 };
		const service = runs(await startService({ sites: 40, speed: 60, rateLimit }));
		const n8n = typeof where === 'string' ? runs(await startTestN8n(where)) : where;
		const model = runs(await startScriptedModel());

		const account = { baseUrl: service.baseUrl, apiToken: service.token };
		const credentials = {
			[EVERYTHING]: { type: 'siteManagementApi', data: account },
			[READ_ONLY]: { type: 'siteManagementApi', data: { ...account, access: 'readOnly' } },
			[AT_MOST_2]: { type: 'siteManagementApi', data: { ...account, maxChanges: 2 } },
			[MODEL]: { type: 'openAiApi', data: { apiKey: 'none', url: model.baseUrl } },
		};
		const ids: Record<string, string> = {};
		for (const [name, credential] of Object.entries(credentials)) {
			ids[name] = await saveCredential(n8n.rest, { name, ...credential });
		}
		/** The version of the agent. */
		const newest = await newestVersion(n8n, `${LANGCHAIN}.agent`);
		const serverVersion = await newestVersion(n8n, `${LANGCHAIN}.mcpTrigger`);
		const site = service.world.store.sites.peek()[0]!;
		/** Those of the agent that has all of them. */
		const tools = toolNodes(site.id, site.url);
		const client = axios.create({ proxy: false });
		/** Adds a workflow, and publishes it. */
		const add = async (caller: Caller) =>
			await addActive(n8n, workflowOf(caller, serverVersion, ids));
		await add({ path: ALL, agentVersion: newest, tools });
		await add({ path: MCP_SERVER, tools });
		return {
			...{ service, n8n, model, newest, tools, add },
			/** Has an agent play a script, the one with all tools by default. */
			talk: async (steps: Call[][], path = ALL) =>
				await model.play(steps, async (prompt) => {
					const { data } = await client.post<object>(`${n8n.baseUrl}/webhook/${path}`, { prompt });
					expect(data).toEqual({ output: model.farewell });
				}),
			/** What the service has been sent since the last time. */
			sent: () => service.requests.splice(0).map(asSent),
			/** Uses a control of the sandbox. */
			async control(path: string, body: object) {
				await client.post(new URL(`/_sandbox${path}`, service.baseUrl).href, body);
			},
		};
	});
}

const EVERYTHING = 'Everything';
const MODEL = 'Scripted Model';

function workflowOf(
	{ path, agentVersion, tools }: Caller,
	serverVersion: number,
	ids: Record<string, string>,
): Workflow {
	const credentialOf = (type: string, name: string) => ({ [type]: { id: ids[name]!, name } });
	const node = (name: string, type: string, typeVersion: number, parameters: object) => ({
		...{ id: name, name, type, typeVersion, position: [0, 0] },
		parameters: parameters as Record<string, unknown>,
	});
	const webhook = { path, httpMethod: 'POST', responseMode: 'lastNode', options: {} };
	const agent = {
		promptType: 'define',
		text: '={{ $json.body.prompt }}',
		options: { maxIterations: 30 },
	};
	const chat = { model: locator('scripted'), responsesApiEnabled: false, options: {} };
	const callers = agentVersion
		? [
				{ ...node('Webhook', 'n8n-nodes-base.webhook', 2.1, webhook), webhookId: path },
				node(CALLER, `${LANGCHAIN}.agent`, agentVersion, agent),
				{
					...node('Model', `${LANGCHAIN}.lmChatOpenAi`, 1.3, chat),
					credentials: credentialOf('openAiApi', MODEL),
				},
			]
		: [{ ...node(CALLER, `${LANGCHAIN}.mcpTrigger`, serverVersion, { path }), webhookId: path }];
	const toolNodesOf = Object.entries(tools).map(([name, tool]) => {
		const [type, resource, operation] = tool.operation.split('/');
		const parameters = { resource, operation, ...tool.parameters };
		return {
			...node(name, `${PACKAGE}.${type}Tool`, 1, parameters),
			credentials: credentialOf('siteManagementApi', tool.credential ?? EVERYTHING),
			...tool.settings,
		};
	});
	const to = (type: string) => ({ [type]: [[{ node: CALLER, type, index: 0 }]] });
	const connections = {
		...(agentVersion && { Webhook: to('main'), Model: to('ai_languageModel') }),
		...Object.fromEntries(Object.keys(tools).map((name) => [name, to('ai_tool')])),
	};
	return {
		id: path,
		name: path,
		nodes: [...callers, ...toolNodesOf],
		connections,
		settings: { executionOrder: 'v1', timezone: 'UTC' },
	};
}

const CALLER = 'Caller';

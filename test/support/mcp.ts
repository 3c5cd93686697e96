import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

/** An MCP client, as other agents have one. */
export type Mcp = Awaited<ReturnType<typeof openMcp>>;

/** Connects to a server, as a bearer of the token where one is given. */
export async function openMcp(url: string, token?: string) {
	const client = new Client({ name: 'test', version: '1' });
	const headers: Record<string, string> = token ? { Authorization: `Bearer ${token}` } : {};
	const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
	await client.connect(transport);
	return {
		tools: async () => (await client.listTools()).tools,
		async call(name: string, given: Record<string, unknown> = {}) {
			const { content, isError } = await client.callTool({ name, arguments: given });
			const [{ text } = { text: '' }, ...more] = content as Array<{ text: string }>;
			expect(more).toEqual([]);
			return { isError: isError === true, text };
		},
		close: async () => await client.close(),
	};
}

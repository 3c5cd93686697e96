import { importWorkflow, withCredentials } from '../../sandbox/lib/content';
import { MCP_TOKEN, readExample } from '../../sandbox/lib/examples';
import { openMcp, type Mcp } from '../support/mcp';
import { activate } from '../support/n8n';
import type { Bench } from './bench';
import { judge } from './judge';
import { prepare } from './measure';
import type { AgencyRequest } from './requests';
import { Result } from './script';

/** The MCP servers of examples 12 and 12a. */

export const CHANGES = '12a-fleet-changes.json';

/** Publishes the workflows, unless they are already. @returns a client of each server, by its path */
export async function openServers(bench: Bench, paths: string[]): Promise<Map<string, Mcp>> {
	const { n8n, workflowId, credentials } = bench;
	await activate(n8n.rest, workflowId);
	const id = await importWorkflow(
		n8n.rest,
		withCredentials(readExample(CHANGES, bench), credentials),
	);
	if (id) await activate(n8n.rest, id);
	const servers = new Map<string, Mcp>();
	for (const path of paths)
		servers.set(path, await openMcp(`${n8n.baseUrl}/mcp/${path}`, MCP_TOKEN));
	return servers;
}

/** Plays the script of a request with the servers that have its tools. */
export async function playOver(bench: Bench, servers: Iterable<Mcp>, request: AgencyRequest) {
	const serverOf = new Map<string, Mcp>();
	for (const mcp of servers) for (const { name } of await mcp.tools()) serverOf.set(name, mcp);
	const { fleet, expected } = prepare(bench, request);
	const script = request.script();
	const calls = [];
	let next = script.next();
	while (!next.done) {
		let result = '';
		for (const { tool, given } of [next.value].flat()) {
			({ text: result } = (await serverOf.get(tool)?.call(tool, given)) ?? NO_TOOL);
			calls.push({ tool, given, result });
		}
		next = script.next(new Result(result));
	}
	const turn = { calls, offered: 0, read: 0 };
	const judged = judge(expected, fleet, bench.service.requests, turn, next.value);
	return { ...judged, calls, answer: next.value };
}

const NO_TOOL = { text: 'There is no tool of this name.' };

import type { ChatServer } from '../../sandbox/lib/chatServer';
import { startBench } from '../agents/bench';
import type { Bench } from '../agents/bench';
import { openServers, playOver } from '../agents/servers';
import { startStandIn } from '../agents/standIn';
import { strangers } from '../agents/strangers';
import type { Mcp } from '../support/mcp';

/** Requests by somebody who knew only the list of tools, through MCP, with a model that errs as models do. */

const SERVERS = ['fleet', 'fleet-care', 'fleet-clients', 'fleet-reports', 'fleet-account'];

let model: ChatServer;
let bench: Bench;
let servers: Map<string, Mcp>;

beforeAll(async () => {
	model = await startStandIn({});
	const { baseUrl } = model;
	bench = await startBench('strangers', { baseUrl, name: 'stand-in', apiKey: 'none' });
	servers = await openServers(bench, SERVERS);
});

afterAll(async () => {
	for (const mcp of servers?.values() ?? []) await mcp.close();
	await bench?.stop();
	await model?.close();
});

it.each(strangers.map((request, at) => [at + 1, request.sentence, request] as const))(
	'%d: %s',
	async (...[, , request]) => {
		const { calls, answer, ...judged } = await playOver(bench, servers.values(), request);
		// A mistake costs calls.
		const isRight = judged.verdict === 'clean' || judged.verdict === 'detour';
		expect(isRight ? 'right' : { ...judged, calls, answer }).toBe('right');
	},
);

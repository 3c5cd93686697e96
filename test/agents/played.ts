import type { ChatServer } from '../../sandbox/lib/chatServer';
import type { Mcp } from '../support/mcp';
import type { N8nVersion } from '../support/versions';
import { startBench, type Bench } from './bench';
import type { Judgement } from './judge';
import { openServers, playOver } from './servers';
import { startStandIn } from './standIn';
import { strangers } from './strangers';

const SERVERS = ['fleet', 'fleet-care', 'fleet-clients', 'fleet-reports', 'fleet-account'];

/** A mistake costs calls. */
export const judged = ({ verdict, ...why }: Judgement) =>
	verdict === 'clean' || verdict === 'detour' ? 'right' : { verdict, ...why };

/** Plays the requests of the stranger over MCP, and what else there is to see. @param more tests with the same n8n */
export function playStrangers(version: N8nVersion, more: (bench: () => Bench) => void = () => {}) {
	let model: ChatServer;
	let bench: Bench;
	let servers: Map<string, Mcp>;

	beforeAll(async () => {
		model = await startStandIn(
			Object.fromEntries(strangers.map(({ sentence, script }) => [sentence, script])),
		);
		const { baseUrl } = model;
		const standIn = { baseUrl, name: 'stand-in', apiKey: 'none' };
		bench = await startBench(`strangers-${version.name}`, standIn, version);
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
			expect(judged(await playOver(bench, servers.values(), request))).toBe('right');
		},
	);

	more(() => bench);
}

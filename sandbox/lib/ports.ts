import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that systems give to connections: n8n takes seconds until it listens, and two are started at once. */
const [FIRST, END] = [10_000, 32_000];

/** Drawn ones are in use only later: the same one twice would be two servers at one port. */
const drawn = new Set<number>();

/** A port that is free on loopback right now, another one at each call. */
export async function freePort(): Promise<number> {
	const port = randomInt(FIRST, END);
	if (drawn.has(port)) return await freePort();
	drawn.add(port);
	const server = createServer().listen(port, '127.0.0.1');
	try {
		await once(server, 'listening');
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
		return await freePort();
	}
	server.close();
	await once(server, 'close');
	return port;
}

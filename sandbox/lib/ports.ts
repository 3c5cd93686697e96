import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that systems give to connections: n8n takes seconds until it listens, and two are started at once. */
const [FIRST, END] = [10_000, 32_000];

/** A port that is free on loopback right now. */
export async function freePort(): Promise<number> {
	const port = randomInt(FIRST, END);
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

import { execFileSync } from 'node:child_process';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** A service on loopback whose certificate nobody trusts; it counts connections and requests. */
export async function startSelfSigned() {
	const made = '-x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1';
	const names = ['-subj', '/CN=127.0.0.1', '-keyout', '-', '-out', '-'];
	const pem = execFileSync('openssl', ['req', ...made.split(' '), ...names], { stdio: 'pipe' });
	const seen = { connections: 0, requests: 0 };
	const server = createServer({ key: pem, cert: pem }, (_, response) => {
		seen.requests += 1;
		response.end();
	});
	server.on('connection', () => (seen.connections += 1));
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	server.unref();
	const { port } = server.address() as AddressInfo;
	return {
		...{ baseUrl: `https://127.0.0.1:${port}/api/v6`, token: 'any-token', seen },
		close: async () => await new Promise((resolve) => server.close(resolve)),
	};
}

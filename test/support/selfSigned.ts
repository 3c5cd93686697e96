import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** For localhost, until 2120. Nothing else has this key. */
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgZNPeuXGcEZhRYqQ3
0tuVhJ3LpeR2W6BlJQuqxgShx9ChRANCAATvcNEcOYM8fMwNHMmGqZZ2sxL0ctSK
LcIfyAUc/IetVToa/veE+vPEal9dWW/C0b7mTjMp0ADrsa+zAUvRifJR
-----END PRIVATE KEY-----`;

const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBETCBuAIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwIBcN
MjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBQxEjAQBgNVBAMMCWxvY2Fs
aG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABO9w0Rw5gzx8zA0cyYaplnaz
EvRy1Iotwh/IBRz8h61VOhr+94T688RqX11Zb8LRvuZOMynQAOuxr7MBS9GJ8lEw
CgYIKoZIzj0EAwIDSAAwRQIhAKd7govNjFSplujuM9iR3Q4VNU3me2Q88wCmdAjw
ybufAiBmtvdv+unss+GbSQvao61kGz//BBTuf+bP0NxnPloQ4g==
-----END CERTIFICATE-----`;

/** A service on loopback whose certificate nobody trusts; it counts connections and requests. */
export async function startSelfSigned() {
	const seen = { connections: 0, requests: 0 };
	const server = createServer({ key: KEY, cert: CERTIFICATE }, (_, response) => {
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

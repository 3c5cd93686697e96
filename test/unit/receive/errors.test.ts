import { createServer, connect, type AddressInfo, type NetConnectOpts } from 'node:net';
import { wasNeverConnected } from '../../../nodes/shared/receive/errors';

/** Which failures prove that nothing was sent, by what Node.js itself reports. */

/** What Node.js reports when it can not connect. */
const failing = async (options: NetConnectOpts) =>
	await new Promise<Error>((resolve) => connect(options).on('error', resolve));

/** A port that nobody listens at. */
async function closedPort(): Promise<number> {
	const server = createServer();
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	await new Promise((resolve) => server.close(resolve));
	return port;
}

/** As Axios and n8n wrap it. */
const wrapped = (cause: unknown) =>
	Object.assign(new Error('n8n'), {
		cause: Object.assign(new Error('axios'), { code: 'ECONNREFUSED', cause }),
	});

const addresses = [
	{ address: '127.0.0.1', family: 4 },
	{ address: '127.0.0.2', family: 4 },
];
const severalAddresses = async () =>
	await failing({
		host: 'several.example',
		port: await closedPort(),
		autoSelectFamily: true,
		lookup: (_host, _options, done) => done(null, addresses),
	});

it('a connection that was refused', async () => {
	const error = await failing({ host: '127.0.0.1', port: await closedPort() });
	expect([wasNeverConnected(error), wasNeverConnected(wrapped(error))]).toEqual([true, true]);
});

it('a host name that is not known', async () => {
	const error = await failing({ host: 'nope.invalid', port: 1 });
	expect(wasNeverConnected(wrapped(error))).toBe(true);
});

it('a host of several addresses, all of which refused', async () => {
	const error = await severalAddresses();
	expect((error as AggregateError).errors).toHaveLength(2);
	expect(wasNeverConnected(wrapped(error))).toBe(true);
});

it('not where one of its addresses has another error, or none', async () => {
	for (const part of [Object.assign(new Error('read'), { syscall: 'read' }), new Error('?')]) {
		const error = await severalAddresses();
		(error as AggregateError).errors.push(part);
		expect(wasNeverConnected(wrapped(error))).toBe(false);
	}
});

it.each(['read', 'write', 'shutdown'])('not a later failure, by %s, whatever its code', (call) => {
	const error = Object.assign(new Error(), { code: 'EHOSTUNREACH', syscall: call });
	expect(wasNeverConnected(error)).toBe(false);
	expect(wasNeverConnected(wrapped(error))).toBe(false);
});

it.each([undefined, null, 'connect', new Error('connect'), { code: 'ECONNREFUSED' }])(
	'not %p, which has no code',
	(failure) => expect(wasNeverConnected(failure)).toBe(false),
);

it('not one that is its own cause', () => {
	const error = new Error('round');
	error.cause = error;
	expect(wasNeverConnected(error)).toBe(false);
});

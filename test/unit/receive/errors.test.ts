import { type AddressInfo, type NetConnectOpts, connect, createServer } from 'node:net';
import { reasonOf, wasNeverConnected } from '../../../nodes/shared/receive/errors';
import { reader } from '../../../nodes/shared/receive/messages';

/** Which failures prove that nothing was sent, by what Node.js itself reports; and why the service says that something failed. */

/** What Node.js reports when it cannot connect. */
const failing = async (options: NetConnectOpts) =>
	await new Promise<Error>((resolve) => connect(options).on('error', resolve));

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

it('proves a refused connection, an unknown host, and a host of which all addresses refused', async () => {
	const refused = await failing({ host: '127.0.0.1', port: await closedPort() });
	const unknown = await failing({ host: 'nope.invalid', port: 1 });
	const several = await severalAddresses();
	expect((several as AggregateError).errors).toHaveLength(2);
	const errors = [refused, wrapped(refused), wrapped(unknown), wrapped(several)];
	expect(errors.map((error) => wasNeverConnected(error))).toEqual([true, true, true, true]);
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

it('proves that a certificate was rejected, before the request', () => {
	const codes = 'CERT_HAS_EXPIRED CERT_NOT_YET_VALID SELF_SIGNED_CERT_IN_CHAIN INVALID_PURPOSE'
		.concat(' DEPTH_ZERO_SELF_SIGNED_CERT UNABLE_TO_VERIFY_LEAF_SIGNATURE HOSTNAME_MISMATCH')
		.concat(' UNABLE_TO_GET_ISSUER_CERT_LOCALLY CERT_REVOKED ERR_TLS_CERT_ALTNAME_INVALID');
	for (const code of codes.split(' ')) {
		expect(wasNeverConnected(wrapped(Object.assign(new Error('tls'), { code })))).toBe(true);
	}
	// With TLS 1.3 a server asks for a certificate when the request may have been sent.
	for (const code of ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'ECONNRESET', 'EPROTO']) {
		expect(wasNeverConnected(wrapped(Object.assign(new Error('tls'), { code })))).toBe(false);
	}
});

const round = new Error('its own cause');
round.cause = round;

it.each([undefined, null, 'connect', round, { code: 'ECONNREFUSED' }, { errors: [] }])(
	'not %p, which has no system call',
	(failure) => expect(wasNeverConnected(failure)).toBe(false),
);

const SECRET = 'hunter2hunter2';
const read = (body: unknown) => reader([SECRET])(reasonOf(body));
const why = 'The name is taken';
const long = 'is too long';

it.each<[form: string, body: unknown, reason: string]>([
	['the details of an error', { error: { details: why } }, why],
	['a message and details', { error: { message: 'Tag 7', details: why } }, `Tag 7: ${why}`],
	['a message alone', { error: { code: 'conflict', message: why } }, why],
	[
		'a published error',
		{
			error: {
				...{ status: 400, code: 'bad_request', message: 'Invalid query' },
				details: [{ code: 'invalid_type', param: 'site_ids', message: 'Must be an array' }],
			},
		},
		'Invalid query: site_ids: Must be an array',
	],
	['a code by param', { error: { details: [{ param: 'name', code: 'blank' }] } }, 'name: blank'],
	[
		'a message that repeats its details',
		{ error: { message: `The request is invalid: name ${long}`, details: { name: [long] } } },
		`name: ${long}`,
	],
	['an error as text', { error: why }, why],
	['without a wrapper', { message: why, details: { name: long } }, `${why}: name: ${long}`],
	['a list of texts', { error: { details: [why, 'No color'] } }, `${why}; No color`],
	['fields', { error: { details: { url: [long], name: long } } }, `url: ${long}; name: ${long}`],
	['a field named as a message', { error: { details: { message: [long] } } }, `message: ${long}`],
	[
		'a param named as a message is',
		{ error: { details: [{ code: 'a', param: 'message', message: long }] } },
		`message: ${long}`,
	],
])('%s', (_, body, reason) => expect(read(body)).toBe(reason));

it.each<[what: string, body: unknown]>([
	['nothing', undefined],
	['null', null],
	['an empty object', {}],
	['an unknown form', { fault: { faultstring: why } }],
	['a web page', '<!doctype html><p>no</p>'],
	['a web page in a field', { message: '<html><body>no</body></html>' }],
	['a script', { error: { details: 'no <script>alert(1)</script>' } }],
])('no reason in %s', (_, body) => expect(read(body)).toBe(''));

describe('a reason', () => {
	const details = [{ code: 'blank', param: 'tag.name', message: 'is blank' }];

	it.each([
		[{ message: 'tag.name is blank', details }, 'tag.name: is blank'],
		[{ message: 'The request is invalid: tag.name is blank', details }, 'tag.name: is blank'],
		[{ message: 'No such tag: Tag.name is blank.', details }, 'tag.name: is blank'],
		[{ message: 'A tag needs a name', details }, 'A tag needs a name: tag.name: is blank'],
		[{ details: [...details, 'and more'] }, 'tag.name: is blank; and more'],
		[{ details: { name: ['is blank', 'is short'] } }, 'name: is blank; is short'],
	])('in %j is said once', (error, reason) => expect(read({ error })).toBe(reason));

	it('has no tags', () => {
		const details = '<p>The <b>name</b> is 3 < 4</p>';
		expect(read({ error: { details } })).toMatch(/^The\s+name\s+is 3 < 4$/);
	});

	it('does not say the same twice', () => {
		expect(read({ error: { message: `${why}!`, details: [why, why] } })).toBe(why);
		expect(read({ error: { message: long, details: { name: long } } })).toBe(`name: ${long}`);
	});

	it('has no secrets, wherever it comes from', () => {
		const said = `The password ${SECRET} is wrong`;
		for (const body of [
			said,
			{ error: said },
			{ message: `<p>${said}</p>` },
			{ error: { details: [said] } },
			{ error: { details: { [SECRET]: ['is wrong'] } } },
		]) {
			const reason = read(body);
			expect(reason).toContain('wrong');
			expect(reason).not.toContain('hunter2');
		}
	});
});

import { Readable } from 'node:stream';
import { clock } from '../../../nodes/shared/lib';
import { type ItemsOptions, itemsOf } from '../../support/items';
import {
	type ApiRequest,
	type ApiResponse,
	type CallContext,
	endBy,
} from '../../../nodes/shared/n8n/context';
import { checkCredential, pointsTo, read, serviceTime } from '../../../nodes/shared/client/request';
import { filledIn } from '../../support/credential';

/** One request as n8n gets it to send, what becomes of its answer, and which credentials can be used. */

let now: number;
let slept: number[];
beforeEach(() => {
	now = Date.parse('2026-03-01T12:00:00Z');
	slept = [];
	clock.now = () => now;
	clock.steady = () => now;
	clock.sleep = async (ms) => {
		slept.push(ms);
		now += ms;
	};
});

const request = async (context: CallContext, options: ApiRequest) =>
	await read(context, options, (answer) => answer);

const get = { method: 'GET' as const, url: '/tags/7' };
const post: ApiRequest = {
	method: 'POST',
	url: '/tags',
	body: { tag: { name: 'A' } },
	does: { effects: ['organises'], touches: { mayNameNone: true } },
};

it('is signed by n8n, which follows no redirect and throws for no status', async () => {
	const { item, sent } = itemsOf({ answer: () => ({ body: { tag: {} } }) });
	expect(await request(item, { ...get, qs: { a: ['b'] } })).toMatchObject({
		statusCode: 200,
		body: { tag: {} },
	});
	expect(sent).toEqual([
		{
			method: 'GET',
			url: '/tags/7',
			qs: { a: ['b'] },
			baseURL: 'https://api.example.com/api/v6',
			arrayFormat: 'brackets',
			encoding: 'stream',
			timeout: 300_000,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			sendCredentialsOnCrossOriginRedirect: false,
			abortSignal: undefined,
		},
	]);
});

it('n8n’s empty body is not sent, any other is', async () => {
	const { item, sent } = itemsOf();
	for (const body of [{}, { a: 1 }, 'text', null, undefined])
		await request(item, { ...post, body: body as never });
	expect(sent.map(({ body }) => body)).toEqual([undefined, { a: 1 }, 'text', null, undefined]);
});

it('uses the abort signal of its execution', async () => {
	const { signal } = new AbortController();
	const { item, sent } = itemsOf({ signal });
	await request(item, get);
	expect(sent[0]!.abortSignal).toBe(signal);
});

it('times out no later than its poll, or the wait that it belongs to', async () => {
	const { item, sent } = itemsOf();
	await request(item, get);
	for (const wait of [1_000, 20_000, 90_000]) await request(item, { ...get, until: now + wait });
	endBy(item, now + 600_000);
	await request(item, get);
	expect(sent.map(({ timeout }) => timeout)).toEqual([300_000, 5_000, 20_000, 30_000, 60_000]);
});

const fails = async (options: ItemsOptions, what: ApiRequest = get) => {
	const { item, sent } = itemsOf(options);
	const error = await request(item, what).catch((each: Error) => each);
	return { error, sent };
};

it('a failed change may have been applied, and a read is sent again', async () => {
	const answer = () => ({ status: 500, body: {} });
	const changed = await fails({ answer }, post);
	const read = await fails({ answer });
	expect([changed.sent.length, read.sent.length]).toEqual([1, 4]);
	const hint = /may|whether|Tag|\/tags/;
	expect(changed.error).toMatchObject({
		httpCode: '500',
		description: expect.stringMatching(hint),
	});
	expect((changed.error as { description?: string }).description).not.toBe(
		(read.error as { description?: string }).description,
	);
});

it('a request that the signer refuses is not sent, and the error names the credential', async () => {
	const limits = { access: 'readOnly' };
	const { error, sent } = await fails({ limits }, post);
	expect(error).toMatchObject({
		message: 'POST /tags is not allowed by the credential "Mine": its Access is Read Only',
		description: expect.stringContaining('Nothing was sent.'),
	});
	expect(sent).toEqual([]);
	expect((await fails({ limits })).sent).toHaveLength(1);
});

it('a change of no known operation is refused with limits', async () => {
	const { error, sent } = await fails({ limits: { maxChanges: 9 } }, { ...post, does: undefined });
	expect((error as Error).message).toContain('this package does not know the request');
	expect(sent).toEqual([]);
});

it('the limits of a credential without a name still apply', async () => {
	const node = { credentials: { siteManagementApi: { id: '1', name: '' } } };
	const { error } = await fails({ limits: { access: 'readOnly' }, node }, post);
	expect((error as Error).message).toMatch(
		/^POST \/tags is not allowed by the credential: its Access/,
	);
});

it('a redirect is an error that says where it points', async () => {
	const location = 'https://new.example.com/api/v6/tags/7?secret=1';
	const { error } = await fails({ answer: () => ({ status: 301, headers: { location } }) });
	expect(JSON.stringify(error)).toContain('https://new.example.com/api/v6');
	expect(JSON.stringify(error)).not.toContain('secret');
});

it('a refused download is read as JSON or text', async () => {
	const parts = ['{"error":{"message":', '"It is gone"}}'].map((part) => Buffer.from(part));
	const answer = () => ({ status: 404, body: Readable.from(parts) });
	const { error } = await fails({ answer }, { ...get, encoding: 'stream' as const });
	expect((error as Error).message + JSON.stringify(error)).toContain('It is gone');
});

describe('the time of the service', () => {
	const date = 'Sun, 01 Mar 2026 12:05:00 GMT';

	it('is asked for once, then continues with the clock', async () => {
		const { item, sent } = itemsOf({ answer: () => ({ headers: { date } }) });
		expect(await serviceTime(item)).toBeUndefined();
		expect(await serviceTime(item, '/tags')).toBe(Date.parse(date));
		now += 7_000;
		expect(await serviceTime(item, '/tags')).toBe(Date.parse(date) + 7_000);
		expect(sent).toMatchObject([{ url: '/tags', qs: { page: 1, perPage: 1 } }]);
	});

	it('is unknown where no response has it', async () => {
		const { item } = itemsOf({ answer: () => ({ headers: { date: 'soon' } }) });
		expect(await serviceTime(item, '/tags')).toBeUndefined();
	});
});

describe('a redirect', () => {
	const BASE = 'https://api.example.com/api/v6';
	const toPlace = (location: unknown, status = 302) =>
		({ statusCode: status, headers: { location }, body: {} }) as ApiResponse;

	it.each([
		[`${BASE}/tags?token=secret`, { to: `${BASE}/tags` }],
		['/login', { to: 'https://api.example.com/login' }],
		[
			'https://new.example.com/api/v7/tags#a',
			{ to: 'https://new.example.com/api/v7/tags', baseUrl: 'https://new.example.com/api/v7' },
		],
		['https://new.example.com/tags/7', { to: 'https://new.example.com/tags/7' }],
		['http://', {}],
		['', {}],
		[undefined, {}],
		[7, {}],
	])('%j points to %j', (location, place) => {
		expect(pointsTo(toPlace(location), BASE, '/tags')).toEqual(place);
	});
});

describe('a credential', () => {
	const node = itemsOf().item.getNode();
	const right = filledIn({ baseUrl: 'https://api.example.com/api/v6', apiToken: 'abc' });
	const check = (changes: Record<string, unknown> = {}) =>
		checkCredential(node, { ...right, ...changes });

	it.each([
		['https://api.example.com/api/v6', 'https://api.example.com/api/v6'],
		[' https://api.example.com/api/v6//\n', 'https://api.example.com/api/v6'],
		['http://127.0.0.1:4010/api/v6', 'http://127.0.0.1:4010/api/v6'],
		['http://localhost/api', 'http://localhost/api'],
	])('the base URL %j', (baseUrl, baseURL) => {
		expect(check({ baseUrl })).toMatchObject({
			baseURL,
			apiToken: 'abc',
			limits: { access: 'Everything' },
			cap: Infinity,
		});
	});

	const PLAIN = 'must be a plain URL without ?, # or a username';

	it.each([
		['', 'is empty'],
		[' ', 'is empty'],
		[undefined, 'is empty'],
		[[], 'is not a URL'],
		[42, 'is not a URL'],
		[true, 'is not a URL'],
		[{ url: 'https://secret.example.com' }, 'is not a URL'],
		['api.example.com', 'is not a URL'],
		['https://', 'is not a URL'],
		['http://api.example.com', 'must start with https://'],
		['ftp://127.0.0.1', 'must start with https://'],
		['ftp://api.example.com', 'must start with https://'],
		['https://api.example.com/?a=secret', PLAIN],
		['https://api.example.com/#secret', PLAIN],
		['https://secret@api.example.com', PLAIN],
		['https://:secret@api.example.com', PLAIN],
	])('the base URL %j is refused, and not repeated', (baseUrl, problem) => {
		expect(() => check({ baseUrl })).toThrow(
			expect.objectContaining({
				message: `The Base URL of the credential ${problem}`,
				description:
					"Open the node's credential and set Base URL to the address of the service with its version segment, such as https://api.example.com/api/v6. Nothing was sent.",
			}),
		);
	});

	const BAD_CHARACTER =
		'contains a space, a line break or another character that is not allowed in a token';

	it.each([
		['', 'is empty'],
		[' ', 'is empty'],
		[undefined, 'is empty'],
		[123, BAD_CHARACTER],
		[['abc'], BAD_CHARACTER],
		['abc\n', BAD_CHARACTER],
		[' abc', BAD_CHARACTER],
		['a c', BAD_CHARACTER],
		['äbc', BAD_CHARACTER],
	])('the token %j is refused', (apiToken, problem) => {
		expect(() => check({ apiToken })).toThrow(
			expect.objectContaining({
				message: `The API Token of the credential ${problem}`,
				description:
					"Open the node's credential and enter the token exactly as shown in the dashboard. Nothing was sent.",
			}),
		);
	});

	it.each([
		[undefined, Infinity],
		[null, Infinity],
		['', Infinity],
		[0, Infinity],
		['0', Infinity],
		[60, 60],
		[' 60 ', 60],
	])('of %j requests per minute the cap is %p', (requestsPerMinute, cap) => {
		expect(check({ requestsPerMinute }).cap).toBe(cap);
	});

	it.each([-1, 1.5, 'many', [60], true])('%j requests per minute are refused', (value) => {
		expect(() => check({ requestsPerMinute: value })).toThrow(
			expect.objectContaining({
				message: 'The Requests per Minute of the credential is not a whole number of 0 or more',
				description:
					"Open the node's credential and enter a whole number. 0 means as many as the service allows. Nothing was sent.",
			}),
		);
	});

	it('an unknown Access is refused with the choices', () => {
		expect(check({ access: 'readOnly' }).limits.access).toBe('Read Only');
		expect(() => check({ access: 'some' })).toThrow(
			expect.objectContaining({
				message: 'The Access of the credential is not one of its options',
				description: expect.stringMatching(/choose .+, .+ or [^,]+\. Nothing was sent\.$/),
			}),
		);
	});

	it('refuses values that cannot be read', () => {
		const odd = { toString: 1, valueOf: 1 };
		expect(() => check({ apiToken: odd })).toThrow(BAD_CHARACTER);
		expect(() => check({ baseUrl: odd })).toThrow('The Base URL of the credential is not a URL');
		const broken = Object.defineProperty({ ...right }, 'apiToken', {
			get: () => {
				throw new TypeError('secret');
			},
		});
		expect(() => checkCredential(node, broken)).toThrow(
			expect.objectContaining({
				name: 'NodeOperationError',
				message: 'The credential cannot be read (TypeError)',
				description:
					"Open the node's credential and save it again. If it has expressions, check what they return. Nothing was sent.",
			}),
		);
	});
});

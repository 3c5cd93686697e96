import { Readable } from 'node:stream';
import { clock } from '../../../nodes/shared/lib';
import { type ItemsOptions, itemsOf } from '../../support/engine/contexts';
import {
	type ApiRequest,
	type ApiResponse,
	type CallContext,
	endBy,
} from '../../../nodes/shared/n8n/context';
import { pointsTo } from '../../../nodes/shared/client/redirect';
import { checkCredential, read, serviceTime } from '../../../nodes/shared/client/request';
import { filledIn } from '../../support/credential';

/** One request as n8n gets it to send, what becomes of its answer, and which credentials can be used. */

const BASE = 'https://api.example.com/api/v6';

let now: number;
beforeEach(() => {
	now = Date.parse('2026-03-01T12:00:00Z');
	clock.now = () => now;
	clock.steady = () => now;
	clock.sleep = async (ms) => void (now += ms);
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
			baseURL: BASE,
			arrayFormat: 'brackets',
			encoding: 'stream',
			timeout: 300_000,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
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

it('times out no later than its poll, or the wait that it belongs to', async () => {
	const { item, sent } = itemsOf();
	await request(item, get);
	for (const wait of [1_000, 20_000, 90_000]) await request(item, { ...get, until: now + wait });
	endBy(item, now + 600_000);
	await request(item, get);
	expect(sent.map(({ timeout }) => timeout)).toEqual([300_000, 5_000, 20_000, 30_000, 60_000]);
});

const fails = async (options: ItemsOptions, what: ApiRequest = get) =>
	await request(itemsOf(options).item, what).catch((error: Error) => error);

it('the limits of a credential without a name still apply', async () => {
	const node = { credentials: { siteManagementApi: { id: '1', name: '' } } };
	expect(await fails({ limits: { access: 'readOnly' }, node }, post)).toMatchObject({
		message: expect.stringMatching(/^POST \/tags is not allowed by the credential: its Access/),
	});
});

it('a refused download is read as JSON or text', async () => {
	const parts = ['{"error":{"message":', '"It is gone"}}'].map((part) => Buffer.from(part));
	const answer = () => ({ status: 404, body: Readable.from(parts) });
	const error = await fails({ answer }, { ...get, encoding: 'stream' });
	expect(error).toMatchObject({ message: expect.stringContaining('It is gone') });
});

describe('the time of the service', () => {
	const date = 'Sun, 01 Mar 2026 12:05:00 GMT';

	it('is asked for once, then continues with the clock', async () => {
		const { item, sent } = itemsOf({ answer: () => ({ headers: { date } }) });
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

it.each([
	[`${BASE}/tags?token=secret`, { to: `${BASE}/tags` }],
	['/login', { to: 'https://api.example.com/login' }],
	[
		'https://new.example.com/api/v7/tags#a',
		{ to: 'https://new.example.com/api/v7/tags', baseUrl: 'https://new.example.com/api/v7' },
	],
	['http://', {}],
	['', {}],
	[undefined, {}],
])('a redirect with %j points to %j', (location, place) => {
	const answer = { statusCode: 302, headers: { location }, body: {} } as ApiResponse;
	expect(pointsTo(answer, BASE, '/tags')).toEqual(place);
});

describe('a credential', () => {
	const node = itemsOf().item.getNode();
	const right = filledIn({ baseUrl: BASE, apiToken: 'abc' });
	const check = (changes: Record<string, unknown> = {}) =>
		checkCredential(node, { ...right, ...changes });

	it.each([
		[BASE, BASE],
		[` ${BASE}//\n`, BASE],
		['http://127.0.0.1:4010/api/v6', 'http://127.0.0.1:4010/api/v6'],
	])('the base URL %j', (baseUrl, baseURL) => {
		expect(check({ baseUrl })).toMatchObject({
			...{ baseURL, apiToken: 'abc', limits: { access: 'Everything' }, cap: Infinity },
		});
	});

	it.each([
		['', Infinity],
		[60, 60],
		[' 60 ', 60],
	])('of %j requests per minute the cap is %p', (requestsPerMinute, cap) => {
		expect(check({ requestsPerMinute }).cap).toBe(cap);
	});

	const address =
		'set Base URL to the address of the service with its version segment, such as https://api.example.com/api/v6';
	const number = 'enter one, or leave it empty for as many as the service allows';

	/** Which values are refused is in unit/access. */
	it.each<[fields: Record<string, unknown>, problem: string, todo: string]>([
		[
			{ baseUrl: 'https://secret@api.example.com' },
			'Base URL of the credential must be a plain URL without ?, # or a username',
			address,
		],
		[{ baseUrl: { toString: 1 } }, 'Base URL of the credential is not a URL', address],
		[
			{ apiToken: 123 },
			'API Token of the credential contains a space, a line break or another character that is not allowed in a token',
			'enter the token exactly as shown in the dashboard',
		],
		...[undefined, null, 0, '0', -1, 1.5, 'many', [60], true].map(
			(requestsPerMinute): [Record<string, unknown>, string, string] => [
				{ requestsPerMinute },
				'Requests per Minute of the credential is not a whole number of 1 or more',
				number,
			],
		),
	])('with %j is refused, and not repeated', (fields, problem, todo) => {
		expect(() => check(fields)).toThrow(
			expect.objectContaining({
				message: problem,
				description: `Open the node's credential and ${todo}. Nothing was sent.`,
			}),
		);
	});

	it('that cannot be read says so without its content', () => {
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

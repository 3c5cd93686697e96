import { Readable } from 'node:stream';
import { clock } from '../../../nodes/shared/lib';
import { type ApiRequest, type CallContext, endBy } from '../../../nodes/shared/n8n/context';
import { recordAt } from '../../../nodes/shared/client/records';
import { read, serviceTime } from '../../../nodes/shared/client/request';
import { itemsOf, type ItemsOptions } from '../../support/items';

/** One request as n8n gets it to send, and what becomes of its answer. */

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

describe('a record that may be gone', () => {
	const at = async (answer: ItemsOptions['answer']) =>
		await recordAt(itemsOf({ answer }).item, '/tags/7').catch((error: Error) => error);

	it('is read, or undefined, or an error', async () => {
		expect(await at(() => ({ body: { tag: { id: '7' } } }))).toEqual({ id: '7' });
		expect(await at(() => ({ status: 404, body: {} }))).toBeUndefined();
		expect(await at(() => ({ status: 403, body: {} }))).toMatchObject({ httpCode: '403' });
		expect(await at(() => ({ body: { tags: [] } }))).toBeInstanceOf(Error);
	});
});

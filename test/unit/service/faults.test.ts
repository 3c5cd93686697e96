import type { AxiosRequestConfig } from 'axios';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import type { OddRateHeaders, WrongAnswer } from '../../../sandbox/service/http/faultAnswers';
import { faults, type Faults } from '../../../sandbox/service/http/faults';
import {
	expectError,
	list,
	listIds,
	second,
	start,
	startReal,
	startTime,
	type TestService,
} from './support';

/** Answers are taken as they come: those here are against the API. */
const raw = { maxRedirects: 0, responseType: 'text', transformResponse: (data: unknown) => data };

async function startFaulty(active: Faults = {}) {
	const service = await start({ faults: active });
	const send = async (method: string, url: string, options: AxiosRequestConfig = {}) => {
		const request = { ...raw, method, url, ...options } as AxiosRequestConfig;
		const { status, headers, data } = await service.api.request<string>(request);
		return { status, headers, text: data, type: String(headers['content-type']) };
	};
	return {
		service,
		send,
		create: (name: string) => send('POST', '/tags', { data: { tag: { name } } }),
		tagNames: async () => (await list(service, '/tags')).map(({ name }) => name),
		statuses: async (count: number) => {
			const found: number[] = [];
			for (let i = 0; i < count; i++) found.push((await service.api.get('/tags')).status);
			return found;
		},
		turnOn: async (active: Faults) =>
			expect((await service.admin.post('/faults', active)).status).toBe(200),
	};
}

describe('faults on request', () => {
	it('are off by default, and switched on and off while the service runs', async () => {
		const { service, statuses } = await startFaulty();
		const { admin } = service;
		expect((await admin.get('/faults')).data).toEqual({ faults: {} });
		const { data } = await admin.post('/faults', { server_errors: {} });
		expect(data).toEqual({ faults: { server_errors: {} } });
		await admin.post('/faults', { latency: { ms: 0, upTo: 1 } });
		expect(await statuses(1)).toEqual([500]);
		expect((await admin.get('/health')).status).toBe(200);
		expect((await admin.delete('/faults')).status).toBe(204);
		expect(await statuses(1)).toEqual([200]);
	});

	it('affect a share of the requests, the same ones for the same seed', async () => {
		const met = async () => {
			const { statuses } = await startFaulty({ server_errors: { rate: 0.4 } });
			return await statuses(40);
		};
		const first = await met();
		const failed = first.filter((status) => status === 500).length;
		expect([failed > 5, failed < 30]).toEqual([true, true]);
		expect(await met()).toEqual(first);
	});

	it('affect the next requests of a method and path', async () => {
		const { statuses, create, turnOn } = await startFaulty({
			server_errors: { next: 2, method: 'POST', path: '/tags' },
		});
		const created = [];
		for (let i = 0; i < 3; i++) {
			expect(await statuses(1)).toEqual([200]);
			created.push((await create('A')).status);
		}
		expect(created).toEqual([500, 500, 201]);
		await turnOn({ server_errors: { path: '/sites' } });
		expect((await create('A')).status).toBe(201);
	});

	it('affect any segment of a path where it has a *', async () => {
		const { api } = await start({ faults: { server_errors: { path: '/tags/*/assign' } } });
		const urls = ['/tags/7/assign', '/tags/7/remove', '/tags/7'];
		const answers = urls.map(async (url) => (await api.post(url)).status);
		expect(await Promise.all(answers)).toEqual([500, 400, 404]);
	});
});

const when = { next: 3, method: 'POST', path: '/tags' };

it.each<[keyof Faults, string, object | string]>([
	['wrong_answers', 'unpaged,3x POST /tags', { kind: 'unpaged', ...when }],
	['redirects', '301,0.5 GET', { status: 301, rate: 0.5, method: 'GET' }],
	['hanging', 'always', {}],
	['harmless', 'no_meta,3x POST /tags', { only: 'no_meta', ...when }],
	['wrong_answers', '3x', '"3x" is unknown. Choose one of html, empty, truncated, shape'],
	['redirects', '302,', '"" is not a valid WHEN'],
	['hanging', '3y', '"3y" is not a valid WHEN'],
	['server_errors', '404', '"404" is unknown. Choose one of 500 to 599'],
])('the value of the fault %s by "%s" on the command line', async (name, text, expected) => {
	if (typeof expected === 'string') return expect(() => faults[name].parse(text)).toThrow(expected);
	expect(faults[name].parse(text)).toEqual(expected);
	const { admin } = await start({ sites: 0 });
	expect((await admin.post('/faults', { [name]: expected })).status).toBe(200);
});

describe('the fault', () => {
	it('rate_limited refuses requests though the account has some left', async () => {
		const { service, statuses } = await startFaulty({ rate_limited: { next: 2 } });
		const { headers } = await service.api.get('/tags');
		expect([headers['x-ratelimit-remaining'], headers['x-ratelimit-reset']]).toEqual(['0', '60']);
		expect(await statuses(2)).toEqual([429, 200]);
	});

	it.each<[keyof Faults, Faults, status: number | string, isDone: boolean]>([
		['server_errors', { server_errors: { next: 1, status: 503 } }, 503, false],
		['redirects', { redirects: { next: 1 } }, 302, false],
		['dropped_before', { dropped_before: { next: 1 } }, 'ECONNRESET', false],
		['dropped_after', { dropped_after: { next: 1 } }, 'ECONNRESET', true],
	])('%s of %j: %s, with an effect: %s', async (_, active, status, isDone) => {
		const { create, tagNames } = await startFaulty(active);
		const answer = await create('A').catch(({ code }: { code: string }) => ({ status: code }));
		expect(answer.status).toBe(status);
		expect((await tagNames()).includes('A')).toBe(isDone);
	});

	it.each<[Faults, number]>([
		[{ slow_bodies: { ms: 20 } }, 200],
		[{ token_expired: true }, 401],
		[{ account_inactive: true }, 403],
	])('%j answers with %i', async (active, status) => {
		const { service, turnOn } = await startFaulty();
		const { data } = await service.api.get('/tags');
		await turnOn(active);
		const answer = await service.api.get('/tags');
		if (status === 200) expect(answer.data).toEqual(data);
		else expectError(answer, status);
	});

	const twoPages = async (service: TestService, params: object) => [
		...(await listIds(service, '/sites', { ...params, perPage: 6, page: 1 })),
		...(await listIds(service, '/sites', { ...params, perPage: 6, page: 2 })),
	];

	it.each([
		['removed', 'so that one is missed', [0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11]],
		['added', 'so that one comes twice', [0, 1, 2, 3, 4, 5, 5, 6, 7, 8, 9, 10]],
		['touched', 'so that one comes instead of another', [0, 1, 2, 3, 4, 5, 5, 7, 8, 9, 10, 11]],
	] as const)('changing_lists, %s between two pages, %s', async (kind, _what, expected) => {
		const { service, turnOn } = await startFaulty();
		const sort = kind === 'touched' ? { sort: 'updated_at,desc' } : {};
		const all = await twoPages(service, sort);
		await turnOn({ changing_lists: kind });
		service.clock.advance(second);
		const seen = await twoPages(service, sort);
		expect(seen.map((id) => all.indexOf(id))).toEqual(expected);
	});

	it('harmless changes the form of answers that can differ, and neither effects nor errors', async () => {
		const { send, create, tagNames, turnOn } = await startFaulty();
		const { id } = JSON.parse((await create('A')).text).tag;
		await turnOn({ harmless: { only: 'delete_message', next: 1 } });
		expect((await send('GET', '/tags')).text).toContain('"tags":[');
		const { status, text } = await send('DELETE', `/tags/${id}`);
		expect([status, JSON.parse(text)]).toEqual([200, { message: 'The record was deleted' }]);
		expect(await tagNames()).not.toContain('A');
		await turnOn({ harmless: { all: ['read_wrapper', 'numbers_snake'] } });
		expect((await send('DELETE', `/tags/${id}`)).status).toBe(404);
		expect(JSON.parse((await send('GET', '/sites?perPage=1')).text)).toEqual({
			data: [expect.anything()],
			meta: { pagination: expect.objectContaining({ total_pages: expect.any(Number) }) },
		});
	});
});

describe('the fault wrong_answers', () => {
	it.each([
		['html', 200, 'text/html', /^<!DOCTYPE html>[^]*Sign in/, 200, /Sign in/],
		['empty', 200, '', /^$/, 200, /^$/],
		['shape', 201, 'application/json', /^\{\}$/, 200, /^\{\}$/],
		['wrapper', 201, 'application/json', /^\{"result":\{.*"name":"A".*\}\}$/, 204, /^$/],
		['truncated', 201, 'application/json', /^\{"tag":.*[^}]$/, 204, /^$/],
		['error', 200, 'application/json', /^\{"error":\{"message":".+"\}\}$/, 200, /"error"/],
		['unpaged', 201, 'application/json', /^\{"tag":\{.*"name":"A".*\}\}$/, 204, /^$/],
	] as const)(
		'%s changes the answer with content and the one without, not the effect',
		async (kind, status, type, text, emptyStatus, emptyText) => {
			const { service, send, create, tagNames, turnOn } = await startFaulty();
			const [first] = await listIds(service, '/tags');
			await turnOn({ wrong_answers: { kind, method: 'POST', path: '/tags' } });
			expect((await send('GET', '/tags')).text).toContain('"meta":');
			const answer = await create('A');
			expect([answer.status, answer.text]).toEqual([status, expect.stringMatching(text)]);
			expect(answer.type).toContain(type);
			expect(answer.headers['content-length']).toBe(String(Buffer.byteLength(answer.text)));
			expect(service.requests.at(-1)!.status).toBe(status);
			expect(await tagNames()).toContain('A');

			await turnOn({ wrong_answers: { kind } });
			expectError(await service.api.get('/tags/0'), 404);
			const empty = await send('DELETE', `/tags/${first}`);
			expect([empty.status, empty.text]).toEqual([emptyStatus, expect.stringMatching(emptyText)]);
			await service.admin.delete('/faults');
			expect(await listIds(service, '/tags')).not.toContain(first);
		},
	);

	it('of a list are its first half, or without its wrapper or its meta', async () => {
		const { service, send, turnOn } = await startFaulty();
		const [site] = await listIds(service, '/sites');
		const [tag] = await listIds(service, '/tags');
		const { text: whole } = await send('GET', '/tags');
		const { tags, meta } = JSON.parse(whole);
		const read = async (kind: WrongAnswer) => {
			await turnOn({ wrong_answers: { kind } });
			return (await send('GET', '/tags')).text;
		};
		expect(await read('truncated')).toBe(whole.slice(0, whole.length / 2));
		expect(JSON.parse(await read('wrapper'))).toEqual({ result: tags, meta });
		expect(JSON.parse(await read('unpaged'))).toEqual({ tags });
		const { text } = await send('POST', `/tags/${tag}/assign`, { data: { site_ids: [site] } });
		expect(JSON.parse(text)).toHaveProperty('meta.requested', 1);
	});
});

it.each([301, 302, 303, 307, 308] as const)('the fault redirects with %d', async (status) => {
	const { service, send, turnOn } = await startFaulty({ redirects: { next: 1, status } });
	const { headers } = await send('GET', '/tags');
	expect(headers.location).toBe('/login');
	expect(headers).not.toHaveProperty('x-ratelimit-remaining');
	expect(service.requests.at(-1)).toMatchObject({ path: '/api/v6/tags', status });
	const followed = await send('GET', new URL('/login', service.baseUrl).href);
	expect([followed.status, followed.type]).toEqual([200, 'text/html; charset=utf-8']);
	const to = 'https://login.example.com/?from=api';
	await turnOn({ redirects: { to, path: '/sites' } });
	expect((await send('GET', '/sites')).headers.location).toBe(to);
	expect((await send('GET', '/tags')).headers['x-ratelimit-remaining']).toBe('199');
});

const rateHeaders = ['limit', 'remaining', 'reset'].map((name) => `x-ratelimit-${name}`);

it.each<[OddRateHeaders, unknown[]]>([
	['empty', ['', '', '']],
	['zero', ['0', '0', '60']],
	['negative', ['-1', '-1', '-1']],
	['fraction', ['0.5', '0.5', '0.5']],
	['epoch', ['200', '199', expect.stringMatching(/^\d{10}$/)]],
	['year', ['200', '199', '31536000']],
	['missing', [undefined, undefined, undefined]],
	['text', ['soon', 'soon', 'soon']],
])('the fault odd_rate_headers, %s, does not change the response', async (kind, values) => {
	const { send } = await startFaulty({ odd_rate_headers: { kind, next: 1 } });
	const odd = await send('GET', '/tags');
	expect(rateHeaders.map((name) => odd.headers[name])).toEqual(values);
	const usual = await send('GET', '/tags');
	expect(rateHeaders.map((name) => usual.headers[name])).toEqual(['200', '198', '60']);
	expect([odd.status, odd.text]).toEqual([200, usual.text]);
	if (kind !== 'epoch') return;
	// Of the machine, not of the clock of the service.
	const reset = Number(odd.headers['x-ratelimit-reset']);
	expect(Math.abs(reset - startTime / 1000)).toBeGreaterThan(86_400);
});

it('the fault hanging keeps the connection open without an effect, until the service ends', async () => {
	const { service, tagNames } = await startFaulty({ hanging: { next: 1, method: 'POST' } });
	const headers = { Authorization: `Bearer ${service.token}`, 'Content-Type': 'application/json' };
	const hanging = httpRequest(`${service.baseUrl}/tags`, { method: 'POST', headers });
	const closed = once(hanging, 'error');
	hanging.end(JSON.stringify({ tag: { name: 'A' } }));
	while (service.requests.length === 0) await new Promise(setImmediate);
	expect(service.requests.at(-1)).toMatchObject({ method: 'POST', status: 0 });
	expect(await tagNames()).not.toContain('A');
	await service.close();
	expect((await closed)[0]).toMatchObject({ code: 'ECONNRESET' });
});

describe("the service's clock", () => {
	it('is ahead of that of the machine, and dates the answers', async () => {
		const clockOffset = 3_600_000;
		const { api } = await startReal({ clockOffset });
		const begun = Date.now();
		const { data, headers } = await api.post('/tags', { tag: { name: 'A' } });
		for (const time of [data.tag.created_at, headers.date]) {
			expect(Math.abs(Date.parse(time) - begun - clockOffset)).toBeLessThan(60_000);
		}
	});

	it('does not speed the rate limit up', async () => {
		const { api } = await startReal({ speed: 10_000, rateLimit: { limit: 1 } });
		const answers = [await api.get('/tags'), await api.get('/tags')];
		expect(answers.map(({ status }) => status)).toEqual([200, 429]);
		expect(Number(answers[1]!.headers['x-ratelimit-reset'])).toBeGreaterThan(50);
	});
});

import axios, { type AxiosRequestConfig } from 'axios';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { wrongAnswerKinds, type OddRateHeaders } from '../../../sandbox/service/http/faultAnswers';
import type { Faults } from '../../../sandbox/service/http/faults';
import { expectError, list, listIds, start, startTime, type TestService } from './support';

/** Starts a service, with a client that takes answers as they come: those here are against the API. */
async function startFaulty(active: Faults = {}) {
	const service = await start({ faults: active });
	const raw = axios.create({
		baseURL: service.baseUrl,
		headers: { Authorization: `Bearer ${service.token}` },
		validateStatus: () => true,
		maxRedirects: 0,
		responseType: 'text',
		transformResponse: [(data: unknown) => data],
	});
	const send = async (method: string, url: string, options: AxiosRequestConfig = {}) => {
		const { status, headers, data } = await raw.request({ method, url, ...options });
		return { status, headers, text: data as string, type: String(headers['content-type']) };
	};
	return {
		service,
		send,
		create: (name: string) => send('POST', '/tags', { data: { tag: { name } } }),
		turnOn: async (active: Faults) =>
			expect((await service.admin.post('/faults', active)).status).toBe(200),
	};
}

const tagNames = async (service: TestService) =>
	(await list(service, '/tags')).map(({ name }) => name);

/** The addresses of a file that is sent as a stream, and of one that is not. */
async function downloads(service: TestService): Promise<string[]> {
	const [site] = await listIds(service, '/sites');
	const [report] = await listIds(service, '/reports');
	const files = await list(service, `/sites/${site}/files`);
	const { id } = files.find(({ name }) => name === 'wp-login.php');
	return [`/sites/${site}/files/download?id=${id}`, `/reports/${report}/download`];
}

describe('the fault wrong_answers', () => {
	it.each([
		['html', 200, 'text/html', /^<!DOCTYPE html>[^]*Sign in/],
		['empty', 200, '', /^$/],
		['shape', 201, 'application/json', /^\{\}$/],
		['wrapper', 201, 'application/json', /^\{"result":\{.*"name":"[AB]".*\}\}$/],
		['truncated', 201, 'application/json', /^\{"tag":.*[^}]$/],
		['error', 200, 'application/json', /^\{"error":\{"message":".+"\}\}$/],
	] as const)('%s changes the answer, not the effect', async (kind, status, type, text) => {
		const { service, send, create, turnOn } = await startFaulty({
			wrong_answers: { kind, next: 1 },
		});
		const answer = await create('A');
		expect([answer.status, answer.text]).toEqual([status, expect.stringMatching(text)]);
		expect(answer.type).toContain(type);
		expect(answer.headers['content-length']).toBe(String(Buffer.byteLength(answer.text)));
		expect(service.requests.at(-1)!.status).toBe(status);
		expect(await tagNames(service)).toContain('A');

		await turnOn({ wrong_answers: { kind, method: 'POST', path: '/tags' } });
		expect((await send('GET', '/tags')).text).toContain('"tags":[');
		expect((await create('B')).text).toMatch(text);
	});

	it('truncated leaves the first half of the bytes', async () => {
		const { send, turnOn } = await startFaulty();
		const { text } = await send('GET', '/tags');
		await turnOn({ wrong_answers: { kind: 'truncated' } });
		const half = await send('GET', '/tags');
		expect(half.text).toBe(text.slice(0, text.length / 2));
	});

	it('wrapper keeps the meta', async () => {
		const { send, turnOn } = await startFaulty();
		const { tags, meta } = JSON.parse((await send('GET', '/tags')).text);
		await turnOn({ wrong_answers: { kind: 'wrapper' } });
		expect(JSON.parse((await send('GET', '/tags')).text)).toEqual({ result: tags, meta });
	});

	it('unpaged takes the meta from lists alone', async () => {
		const { service, send, create } = await startFaulty();
		const [site] = await listIds(service, '/sites');
		const [tag] = await listIds(service, '/tags');
		await service.admin.post('/faults', { wrong_answers: { kind: 'unpaged', next: 1 } });
		const data = { site_ids: [site] };
		expect(JSON.parse((await create('A')).text)).toHaveProperty('tag.name', 'A');
		const { text } = await send('POST', `/tags/${tag}/assign`, { data });
		expect(JSON.parse(text)).toHaveProperty('meta.requested', 1);
		expect(Object.keys(JSON.parse((await send('GET', '/tags')).text))).toEqual(['tags']);
		expect(await tagNames(service)).toContain('A');
	});

	it('leaves the errors of the service alone', async () => {
		const { service, send } = await startFaulty({ wrong_answers: { kind: 'html', next: 1 } });
		expectError(await service.api.get('/tags/0'), 404);
		expect((await send('GET', '/tags')).type).toContain('text/html');
	});

	it.each([
		['html', 200, /Sign in/],
		['empty', 200, /^$/],
		['shape', 200, /^\{\}$/],
		['error', 200, /"error"/],
		['wrapper', 204, /^$/],
		['unpaged', 204, /^$/],
		['truncated', 204, /^$/],
	] as const)('%s answers with %d where there is nothing to say', async (kind, status, text) => {
		const { service, send } = await startFaulty();
		const [first] = await listIds(service, '/tags');
		await service.admin.post('/faults', { wrong_answers: { kind } });
		const answer = await send('DELETE', `/tags/${first}`);
		expect([answer.status, answer.text]).toEqual([status, expect.stringMatching(text)]);
		await service.admin.delete('/faults');
		expect(await listIds(service, '/tags')).not.toContain(first);
	});

	it('meets files with html, empty and truncated only', async () => {
		const { service, send, turnOn } = await startFaulty();
		const binary = { responseType: 'arraybuffer' } as const;
		for (const path of await downloads(service)) {
			await service.admin.delete('/faults');
			const whole = await send('GET', path, binary);
			const found = new Map<string, Awaited<ReturnType<typeof send>>>();
			for (const kind of wrongAnswerKinds) {
				await turnOn({ wrong_answers: { kind } });
				found.set(kind, await send('GET', path, binary));
			}
			const page = found.get('html')!;
			expect(page.text.toString()).toContain('Sign in');
			expect([page.type, page.headers['content-disposition']]).toEqual([
				'text/html; charset=utf-8',
				undefined,
			]);
			expect(found.get('empty')).toMatchObject({ status: 200, text: { length: 0 } });
			const half = Buffer.from(whole.text).subarray(0, whole.text.length / 2);
			expect(found.get('truncated')!.headers['content-length']).toBe(String(half.length));
			expect(half.equals(Buffer.from(found.get('truncated')!.text))).toBe(true);
			for (const kind of ['shape', 'wrapper', 'unpaged', 'error']) {
				expect(found.get(kind)!.text).toEqual(whole.text);
			}
		}
	});

	it('can come slowly', async () => {
		const { send } = await startFaulty({
			wrong_answers: { kind: 'shape' },
			slow_bodies: { ms: 40 },
		});
		const begun = performance.now();
		expect((await send('GET', '/tags')).text).toBe('{}');
		expect(performance.now() - begun).toBeGreaterThanOrEqual(35);
	});
});

describe('the fault redirects', () => {
	it('answers with a redirect to a login page, without an effect', async () => {
		const { service, create, send } = await startFaulty({ redirects: { next: 1 } });
		const { status, headers, text } = await create('A');
		expect([status, headers.location, text]).toEqual([302, '/login', '']);
		expect(service.requests.at(-1)).toMatchObject({ path: '/api/v6/tags', status: 302 });
		expect(await tagNames(service)).not.toContain('A');
		const followed = await send('GET', new URL('/login', service.baseUrl).href);
		expect([followed.status, followed.type]).toEqual([200, 'text/html; charset=utf-8']);
	});

	it('has no effect on a request without a body either', async () => {
		const { service, send, turnOn } = await startFaulty();
		const tags = await listIds(service, '/tags');
		await turnOn({ redirects: { method: 'DELETE' } });
		expect((await send('DELETE', `/tags/${tags[0]}`)).status).toBe(302);
		expect(await listIds(service, '/tags')).toEqual(tags);
	});

	it.each([301, 302, 303, 307, 308] as const)('can have the status %d', async (status) => {
		const to = 'https://login.example.com/?from=api';
		const { send, turnOn } = await startFaulty();
		await turnOn({ redirects: { status, to, path: '/sites' } });
		const answer = await send('GET', '/sites');
		expect([answer.status, answer.headers.location]).toEqual([status, to]);
		expect((await send('GET', '/tags')).status).toBe(200);
	});

	it('takes nothing from the rate limit', async () => {
		const { send } = await startFaulty({ redirects: { next: 3 } });
		for (let i = 0; i < 3; i++) {
			expect((await send('GET', '/tags')).headers).not.toHaveProperty('x-ratelimit-remaining');
		}
		expect((await send('GET', '/tags')).headers['x-ratelimit-remaining']).toBe('199');
	});
});

describe('the fault odd_rate_headers', () => {
	const names = ['limit', 'remaining', 'reset'].map((name) => `x-ratelimit-${name}`);

	it.each<[OddRateHeaders, unknown[]]>([
		['empty', ['', '', '']],
		['zero', ['0', '0', '60']],
		['negative', ['-1', '-1', '-1']],
		['fraction', ['0.5', '0.5', '0.5']],
		['epoch', ['200', '199', expect.stringMatching(/^\d{10}$/)]],
		['year', ['200', '199', '31536000']],
		['missing', [undefined, undefined, undefined]],
		['text', ['soon', 'soon', 'soon']],
	])('%s does not change the response', async (kind, values) => {
		const { send, turnOn } = await startFaulty({ odd_rate_headers: { kind, next: 1 } });
		const odd = await send('GET', '/tags');
		expect(names.map((name) => odd.headers[name])).toEqual(values);
		const usual = await send('GET', '/tags');
		expect(names.map((name) => usual.headers[name])).toEqual(['200', '198', '60']);
		expect([odd.status, odd.text]).toEqual([200, usual.text]);
		await turnOn({ odd_rate_headers: { kind, method: 'GET' } });
		const again = await send('GET', '/tags');
		expect(names.map((name) => again.headers[name])).not.toEqual(['200', '197', '60']);
	});

	it("epoch is a time of the machine, not of the service's clock", async () => {
		const { send } = await startFaulty({ odd_rate_headers: { kind: 'epoch' } });
		const { headers } = await send('GET', '/tags');
		const end = Number(headers['x-ratelimit-reset']);
		expect(Math.abs(end - 60 - Date.now() / 1000)).toBeLessThan(30);
		expect(Math.abs(end - startTime / 1000)).toBeGreaterThan(86_400);
	});

	it('affects refusals too', async () => {
		const { service } = await startFaulty({
			rate_limited: {},
			odd_rate_headers: { kind: 'text' },
		});
		const refused = await service.api.get('/tags');
		expectError(refused, 429);
		expect(refused.headers['x-ratelimit-reset']).toBe('soon');
	});
});

describe('the fault hanging', () => {
	const arrival = async ({ requests }: TestService) => {
		while (requests.length === 0) await new Promise(setImmediate);
	};

	it('never answers, and has no effect', async () => {
		const { service, send, create } = await startFaulty({ hanging: { next: 1 } });
		const client = new AbortController();
		const data = { tag: { name: 'A' } };
		const hanging = send('POST', '/tags', { data, signal: client.signal });
		await arrival(service);
		await sleep(50);
		client.abort();
		await expect(hanging).rejects.toThrow('canceled');
		expect(service.requests.at(-1)).toMatchObject({ method: 'POST', status: 0 });
		expect((await create('B')).status).toBe(201);
		expect(await tagNames(service)).not.toContain('A');
	});

	it('keeps the connection open until the service ends, which takes no time', async () => {
		const { service, turnOn } = await startFaulty();
		await turnOn({ hanging: { method: 'GET' } });
		const hanging = httpRequest(`${service.baseUrl}/tags`);
		const closed = once(hanging, 'error');
		hanging.end();
		await arrival(service);
		const begun = performance.now();
		await service.close();
		expect(performance.now() - begun).toBeLessThan(3000);
		expect((await closed)[0]).toMatchObject({ code: 'ECONNRESET' });
	});
});

describe('the fault harmless', () => {
	it('changes the form of an answer, and neither its effect nor an error', async () => {
		const { service, send, create, turnOn } = await startFaulty();
		const { id } = (JSON.parse((await create('A')).text) as { tag: { id: string } }).tag;
		await turnOn({ harmless: { only: 'delete_message' } });
		const answer = await send('DELETE', `/tags/${id}`);
		expect([answer.status, JSON.parse(answer.text)]).toEqual([
			200,
			{ message: 'The record was deleted' },
		]);
		expect(await tagNames(service)).not.toContain('A');
		expect((await send('DELETE', `/tags/${id}`)).status).toBe(404);
	});

	it('counts only answers that can differ', async () => {
		const { send, turnOn } = await startFaulty({ harmless: { only: 'no_meta', next: 1 } });
		const isWithout = async (path: string) =>
			!('meta' in JSON.parse((await send('GET', path)).text));
		expect(await isWithout('/sites?perPage=1')).toBe(false);
		expect(await isWithout('/sites?perPage=100')).toBe(true);
		expect(await isWithout('/sites?perPage=100')).toBe(false);
		await turnOn({ harmless: { all: ['read_wrapper', 'numbers_snake'] } });
		expect(JSON.parse((await send('GET', '/sites?perPage=1')).text)).toEqual({
			data: [expect.anything()],
			meta: { pagination: expect.objectContaining({ total_pages: expect.any(Number) }) },
		});
	});
});

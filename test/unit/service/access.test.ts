import axios from 'axios';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expectError, second, start } from './support';
import { startTaskNow } from '../../../sandbox/service/engine/tasks';

describe('authentication', () => {
	it.each([
		['no header', undefined],
		['another token', 'Bearer other'],
		['another scheme', 'Basic sandbox-token'],
	])('refuses a request with %s', async (_case, authorization) => {
		const { baseUrl } = await start();
		const response = await axios.get(`${baseUrl}/tags`, {
			headers: { Authorization: authorization },
			validateStatus: () => true,
		});
		expectError(response, 401);
	});

	it('accepts the token that the service was started with', async () => {
		const { api } = await start({ token: 'my-token' });
		expect((await api.get('/tags')).status).toBe(200);
	});
});

describe('errors', () => {
	it.each([
		['GET', '/nothing'],
		['GET', '/tags/'],
		['POST', '/tags/1/paint'],
		['DELETE', '/tags'],
	])('answers the unknown %s %s with 404', async (method, url) => {
		const { api } = await start();
		expectError(await api.request({ method, url }), 404);
	});

	it('answers a path outside the version segment with 404', async () => {
		const { baseUrl, api } = await start();
		expectError(await api.get(new URL('/api/v5/tags', baseUrl).href), 404);
	});

	it('answers malformed JSON with 400', async () => {
		const { api } = await start();
		const response = await api.post('/tags', '{"tag":', {
			headers: { 'Content-Type': 'application/json' },
		});
		expect(expectError(response, 400)).toEqual(['body']);
	});

	it('answers a body that is not JSON with 400', async () => {
		const { api } = await start();
		const response = await api.post('/tags', 'name=Shop', {
			headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
		});
		expect(expectError(response, 400)).toEqual(['body']);
	});

	it('answers an undecodable path with 400', async () => {
		const { api } = await start();
		expectError(await api.get('/tags/%E0%A4%A'), 400);
	});

	it('answers a request that is not HTTP with 400', async () => {
		const { baseUrl } = await start();
		const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1');
		socket.write('PAINT /api/v6/tags HTTP/1.1\r\n\r\n');
		const answer = await text(socket);
		expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
		expect(answer).toMatch(/X-RateLimit-Remaining: 199\r\n/);
		expect(JSON.parse(answer.split('\r\n\r\n')[1]!).error.code).toBe('bad_request');
	});

	it('names every wrong parameter of a body', async () => {
		const { api } = await start();
		const response = await api.post('/tags', { tag: { color: 7, colour: '#fff' }, extra: 1 });
		expect(expectError(response, 400).sort()).toEqual([
			'extra',
			'tag.color',
			'tag.colour',
			'tag.name',
		]);
	});

	it('does not convert the types of a body', async () => {
		const { api } = await start();
		expect(expectError(await api.post('/tags', { tag: { name: 5 } }), 400)).toEqual(['tag.name']);
	});

	it('takes an empty body of an operation without one, whatever its declared type', async () => {
		const { api, world } = await start({ sites: 1 });
		const task = startTaskNow(world, { type: 'speed', siteIds: [] });
		const response = await api.post(`/tasks/${task.id}/cancel`, '', {
			headers: { 'Content-Type': 'application/json' },
		});
		expect(response.status).toBe(200);
	});
});

describe('rate limit', () => {
	const limits = (headers: object) =>
		['limit', 'remaining', 'reset'].map((name) =>
			Number((headers as Record<string, string>)[`x-ratelimit-${name}`]),
		);

	it('allows 200 requests per 60 seconds by default', async () => {
		const { api } = await start();
		expect(limits((await api.get('/tags')).headers)).toEqual([200, 199, 60]);
	});

	it('refuses what goes beyond the limit until the window resets', async () => {
		const { api, clock } = await start({ rateLimit: { limit: 2 } });
		await api.get('/tags');
		await api.get('/tags');
		clock.advance(59 * second);
		expectError(await api.get('/tags'), 429);
		clock.advance(second);
		expect((await api.get('/tags')).status).toBe(200);
	});

	it('begins a window with the first request after the last window', async () => {
		const { api, clock } = await start({ rateLimit: { limit: 5 } });
		await api.get('/tags');
		clock.advance(100 * second);
		await api.get('/tags');
		clock.advance(50 * second);
		expect(limits((await api.get('/tags')).headers)).toEqual([5, 3, 10]);
	});

	it('tells the whole seconds until the reset, rounded up', async () => {
		const { api, clock } = await start({ rateLimit: { limit: 9, windowMs: 2500 } });
		expect(limits((await api.get('/tags')).headers)[2]).toBe(3);
		clock.advance(2499);
		expect(limits((await api.get('/tags')).headers)[2]).toBe(1);
	});

	it('sends its headers with errors as well', async () => {
		const { api } = await start({ rateLimit: { limit: 2 } });
		expect(limits((await api.get('/tags/0')).headers)).toEqual([2, 1, 60]);
		expect(limits((await api.get('/nothing')).headers)).toEqual([2, 0, 60]);
		expect(limits((await api.get('/tags')).headers)).toEqual([2, 0, 60]);
		const stranger = await api.get('/tags', { headers: { Authorization: 'Bearer other' } });
		expect(limits(stranger.headers)).toEqual([2, 1, 60]);
	});

	it('sends its headers with the description of the API, which counts as well', async () => {
		const { api } = await start({ rateLimit: { limit: 1 } });
		expect(limits((await api.get('/openapi.json')).headers)).toEqual([1, 0, 60]);
		expectError(await api.get('/openapi.json'), 429);
	});

	it.each([
		['an id that is too long', `/tags/${'1'.repeat(2000)}`],
		['a path that can not be decoded', '/tags/%E0%A4%A'],
	])('sends its headers with the 400 for %s', async (_case, url) => {
		const { api } = await start({ rateLimit: { limit: 2 } });
		const response = await api.get(url);
		expectError(response, 400);
		expect(limits(response.headers)).toEqual([2, 1, 60]);
	});

	it('sends its headers with the 431 for headers that are too large', async () => {
		const { api } = await start({ rateLimit: { limit: 2 } });
		const response = await api.get('/tags', { headers: { 'X-Large': 'x'.repeat(20_000) } });
		expectError(response, 431);
		// Nobody knows whose request it is.
		expect(limits(response.headers)).toEqual([2, 1, 60]);
		expect(limits((await api.get('/tags')).headers)).toEqual([2, 1, 60]);
	});

	it('does not count requests without the token against the account', async () => {
		const { api } = await start({ rateLimit: { limit: 2 } });
		await api.get('/tags', { headers: { Authorization: 'Bearer other' } });
		expect(limits((await api.get('/tags')).headers)).toEqual([2, 1, 60]);
	});

	it('makes a refused request change nothing', async () => {
		const { api, clock } = await start({ sites: 0, rateLimit: { limit: 1 } });
		await api.post('/tags', { tag: { name: 'First' } });
		await api.post('/tags', { tag: { name: 'Second' } });
		clock.advance(60 * second);
		const { data } = await api.get('/tags', { params: { 'filters[name:eq]': 'Second' } });
		expect(data.tags).toEqual([]);
	});
});

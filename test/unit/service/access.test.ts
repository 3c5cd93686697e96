import type { AxiosRequestConfig } from 'axios';
import { expectError, second, start } from './support';

const limits = (headers: object) =>
	['limit', 'remaining', 'reset'].map((name) =>
		Number((headers as Record<string, string>)[`x-ratelimit-${name}`]),
	);

const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const json = { 'Content-Type': 'application/json' };

it.each<[what: string, status: number, request: AxiosRequestConfig]>([
	['an unknown path', 404, { url: '/nothing' }],
	['an unknown method', 404, { method: 'DELETE', url: '/tags' }],
	['malformed JSON', 400, { method: 'POST', url: '/tags', data: '{"tag":', headers: json }],
	['a form', 400, { method: 'POST', url: '/tags', data: 'name=Shop', headers: form }],
	['a path that cannot be decoded', 400, { url: '/tags/%E0%A4%A' }],
	['an ID that is too long', 400, { url: `/tags/${'1'.repeat(2000)}` }],
	['headers that are too large', 431, { url: '/tags', headers: { 'X-Large': 'x'.repeat(20_000) } }],
	['another scheme', 401, { url: '/tags', headers: { Authorization: 'Basic sandbox-token' } }],
])('%s returns %i, and what is left of the limit', async (_, status, request) => {
	const { api } = await start({ rateLimit: { limit: 2 } });
	const response = await api.request(request);
	expectError(response, status);
	expect(limits(response.headers)).toEqual([2, 1, 60]);
	// Without the token nobody knows whose request it is.
	const left = status === 401 || status === 431 ? 1 : 0;
	expect(limits((await api.get('/tags')).headers)).toEqual([2, left, 60]);
});

it('the rate limit is 200 requests in 60 seconds, from the first request after the last window', async () => {
	const { api, clock } = await start();
	expect(limits((await api.get('/openapi.json')).headers)).toEqual([200, 199, 60]);
	clock.advance(100 * second);
	await api.get('/tags');
	clock.advance(50 * second);
	expect(limits((await api.get('/tags')).headers)).toEqual([200, 198, 10]);
});

it('the rate limit refuses what goes beyond it until the reset, without an effect', async () => {
	const { api, clock, world } = await start({
		sites: 0,
		rateLimit: { limit: 1, windowMs: 2500 },
	});
	const create = async (name: string) => await api.post('/tags', { tag: { name } });
	expect(limits((await create('First')).headers)).toEqual([1, 0, 3]);
	clock.advance(2499);
	const refused = await create('Second');
	expectError(refused, 429);
	expect(limits(refused.headers)).toEqual([1, 0, 1]);
	expect(world.store.tags.all().at(-1)!.name).toBe('First');
	clock.advance(1);
	expect((await create('Third')).status).toBe(201);
});

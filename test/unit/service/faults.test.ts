import axios from 'axios';
import { startService } from '../../../sandbox/service';
import { expectError, list, listIds, second, start, startTime, type TestService } from './support';

/** The error code of a request whose connection is closed. */
const failure = async (request: Promise<unknown>): Promise<string> =>
	await request.then(
		() => 'answered',
		(error: { code: string }) => error.code,
	);

const tagNames = async (service: TestService) =>
	(await list(service, '/tags')).map(({ name }) => name);

const create = ({ api }: TestService, name: string) => api.post('/tags', { tag: { name } });

/** The statuses of so many requests, one after the other. */
async function statuses({ api }: TestService, count: number): Promise<number[]> {
	const found: number[] = [];
	for (let i = 0; i < count; i++) found.push((await api.get('/tags')).status);
	return found;
}

describe('faults on request', () => {
	it('are off by default', async () => {
		const { admin, api } = await start();
		expect((await admin.get('/faults')).data).toEqual({ faults: {} });
		expect((await api.get('/tags')).status).toBe(200);
	});

	it('are switched on and off while the service runs', async () => {
		const { admin, api } = await start();
		const { data } = await admin.post('/faults', { server_errors: {} });
		expect(data).toEqual({ faults: { server_errors: {} } });
		await admin.post('/faults', { latency: { ms: 0 } });
		expectError(await api.get('/tags'), 500);
		expect((await admin.delete('/faults')).status).toBe(204);
		expect((await api.get('/tags')).status).toBe(200);
	});

	it('are refused when unknown or wrong', async () => {
		const { admin } = await start();
		const refused = async (faults: object) => expectError(await admin.post('/faults', faults), 400);
		expect(await refused({ gremlins: {} })).toEqual(['gremlins']);
		expect(await refused({ server_errors: { rate: 2 } })).toEqual(['server_errors.rate']);
		expect(await refused({ server_errors: { status: 404 } })).toEqual(['server_errors.status']);
		expect(await refused({ latency: {} })).toEqual(['latency.ms']);
	});

	it('are listed with all the controls', async () => {
		const { admin, world } = await start();
		const [site] = world.store.sites.all();
		const { data } = await admin.get('');
		expect(data.faults.map(({ name }: { name: string }) => name).sort()).toEqual([
			'account_inactive',
			'changing_lists',
			'dropped_after',
			'dropped_before',
			'hanging',
			'harmless',
			'latency',
			'odd_rate_headers',
			'rate_limited',
			'redirects',
			'server_errors',
			'slow_bodies',
			'token_expired',
			'wrong_answers',
		]);
		for (const { method, path } of data.controls) {
			const url = path.replace('{name}', 'latency').replace('{site_id}', site!.id);
			// Not to its end: one of them goes on telling.
			const {
				status,
				headers,
				data: answer,
			} = await admin.request({
				method,
				url,
				data: {},
				responseType: 'stream',
			});
			answer.destroy();
			const isUnknown = status === 404 && /json/.test(String(headers['content-type']));
			expect([method, path, isUnknown]).toEqual([method, path, false]);
		}
	});

	it('leave the controls alone', async () => {
		const { admin } = await start({ faults: { dropped_before: {}, server_errors: {} } });
		expect((await admin.get('/health')).status).toBe(200);
	});

	it('affect the given number of the next requests', async () => {
		const service = await start({ faults: { server_errors: { next: 2 } } });
		expect(await statuses(service, 4)).toEqual([500, 500, 200, 200]);
	});

	it('affect a share of the requests, the same ones for the same seed', async () => {
		const met = async (seed: number) =>
			await statuses(await start({ seed, faults: { server_errors: { rate: 0.4 } } }), 40);
		const first = await met(1);
		const failed = first.filter((status) => status === 500).length;
		expect(failed).toBeGreaterThan(5);
		expect(failed).toBeLessThan(30);
		expect(await met(1)).toEqual(first);
		expect(await met(2)).not.toEqual(first);
	});

	it('affect the requests of a method and path only', async () => {
		const service = await start({ faults: { server_errors: { method: 'POST', path: '/tags' } } });
		const { api } = service;
		expect((await api.get('/tags')).status).toBe(200);
		expect((await create(service, 'A')).status).toBe(500);
		expect((await api.post('/tasks/x/cancel')).status).toBe(404);
	});

	it('affect any segment of a path where it has a *', async () => {
		const { api } = await start({ faults: { server_errors: { path: '/tags/*/assign' } } });
		expect((await api.get('/tags/7')).status).not.toBe(500);
		expect((await api.post('/tags/7/assign')).status).toBe(500);
		expect((await api.post('/tags/7/remove')).status).not.toBe(500);
	});

	it('count only matching requests', async () => {
		const service = await start({ faults: { server_errors: { next: 1, method: 'POST' } } });
		expect(await statuses(service, 2)).toEqual([200, 200]);
		expect((await create(service, 'A')).status).toBe(500);
		expect((await create(service, 'A')).status).toBe(201);
	});
});

describe('the fault', () => {
	it('latency lets answers wait', async () => {
		const { api } = await start({ faults: { latency: { ms: 60 } } });
		const begun = performance.now();
		await api.get('/tags');
		expect(performance.now() - begun).toBeGreaterThanOrEqual(59);
	});

	it('latency can be one of a range', async () => {
		const { api } = await start({ faults: { latency: { ms: 40, upTo: 60 } } });
		const begun = performance.now();
		await api.get('/tags');
		expect(performance.now() - begun).toBeGreaterThanOrEqual(39);
	});

	it('rate_limited refuses requests though the account has some left', async () => {
		const { api } = await start({ faults: { rate_limited: { next: 2 } } });
		const refused = await api.get('/tags');
		expectError(refused, 429);
		expect(refused.headers['x-ratelimit-remaining']).toBe('0');
		expect(refused.headers['x-ratelimit-reset']).toBe('60');
		expectError(await api.get('/tags'), 429);
		const { status, headers } = await api.get('/tags');
		expect([status, headers['x-ratelimit-remaining']]).toEqual([200, '197']);
	});

	it('server_errors has no effect, and any status above 500', async () => {
		const service = await start({ faults: { server_errors: { next: 1, status: 503 } } });
		expectError(await create(service, 'A'), 503);
		expect(await tagNames(service)).not.toContain('A');
	});

	it('dropped_before closes the connection without an effect', async () => {
		const service = await start({ faults: { dropped_before: { next: 1 } } });
		expect(await failure(create(service, 'A'))).toBe('ECONNRESET');
		expect(await tagNames(service)).not.toContain('A');
	});

	it('dropped_after closes the connection after the effect', async () => {
		const service = await start({ faults: { dropped_after: { next: 1 } } });
		expect(await failure(create(service, 'A'))).toBe('ECONNRESET');
		expect(await tagNames(service)).toContain('A');
	});

	it('slow_bodies sends the same body, in parts', async () => {
		const { api, admin } = await start();
		const { data: usual } = await api.get('/tags');
		await admin.post('/faults', { slow_bodies: { ms: 80 } });
		const begun = performance.now();
		const { data } = await api.get('/tags');
		expect(performance.now() - begun).toBeGreaterThanOrEqual(70);
		expect(data).toEqual(usual);
	});

	it('token_expired refuses the token', async () => {
		const { api, admin } = await start({ faults: { token_expired: true } });
		expectError(await api.get('/tags'), 401);
		await admin.post('/faults', { token_expired: false });
		expect((await api.get('/tags')).status).toBe(200);
	});

	it('account_inactive refuses the account', async () => {
		const { api } = await start({ faults: { account_inactive: true } });
		expectError(await api.get('/tags'), 403);
	});

	const twoPages = async (service: TestService, params: object) => [
		...(await listIds(service, '/sites', { ...params, perPage: 6, page: 1 })),
		...(await listIds(service, '/sites', { ...params, perPage: 6, page: 2 })),
	];

	it('changing_lists removes a row between two pages, so that one is missed', async () => {
		const service = await start({ sites: 12 });
		const all = await twoPages(service, {});
		await service.admin.post('/faults', { changing_lists: 'removed' });
		const seen = await twoPages(service, {});
		expect(all.filter((id) => !seen.includes(id))).toHaveLength(1);
	});

	it('changing_lists adds a row between two pages, so that one comes twice', async () => {
		const service = await start({ sites: 12, faults: { changing_lists: 'added' } });
		const seen = await twoPages(service, {});
		expect(seen).toHaveLength(12);
		expect(new Set(seen).size).toBe(11);
	});

	it('changing_lists adds tags with IDs of their own', async () => {
		const service = await start({ faults: { changing_lists: 'added' } });
		const before = await listIds(service, '/tags');
		const added = (await listIds(service, '/tags')).filter((id) => !before.includes(id));
		expect(added).toEqual([expect.stringMatching(/^\d+$/)]);
		const { data } = await create(service, 'Own');
		expect([...before, ...added]).not.toContain(data.tag.id);
	});

	it('changing_lists touches a row between two pages, which then has moved', async () => {
		const service = await start({ sites: 12 });
		const sort = 'updated_at,desc';
		const all = await twoPages(service, { sort });
		await service.admin.post('/faults', { changing_lists: 'touched' });
		service.clock.advance(second);
		const seen = await twoPages(service, { sort });
		expect(all.filter((id) => !seen.includes(id))).toEqual([all[6]]);
		expect(seen[6]).toBe(seen[5]);
	});
});

describe("the service's clock", () => {
	it.each([
		['ahead of', 3_600_000],
		['behind', -3_600_000],
	])('can be %s that of the machine', async (_case, clockOffset) => {
		const service = await startService({ sites: 0, clockOffset });
		try {
			const begun = Date.now();
			const response = await axios.post(
				`${service.baseUrl}/tags`,
				{ tag: { name: 'A' } },
				{ headers: { Authorization: `Bearer ${service.token}` } },
			);
			const shift = Date.parse(response.data.tag.created_at) - begun;
			expect(Math.abs(shift - clockOffset)).toBeLessThan(60_000);
			expect(Math.abs(Date.parse(response.headers.date) - begun - clockOffset)).toBeLessThan(
				60_000,
			);
		} finally {
			await service.close();
		}
	});

	it('dates the answers', async () => {
		const { api, clock } = await start();
		clock.advance(90 * second);
		const { headers } = await api.get('/tags');
		expect(Date.parse(headers.date)).toBe(startTime + 90 * second);
	});

	it('does not speed the rate limit up', async () => {
		const service = await startService({ sites: 0, speed: 10_000, rateLimit: { limit: 2 } });
		try {
			const headers = { Authorization: `Bearer ${service.token}` };
			const get = () =>
				axios.get(`${service.baseUrl}/tags`, { headers, validateStatus: () => true });
			const answers = [await get(), await get(), await get()];
			expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
			expect(Number(answers[2]!.headers['x-ratelimit-reset'])).toBeGreaterThan(50);
		} finally {
			await service.close();
		}
	});
});

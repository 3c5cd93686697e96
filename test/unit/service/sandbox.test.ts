import { once } from 'node:events';
import { RealClock } from '../../../sandbox/service';
import { faults } from '../../../sandbox/service/http/faults';
import { clientsOf } from '../../support/fleet';
import {
	at,
	day,
	endedCli,
	expectError,
	hour,
	list,
	runCli,
	start,
	startReal,
	startTime,
	type TestService,
} from './support';

async function everything(service: TestService) {
	const lists = ['/sites', '/tags', '/tasks'].map((path) => list(service, path));
	return await Promise.all(lists);
}

describe('the demo fleet', () => {
	it.each<[path: string, count?: number]>([
		['/sites', 250],
		['/sites?filters[connection_status:eq]=disconnected'],
		['/sites?filters[scanner_status:eq]=hacked'],
		['/sites?filters[uptime:eq]=down'],
		['/sites?filters[paused:eq]=true'],
		['/sites?filters[locked:eq]=true'],
		['/sites?filters[backups:eq]=false'],
		['/sites?filters[php_version:lt]=8'],
		['/tags', 9],
		['/tasks', 43],
		['/tasks?filters[status:eq]=completed'],
		['/tasks?filters[status:eq]=failed'],
		['/tasks?filters[status:eq]=cancelled'],
		['/tasks?filters[status:eq]=aborted'],
		['/reports?filters[type:eq]=one_time'],
		['/reports?filters[type:eq]=scheduled'],
		['/sender-emails?filters[status:eq]=verified'],
		['/sender-emails?filters[status:eq]=pending'],
		['/managed-accounts?filters[status:eq]=pending'],
		['/managed-accounts?filters[status:eq]=rejected'],
	])('has %s', async (path, ...[count]) => {
		const { api } = await start({ sites: undefined });
		const { totalItems } = (await api.get(path)).data.meta.pagination;
		expect(totalItems).toBeGreaterThan(0);
		if (count) expect(totalItems).toBe(count);
	});

	it('has names for examples only, each once, and no record of the future', async () => {
		const { world } = await start({ sites: undefined });
		const [sites, tasks] = [world.store.sites.all(), world.store.tasks.all()];
		expect(new Set(sites.map(({ url }) => url)).size).toBe(250);
		for (const { url } of sites)
			expect(url).toMatch(/^https:\/\/[a-z0-9-]+\.(example\.(com|org|net)|fleet\.test)$/);
		for (const { created_at: created, updated_at: updated } of [...sites, ...tasks]) {
			expect(created < at(0)).toBe(true);
			expect(updated >= created && updated <= at(0)).toBe(true);
		}
	});

	it('is the same for the same seed and clock, and can be empty', async () => {
		const first = await everything(await start());
		expect(await everything(await start())).toEqual(first);
		expect(await everything(await start({ seed: 2 }))).not.toEqual(first);
		const [sites, , tasks] = await everything(await start({ sites: 0 }));
		expect([sites, tasks]).toEqual([[], []]);
	});

	it('lives alike, however the time moves and how many requests come', async () => {
		const [often, seldom] = [await start({ living: true }), await start({ living: true })];
		const moved = await start({ living: true });
		for (let i = 0; i < 30; i++) {
			often.clock.advance(day / 30);
			await often.api.get('/tags');
		}
		seldom.clock.advance(day);
		await moved.admin.post('/clock/advance', { ms: day });
		const expected = await everything(seldom);
		expect(await everything(often)).toEqual(expected);
		expect(await everything(moved)).toEqual(expected);
	});
});

describe('the controls', () => {
	it('start a task, which is queued in that response only', async () => {
		const { admin, api, world } = await start();
		expect((await admin.get('/health')).data).toEqual({ ok: true });
		const [site] = world.store.sites.all();
		const order = { type: 'restore', site_ids: [site!.id], outcome: 'failed', duration_ms: 1000 };
		const { status, data } = await admin.post('/tasks', order);
		expect(status).toBe(201);
		const { id } = data.task;
		expect(data).toEqual({ task: { id, status: 'queued', created_at: at(0) } });
		const show = async () => (await api.get(`/tasks/${id}`)).data.task;
		expect((await show()).status).toBe('initializing');
		await admin.post('/clock/advance', { ms: 1000 });
		expect(await show()).toMatchObject({ status: 'failed', type: 'restore' });
	});

	it.each([
		['/tasks', { type: 'magic', site_ids: [] }, 400],
		['/tasks', { type: 'restore' }, 400],
		['/tasks', { type: 'restore', site_ids: ['x'] }, 422],
		['/clock/advance', { ms: -1 }, 400],
		['/clock/advance', { ms: 366 * day + 1 }, 400],
		['/clock/advance', { ms: 1e300 }, 400],
		['/providers', { unavailable: ['other'] }, 400],
	])('refuse %s of %j', async (path, body, status) => {
		const { admin, clock } = await start();
		expectError(await admin.post(path, body), status);
		expect(clock.now()).toBe(startTime);
	});

	it('move the time by one after the other, ahead of the real one', async () => {
		const { admin, clock } = await start({ living: true });
		const answers = [2, 2].map((days) => admin.post('/clock/advance', { ms: days * day }));
		const times = (await Promise.all(answers)).map(({ data }) => data.now).sort();
		expect(times).toEqual([at(2 * day), at(4 * day)]);
		expect(clock.now()).toBe(startTime + 4 * day);
		const service = await startReal();
		const before = Date.now();
		const { data } = await service.admin.post('/clock/advance', { ms: hour });
		expect(Date.parse(data.now)).toBeGreaterThanOrEqual(before + hour);
		expect(service.clock.now()).toBeLessThanOrEqual(Date.now() + hour);
	});

	it('show the requests as they arrived, without their own, and forget them', async () => {
		const { admin, api } = await start();
		await api.get('/tags/a%2Fb?x=%20y');
		await api.post('/tags', { tag: { name: 'Shop' } }, { headers: { 'X-Test': 'yes' } });
		await api.post('/tags', { wrong: 1 });
		await admin.get('/health');
		const requests = async () => (await admin.get('/requests')).data.requests;
		const method = 'POST';
		const body = { tag: { name: 'Shop' } };
		const headers = { 'x-test': 'yes' };
		expect(await requests()).toMatchObject([
			{ method: 'GET', path: '/api/v6/tags/a%2Fb', query: 'x=%20y', status: 404 },
			{ method, path: '/api/v6/tags', query: '', body, headers, status: 201 },
			{ method, body: { wrong: 1 }, status: 400 },
		]);
		expect((await admin.delete('/requests')).status).toBe(204);
		expect(await requests()).toEqual([]);
	});

	it('remember refused requests, and the newest when there are too many', async () => {
		const { api, requests } = await start({
			rateLimit: { limit: 1 },
			settings: { recordedRequests: 2 },
		});
		for (const id of ['1', '2', '3']) await api.get(`/tags/${id}`);
		const recorded = requests.map(({ path, status }) => [path.slice(-1), status]);
		expect(recorded).toEqual([
			['2', 429],
			['3', 429],
		]);
	});
});

it('a logo of 2 MB is taken', async () => {
	const { api } = await start({ sites: 0 });
	const logo_file = `data:image/png;base64,${Buffer.alloc(2 ** 21, 7).toString('base64')}`;
	const { data } = await api.post('/whitelabel/wp-login/update', { wp_login: { logo_file } });
	expect(data.wp_login).toMatchObject({ type: 'custom', logo_file });
});

it('the real clock runs as many times as fast as asked for', () => {
	const realNow = jest.spyOn(Date, 'now');
	realNow.mockReturnValue(1_000_000);
	const clock = new RealClock(60);
	realNow.mockReturnValue(1_001_000);
	expect(clock.now()).toBe(1_060_000);
	clock.advance(5);
	expect(clock.now()).toBe(1_060_005);
	realNow.mockRestore();
});

describe('the command line', () => {
	it('starts a service as asked for, and ends it when asked to, even while the time moves', async () => {
		const child = runCli(
			...['--sites', '3', '--json', '--rate-limit', '100000'],
			...['--plan-without', 'tags,staging_sites', '--plan-limits', 'tags_per_site=2'],
			...['--server-errors', '503,1x GET /tags'],
		);
		try {
			const [line] = await once(child.stdout, 'data');
			const { api, admin } = clientsOf(JSON.parse(String(line)), () => true);
			expect((await api.get('/sites')).data.sites).toHaveLength(3);
			const tags = [await api.get('/tags'), await api.get('/tags')];
			expect(tags.map(({ status }) => status)).toEqual([503, 200]);
			expect((await admin.get('/plan')).data.account).toMatchObject({
				without: ['staging_sites', 'tags'],
				limits: { tags_per_site: 2, syncs_per_day: 24 },
			});
			admin.post('/clock/advance', { ms: 366 * day }).catch(() => {});
			const now = async () => Date.parse(String((await api.get('/tags/1')).headers.date));
			while ((await now()) < Date.now() + day);
			child.kill('SIGTERM');
			expect((await once(child, 'exit'))[0]).toBe(0);
		} finally {
			child.kill('SIGKILL');
		}
	});

	it('lists every option and fault', () => {
		const { status, stdout: text } = endedCli('--help');
		expect(status).toBe(0);
		const options = ['port', 'sites', 'seed', 'speed', 'data', 'token', 'json', 'clock-offset'];
		options.push('plan-without', 'plan-limits');
		for (const name of [...options, ...Object.keys(faults)])
			expect(text).toContain(`--${name.replaceAll('_', '-')}`);
		for (const { does } of Object.values(faults)) expect(text).toContain(does);
	});

	it.each([
		['--port', 'x'],
		['--latency', 'soon'],
		['--plan-limits', 'tags_per_site'],
		['--nonsense', '1'],
	])('refuses %s %s', (...args) => {
		const { status, stderr } = endedCli(...args);
		expect([status, stderr]).toEqual([1, expect.stringContaining('Usage')]);
	});
});

import axios from 'axios';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { RealClock, startService } from '../../../sandbox/service';
import { faults } from '../../../sandbox/service/http/faults';
import { expectError, list, listIds, start, startTime, type TestService } from './support';

const hour = 60 * 60 * 1000;
const day = 24 * hour;

/** All that the lists of a service show. */
async function everything(service: TestService) {
	const lists = ['/sites', '/tags', '/tasks'].map((path) => list(service, path));
	return await Promise.all(lists);
}

describe('the demo fleet', () => {
	it('has 250 sites, 8 tags, 40 past tasks and a few running ones', async () => {
		const service = await start({ sites: undefined });
		const total = async (path: string, params = {}) =>
			(await service.api.get(path, { params })).data.meta.pagination.totalItems;
		expect(await total('/sites')).toBe(250);
		expect(await total('/tags')).toBe(8);
		expect(await total('/tasks')).toBe(43);
		const running = await total('/tasks', { 'filters[status:eq]': 'running' });
		const beginning = await total('/tasks', { 'filters[status:eq]': 'initializing' });
		expect(running + beginning).toBe(3);
	});

	it('has sites and tasks of every kind', async () => {
		const service = await start({ sites: undefined });
		for (const filter of [
			'connection_status:eq]=disconnected',
			'scanner_status:eq]=hacked',
			'uptime:eq]=down',
			'paused:eq]=true',
			'locked:eq]=true',
			'backups:eq]=false',
			'php_version:lt]=8',
		]) {
			const { data } = await service.api.get(`/sites?filters[${filter}`);
			expect({ filter, found: data.sites.length > 0 }).toEqual({ filter, found: true });
		}
		for (const status of ['completed', 'failed', 'cancelled', 'aborted']) {
			const found = await list(service, '/tasks', { 'filters[status:eq]': status });
			expect({ status, found: found.length > 0 }).toEqual({ status, found: true });
		}
	});

	it('uses names reserved for examples and tests only, each once', async () => {
		const { world } = await start({ sites: 250 });
		const urls = world.store.sites.all().map((site) => site.url);
		expect(new Set(urls).size).toBe(250);
		for (const url of urls)
			expect(url).toMatch(/^https:\/\/[a-z0-9-]+\.(example\.(com|org|net)|fleet\.test)$/);
	});

	it('holds no time after the clock, except of what is to come', async () => {
		const { world } = await start({ sites: 250 });
		for (const row of [...world.store.sites.all(), ...world.store.tasks.all()]) {
			expect(Date.parse(row.created_at)).toBeLessThan(startTime);
			expect(Date.parse(row.updated_at)).toBeLessThanOrEqual(startTime);
			expect(row.updated_at >= row.created_at).toBe(true);
		}
	});

	it('is the same for the same seed and clock', async () => {
		expect(await everything(await start())).toEqual(await everything(await start()));
	});

	it('is another one for another seed', async () => {
		const ids = async (seed: number) => listIds(await start({ seed }), '/sites');
		expect(await ids(1)).not.toEqual(await ids(2));
	});

	it('can be empty', async () => {
		const service = await start({ sites: 0 });
		expect(await list(service, '/sites')).toEqual([]);
		expect(await list(service, '/tasks')).toEqual([]);
	});
});

describe('a living service', () => {
	it('starts tasks by itself', async () => {
		const service = await start({ living: true });
		const before = await listIds(service, '/tasks');
		service.clock.advance(3 * hour);
		const started = (await list(service, '/tasks')).filter(({ id }) => !before.includes(id));
		expect(started.length).toBeGreaterThan(20);
		expect(new Set(started.map(({ type }) => type)).size).toBeGreaterThan(5);
		expect(started.map(({ status }) => status)).toEqual(
			expect.arrayContaining(['completed', 'failed']),
		);
	});

	it('does not depend on the number of requests', async () => {
		const [often, once] = [await start({ living: true }), await start({ living: true })];
		for (let i = 0; i < 30; i++) {
			often.clock.advance(hour / 30);
			await often.api.get('/tags');
		}
		once.clock.advance(hour);
		expect(await everything(often)).toEqual(await everything(once));
	});

	it('rests by default', async () => {
		const service = await start();
		const before = await listIds(service, '/tasks');
		service.clock.advance(3 * hour);
		expect(await listIds(service, '/tasks')).toEqual(before);
	});
});

describe('the controls', () => {
	it('report that the service is up', async () => {
		const { admin } = await start();
		const { status, data } = await admin.get('/health');
		expect([status, data]).toEqual([200, { ok: true }]);
	});

	it('start a task, which is queued in that response only', async () => {
		const { admin, api, world } = await start();
		const site = world.store.sites.all()[0]!;
		const { status, data } = await admin.post('/tasks', {
			type: 'restore',
			site_ids: [site.id],
			outcome: 'failed',
			duration_ms: 1000,
		});
		expect(status).toBe(201);
		expect(data).toEqual({
			task: {
				id: expect.any(String),
				status: 'queued',
				created_at: new Date(startTime).toISOString(),
			},
		});
		const show = async () => (await api.get(`/tasks/${data.task.id}`)).data.task;
		expect((await show()).status).toBe('initializing');
		await admin.post('/clock/advance', { ms: 1000 });
		expect(await show()).toMatchObject({ status: 'failed', type: 'restore' });
	});

	it.each([
		['an unknown type', { type: 'magic', site_ids: [] }, 400],
		['no sites', { type: 'restore' }, 400],
		['an unknown site', { type: 'restore', site_ids: ['x'] }, 422],
	])('refuse a task with %s', async (_case, body, status) => {
		const { admin } = await start();
		expectError(await admin.post('/tasks', body), status);
	});

	it('move a clock that stands still', async () => {
		const { admin, clock } = await start();
		const { data } = await admin.post('/clock/advance', { ms: hour });
		expect(data).toMatchObject({ now: new Date(startTime + hour).toISOString() });
		expect(clock.now()).toBe(startTime + hour);
	});

	it('move the time ahead of the real one', async () => {
		const service = await startService({ sites: 0 });
		try {
			const before = Date.now();
			const url = new URL('/_sandbox/clock/advance', service.baseUrl).href;
			const { data } = await axios.post(url, { ms: hour });
			expect(Date.parse(data.now)).toBeGreaterThanOrEqual(before + hour);
			expect(service.clock.now()).toBeLessThanOrEqual(Date.now() + hour);
		} finally {
			await service.close();
		}
	});

	it.each([-1, 366 * day + 1, 1e300])('refuse to move the time by %d ms', async (ms) => {
		const { admin, clock } = await start();
		expect(expectError(await admin.post('/clock/advance', { ms }), 400)).toEqual(['ms']);
		expect(clock.now()).toBe(startTime);
	});

	it('serve others while the time moves', async () => {
		const { admin, api, clock } = await start({ living: true });
		const moved = admin.post('/clock/advance', { ms: 20 * day });
		while (clock.now() === startTime) await api.get('/tags/1');
		expect(clock.now()).toBeLessThan(startTime + 20 * day);
		expect((await moved).data.now).toBe(new Date(startTime + 20 * day).toISOString());
	});

	it('move the time by one after the other', async () => {
		const { admin } = await start({ living: true });
		const answers = [2, 2].map((days) => admin.post('/clock/advance', { ms: days * day }));
		const times = (await Promise.all(answers)).map(({ data }) => data.now).sort();
		const after = (days: number) => new Date(startTime + days * day).toISOString();
		expect(times).toEqual([after(2), after(4)]);
	});

	it('cause the same events however the time moves', async () => {
		const [one, other] = [await start({ living: true }), await start({ living: true })];
		await one.admin.post('/clock/advance', { ms: day + 1 });
		other.clock.advance(day + 1);
		other.world.settle();
		expect(await everything(one)).toEqual(await everything(other));
	});

	it('show the requests as they arrived, without their own', async () => {
		const { admin, api } = await start();
		await api.get('/tags/a%2Fb?x=%20y');
		await api.post('/tags', { tag: { name: 'Shop' } }, { headers: { 'X-Test': 'yes' } });
		await api.post('/tags', { wrong: 1 });
		await admin.get('/health');
		const { requests } = (await admin.get('/requests')).data;
		expect(requests).toMatchObject([
			{ method: 'GET', path: '/api/v6/tags/a%2Fb', query: 'x=%20y', status: 404 },
			{
				method: 'POST',
				path: '/api/v6/tags',
				query: '',
				body: { tag: { name: 'Shop' } },
				headers: { 'x-test': 'yes' },
				status: 201,
			},
			{ method: 'POST', body: { wrong: 1 }, status: 400 },
		]);
	});

	it('forget the requests', async () => {
		const { admin, api, requests } = await start();
		await api.get('/tags');
		expect((await admin.delete('/requests')).status).toBe(204);
		expect(requests).toEqual([]);
	});

	it('remember refused requests, and the newest when there are too many', async () => {
		const { api, requests } = await start({
			rateLimit: { limit: 1 },
			settings: { recordedRequests: 2 },
		});
		for (const id of ['1', '2', '3']) await api.get(`/tags/${id}`);
		expect(requests.map(({ path, status }) => [path, status])).toEqual([
			['/api/v6/tags/2', 429],
			['/api/v6/tags/3', 429],
		]);
	});
});

describe('the real clock', () => {
	it('runs as many times as fast as asked for', async () => {
		const realNow = jest.spyOn(Date, 'now');
		realNow.mockReturnValue(1_000_000);
		const clock = new RealClock(60);
		realNow.mockReturnValue(1_001_000);
		expect(clock.now()).toBe(1_060_000);
		clock.advance(5);
		expect(clock.now()).toBe(1_060_005);
		realNow.mockRestore();
	});
});

describe('the command line', () => {
	const run = (...args: string[]) => {
		const root = join(__dirname, '../../..');
		// The command of tsx would be a process between, which ends by the signal itself when the service takes its time.
		const from = ['--import', 'tsx', join(root, 'sandbox/service/cli.ts')];
		return spawn(process.execPath, [...from, ...args], { cwd: root });
	};

	it('starts a service, shows its address and ends when asked to', async () => {
		const child = run('--sites', '3', '--json');
		try {
			const [line] = await once(child.stdout, 'data');
			const { baseUrl, token } = JSON.parse(String(line));
			const { data } = await axios.get(`${baseUrl}/sites`, {
				headers: { Authorization: `Bearer ${token}` },
			});
			expect(data.sites).toHaveLength(3);
			child.kill('SIGTERM');
			expect((await once(child, 'exit'))[0]).toBe(0);
		} finally {
			child.kill('SIGKILL');
		}
	}, 30_000);

	it('ends when asked to while the time moves', async () => {
		const child = run('--sites', '3', '--json', '--rate-limit', '100000');
		try {
			const [line] = await once(child.stdout, 'data');
			const { baseUrl, token } = JSON.parse(String(line));
			const url = new URL('/_sandbox/clock/advance', baseUrl).href;
			axios.post(url, { ms: 366 * day }).catch(() => {});
			const headers = { Authorization: `Bearer ${token}` };
			const time = async () =>
				Date.parse((await axios.get(`${baseUrl}/tags/1`, { headers })).headers.date);
			while ((await time()) < Date.now() + day);
			child.kill('SIGTERM');
			expect((await once(child, 'exit'))[0]).toBe(0);
		} finally {
			child.kill('SIGKILL');
		}
	}, 20_000);

	it('lists every option and fault', async () => {
		const child = run('--help');
		let text = '';
		child.stdout.on('data', (chunk) => (text += String(chunk)));
		expect((await once(child, 'close'))[0]).toBe(0);
		const options = ['port', 'sites', 'seed', 'speed', 'data', 'token', 'json', 'clock-offset'];
		options.push('plan-without', 'plan-limits');
		for (const name of [...options, ...Object.keys(faults)]) {
			expect(text).toContain(`--${name.replaceAll('_', '-')}`);
		}
		for (const { does } of Object.values(faults)) expect(text).toContain(does);
	}, 30_000);

	it('takes features and limits from the plan', async () => {
		const child = run(
			...['--sites', '0', '--json', '--plan-without', 'tags,staging_sites'],
			...['--plan-limits', 'tags_per_site=2,staging_days=9'],
		);
		try {
			const [line] = await once(child.stdout, 'data');
			const { data } = await axios.get(
				new URL('/_sandbox/plan', JSON.parse(String(line)).baseUrl).href,
			);
			expect(data.account).toMatchObject({
				without: ['staging_sites', 'tags'],
				limits: { tags_per_site: 2, staging_days: 9, syncs_per_day: 24 },
			});
		} finally {
			child.kill('SIGKILL');
		}
	}, 30_000);

	it('switches faults on', async () => {
		const child = run('--sites', '0', '--json', '--server-errors', '503,1x GET /tags');
		try {
			const [line] = await once(child.stdout, 'data');
			const { baseUrl, token } = JSON.parse(String(line));
			const get = async (path: string) =>
				(
					await axios.get(`${baseUrl}${path}`, {
						headers: { Authorization: `Bearer ${token}` },
						validateStatus: () => true,
					})
				).status;
			expect([await get('/sites'), await get('/tags'), await get('/tags')]).toEqual([
				200, 503, 200,
			]);
		} finally {
			child.kill('SIGKILL');
		}
	}, 30_000);

	it.each([
		['--port', 'x'],
		['--latency', 'soon'],
		['--dropped-after', '3y'],
		['--changing-lists', 'wildly'],
		['--wrong-answers', 'odd'],
		['--speed', '0'],
		['--plan-without', 'magic'],
		['--plan-limits', 'tags_per_site'],
		['--nonsense', '1'],
	])(
		'refuses %s %s',
		async (...args) => {
			const child = run(...args);
			const [message] = await once(child.stderr, 'data');
			expect(String(message)).toContain('Usage');
			expect((await once(child, 'exit'))[0]).toBe(1);
		},
		30_000,
	);
});

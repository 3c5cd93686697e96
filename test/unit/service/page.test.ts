import axios from 'axios';
import { routes } from '../../../sandbox/service/modules';
import { at, day, list, minute, start, startReal, startTime, type TestService } from './support';

const types: Record<string, string> = {
	'': 'text/html; charset=utf-8',
	html: 'text/html; charset=utf-8',
	js: 'text/javascript; charset=utf-8',
	css: 'text/css; charset=utf-8',
	svg: 'image/svg+xml',
};

const get = async (url: string | URL) =>
	await axios.get(String(url), { responseType: 'text', validateStatus: () => true });

/** What a file makes a browser load. */
function loadedBy(text: string, type: string): string[] {
	const patterns = { html: /(?:href|src)="([^"]+)"/g, javascript: /from '([^']+)';/g };
	const found = Object.entries(patterns).filter(([kind]) => type.includes(kind));
	return found.flatMap(([, of]) => [...text.matchAll(of)].map(([, address]) => address!));
}

/** Every file of the page as a browser gets it, by its path. */
async function loadPage({ pageUrl }: TestService) {
	const files = new Map<string, Awaited<ReturnType<typeof get>>>();
	const load = async (url: URL) => {
		if (files.has(url.pathname)) return;
		expect(url.origin).toBe(new URL(pageUrl).origin);
		const response = await get(url);
		files.set(url.pathname, response);
		const type = String(response.headers['content-type']);
		for (const address of loadedBy(response.data, type)) await load(new URL(address, url));
	};
	await load(new URL(pageUrl));
	return files;
}

/** The same operation as the page reads it. */
const look = async ({ admin }: TestService, path: string, config = {}) =>
	await admin.get(`/api${path}`, config);

it('the page loads nothing from elsewhere, and no script but its files', async () => {
	const service = await start();
	const files = await loadPage(service);
	expect(files.size).toBeGreaterThan(20);
	for (const [path, { status, headers }] of files) {
		const type = headers['content-type'];
		const extension = /\.(\w+)$/.exec(path)?.[1] ?? '';
		expect({ path, status, type }).toEqual({ path, status: 200, type: types[extension] });
		expect(headers['x-content-type-options']).toBe('nosniff');
		const policy = String(headers['content-security-policy']).split('; ');
		expect(policy).toEqual(expect.arrayContaining(["default-src 'self'", "object-src 'none'"]));
		expect(policy.join()).not.toMatch(/unsafe|script-src|https?:/);
	}
	const html = files.get('/')!.data as string;
	expect(html).toMatch(/<html lang="en">/);
	expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\s(style|on\w+)=/);
	expect(service.requests).toEqual([]);
});

it('the page links to the parts of the sandbox', async () => {
	const links = { n8n: 'http://127.0.0.1:5678' };
	expect((await (await start({ links })).admin.get('/page')).data).toEqual({ links });
	expect((await (await start()).admin.get('/page')).data).toEqual({ links: {} });
});

describe('what the page reads', () => {
	it('is what the API answers at this time', async () => {
		const service = await start();
		const [site] = await list(service, '/sites');
		const paths = routes
			.filter(({ method, path }) => method === 'GET' && !path.includes('{'))
			.map(({ path }) => path);
		const others = [
			`/sites/${site.id}/notes`,
			'/sites?perPage=2&page=2&sort=url,asc&filters[paused:eq]=false',
			'/sites?perPage=1000',
			'/sites/none',
			'/none',
		];
		for (const path of [...paths, ...others]) {
			const shown = await look(service, path);
			const { status, data } = await service.api.get(path);
			expect({ path, status: shown.status, data: shown.data }).toEqual({ path, status, data });
		}
		const order = { type: 'restore', site_ids: [site.id], duration_ms: minute };
		await service.admin.post('/tasks', order);
		for (const status of ['initializing', 'completed']) {
			const { tasks } = (await look(service, '/tasks?perPage=1')).data;
			expect(tasks).toMatchObject([{ type: 'restore', status }]);
			service.clock.advance(minute);
		}
	});

	it('needs no token, has no faults, counts for nobody and is not recorded', async () => {
		const service = await start({ rateLimit: { limit: 3 } });
		const limit = async () => (await service.admin.get('/rate-limit')).data;
		const before = (await look(service, '/sites')).data;
		const faults = {
			rate_limited: {},
			server_errors: {},
			redirects: {},
			token_expired: true,
			dropped_before: {},
			wrong_answers: { kind: 'html' },
			changing_lists: 'removed',
		};
		await service.admin.post('/faults', faults);
		for (let i = 0; i < 5; i++) {
			const { status, data } = await look(service, '/sites');
			expect([status, data]).toEqual([200, before]);
		}
		expect(service.requests).toEqual([]);
		expect(await limit()).toEqual({ limit: 3, used: 0, resets_in: 60 });
		for (const fault of Object.keys(faults)) await service.admin.delete(`/faults/${fault}`);
		for (let i = 0; i < 4; i++) await service.api.get('/tags');
		service.clock.advance(20_000);
		expect(await limit()).toEqual({ limit: 3, used: 4, resets_in: 40 });
	});

	it('cannot be changed', async () => {
		const { admin, world } = await start();
		const [site] = world.store.sites.all();
		const changing = routes.filter(({ method }) => method !== 'GET');
		expect(changing.length).toBeGreaterThan(50);
		for (const { method, path } of changing) {
			const url = `/api${path.replace('{site_id}', site!.id).replace(/\{\w+\}/g, '1')}`;
			expect([url, (await admin.request({ method, url })).status]).toEqual([url, 404]);
		}
	});

	it('are files as the API gives them, but for a report, which opens', async () => {
		const service = await start();
		const [report] = service.world.store.reports.all();
		const path = `/reports/${report!.id}/download`;
		const file = { responseType: 'arraybuffer' } as const;
		const [shown, answered] = [await look(service, path, file), await service.api.get(path, file)];
		expect(shown.data).toEqual(answered.data);
		const name = `filename="report-${report!.id}.pdf"`;
		expect(shown.headers['content-disposition']).toBe(`inline; ${name}`);
		expect(answered.headers['content-disposition']).toBe(`attachment; ${name}`);
		const site = service.world.store.sites.all().find(({ backups }) => backups.enabled)!;
		const files = `/sites/${site.id}/files`;
		const found: Array<{ id: string; type: string }> = (await look(service, files)).data.files;
		const params = { id: found.find(({ type }) => type === 'file')!.id };
		const download = await look(service, `${files}/download`, { params });
		expect(download.headers['content-disposition']).toMatch(/^attachment/);
	});
});

describe('the controls of the page', () => {
	it('show the newest requests, and when they came', async () => {
		const { admin, api } = await start();
		for (const id of ['1', '2', '3']) await api.get(`/tags/${id}`);
		const { requests } = (await admin.get('/requests?newest=2')).data;
		const paths = ['2', '3'].map((id) => `/api/v6/tags/${id}`);
		expect(requests).toMatchObject(paths.map((path) => ({ path, received_at: at(0) })));
		expect((await admin.get('/requests?newest=0')).status).toBe(400);
	});

	it('end one fault', async () => {
		const { admin } = await start({ faults: { token_expired: true, server_errors: {} } });
		expect((await admin.delete('/faults/token_expired')).status).toBe(204);
		expect((await admin.get('/faults')).data).toEqual({ faults: { server_errors: {} } });
		expect((await admin.delete('/faults/none')).status).toBe(404);
	});

	it('show the time, and how far it has been moved, while others are served', async () => {
		const { admin, api, clock } = await start({ living: true });
		const told = async () => (await admin.get('/clock')).data;
		const still = { speed: 0, movable: true, move: null };
		expect(await told()).toEqual({ ...still, now: at(0) });
		const ms = 20 * day;
		const moved = admin.post('/clock/advance', { ms });
		while (clock.now() === startTime) await api.get('/tags/1');
		const { now, move } = await told();
		expect(move).toEqual({ from: at(0), to: at(ms) });
		expect(now > at(0) && now < at(ms)).toBe(true);
		expect((await moved).data.now).toBe(at(ms));
		expect(await told()).toEqual({ ...still, now: at(ms) });
	});

	it('let the time run faster from where it is', async () => {
		const { admin, clock } = await startReal();
		const before = clock.now();
		expect((await admin.post('/clock', { speed: 10_000 })).data.speed).toBe(10_000);
		const first = clock.now();
		expect(first).toBeGreaterThanOrEqual(before);
		while (clock.now() < first + 5_000) await admin.get('/health');
		const fast = clock.now();
		await admin.post('/clock', { speed: 0.01 });
		const slow = clock.now();
		expect(slow).toBeGreaterThanOrEqual(fast);
		// At that speed a minute takes more than an hour.
		await admin.get('/health');
		expect(clock.now() - slow).toBeLessThan(minute);
		for (const speed of [0, 10_001, '10', null])
			expect((await admin.post('/clock', { speed })).status).toBe(400);
		const still = await start();
		expect((await still.admin.post('/clock', { speed: 2 })).status).toBe(422);
	});
});

import axios from 'axios';
import type { SiteRow } from '../../../sandbox/service/domain/sites/rows';
import { addSite, at, day, expectError, type SiteService, startSnapshot, sync } from './support';

type Started = SiteService & { snapshotId: string };

async function startFiles(fields: Partial<SiteRow> = {}) {
	const service = await startSnapshot(fields);
	const url = `${service.path}/files`;
	const get = (params: object = {}) => service.api.get(url, { params });
	return {
		...service,
		url,
		get,
		files: async (params: object = {}) => (await get({ ...params })).data.files as any[],
		stats: async (params: object = {}) =>
			(await service.api.get(`${url}/stats`, { params })).data.stats,
		mark: (verb: 'sync' | 'skip', ...paths: string[]) =>
			service.api.post(`${url}/${verb}`, { paths }),
	};
}

/** All entries below a folder, read folder by folder. */
async function walk(files: (params: object) => Promise<any[]>, path = './'): Promise<any[]> {
	const entries = await files({ path });
	const inner = await Promise.all(
		entries.filter(({ type }) => type === 'folder').map((folder) => walk(files, folder.path)),
	);
	return [...entries, ...inner.flat()];
}

describe('listing files', () => {
	it('lists what is in the root, in the order of the paths', async () => {
		const { files } = await startFiles();
		const entries = await files();
		const paths = entries.map(({ path }) => path);
		expect(paths).toEqual([...paths].sort());
		expect(entries).toContainEqual({
			id: expect.any(String),
			name: 'wp-content',
			path: './wp-content/',
			type: 'folder',
			size: expect.any(Number),
			modified_at: expect.any(String),
			status: 'synced',
		});
		expect(entries.find(({ path }) => path === './wp-login.php')).toMatchObject({
			name: 'wp-login.php',
			type: 'file',
		});
		expect(await files({ path: './' })).toEqual(entries);
	});

	it('lists only what is directly in a folder', async () => {
		const { files } = await startFiles();
		const paths = (await files({ path: './wp-content/' })).map(({ path }) => path);
		expect(paths).toContain('./wp-content/plugins/');
		expect(paths.filter((path) => !/^\.\/wp-content\/[^/]+\/?$/.test(path))).toEqual([]);
	});

	it.each(['./nothing/', './wp-login.php', './wp-content', 'wp-content/'])(
		'does not find the directory %s',
		async (path) => {
			const { get } = await startFiles();
			expectError(await get({ path }), 404);
		},
	);

	it.each([
		{ sort: 'name,asc' },
		{ timezone: 'UTC' },
		{ 'filters[size:gte]': '-1' },
		{ 'filters[size:gte]': '1.5' },
		{ 'filters[status:eq]': 'ignored' },
		{ 'filters[path:eq]': './' },
		{ perPage: 101 },
	])('refuses %j', async (params) => {
		const { get } = await startFiles();
		expectError(await get(params), 400);
	});

	it('has pages', async () => {
		const { get, files } = await startFiles();
		const all = await files();
		const { data } = await get({ page: 2, perPage: 3 });
		expect(data.files).toEqual(all.slice(3, 6));
		expect(data.meta.pagination).toMatchObject({ page: 2, perPage: 3, totalItems: all.length });
	});
});

describe('the snapshot of a content', () => {
	it('is the latest completed one unless another is asked for', async () => {
		const service = await startFiles();
		const { files, clock, site, snapshotId } = service;
		const path = './wp-content/';
		const first = await files({ path });
		clock.advance(3 * day);
		expect(await files({ path })).toEqual(first);
		await sync(service, site.id);
		const second = await files({ path });
		expect(second).not.toEqual(first);
		expect(await files({ path, snapshot_id: snapshotId })).toEqual(first);
	});

	it('must be one of the site', async () => {
		const service = await startFiles();
		const other = await addSite(service, 'https://two.example.com');
		const snapshotId = await sync(service, other.id);
		for (const part of ['files', 'files/stats', 'tables', 'tables/stats']) {
			const url = `${service.path}/${part}?snapshot_id=${snapshotId}`;
			expectError(await service.api.get(url), 404);
		}
	});

	it('is not one in progress', async () => {
		const { api, files, path, get } = await startFiles();
		const before = await files();
		const { data } = await api.post(`${path}/sync`);
		expect(await files()).toEqual(before);
		expectError(await get({ snapshot_id: data.sync.snapshot_id }), 422);
	});
});

describe('file stats', () => {
	it.each([undefined, './wp-content/'])('are the totals of all below %s', async (path) => {
		const { files, mark, stats } = await startFiles();
		await mark('skip', './wp-content/plugins/');
		const below = await walk(files, path);
		const totals = (entries: any[], measure: (entry: any) => number) => {
			const sum = (status?: string) =>
				entries
					.filter((entry) => !status || entry.status === status)
					.reduce((total, entry) => total + measure(entry), 0);
			return { total: sum(), synced: sum('synced'), skipped: sum('skipped') };
		};
		const inside = below.filter(({ type }) => type === 'file');
		const expected = {
			files: totals(inside, () => 1),
			folders: totals(
				below.filter(({ type }) => type === 'folder'),
				() => 1,
			),
			size: totals(inside, ({ size }) => size),
		};
		expect(expected.files.skipped).toBeGreaterThan(0);
		expect(expected.folders.skipped).toBeGreaterThan(0);
		expect(await stats({ path })).toEqual(expected);
	});

	it('are not found for a path that is not a directory', async () => {
		const { api, url } = await startFiles();
		expectError(await api.get(`${url}/stats?path=./wp-login.php`), 404);
	});
});

describe('marking files', () => {
	it('skips a folder with all of its files, and syncs it again', async () => {
		const { mark, files } = await startFiles();
		const { status, data } = await mark('skip', './wp-content/plugins/');
		expect([status, data]).toEqual([
			200,
			{
				skip: { paths: ['./wp-content/plugins/'], errors: [] },
				meta: { requested: 1, succeeded: 1, failed: 0 },
			},
		]);
		const statuses = async () =>
			(await walk(files, './wp-content/plugins/')).map((entry) => entry.status);
		expect(new Set(await statuses())).toEqual(new Set(['skipped']));
		const { data: synced } = await mark('sync', './wp-content/plugins/');
		expect(synced.sync.paths).toEqual(['./wp-content/plugins/']);
		expect(new Set(await statuses())).toEqual(new Set(['synced']));
	});

	it('lets one file of a skipped folder be synced', async () => {
		const { mark, files } = await startFiles();
		await mark('skip', './wp-content/cache/');
		await mark('sync', './wp-content/cache/home.html');
		const entries = await files({ path: './wp-content/cache/' });
		expect(entries.map(({ name, status }) => [name, status])).toEqual([
			['home.html', 'synced'],
			['menu.json', 'skipped'],
		]);
		await mark('skip', './wp-content/');
		const [entry] = await files({ path: './wp-content/cache/' });
		expect(entry.status).toBe('skipped');
	});

	it('reports what the latest snapshot does not have, and does the rest', async () => {
		const { mark } = await startFiles();
		for (const verb of ['sync', 'skip'] as const) {
			const { data } = await mark(verb, './nothing/', './wp-content/cache/');
			expect(data[verb]).toEqual({
				paths: ['./wp-content/cache/'],
				errors: [{ id: './nothing/', code: 'not_found', message: expect.any(String) }],
			});
			expect(data.meta).toEqual({ requested: 2, succeeded: 1, failed: 1 });
		}
	});

	it('processes a path that is sent twice once', async () => {
		const { mark } = await startFiles();
		const { data } = await mark('skip', './wp-content/', './wp-content/', './x', './x');
		expect(data.meta).toEqual({ requested: 2, succeeded: 1, failed: 1 });
	});

	it.each(['./wp-admin/', './wp-admin/css/', './wp-includes/version.php'])(
		'cannot sync the core path %s',
		async (path) => {
			const { mark } = await startFiles();
			expect((await mark('sync', path)).data.sync).toEqual({
				paths: [],
				errors: [expect.objectContaining({ id: path, code: 'core_path' })],
			});
		},
	);

	it('can skip core directories', async () => {
		const { mark } = await startFiles();
		const paths = ['./wp-admin/', './wp-includes/css/'];
		expect((await mark('skip', ...paths)).data.skip.paths).toEqual(paths);
	});

	it.each(['./wp-login.php', './wp-includes/version.php'])(
		'cannot skip the file %s',
		async (path) => {
			const { mark } = await startFiles();
			expect((await mark('skip', path)).data.skip.errors).toEqual([
				expect.objectContaining({ id: path, code: 'not_a_directory' }),
			]);
		},
	);
});

describe('versions of a file', () => {
	const log = './wp-content/debug.log';

	/** A site whose log file has another version in each of three snapshots. */
	async function startVersions() {
		const service = await startFiles();
		for (let i = 0; i < 2; i++) {
			service.clock.advance(2 * day);
			await sync(service, service.site.id);
		}
		const versions = (params: object) => service.api.get(`${service.url}/versions`, { params });
		const entry = (await service.files({ path: './wp-content/' })).find(
			({ path }: { path: string }) => path === log,
		);
		return { ...service, versions, entry };
	}

	it('are those of all snapshots, newest first, by path or by ID', async () => {
		const { entry, versions } = await startVersions();
		const { status, data } = await versions({ path: log });
		expect(status).toBe(200);
		expect(data.versions).toHaveLength(3);
		expect(data.versions[0]).toEqual({
			id: entry.id,
			modified_at: entry.modified_at,
			size: entry.size,
		});
		const times = data.versions.map((version: any) => version.modified_at);
		expect(times).toEqual([...times].sort().reverse());
		for (const { id } of data.versions) expect((await versions({ id })).data).toEqual(data);
	});

	it('are one for a file that does not change', async () => {
		const { versions } = await startVersions();
		expect((await versions({ path: './wp-login.php' })).data.versions).toHaveLength(1);
	});

	it('need exactly one of ID and path', async () => {
		const { entry, versions } = await startVersions();
		expectError(await versions({}), 400);
		expectError(await versions({ id: entry.id, path: log }), 400);
	});

	it('are not found for other files', async () => {
		const service = await startVersions();
		const { entry, versions } = service;
		const other = await addSite(service, 'https://two.example.com');
		await sync(service, other.id);
		expectError(await versions({ path: './nothing' }), 404);
		expectError(await versions({ path: './wp-content/' }), 404);
		expectError(await versions({ id: 'unknown' }), 404);
		expectError(await service.api.get(`/sites/${other.id}/files/versions?id=${entry.id}`), 404);
	});
});

describe('the main file of a plugin', () => {
	it('begins with the name and the version of the plugin', async () => {
		const { files, api, url } = await startFiles();
		const [plugin] = await files({ path: './wp-content/plugins/' });
		const all = await files({ path: plugin.path });
		const main = all.find(({ name }) => name === `${plugin.name}.php`);
		const { data } = await api.get(`${url}/download`, {
			params: { id: main.id },
			responseType: 'text',
		});
		expect(data).toMatch(
			/^<\?php\n\/\*\*\n \* Plugin Name: [A-Z][A-Za-z ]+\n \* Version: [\d.]+\n/,
		);
	});
});

describe('downloading a file', () => {
	const download = ({ api, path }: Started, params: object) =>
		api.get(`${path}/files/download`, { params, responseType: 'arraybuffer' });

	it('answers with exactly its bytes, by ID or by path, time and size', async () => {
		const service = await startFiles();
		const entry = (await service.files()).find(({ name }) => name === 'wp-login.php');
		const byId = await download(service, { id: entry.id });
		expect(byId.status).toBe(200);
		expect(byId.headers).toMatchObject({
			'content-type': 'application/octet-stream',
			'content-disposition': 'attachment; filename="wp-login.php"',
			'content-length': String(entry.size),
		});
		expect(byId.data).toHaveLength(entry.size);
		const { path, modified_at, size } = entry;
		const byTuple = await download(service, { path, modified_at, size });
		expect(byTuple.data.equals(byId.data)).toBe(true);
	});

	it('gives the bytes of the version that is asked for', async () => {
		const service = await startFiles();
		service.clock.advance(2 * day);
		await sync(service, service.site.id);
		const params = { path: './wp-content/debug.log' };
		const { versions } = (await service.api.get(`${service.url}/versions`, { params })).data;
		const contents = await Promise.all(
			versions.map(async ({ id }: { id: string }) => (await download(service, { id })).data),
		);
		expect(contents.map((bytes) => bytes.length)).toEqual(versions.map(({ size }: any) => size));
		expect(contents[0].equals(contents[1])).toBe(false);
	});

	it('can be of a file without bytes', async () => {
		const service = await startFiles();
		const path = './wp-content/uploads/';
		const entry = (await service.files({ path })).find(({ name }) => name === '.keep');
		expect(entry.size).toBe(0);
		expect((await download(service, { id: entry.id })).data).toHaveLength(0);
	});

	it('names the file, also beyond ASCII', async () => {
		const service = await startFiles({ created_at: '2023-01-01T00:00:00.000Z' });
		const entries = await walk(service.files, './wp-content/uploads/');
		const nameOf = async (name: string) => {
			const { id } = entries.find((entry) => entry.name === name);
			return (await download(service, { id })).headers['content-disposition'];
		};
		expect(await nameOf('summer fest.jpg')).toBe('attachment; filename="summer fest.jpg"');
		expect(await nameOf('Grüße.jpg')).toBe(
			`attachment; filename="Gr__e.jpg"; filename*=UTF-8''Gr%C3%BC%C3%9Fe.jpg`,
		);
	});

	it('streams hundreds of megabytes without holding them', async () => {
		const service = await startFiles();
		// One in ten sites has such a file: the first id for which it is so.
		const large = async (id: string): Promise<any> => {
			const site = { ...structuredClone(service.site), id };
			service.world.store.sites.insert(site);
			const snapshotId = await sync(service, id);
			const { data } = await service.api.get(`/sites/${id}/files`, {
				params: { path: './wp-content/uploads/', snapshot_id: snapshotId },
			});
			return data.files.find(({ name }: { name: string }) => name === 'tour.mp4');
		};
		let id = 0;
		let entry: any;
		while (!entry) entry = await large(String(++id));
		expect(entry.size).toBeGreaterThan(300_000_000);

		const { data: stream } = await axios.get(`${service.baseUrl}/sites/${id}/files/download`, {
			params: { id: entry.id },
			headers: { Authorization: `Bearer ${service.token}` },
			responseType: 'stream',
		});
		let size = 0;
		let held = 0;
		const before = process.memoryUsage().rss;
		for await (const chunk of stream) {
			size += chunk.length;
			held = Math.max(held, process.memoryUsage().rss - before);
		}
		expect(size).toBe(entry.size);
		expect(held).toBeLessThan(150_000_000);
	});

	it.each([
		{},
		{ path: './wp-login.php' },
		{ path: './wp-login.php', modified_at: at('01T00:00:00') },
		{ modified_at: at('01T00:00:00'), size: 1 },
		{ path: './wp-login.php', modified_at: at('01T00:00:00'), size: 'x' },
		{ path: './wp-login.php', modified_at: at('01T00:00:00'), size: '1.5' },
		{ path: './wp-login.php', modified_at: 'yesterday', size: 1 },
		{ id: 'x', path: './wp-login.php' },
		{ id: 'x', size: 1 },
		{ id: 'x', modified_at: at('01T00:00:00') },
		{ id: 'x', name: 'wp-login.php' },
	])('refuses %j', async (params) => {
		const { api, url } = await startFiles();
		expectError(await api.get(`${url}/download`, { params }), 400);
	});

	it('does not find what no snapshot has', async () => {
		const { api, files, url } = await startFiles();
		const get = (params: object) => api.get(`${url}/download`, { params });
		const entries = await files();
		const { path, modified_at, size } = entries.find(({ name }) => name === 'wp-login.php');
		expectError(await get({ path, modified_at, size: size + 1 }), 404);
		expectError(await get({ path, modified_at: at('01T00:00:00'), size }), 404);
		expectError(await get({ path: './nothing', modified_at, size }), 404);
		expectError(await get({ id: 'unknown' }), 404);
		expectError(await get({ id: entries.find(({ type }) => type === 'folder').id }), 404);
	});
});

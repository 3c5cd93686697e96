import axios from 'axios';
import { addSite, day, expectError, startSnapshot, sync } from './support';

type Entry = Record<string, any>;

async function startFiles() {
	const service = await startSnapshot();
	const url = `${service.path}/files`;
	const get = (params: object = {}) => service.api.get(url, { params });
	return {
		...service,
		url,
		get,
		files: async (params: object = {}) => (await get({ ...params })).data.files as Entry[],
		mark: async (verb: 'sync' | 'skip', ...paths: string[]) =>
			(await service.api.post(`${url}/${verb}`, { paths })).data,
		download: (params: object) =>
			service.api.get(`${url}/download`, { params, responseType: 'arraybuffer' }),
		versions: (params: object) => service.api.get(`${url}/versions`, { params }),
	};
}

/** All entries below a folder, read folder by folder. */
async function walk(files: (params: object) => Promise<Entry[]>, path = './'): Promise<Entry[]> {
	const entries = await files({ path });
	const inner = await Promise.all(
		entries.filter(({ type }) => type === 'folder').map((folder) => walk(files, folder.path)),
	);
	return [...entries, ...inner.flat()];
}

it('a content is that of the latest completed snapshot, unless another is asked for', async () => {
	const service = await startFiles();
	const { api, files, get, clock, path, site, snapshotId } = service;
	const content = { path: './wp-content/' };
	const first = await files(content);
	clock.advance(3 * day);
	expect(await files(content)).toEqual(first);
	await sync(service, site.id);
	const second = await files(content);
	expect(second).not.toEqual(first);
	expect(await files({ ...content, snapshot_id: snapshotId })).toEqual(first);

	const { data } = await api.post(`${path}/sync`);
	expect(await files(content)).toEqual(second);
	expectError(await get({ snapshot_id: data.sync.snapshot_id }), 422);
	const other = await addSite(service, 'https://two.example.com');
	const snapshotOfOther = await sync(service, other.id);
	for (const part of ['files', 'files/stats', 'tables', 'tables/stats']) {
		expectError(await api.get(`${path}/${part}?snapshot_id=${snapshotOfOther}`), 404);
	}
});

it('a folder is skipped with all of its files, of which one can be synced', async () => {
	const { mark, files } = await startFiles();
	const cache = './wp-content/cache/';
	const statuses = async () => (await walk(files, cache)).map((each) => each.status);
	expect((await mark('skip', cache)).skip.paths).toEqual([cache]);
	expect(await statuses()).toEqual(['skipped', 'skipped']);
	await mark('sync', `${cache}home.html`);
	expect(await statuses()).toEqual(['synced', 'skipped']);
	await mark('skip', './wp-content/');
	expect(await statuses()).toEqual(['skipped', 'skipped']);
	await mark('sync', cache);
	expect(await statuses()).toEqual(['synced', 'synced']);
});

it('a file has its versions of all snapshots, newest first, by path or by ID, with their bytes', async () => {
	const log = './wp-content/debug.log';
	const service = await startFiles();
	const { api, clock, download, site, versions } = service;
	for (let i = 0; i < 2; i++) {
		clock.advance(2 * day);
		await sync(service, site.id);
	}
	const { data } = await versions({ path: log });
	const found: Entry[] = data.versions;
	const { id, modified_at, size } = (await walk(service.files)).find(({ path }) => path === log)!;
	expect([found.length, found[0]]).toEqual([3, { id, modified_at, size }]);
	const times = found.map((version) => version.modified_at);
	expect(times).toEqual([...times].sort().reverse());
	for (const each of found) {
		expect((await versions({ id: each.id })).data).toEqual(data);
		expect((await download({ id: each.id })).data).toHaveLength(each.size);
	}
	expect((await versions({ path: './wp-login.php' })).data.versions).toHaveLength(1);
	const other = await addSite(service, 'https://two.example.com');
	await sync(service, other.id);
	expectError(await api.get(`/sites/${other.id}/files/versions?id=${id}`), 404);
});

describe('a download', () => {
	it('has exactly the bytes of the file, by ID or by path, time and size', async () => {
		const { download, files } = await startFiles();
		const { id, path, modified_at, size } = (await files()).find(
			({ name }) => name === 'wp-login.php',
		)!;
		const byId = await download({ id });
		expect(byId.headers).toMatchObject({
			'content-type': 'application/octet-stream',
			'content-length': String(size),
		});
		expect(byId.data).toHaveLength(size);
		const byTuple = await download({ path, modified_at, size });
		expect(byTuple.data.equals(byId.data)).toBe(true);
	});

	it('streams hundreds of megabytes without holding them', async () => {
		const service = await startFiles();
		// One in ten sites has such a file: the first id for which it is so.
		let id = 0;
		let entry: Entry | undefined;
		while (!entry) {
			const site = { ...structuredClone(service.site), id: String(++id) };
			service.world.store.sites.insert(site);
			await sync(service, site.id);
			const params = { path: './wp-content/uploads/' };
			const { data } = await service.api.get(`/sites/${id}/files`, { params });
			entry = data.files.find(({ name }: Entry) => name === 'tour.mp4');
		}
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
});

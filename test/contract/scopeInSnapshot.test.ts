import { type Access, mustSucceed, operationRun, runNode } from '../support/engine';
import { inStep, fleetEach } from '../support/fleet';
import { locator } from '../support/locator';
import { type Answer, pageOf, startWayward } from '../support/wayward';

/** The paths and tables of backup operations are looked up in their snapshot: of one that is not there nothing comes back. */

const fleet = fleetEach({ sites: 20 });
let site: string;
let snapshot: string;
let otherUrl: string;

beforeEach(async () => {
	inStep(fleet);
	const { data } = await fleet.api.post('/sites', { site: { url: 'https://own.example.com' } });
	site = data.site.id as string;
	const sync = await fleet.api.post(`/sites/${site}/sync`);
	snapshot = sync.data.sync.snapshot_id as string;
	fleet.clock.advance(60_000);
	otherUrl = fleet.world.store.sites.all().find(({ id }) => id !== site)!.url;
	fleet.forget();
});

const OPERATIONS = ['download', 'upload', 'migrate', 'restore'] as const;

const run = async (more: object, operation: string = 'restore', at: Access = fleet) => {
	const destination = operation === 'migrate' && { destinationUrl: otherUrl };
	const ids = { siteId: locator(site), snapshotId: locator(snapshot) };
	const provider = operation === 'upload' && { provider: 'cloudstore_a' };
	return await runNode(
		at,
		operationRun('backup', operation, { ...ids, ...destination, ...provider, ...more }),
	);
};

const scopeSent = () => {
	const change = fleet.sent().find(({ route }) => route.startsWith('POST '))!;
	return Object.values(change.body as Record<string, any>)[0].scope;
};
const listed = (of: string) => fleet.sent().filter(({ route }) => route.endsWith(`/${of}`));

describe.each(OPERATIONS)('%s', (operation) => {
	it.each([false, true])('of misspelt entries is refused with the nearest: %s', async (preview) => {
		const scope = { paths: 'wp-content/uplods', tables: 'wp_post, wp_options' };
		const { error } = await run({ ...scope, preview }, operation);
		expect(error?.message).toContain(
			`The snapshot ${snapshot} does not contain the path "wp-content/uplods" (nearest in ./wp-content/: ./wp-content/uploads/`,
		);
		expect(error?.message).toContain('and the table "wp_post" (nearest: wp_posts');
		expect(error?.message).not.toContain('"wp_options"');
		expect(error?.description).toContain('Nothing was sent');
		expect(fleet.changes()).toEqual([]);
	});

	it('leaves out missing entries if chosen, but never all of them', async () => {
		const options = { leaveOutMissing: true };
		const paths = './wp-content/uploads/, ./license.text';
		const { json } = mustSucceed(await run({ paths, tables: 'wp_posts', options }, operation));
		expect(scopeSent()).toMatchObject({ paths: ['./wp-content/uploads/'], tables: ['wp_posts'] });
		expect(json[0]!.scope_check).toBe('found, without the path "./license.text"');
		fleet.forget();
		for (const none of [{ paths: 'x' }, { paths, tables: 'wp_post' }]) {
			const refused = await run({ ...none, options }, operation);
			expect(refused.error?.message).toContain('does not contain');
		}
		expect(fleet.changes()).toEqual([]);
	});

	it.each([false, true])('says what it is of, after a wait, too: %s', async (waitForCompletion) => {
		const tables = 'wp_posts, wp_options';
		const chosen = { paths: './wp-content/uploads/', tables, waitForCompletion };
		const { json } = mustSucceed(await run(chosen, operation));
		const said = { files: './wp-content/uploads/', tables, scope_check: 'found' };
		expect(json).toEqual([expect.objectContaining({ ...said, snapshot_id: snapshot })]);
	});

	it('of all content looks up nothing, and says so', async () => {
		const { json } = await run({ includeDatabase: false }, operation);
		expect(json).toEqual([
			expect.objectContaining({ files: 'all', tables: 'none', scope_check: null }),
		]);
		expect([...listed('files'), ...listed('tables')]).toEqual([]);
	});
});

it.each([
	['wp-content', ['./wp-content/']],
	['/wp-content/', ['./wp-content/']],
	['./wp-content', ['./wp-content/']],
	[' ./wp-content/uploads ', ['./wp-content/uploads/']],
	['wp-content/uploads/./', ['./wp-content/uploads/']],
	['index.php', ['./index.php']],
	['/wp-content/debug.log/', ['./wp-content/debug.log']],
	['./', ['./']],
	['/', ['./']],
	['wp-content, /wp-content', ['./wp-content/']],
])('the path %j is sent as the snapshot has it', async (paths, sent) => {
	mustSucceed(await run({ paths }));
	expect(scopeSent().paths).toEqual(sent);
});

it('does not call a path found that backups leave out, although it is listed', async () => {
	await fleet.api.post(`/sites/${site}/files/skip`, { paths: ['./wp-content/uploads/'] });
	const { json } = mustSucceed(await run({ paths: 'wp-content/uploads, index.php' }));
	expect(json[0]!.scope_check).toBe('not checked: backups leave out ./wp-content/uploads/');
});

it.each([
	'=./wp-content/plugins/{{ $json.gone }}/',
	'=./wp-content/plugins/{{ $json.gone }}',
	'={{ ["wp-content/" + "" + "/shop"] }}',
])('a path in which an expression found nothing is not that of its folder: %s', async (paths) => {
	const { error } = await run({ paths });
	expect(error?.message).toMatch(/^The parameter "Paths" has an empty part: "/);
	expect(fleet.sent()).toEqual([]);
});

it.each([
	['wp-contnt/uploads/', './: ./wp-content/'],
	['wp-content/debug.log/x', './wp-content/: ./wp-content/debug.log'],
	['WP-Content', './: ./wp-content/'],
	['./wp-content/../index.php', './wp-content/: '],
	['./wp-content/uploads/*', './wp-content/uploads/: '],
])('the path %j is not in the snapshot', async (paths, nearest) => {
	const { error } = await run({ paths });
	expect(error?.message).toContain(`does not contain the path "${paths}" (nearest in ${nearest}`);
	expect(fleet.changes()).toEqual([]);
});

it('a table name is case-sensitive, and blanks around it do not count', async () => {
	const other = await run({ tables: 'WP_Posts' });
	expect(other.error?.message).toContain('(nearest: wp_posts');
	mustSucceed(await run({ tables: '={{ [" wp_posts "] }}' }));
	expect(scopeSent().tables).toEqual(['wp_posts']);
});

it('paths share the listing of their folder', async () => {
	const paths = './wp-content/uploads/, ./wp-content/cache/, wp-content/debug.log';
	mustSucceed(await run({ paths, tables: 'wp_posts, wp_options' }));
	expect(listed('files').map(({ query }) => query)).toEqual([
		expect.objectContaining({ path: './wp-content/', snapshot_id: snapshot }),
	]);
	expect(listed('tables')).toHaveLength(1);
});

it('checks a path against its own snapshot, also the latest', async () => {
	const { json } = mustSucceed(await run({ snapshotId: locator('latest'), paths: 'index.php' }));
	expect(listed('files')[0]!.query.snapshot_id).toBe(snapshot);
	expect(json[0]).toMatchObject({ snapshot_id: snapshot, files: './index.php' });
});

it('accepts a table that may be only in real-time events, and reports that it was not checked', async () => {
	const events = { realTimeEvents: true, until: '2026-03-01T12:00:30' };
	const { json } = mustSucceed(await run({ ...events, tables: 'wp_new' }));
	expect(json[0]!.scope_check).toBe(
		'not checked: the table "wp_new" is not in the snapshot, only perhaps in its events',
	);
});

it('the contents of subsites are not known', async () => {
	fleet.world.store.sites.get(site)!.multisite = true;
	const { json } = await run({ options: { subsiteIds: '2, 3' } });
	expect(json[0]).toMatchObject({
		files: 'those of the subsites 2, 3',
		tables: 'those of the subsites 2, 3',
		scope_check: 'not checked: the service chooses the content of subsites',
	});
});

describe('where another service answers', () => {
	const record = { id: 'S', created_at: '2026-03-01T12:00:00Z', status: 'succeeded' };
	const task = { id: 'T', status: 'initializing', created_at: '2026-03-01T12:00:00Z' };
	const headers = { 'X-RateLimit-Limit': '100000', 'X-RateLimit-Remaining': '99999' };

	const entry = (name: string) => ({
		...{ id: name, name, path: `./uploads/${name}`, type: 'file' },
		...{ size: 1, modified_at: '2026-01-01T00:00:00Z', status: 'synced' },
	});
	const folder = (name: string) => ({ ...entry(name), path: `./${name}/`, type: 'folder' });

	async function serving(list: (url: URL) => Answer, more: object) {
		const service = await startWayward((url) => {
			if (/\/(files|tables)$/.test(url.pathname)) return list(url);
			if (url.pathname.endsWith('/restore')) return { status: 201, body: { task } };
			return { body: { snapshot: { ...record, id: url.pathname.split('/').at(-1) } } };
		}, headers);
		const result = await run(more, 'restore', service);
		return { ...result, requests: service.requests };
	}

	it.each([404, 422, 400])('that lists nothing (%i), the output says so', async (status) => {
		const body = { error: { message: 'no' } };
		const more = { paths: 'wp-content/uplods', tables: 'wp_post' };
		const { json } = mustSucceed(await serving(() => ({ status, body }), more));
		expect(json[0]).toMatchObject({
			files: 'wp-content/uplods',
			scope_check:
				'not checked: the service does not list ./; the service does not list the tables',
		});
	});

	it('with an empty list of the root, the output says so', async () => {
		const { json } = await serving(() => pageOf('files', []), { paths: 'index.php' });
		expect(json[0]!.scope_check).toBe('not checked: the service does not list ./');
	});

	it('sends nothing where the response is not a list', async () => {
		const body = { result: 7 };
		const { error, requests } = await serving(() => ({ body }), { paths: 'index.php' });
		expect(error?.message).toContain('does not match the API');
		expect(requests.filter((each) => each.startsWith('POST '))).toEqual([]);
	});

	it('a folder of many pages is read up to a bound, and then searched by name', async () => {
		const total = 5_000;
		const nameOf = (index: number) => `picture-${index}.jpg`;
		const list = (url: URL) => {
			if (url.searchParams.get('path') === './') return pageOf('files', [folder('uploads')]);
			const text = url.searchParams.get('filters[name:contains]');
			const page = Number(url.searchParams.get('page'));
			const all = Array.from({ length: total }, (_, index) => nameOf(index));
			const found = all.filter((name) => !text || name.includes(text)).map(entry);
			return pageOf('files', found.slice((page - 1) * 100, page * 100), found.length);
		};
		const last = await serving(list, { paths: `uploads/${nameOf(total - 1)}` });
		expect(last.error).toBeUndefined();
		expect(last.json[0]!.scope_check).toBe('found');
		expect(last.requests.length).toBeLessThan(15);
		const { error } = await serving(list, { paths: 'uploads/pictur-12.jpg' });
		expect(error?.message).toContain('nearest in ./uploads/: ./uploads/picture-12.jpg');
	});

	it('names in another normal form are the same', async () => {
		const name = 'Größe'.normalize('NFD');
		const list = () => pageOf('files', [folder(name)]);
		const { json } = mustSucceed(await serving(list, { paths: 'Größe'.normalize('NFC') }));
		expect(json[0]!.files).toBe(`./${name}/`);
	});
});

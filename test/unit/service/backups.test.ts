import type { SiteRow } from '../../../sandbox/service/domain/sites/rows';
import { addSite, day, expectError, list, minute, startSnapshot, sync } from './support';

const files = { include_files: true };
const scope = { include_files: true, include_database: true };
const credentials = { server: { host: 'ftp.example.org' }, database: { name: 'shop' } };
const ftp = { method: 'ftp', credentials };

type Verb = 'download' | 'upload' | 'migrate' | 'restore';
const wrappers = {
	download: 'download',
	upload: 'upload',
	migrate: 'migration',
	restore: 'restore',
};
const verbs = Object.keys(wrappers) as Verb[];

/** What each operation needs besides the scope. */
const needed = {
	download: {},
	upload: { destination: { provider: 'cloudstore_a' } },
	migrate: { destination_url: 'https://new.example.org', type: 'external', connection: ftp },
	restore: {},
};

async function startBackups(fields: Partial<SiteRow> = {}) {
	const service = await startSnapshot(fields);
	const { api, path, snapshotId } = service;
	const run = (verb: Verb, body: object = {}, snapshot = snapshotId) =>
		api.post(`${path}/backups/${snapshot}/${verb}`, {
			[wrappers[verb]]: { scope, ...needed[verb], ...body },
		});
	return {
		...service,
		run,
		/** Runs an operation that must be possible, and returns what its task shows of the request. */
		input: async (verb: Verb, body: object = {}) => {
			const { status, data } = await run(verb, body);
			expect(status).toBe(201);
			return (await api.get(`/tasks/${data.task.id}`)).data.task.input.sites[0];
		},
		finish: () => {
			service.clock.advance(2 * minute);
			service.world.settle();
		},
	};
}

describe('operations on a snapshot', () => {
	it.each(verbs)('start a task: %s', async (verb) => {
		const { api, run, finish, site } = await startBackups();
		const { status, data } = await run(verb);
		expect(status).toBe(201);
		expect(data).toEqual({
			task: { id: expect.any(String), status: 'initializing', created_at: expect.any(String) },
		});
		const show = async () => (await api.get(`/tasks/${data.task.id}`)).data.task;
		expect(await show()).toMatchObject({ type: verb, details: { sites: [{ id: site.id }] } });
		finish();
		expect((await show()).status).toBe('completed');
	});

	it.each(verbs)('need a completed snapshot of the site: %s', async (verb) => {
		const service = await startBackups();
		const { api, path, run, site, world } = service;
		expectError(await run(verb, {}, 'unknown'), 404);
		const other = await addSite(service, 'https://two.example.com');
		expectError(await run(verb, {}, await sync(service, other.id)), 404);
		const { data } = await api.post(`${path}/sync`);
		expectError(await run(verb, {}, data.sync.snapshot_id), 422);
		world.store.snapshots.get(service.snapshotId)!.status = 'failed';
		expectError(await run(verb), 422);
		expect(world.store.tasks.all().some((task) => task.details.sites[0]?.id === site.id)).toBe(
			false,
		);
	});

	it.each(verbs)('are in conflict while another one runs on the site: %s', async (verb) => {
		const service = await startBackups();
		const { finish, run } = service;
		for (const running of verbs) {
			await run(running);
			expectError(await run(verb), 409);
			finish();
		}
		const other = await addSite(service, 'https://two.example.com');
		const snapshotId = await sync(service, other.id);
		await service.api.post(`/sites/${other.id}/backups/${snapshotId}/download`, {
			download: { scope },
		});
		expect((await run(verb)).status).toBe(201);
	});

	it('can begin again when the running one is cancelled', async () => {
		const { api, run } = await startBackups();
		const { data } = await run('download');
		await api.post(`/tasks/${data.task.id}/cancel`);
		expect((await run('restore')).status).toBe(201);
	});

	it.each(verbs)('show what they work on: %s', async (verb) => {
		const { input, site, snapshotId } = await startBackups();
		const body = {
			scope: { ...scope, paths: ['./wp-content/'], tables: ['wp_posts'] },
			options: { real_time_events: { enabled: true, until: '2025-03-10T12:00:30Z' } },
		};
		expect(await input(verb, body)).toMatchObject({
			id: site.id,
			snapshot_id: snapshotId,
			...body,
		});
	});

	it('show no credentials', async () => {
		const { input } = await startBackups();
		expect(JSON.stringify(await input('migrate'))).not.toContain('ftp.example.org');
	});

	it.each(verbs)('%s needs the time that real-time events go to', async (verb) => {
		const { run } = await startBackups();
		const events = (fields: object) => run(verb, { options: { real_time_events: fields } });
		expect(expectError(await events({ enabled: true }), 422)).toEqual([
			`${wrappers[verb]}.options.real_time_events.until`,
		]);
		expectError(await events({ enabled: true, until: 'noon' }), 400);
		expect((await events({ enabled: false })).status).toBe(201);
	});
});

it.each(verbs)('%s takes tables only with the database', async (verb) => {
	const { run } = await startBackups();
	const alone = { include_files: true, tables: ['wp_posts'] };
	for (const fields of [alone, { ...alone, include_database: false }]) {
		expect(expectError(await run(verb, { scope: fields }), 422)).toEqual([
			`${wrappers[verb]}.scope.tables`,
		]);
	}
});

describe('an upload', () => {
	it('to cloudstore_a takes no ID', async () => {
		const { run } = await startBackups();
		const destination = { provider: 'cloudstore_a', id: 'bkd_1' };
		expect(expectError(await run('upload', { destination }), 422)).toEqual([
			'upload.destination.id',
		]);
	});

	it('to cloudstore_b needs the ID of its connected saved destination', async () => {
		const { run, world } = await startBackups();
		const saved = world.store.backupDestinations
			.all()
			.find(({ provider }) => provider === 'cloudstore_b')!;
		const upload = (id?: string) =>
			run('upload', { destination: { provider: 'cloudstore_b', ...(id && { id }) } });
		saved.connected = false;
		expectError(await upload(saved.id), 422);
		saved.connected = true;
		expectError(await upload(), 422);
		expectError(await upload('cloudstore_b'), 422);
		saved.provider = 'cloudstore_a';
		expectError(await upload(saved.id), 422);
		saved.provider = 'cloudstore_b';
		expect((await upload(saved.id)).status).toBe(201);
	});
});

/** Connections that FTP is refused with, and the parameter that is wrong. */
const badFtp: Array<[object, string]> = [
	[{ method: 'ftp' }, 'credentials.server'],
	[{ method: 'ftp', credentials: {} }, 'credentials.server'],
	[{ method: 'ftp', credentials: { database: { a: 1 } } }, 'credentials.server'],
	[{ method: 'ftp', credentials: { server: { a: 1 } } }, 'credentials.database'],
	[{ method: 'ftp', credentials: { server: { a: 1 }, database: {} } }, 'credentials.database'],
	[{ method: 'ftp', credentials: { server: 'a', database: { a: 1 } } }, 'credentials.server'],
];
const basic = { http_auth: { username: 'user', password: 'secret' } };

describe('an external migration', () => {
	it.each([...badFtp, [{}, 'method'], [{ method: 'http' }, 'method']])(
		'needs FTP with server and database credentials: %j',
		async (connection, param) => {
			const { run } = await startBackups();
			expect(expectError(await run('migrate', { connection }), 422)).toEqual([
				`migration.connection.${param}`,
			]);
		},
	);

	it('needs a connection', async () => {
		const { run } = await startBackups();
		expectError(await run('migrate', { connection: undefined }), 422);
	});
});

describe('an internal migration', () => {
	async function startInternal() {
		const service = await startBackups();
		const other = await addSite(service, 'https://two.example.com');
		const migrate = (connection?: object, url = other.url) =>
			service.run('migrate', { type: 'internal', destination_url: url, connection });
		return { ...service, migrate };
	}

	it.each([undefined, { method: 'http' }, { method: 'http', credentials: basic }])(
		'takes the connection %j',
		async (connection) => {
			const { migrate } = await startInternal();
			expect((await migrate(connection)).status).toBe(201);
		},
	);

	it('takes no FTP and no other credentials', async () => {
		const { migrate } = await startInternal();
		expectError(await migrate(ftp), 422);
		expectError(await migrate({ method: 'http', credentials }), 422);
		expectError(await migrate({ credentials: { http_auth: { username: 'user' } } }), 400);
	});

	it('goes to another site of the account', async () => {
		const { migrate, site } = await startInternal();
		expectError(await migrate(undefined, 'https://three.example.com'), 422);
		expectError(await migrate(undefined, site.url), 422);
		expectError(await migrate(undefined, 'two'), 400);
	});
});

describe('a restore', () => {
	it.each([{}, { include_files: false }, { include_files: false, include_database: false }])(
		'needs files or the database: %j',
		async (empty) => {
			const { run } = await startBackups();
			expect(expectError(await run('restore', { scope: empty }), 422)).toEqual(['restore.scope']);
		},
	);

	it.each(badFtp)('by FTP needs server and database credentials: %j', async (connection, param) => {
		const { run } = await startBackups();
		expect(expectError(await run('restore', { connection }), 422)).toEqual([
			`restore.connection.${param}`,
		]);
	});

	it('takes FTP with any fields of its credentials', async () => {
		const { run } = await startBackups();
		expect((await run('restore', { connection: ftp })).status).toBe(201);
	});

	it('of the site itself takes HTTP basic auth only', async () => {
		const { finish, run } = await startBackups();
		expectError(await run('restore', { connection: { credentials } }), 422);
		expect((await run('restore', { connection: { credentials: basic } })).status).toBe(201);
		finish();
		expect((await run('restore', { connection: {} })).status).toBe(201);
	});

	it('of subsites is only for multisites', async () => {
		const { run, site } = await startBackups();
		const subsites = { scope: { ...scope, subsite_ids: ['2'] } };
		const refused = await run('restore', subsites);
		expect(expectError(refused, 422)).toEqual(['restore.scope.subsite_ids']);
		expect(refused.data.error.details[0].code).toBe('not_multisite');
		site.multisite = true;
		expect((await run('restore', subsites)).status).toBe(201);
	});

	it('of subsites is one of their paths and tables', async () => {
		const { input, finish } = await startBackups({ multisite: true });
		const restored = async (fields: object) => {
			const { scope: shown } = await input('restore', {
				scope: { ...fields, subsite_ids: ['2', 3] },
			});
			finish();
			return shown;
		};
		const all = await restored(scope);
		expect(all.paths).toEqual(['./wp-content/uploads/sites/2/', './wp-content/uploads/sites/3/']);
		expect(all.tables).toContain('wp_2_posts');
		expect(all.tables).toContain('wp_3_posts');
		expect(all.tables).not.toContain('wp_posts');
		expect(await restored(files)).toEqual({ ...files, paths: all.paths });
		const paths = ['./wp-content/'];
		expect(await restored({ ...scope, paths })).toMatchObject({ paths, tables: all.tables });
		const tables = ['wp_users'];
		expect(await restored({ ...scope, tables })).toMatchObject({ paths: all.paths, tables });
	});

	it('does not know other subsites', async () => {
		const { run } = await startBackups({ multisite: true });
		const subsites = { scope: { ...scope, subsite_ids: ['99'] } };
		expectError(await run('restore', subsites), 422);
	});

	/** The log file and a table as they are after a restore of the first snapshot, four days later. */
	async function contentsAfter(body: object, ending: 'completed' | 'cancelled' = 'completed') {
		const service = await startBackups();
		const { api, clock, finish, path, run, site } = service;
		const read = async () => ({
			log: (await list(service, `${path}/files`, { path: './wp-content/' })).find(
				({ name }) => name === 'debug.log',
			).modified_at,
			rows: (await list(service, `${path}/tables`)).reduce((sum, table) => sum + table.rows, 0),
		});
		const before = await read();
		clock.advance(4 * day);
		await sync(service, site.id);
		const between = await read();
		const { data } = await run('restore', body);
		if (ending === 'cancelled') await api.post(`/tasks/${data.task.id}/cancel`);
		finish();
		await sync(service, site.id);
		return { before, between, after: await read() };
	}

	it('returns the site to the snapshot, as the next one shows', async () => {
		const { before, between, after } = await contentsAfter({ scope });
		expect(between.log > before.log).toBe(true);
		expect(between.rows).toBeGreaterThan(before.rows);
		expect(after).toEqual(before);
	});

	it('restores only what is in its scope', async () => {
		const { before, between, after } = await contentsAfter({ scope: files });
		expect(after).toEqual({ log: before.log, rows: between.rows });
		const others = await contentsAfter({ scope: { ...files, paths: ['./wp-admin/'] } });
		expect(others.after).toEqual(others.between);
	});

	it('changes nothing when it is cancelled', async () => {
		const { between, after } = await contentsAfter({ scope }, 'cancelled');
		expect(after).toEqual(between);
	});
});

describe('backups of a site', () => {
	it('are disabled and enabled', async () => {
		const { api, path, site } = await startBackups();
		for (const [verb, enabled] of [
			['disable', false],
			['disable', false],
			['enable', true],
			['enable', true],
		] as const) {
			const { status, data } = await api.post(`${path}/backups/${verb}`);
			expect([status, data]).toEqual([200, { backups: { enabled } }]);
			expect(site.backups.enabled).toBe(enabled);
		}
	});

	it('cannot be switched without a plan that has them', async () => {
		const { api, path, world } = await startBackups();
		world.settings.planFeatures = [];
		expectError(await api.post(`${path}/backups/enable`), 422);
		// When disabling fails with 422 is not shown: that it does is a switch of the sandbox.
		expectError(await api.post(`${path}/backups/disable`), 422);
	});
});

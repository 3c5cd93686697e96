import { completedSnapshots } from '../../../sandbox/service/domain/snapshots/rules';
import { expectError, list, listIds, start, startTime, type TestService } from './support';

const day = 24 * 60 * 60 * 1000;
const path = '/staging-sites';
const at = (ms: number) => new Date(startTime + ms).toISOString();

/** A service without staging sites, and a site with a completed snapshot. */
async function startWithSnapshot(options: Parameters<typeof start>[0] = {}) {
	const service = await start(options);
	const { sites, stagingSites } = service.world.store;
	for (const { id } of stagingSites.all()) stagingSites.delete(id);
	const site = sites.all().find(({ id }) => completedSnapshots(service.world, id).length > 0)!;
	return { ...service, site, snapshot: completedSnapshots(service.world, site.id)[0]! };
}

type Started = Awaited<ReturnType<typeof startWithSnapshot>>;

const create = ({ api, site, snapshot }: Started, changes: object = {}) =>
	api.post(path, {
		staging_site: { site_id: site.id, snapshot_id: snapshot.id, php_version: '8.3', ...changes },
	});

async function startWithStaging(options: Parameters<typeof start>[0] = {}) {
	const service = await startWithSnapshot(options);
	await create(service);
	service.clock.advance(120_000);
	const [id] = await listIds(service, path);
	return { ...service, id: id!, row: service.world.store.stagingSites.get(id!)! };
}

const show = async ({ api }: TestService, id: string) =>
	(await api.get(`${path}/${id}`)).data.staging_site;
const showTask = async ({ api }: TestService, id: string) =>
	(await api.get(`/tasks/${id}`)).data.task;

describe('creating a staging site', () => {
	it('starts a task that says what is made of what', async () => {
		const service = await startWithSnapshot();
		const { site, snapshot } = service;
		const { status, data } = await create(service);
		expect(status).toBe(201);
		expect(data.task).toEqual({ id: expect.any(String), status: 'queued', created_at: at(0) });
		expect(await showTask(service, data.task.id)).toMatchObject({
			type: 'staging',
			input: {
				sites: [
					{
						id: site.id,
						site_url: site.url,
						user_configuration: {
							site_name: site.title,
							php_version: '8.3',
							category: 'staging',
						},
						snapshot_id: snapshot.id,
						snapshot_timestamp: snapshot.created_at,
					},
				],
			},
		});
	});

	it('has the site in the list, active, once the task is completed', async () => {
		const service = await startWithSnapshot();
		await create(service);
		service.clock.advance(119_999);
		expect(await list(service, path)).toEqual([]);
		service.clock.advance(1);
		expect(await list(service, path)).toEqual([
			{
				id: expect.any(String),
				site_id: service.site.id,
				status: 'active',
				url: expect.stringMatching(/^https:\/\//),
				created_at: at(120_000),
				updated_at: at(120_000),
				expires_at: at(120_000 + 7 * day),
				php_version: '8.3',
				user: service.world.settings.currentUser,
			},
		]);
	});

	it('makes no site when the task is cancelled', async () => {
		const service = await startWithSnapshot();
		const { data } = await create(service);
		await service.api.post(`/tasks/${data.task.id}/cancel`);
		service.clock.advance(120_000);
		expect(await list(service, path)).toEqual([]);
	});

	it('takes the PHP version of the live site when none is sent', async () => {
		const service = await startWithSnapshot();
		await create(service, { php_version: undefined });
		service.clock.advance(120_000);
		const [staging] = await list(service, path);
		expect(staging.php_version).toBe(service.site.server.php_version);
	});

	it('refuses a snapshot that is unknown, of another site or not completed', async () => {
		const service = await startWithSnapshot();
		const { world, site, snapshot } = service;
		expectError(await create(service, { snapshot_id: 'unknown' }), 422);
		const other = world.store.sites.all().find(({ id }) => id !== site.id)!;
		expectError(await create(service, { site_id: other.id }), 422);
		snapshot.status = 'in_progress';
		expect(expectError(await create(service), 422)).toEqual(['staging_site.snapshot_id']);
	});
});

describe('one staging site', () => {
	it('shows its snapshot and its credentials', async () => {
		const service = await startWithStaging();
		const login = { username: expect.any(String), password: expect.any(String) };
		const [listed] = await list(service, path);
		expect(await show(service, service.id)).toEqual({
			...listed,
			snapshot: { id: service.snapshot.id, created_at: service.snapshot.created_at },
			credentials: {
				http_auth: login,
				server: { protocol: 'sftp', host: expect.any(String), port: 22, ...login },
				database: {
					host: expect.any(String),
					port: 3306,
					name: expect.any(String),
					...login,
				},
			},
		});
	});
});

describe('the expiry of a staging site', () => {
	const extend = ({ api, id }: { id: string } & TestService, days: unknown) =>
		api.post(`${path}/${id}/extend-expiry`, { days });

	it('suspends the site', async () => {
		const service = await startWithStaging();
		service.clock.advance(7 * day - 1);
		expect((await show(service, service.id)).status).toBe('active');
		service.clock.advance(1);
		expect(await show(service, service.id)).toMatchObject({
			status: 'suspended',
			updated_at: at(120_000 + 7 * day),
		});
	});

	it('can be extended, and then comes later', async () => {
		const service = await startWithStaging();
		const { status, data } = await extend(service, 3);
		expect(status).toBe(200);
		expect(data.staging_site.expires_at).toBe(at(120_000 + 10 * day));
		service.clock.advance(10 * day - 1);
		expect((await show(service, service.id)).status).toBe('active');
		service.clock.advance(1);
		expect((await show(service, service.id)).status).toBe('suspended');
	});

	it('cannot be extended beyond the limit of the account', async () => {
		const service = await startWithStaging({ settings: { stagingMaxDays: 10 } });
		expect(expectError(await extend(service, 4), 422)).toEqual(['days']);
		expect((await extend(service, 3)).status).toBe(200);
		expectError(await extend(service, 1), 422);
	});

	it('cannot be extended once the site is suspended', async () => {
		const service = await startWithStaging();
		service.clock.advance(7 * day);
		expectError(await extend(service, 1), 422);
	});
});

describe('resuming a staging site', () => {
	it('makes a paused one active', async () => {
		const service = await startWithStaging();
		service.row.status = 'paused';
		const { status, data } = await service.api.post(`${path}/${service.id}/resume`);
		expect([status, data.staging_site.status]).toEqual([200, 'active']);
	});

	it.each(['active', 'suspended', 'initializing'] as const)(
		'refuses one that is %s',
		async (status) => {
			const service = await startWithStaging();
			service.row.status = status;
			expectError(await service.api.post(`${path}/${service.id}/resume`), 422);
		},
	);
});

describe('the PHP version of a staging site', () => {
	const update = ({ api, id }: { id: string } & TestService, version: unknown) =>
		api.post(`${path}/${id}/update-php-version`, { staging_site: { php_version: version } });

	it('changes when the task is completed', async () => {
		const service = await startWithStaging();
		const { status, data } = await update(service, '8.4');
		expect(status).toBe(200);
		expect((await showTask(service, data.task.id)).type).toBe('configure_staging_site');
		expect((await show(service, service.id)).php_version).toBe('8.3');
		service.clock.advance(120_000);
		expect(await show(service, service.id)).toMatchObject({
			php_version: '8.4',
			updated_at: at(240_000),
		});
	});

	it('stays when the task is cancelled, and when the site is gone before', async () => {
		const service = await startWithStaging();
		const { data } = await update(service, '8.4');
		await service.api.post(`/tasks/${data.task.id}/cancel`);
		service.clock.advance(120_000);
		expect((await show(service, service.id)).php_version).toBe('8.3');
		await update(service, '8.4');
		await service.api.delete(`${path}/${service.id}`);
		service.clock.advance(120_000);
		expect(await list(service, path)).toEqual([]);
	});

	it('refuses an invalid version, and a site that is not active', async () => {
		const service = await startWithStaging();
		expectError(await update(service, 'new'), 400);
		expectError(await update(service, undefined), 400);
		service.row.status = 'paused';
		expectError(await update(service, '8.4'), 422);
	});
});

describe('downloading a staging site', () => {
	const download = ({ api, id }: { id: string } & TestService, scope: object) =>
		api.post(`${path}/${id}/download`, { download: { scope } });

	it('starts a task', async () => {
		const service = await startWithStaging();
		const { status, data } = await download(service, {
			include_files: true,
			include_database: false,
		});
		expect(status).toBe(200);
		expect((await showTask(service, data.task.id)).type).toBe('download_staging');
	});

	it('refuses a download of nothing, and of a site that is not active', async () => {
		const service = await startWithStaging();
		const nothing = { include_files: false, include_database: false };
		expect(expectError(await download(service, nothing), 422)).toEqual(['download.scope']);
		service.row.status = 'suspended';
		expectError(await download(service, { include_files: true }), 422);
	});
});

describe('the sign-in address of a staging site', () => {
	const url = ({ api, id }: { id: string } & TestService, userId?: string) =>
		api.get(`${path}/${id}/wp/users/sso-login-url`, { params: { wp_object_id: userId } });

	it('is of the user that is sent, or else of the default user of the live site', async () => {
		const service = await startWithStaging();
		service.site.wp.default_wp_object_id = 77;
		const userOf = async (userId?: string) => {
			const { status, data } = await url(service, userId);
			expect(status).toBe(200);
			expect(data.url.startsWith(service.row.url)).toBe(true);
			return new URL(data.url).searchParams.get('user_id');
		};
		expect(await userOf('5')).toBe('5');
		expect(await userOf()).toBe('77');
		expect(await userOf(' ')).toBe('77');
	});

	it('is another one each time', async () => {
		const service = await startWithStaging();
		expect((await url(service)).data.url).not.toBe((await url(service)).data.url);
	});

	it.each(['abc', '1a', '-1', '1.5'])('refuses the user %s', async (userId) => {
		expect(expectError(await url(await startWithStaging(), userId), 400)).toEqual(['wp_object_id']);
	});

	it('is not given for a site that is not active', async () => {
		const service = await startWithStaging();
		service.row.status = 'paused';
		expectError(await url(service), 422);
	});
});

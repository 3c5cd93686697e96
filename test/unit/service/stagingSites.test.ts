import { at, day, expectError, list, minute, startSnapshot } from './support';

/** A staging site is made from a snapshot, which takes one minute, in two. */
const MADE = 3 * minute;

/** A service with a site, its snapshot, and a staging site that is being made of it. */
async function startMaking(settings: object = {}) {
	const service = await startSnapshot({}, { settings });
	const { api, clock, site, snapshotId } = service;
	const create = async (changes: object = {}) =>
		await api.post('/staging-sites', {
			staging_site: { site_id: site.id, snapshot_id: snapshotId, ...changes },
		});
	const { task } = (await create()).data;
	const all = async () => await list(service, '/staging-sites');
	return {
		...service,
		create,
		taskId: task.id as string,
		all,
		/** The staging site after a while. */
		after: async (ms: number) => {
			clock.advance(ms);
			return (await all())[0];
		},
		post: async (action: string, body?: object) =>
			await api.post(`/staging-sites/${(await all())[0].id}/${action}`, body),
		cancel: async (id: string) => await api.post(`/tasks/${id}/cancel`),
	};
}

it('a staging site is active once its task is completed, with the PHP version of the site', async () => {
	const { api, site, snapshotId, world, taskId, after } = await startMaking();
	const { task } = (await api.get(`/tasks/${taskId}`)).data;
	expect(task).toMatchObject({
		type: 'staging',
		input: { sites: [{ id: site.id, site_url: site.url, snapshot_id: snapshotId }] },
	});
	expect(await after(2 * minute - 1)).toBeUndefined();
	const staging = await after(1);
	expect(staging).toEqual({
		id: expect.any(String),
		site_id: site.id,
		status: 'active',
		url: expect.stringMatching(/^https:\/\//),
		created_at: at(MADE),
		updated_at: at(MADE),
		expires_at: at(MADE + 7 * day),
		php_version: site.server.php_version,
		user: world.settings.currentUser,
	});
	const { staging_site: shown } = (await api.get(`/staging-sites/${staging.id}`)).data;
	expect(shown).toMatchObject({ ...staging, snapshot: { id: snapshotId, created_at: at(0) } });
	expect(Object.keys(shown.credentials)).toEqual(['http_auth', 'server', 'database']);
});

it('none is made of an incomplete or unknown snapshot, or if the task is cancelled', async () => {
	const { world, snapshotId, create, taskId, after, cancel } = await startMaking();
	await cancel(taskId);
	expect(await after(2 * minute)).toBeUndefined();
	expectError(await create({ snapshot_id: 'unknown' }), 422);
	world.store.snapshots.get(snapshotId)!.status = 'in_progress';
	expect(expectError(await create(), 422)).toEqual(['staging_site.snapshot_id']);
});

it('it is suspended when it expires, which can be put off up to the limit of the account', async () => {
	const { after, post } = await startMaking({ stagingMaxDays: 10 });
	await after(2 * minute);
	expect(expectError(await post('extend-expiry', { days: 4 }), 422)).toEqual(['days']);
	const { data } = await post('extend-expiry', { days: 3 });
	expect(data.staging_site.expires_at).toBe(at(MADE + 10 * day));
	expect((await after(10 * day - 1)).status).toBe('active');
	const suspended = { status: 'suspended', updated_at: at(MADE + 10 * day) };
	expect(await after(1)).toMatchObject(suspended);
	expectError(await post('extend-expiry', { days: 1 }), 422);
	expectError(await post('resume'), 422);
});

it('its PHP version changes when the task is completed, not when that is cancelled', async () => {
	const { site, after, post, cancel } = await startMaking();
	await after(2 * minute);
	const change = async () => {
		const body = { staging_site: { php_version: '8.9' } };
		return (await post('update-php-version', body)).data.task.id;
	};
	await cancel(await change());
	expect((await after(2 * minute)).php_version).toBe(site.server.php_version);
	await change();
	const changed = { php_version: '8.9', updated_at: at(MADE + 4 * minute) };
	expect(await after(2 * minute)).toMatchObject(changed);
});

it('its sign-in link is of the user asked for, or else of the default user of the site', async () => {
	const { api, site, after } = await startMaking();
	const { id, url } = await after(2 * minute);
	site.wp.default_wp_object_id = 77;
	const link = async (user?: string) =>
		await api.get(`/staging-sites/${id}/wp/users/sso-login-url`, {
			params: { wp_object_id: user },
		});
	for (const [asked, user] of [
		['5', '5'],
		[undefined, '77'],
		[' ', '77'],
	] as const) {
		const { data } = await link(asked);
		expect(data.url.startsWith(url)).toBe(true);
		expect(new URL(data.url).searchParams.get('user_id')).toBe(user);
	}
	for (const wrong of ['abc', '1a', '-1', '1.5'])
		expect(expectError(await link(wrong), 400)).toEqual(['wp_object_id']);
});

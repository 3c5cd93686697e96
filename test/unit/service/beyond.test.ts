import { join } from 'node:path';
import { routesBeyond } from '../../../sandbox/service/modules';
import { readProfile } from '../../../sandbox/service/otherService';
import { PATIENCE_MS } from '../../support/effort';
import type { FleetOptions } from '../../support/fleet';
import { root } from '../../support/reference';
import { expectError, list, minute, pass, start, startSite, type TestService } from './support';

/** What a service has beyond the reference, where its profile names it. */

const profile = readProfile(join(root, 'sandbox/service/otherService/part-d.json'));

const startMore = async (options: FleetOptions = {}) => await start({ profile, ...options });

/** A service of one site, whose scanner has found something. */
async function startHacked() {
	const service = await startSite({}, { profile });
	service.site.security.scanner.detections = { files: 11, scripts: 2, cron_jobs: 1 };
	return service;
}

interface Listed {
	slug: string;
	active: boolean;
	locked: boolean;
	update_available: boolean;
}

async function componentsOf({ api }: TestService, id: string, kind = 'plugins'): Promise<Listed[]> {
	const { data } = await api.get(`/sites/wp/${kind}`, { params: { 'site_ids[]': id } });
	return data.sites[0].wp[kind];
}

/** A plugin or theme of some site that is so. */
async function find(
	service: TestService,
	wanted: (one: Listed, all: Listed[]) => boolean,
	kind = 'plugins',
) {
	for (const { id } of service.world.store.sites.peek()) {
		const all = await componentsOf(service, id, kind);
		const slug = all.find((one) => wanted(one, all))?.slug;
		if (slug === undefined) continue;
		const seen = async () =>
			(await componentsOf(service, id, kind)).find((one) => one.slug === slug);
		return { id, slug, body: [{ id, [kind]: [{ slug }] }], seen };
	}
	throw new Error('No site has it');
}

/** Sends a change of components, and lets its task end. */
async function change(service: TestService, path: string, body: object) {
	const { status, data } = await service.api.post(`/sites/wp/${path}`, body);
	expect([status, data]).toEqual([200, { task: expect.objectContaining({ status: 'queued' }) }]);
	await end(service, data.task.id);
}

async function end(service: TestService, taskId: string) {
	pass(service, 30 * minute);
	const { data } = await service.api.get(`/tasks/${taskId}`);
	expect(data.task.status).toBe('completed');
}

const isFree = ({ active, locked }: Listed) => active && !locked;

it('every operation is one of the profile, and is not there without it', async () => {
	const names = routesBeyond.map(({ method, path }) => `${method} ${path}`);
	expect(Object.keys(profile.routes!).sort()).toEqual([...names].sort());
	const service = await startSite();
	const { data } = await service.api.get('/openapi.json');
	for (const { method, path, operationId } of routesBeyond) {
		const url = path.replace('{site_id}', service.site.id).replace(/\{\w+\}/g, '1');
		const { status } = await service.api.request({ method, url, data: {} });
		expect([operationId, status]).toEqual([operationId, 404]);
		expect(data.paths[path]?.[method.toLowerCase()]).toBeUndefined();
	}
});

it('every operation is in the document of the service that has it', async () => {
	const { api } = await startMore({ sites: 0 });
	const { paths } = (await api.get('/openapi.json')).data;
	for (const { method, path, operationId } of routesBeyond) {
		const described = paths[path][method.toLowerCase()];
		expect(described).toMatchObject({ operationId, summary: expect.any(String) });
		expect(described.tags).toHaveLength(1);
	}
	const attempts = paths['/sites/{site_id}/security/login-attempts'].get.parameters;
	expect(attempts).toEqual(
		expect.arrayContaining([
			expect.objectContaining({ name: 'results', explode: false }),
			expect.objectContaining({ name: 'attempted', style: 'deepObject', explode: true }),
		]),
	);
	const { post } = paths['/sites/wp/updates/perform'];
	const { sites } = post.requestBody.content['application/json'].schema.properties;
	expect(sites.items.properties.plugins.oneOf).toHaveLength(2);
});

describe('plugins, themes and the core', () => {
	it('a deactivated plugin is seen as inactive once its task has ended', async () => {
		const service = await startMore();
		const found = await find(service, isFree);
		const { data } = await service.api.post('/sites/wp/plugins/deactivate', { sites: found.body });
		expect(await found.seen()).toMatchObject({ active: true });
		await end(service, data.task.id);
		expect(await found.seen()).toMatchObject({ active: false });
		await change(service, 'plugins/activate', { sites: found.body });
		expect(await found.seen()).toMatchObject({ active: true });
	});

	it('a cancelled task changes nothing', async () => {
		const service = await startMore();
		const found = await find(service, isFree);
		const { data } = await service.api.post('/sites/wp/plugins/deactivate', { sites: found.body });
		await service.api.post(`/tasks/${data.task.id}/cancel`);
		expect(await found.seen()).toMatchObject({ active: true });
	});

	it('a locked plugin is only changed when that is asked for, until it is unlocked', async () => {
		const service = await startMore();
		const found = await find(service, isFree);
		await change(service, 'plugins/lock', { sites: found.body });
		expect(await found.seen()).toMatchObject({ locked: true });
		const refused = await service.api.post('/sites/wp/plugins/delete', { sites: found.body });
		expect(expectError(refused, 422)).toEqual(['sites.0.plugins.0.slug']);
		await change(service, 'plugins/deactivate', { sites: found.body, override_lock: true });
		await change(service, 'plugins/unlock', { sites: found.body });
		await change(service, 'plugins/delete', { sites: found.body });
		expect(await found.seen()).toBeUndefined();
	});

	it('an activated theme is the only active one, and another can be deleted', async () => {
		const service = await startMore();
		const isOne = ({ locked }: Listed, all: Listed[]) => all.length > 1 && !locked;
		const found = await find(service, isOne, 'themes');
		await change(service, 'themes/activate', { sites: found.body });
		const themes = await componentsOf(service, found.id, 'themes');
		expect(themes.filter(({ active }) => active).map(({ slug }) => slug)).toEqual([found.slug]);
		await change(service, 'themes/delete', { sites: found.body });
		expect(await found.seen()).toBeUndefined();
	});

	it('the core is locked and unlocked', async () => {
		const service = await startSite({}, { profile });
		const locked = async () =>
			(await service.api.get('/sites/wp/wordpress-core')).data.sites[0].wp.core.locked;
		await change(service, 'wordpress-core/lock', { sites: [{ id: service.site.id }] });
		expect(await locked()).toBe(true);
		await change(service, 'wordpress-core/unlock', { sites: [{ id: service.site.id }] });
		expect(await locked()).toBe(false);
	});

	it('updates bring plugins and the core to their latest version', async () => {
		const service = await startMore();
		const { id } = await find(service, ({ update_available: is, locked }) => is && !locked);
		const sites = [{ id, core: true, plugins: 'all' }];
		await change(service, 'updates/perform', { sites });
		const late = (await componentsOf(service, id)).filter((one) => one.update_available);
		expect(late).toEqual([]);
		const { core } = service.world.store.sites.get(id)!.wp;
		expect(core).toMatchObject({ current_version: core.latest_version, update_available: false });
	});

	it.each([
		['an unknown site', [{ id: 'x', plugins: [{ slug: 'y' }] }], 422, ['sites.0.id']],
		['an unknown plugin', [{ id: '', plugins: [{ slug: 'y' }] }], 422, ['sites.0.plugins.0.slug']],
		['no site', [], 400, ['sites']],
	])('%s is refused', async (_, sites, status, params) => {
		const service = await startSite({}, { profile });
		for (const each of sites) each.id ||= service.site.id;
		const refused = await service.api.post('/sites/wp/plugins/activate', { sites });
		expect(expectError(refused, status)).toEqual(params);
	});
});

describe('users of the CMS', () => {
	const user = {
		...{ username: 'new.one', email: 'new.one@example.com', role: 'author' },
		profile: { first_name: null, links: [{ label: 'Home', url: 'https://example.com/' }] },
	};

	it('are created, changed and deleted, and listed with their site and with all', async () => {
		const service = await startSite({}, { profile });
		const { api, path } = service;
		const created = await api.post(`${path}/wp/users`, { user });
		expect(created.status).toBe(201);
		expectError(await api.post(`${path}/wp/users`, { user }), 422);
		const { id } = created.data.user;
		const own = `${path}/wp/users/${id}`;
		const changes = { role: { role: 'subscriber' }, password: { password: 'twelve letters' } };
		for (const [verb, fields] of Object.entries(changes)) {
			const { data } = await api.post(`${own}/${verb}`, { user: fields });
			await end(service, data.task.id);
		}
		const params = { 'filters[role:in][]': 'subscriber' };
		expect(await list(service, `${path}/wp/users`, params)).toEqual([
			expect.objectContaining({ id, role: 'subscriber', password_changed_at: expect.any(String) }),
		]);
		expect((await api.get(`${own}/sso-login-url`)).data.url).toContain(`user_id=${id}&sso_token=`);

		const { data } = await api.get('/sites/wp/users');
		const secondFactor = expect.any(String) as string;
		const shown = { two_fa_status: secondFactor, default_login: false };
		const { users } = data.sites[0].wp;
		expect(users[0]).toMatchObject({ username: 'admin', default_login: true });
		expect(users.at(-1)).toEqual({ username: 'new.one', role: 'subscriber', ...shown });
		expectError(await api.delete(own, { params: { reassign_to: id } }), 422);
		expect((await api.delete(own, { params: { reassign_to: '1' } })).status).toBe(204);
		expect((await api.get(`${own}/sso-login-url`)).status).toBe(404);
	});

	it('the second factor of one is reset', async () => {
		const { api, path, world, site } = await startSite({}, { profile });
		await api.post(`${path}/wp/users`, { user });
		const [first] = world.store.beyond.get(site.id)!.users;
		first!.two_fa_status = 'applied';
		const { data } = await api.post(`${path}/wp/users/1/two-fa/reset`);
		expect(data.user.two_fa_status).toBe('not_applied');
		expect(world.store.beyond.get(site.id)!.users[0]).toMatchObject(data.user);
	});
});

describe('security', () => {
	const scanner = 'security/scanner/detections';

	it('detections are listed by their kind, and counted as safe once they are marked', async () => {
		const service = await startHacked();
		const { api, path } = service;
		const kinds = { files: 11, scripts: 2, plugins: 1, 'cron-jobs': 1, redirections: 2 };
		for (const [kind, count] of Object.entries(kinds)) {
			const rows = await list(service, `${path}/${scanner}/${kind}`);
			expect([kind, rows.length]).toEqual([kind, count]);
			for (const row of rows) expect(row.detected_at).toEqual(expect.any(String));
		}
		const [file] = await list(service, `${path}/${scanner}/files`);
		const detections = [{ kind: 'files', id: file.id }];
		const marked = await api.post(`${path}/${scanner}/mark-safe`, { detections, note: null });
		expect(marked.data.detections.files).toEqual({ total: 11, marked_safe: 1 });
		expect((await api.get(`${path}/${scanner}/summary`)).data).toEqual(marked.data);
		const params = { 'filters[marked_safe:eq]': 'true' };
		expect(await list(service, `${path}/${scanner}/files`, params)).toHaveLength(1);
		const { data } = await api.post(`${path}/${scanner}/mark-unsafe`, { detections });
		expect(data.detections.files).toEqual({ total: 11, marked_safe: 0 });
		const unknown = [{ kind: 'scripts', id: file.id }];
		const refused = await api.post(`${path}/${scanner}/mark-safe`, { detections: unknown });
		expect(expectError(refused, 422)).toEqual(['detections.0.id']);
	});

	it('the firewall is switched, and its list of addresses is replaced', async () => {
		const { api, path, site } = await startSite({}, { profile });
		const firewall = `${path}/security/firewall`;
		for (const enabled of [true, false]) {
			const { data } = await api.post(`${firewall}/${enabled ? 'enable' : 'disable'}`);
			expect([data, site.security.firewall.enabled]).toEqual([{ firewall: { enabled } }, enabled]);
		}
		const entries = [
			{ type: 'single', ip: '192.0.2.1' },
			{ type: 'range', from: '192.0.2.10', to: '192.0.2.20' },
		];
		const replaced = await api.put(`${firewall}/ip-list`, { ip_list: { mode: 'allow', entries } });
		expect(replaced.status).toBe(200);
		const wanted = { mode: 'allow', entries, note: null, expires_at: null };
		expect((await api.get(`${firewall}/ip-list`)).data.ip_list).toEqual(wanted);
		const odd = { mode: 'allow', entries: [{ type: 'single', from: '192.0.2.1' }] };
		expectError(await api.put(`${firewall}/ip-list`, { ip_list: odd }), 400);
	});

	it('login attempts are listed by page, result and time', async () => {
		const service = await startSite({}, { profile });
		const all = await list(service, `${service.path}/security/login-attempts`);
		expect(all).toHaveLength(100);
		const { attempted_at: from } = all[50];
		const params = { results: 'failed,blocked', 'attempted[from]': from, perPage: 100 };
		const some = await list(service, `${service.path}/security/login-attempts`, params);
		const isWanted = (one: any) => one.result !== 'succeeded' && one.attempted_at >= from;
		expect(some).toEqual(all.filter(isWanted));
		const odd = { 'attempted[of]': from };
		const url = `${service.path}/security/login-attempts`;
		expectError(await service.api.get(url, { params: odd }), 400);
	});
});

it(
	'a snapshot of the sandbox brings the state of the CMS back',
	async () => {
		const service = await startMore();
		const found = await find(service, isFree);
		const { data: moment } = await service.admin.get('/snapshot');
		await change(service, 'plugins/deactivate', { sites: found.body });
		const { data: later } = await service.admin.get('/snapshot');
		expect((await service.admin.put('/snapshot', moment)).status).toBe(200);
		expect(await found.seen()).toMatchObject({ active: true });
		expect((await service.admin.put('/snapshot', later)).status).toBe(200);
		expect(await found.seen()).toMatchObject({ active: false });
	},
	PATIENCE_MS,
);

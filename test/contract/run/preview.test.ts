import type { IDataObject } from 'n8n-workflow';
import { mustSucceed, runNode, operationRun, runOf, runOn } from '../../support/engine';
import { fleetEach } from '../../support/fleet';
import { locator } from '../../support/locator';
import { type Answers, pageOf } from '../../support/wayward';

const fleet = fleetEach({ sites: 30 });
let sites: Array<Record<string, any>>;
beforeEach(async () => {
	sites = await fleet.sites(30);
});

/** What the deletion of a site means. */
const GONE = 'the site leaves the account and cannot be restored';

it('shows each item of a run over the fleet, and changes nothing', async () => {
	const set = { siteId: locator('={{ $json.id }}'), preview: true };
	const { items } = await runNode(fleet, operationRun('site', 'delete', set, { items: sites }));
	expect(fleet.changes()).toEqual([]);
	expect(items).toEqual(
		sites.map(({ id, url, title, created_at }, item) => ({
			json: {
				would: `Would delete site (${GONE}): site "${title}" ("${url}", ${id}). Nothing was sent`,
				...{ preview: true, operation: 'Site: Delete', does: [GONE] },
				request: { method: 'DELETE', path: `/sites/${id}` },
				target: { site: { id, url, title, created_at } },
			},
			pairedItem: { item },
		})),
	);
});

it('says in words what is sent', async () => {
	const set = { siteId: locator(sites[0]!.id), content: 'Call {me}', preview: true };
	const { json } = await runNode(fleet, operationRun('note', 'create', set));
	expect(json[0]!.would).toMatch(
		/^Would create note: site .+; with content "Call \{me\}"\. Nothing was sent$/,
	);
});

describe('of a change that replaces a list', () => {
	const ids = (from: number, to: number) => sites.slice(from, to).map(({ id }) => id);
	const named = (from: number, to: number) =>
		sites.slice(from, to).map(({ id, title }) => expect.objectContaining({ id, title }));
	const post = async (path: string, wrapper: string, fields: object) =>
		(await fleet.api.post(path, { [wrapper]: fields })).data[wrapper];
	const replaced = async (resource: string, record: object, updateFields: object) => {
		fleet.forget();
		const run = runOf(`${resource}/update`, { ...record, updateFields, preview: true });
		const { json } = mustSucceed(await runNode(fleet, run));
		expect(fleet.changes()).toEqual([]);
		return json[0]!.replaces;
	};
	const updates = { cms_core: true };
	const scheduleFor = async (scope: object) => {
		const { id } = await post('/auto-update-schedules', 'auto_update_schedule', {
			...{ name: 'Own', schedule: 'daily', started_at: '2030-01-01T00:00:00Z' },
			scope: { updates, ...scope },
		});
		return { scheduleId: locator(id) };
	};

	it('shows the sites that a client loses', async () => {
		const none = { email: 'own@example.com', site_ids: [] };
		const { id } = await post('/clients', 'client', none);
		sites = (await fleet.api.get('/sites')).data.sites.filter((site: any) => !site.client);
		const own = { site_ids: ids(0, 3) };
		const { site_ids: before } = await post(`/clients/${id}/update`, 'client', own);
		const client = { clientId: locator(id) };
		expect(await replaced('client/client', client, { siteIds: ids(2, 4) })).toEqual({
			site_ids: {
				...{ before, after: ids(2, 4), added: named(3, 4) },
				...{ dropped: expect.arrayContaining(named(0, 2)), dropped_count: 2 },
			},
		});
		expect(await replaced('client/client', client, { clear: ['site_ids'] })).toMatchObject({
			site_ids: { after: [], dropped: expect.arrayContaining(named(0, 3)), dropped_count: 3 },
		});
		expect(await replaced('client/client', client, { note: 'x' })).toBeUndefined();
	});

	it.each(['specific', 'all'])(
		'shows the sites that a schedule for %s loses',
		async (selection) => {
			const isAll = selection === 'all';
			const schedule = await scheduleFor({
				sites: { selection, ...(!isAll && { ids: ids(0, 2) }) },
			});
			const scope = { selection: 'specific', siteIds: ids(1, 2).join() };
			const lost = isAll
				? { before: 'all', dropped: null, dropped_count: null }
				: { before: ids(0, 2), dropped: named(0, 1), dropped_count: 1 };
			expect(await replaced('autoUpdate/schedule', schedule, { sites: { scope } })).toEqual({
				'scope.sites.ids': { after: ids(1, 2), added: [], ...lost },
			});
		},
	);

	it('shows the kinds of updates that a schedule loses', async () => {
		const plugins = { selection: 'specific', filenames: ['a/a.php', 'b/b.php'] };
		const schedule = await scheduleFor({
			sites: { selection: 'specific', ids: ids(0, 1) },
			updates: { ...updates, plugins, themes: { selection: 'all' } },
		});
		const specific = { plugins: 'specific', pluginFileNames: 'a/a.php' };
		const categories = { cmsCore: false, ...specific, themes: 'none' };
		expect(
			await replaced('autoUpdate/schedule', schedule, { updates: { categories } }),
		).toMatchObject({
			'scope.updates': { dropped: ['cms_core', 'themes'], added: [], dropped_count: 2 },
			'scope.updates.plugins.filenames': { dropped: ['b/b.php'], dropped_count: 1 },
		});
	});

	it('shows who no longer gets a report', async () => {
		const { data } = await fleet.api.get('/scheduled-reports');
		const { id } = data.scheduled_reports[0];
		const [a, b, c] = ['a@x.example', 'b@x.example', 'c@x.example'];
		await post(`/scheduled-reports/${id}/update`, 'scheduled_report', {
			report_template_data: { email: { recipients: [a, b] } },
		});
		const scheduled = { scheduledReportId: locator(id) };
		expect(
			await replaced('scheduledReport/scheduledReport', scheduled, { recipients: `${b}, ${c}` }),
		).toEqual({
			'report_template_data.email.recipients': {
				...{ before: [a, b], after: [b, c] },
				...{ dropped: [a], added: [c], dropped_count: 1 },
			},
		});
	});
});

it('names the sites that lose a deleted client, which Only If can guard', async () => {
	const all = (await fleet.api.get('/sites?perPage=100')).data.sites;
	const { title, client } = all.find((site: any) => site.client?.email);
	const remove = async (more: object) =>
		await runNode(fleet, operationRun('client', 'delete', { clientIds: client.id, ...more }));
	const { json } = await remove({ preview: true, onlyIfEmail: client.email });
	expect(json[0]!.target).toMatchObject({
		clients: [{ id: client.id, email: client.email }],
		sites_that_lose_their_client: expect.arrayContaining([expect.objectContaining({ title })]),
	});
	expect(json[0]!.would).toMatch(/^Would delete clients .*sites that lose their client \(\d+\) "/);
	const { error } = await remove({ onlyIfEmail: 'other@example.com' });
	expect(error?.message).toContain(
		`the client "${client.company_name}" ("${client.email}", ${client.id}) has another email than`,
	);
	expect(fleet.changes()).toEqual([]);
});

it('shows the days of a report on last month', async () => {
	const now = new Date();
	const day = (month: number, date: number) =>
		new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + month, date)).toISOString();
	const additionalFields = { timezone: 'UTC' };
	const set = {
		siteId: locator(sites[0]!.id),
		period: 'lastMonth',
		additionalFields,
		preview: true,
	};
	const { json } = await runNode(fleet, operationRun('report', 'create', set));
	expect(json[0]!.request).toMatchObject({
		body: { report: { start_date: day(-1, 1).slice(0, 10), end_date: day(0, 0).slice(0, 10) } },
	});
});

it('shows no password of a URL', async () => {
	const url = 'https://me:hush%20hush@www.example.com/a?b=//x:hush@y';
	const parameters = { siteId: locator(sites[0]!.id), url, preview: true };
	const { json } = await runNode(fleet, operationRun('importantPage', 'create', parameters));
	expect(json[0]!.request).toMatchObject({
		body: { important_page: { url: 'https://********@www.example.com/a?b=//********@y' } },
	});
	expect(JSON.stringify(json)).not.toContain('hush');
});

const siteId = (at: number) => String(at).padStart(10, '0');
const siteOf = (at: number) => ({
	...{ id: siteId(at), url: `https://${at}.example`, status: 'ok' },
	secret: 'x',
});
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

const preview = async (node: string, operation: string, set: object, answers: Answers = {}) => {
	const run = operationRun(node, operation, { preview: true, ...set });
	const { json, routes } = mustSucceed(await runOn(answers, run));
	return { ...json[0], routes } as IDataObject & { routes: string[]; request: IDataObject };
};

it.each([2, 20, 21])('names %i records of a body, of many by their list', async (count) => {
	const answers: Answers = {
		'GET /tags/7': { body: { tag: { id: '7', name: 'A', color: '#fff', created_at: 'then' } } },
		'GET /sites': pageOf('sites', upTo(count - 1).map(siteOf)),
	};
	for (const at of upTo(count - 1))
		answers[`GET /sites/${siteId(at)}`] = { body: { site: siteOf(at) } };
	const set = { tagId: locator('7'), siteIds: upTo(count).map(siteId).join() };
	const { target, request, routes } = await preview('tag', 'assign', set, answers);
	const sites = upTo(count - 1).map((at) => ({ ...siteOf(at), secret: undefined }));
	expect(target).toEqual({
		tag: { id: '7', name: 'A', created_at: 'then' },
		sites: [...sites, { id: siteId(count) }],
	});
	expect(request).not.toHaveProperty('query');
	expect(routes).toEqual([
		'GET /tags/7',
		...(count > 20 ? ['GET /sites'] : upTo(count).map((at) => `GET /sites/${siteId(at)}`)),
	]);
});

it('cuts long texts, and shows the rest unchanged', async () => {
	const fields = { name: 'n'.repeat(2_000), additionalFields: { color: '#fff' } };
	const { request } = await preview('tag', 'create', fields);
	expect(request.body).toEqual({ tag: { name: `${'n'.repeat(999)}…`, color: '#fff' } });
});

it('hides secrets at any depth', async () => {
	const hidden = '********';
	const ftp = (secret: (text: string | number) => unknown) => {
		const users = [{ user: 'me', pin: secret(4) }];
		const database = { name: 'db', password: secret('s3'), prefix: null, users };
		return { host: 'a.example', keys: ['s1', 's2'].map(secret), database };
	};
	const site = `/sites/${siteId(1)}`;
	const set = {
		...{ siteId: locator(siteId(1)), snapshotId: locator('2'), includeFiles: true },
		...{ connectionMethod: 'ftp', ftpCredentials: JSON.stringify(ftp((text) => text)) },
	};
	const { request } = await preview('backup', 'restore', set, {
		[`GET ${site}`]: { body: { site: siteOf(1) } },
		[`GET ${site}/snapshots/2`]: { body: { snapshot: { id: '2', status: 'succeeded' } } },
	});
	const credentials = ftp(() => hidden);
	expect(request.body).toMatchObject({ restore: { connection: { credentials } } });
});

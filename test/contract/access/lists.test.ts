import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { SiteRow } from '../../../sandbox/service/domain/sites/rows';
import { startTaskNow } from '../../../sandbox/service/engine/tasks';
import {
	type Access,
	activate,
	loadOptions,
	type NodeRun,
	operationRun,
	runNode,
	searchList,
} from '../../support/engine';
import { fleetEach, inStep, type Fleet } from '../../support/fleet';
import { sitesOf } from '../../support/reach';

/** What a credential for some sites shows of an account: their records, and a word that there are others. */

const HOUR_MS = 3_600_000;

const fleet = fleetEach({ sites: 130 });
/** Behind a whole page of others. */
let own: SiteRow;
let other: SiteRow;
beforeEach(async () => {
	inStep(fleet);
	const { data } = await fleet.api.get('/sites?perPage=100&page=2');
	const { sites } = fleet.world.store;
	own = sites.get(data.sites.at(-1).id as string)!;
	other = sites.get(data.sites[0].id as string)!;
	for (const site of [own, other]) {
		site.connection.status = 'connected';
		site.uptime = { enabled: true, status: 'up' };
	}
	fleet.clock.advance(HOUR_MS);
	fleet.forget();
});

const limited = (limits: IDataObject) => ({
	...fleet,
	limits: { siteAccess: 'selected', onlySites: '', onlyTags: '', ...limits },
});
const onlyOwn = () => limited({ onlySites: own.id.toUpperCase() });

const site = (operation: string, parameters: INodeParameters = {}): NodeRun =>
	operationRun('site', operation, parameters);

const LEFT_OUT = 'Records of sites that the credential does not allow were left out.';

describe('Get Many', () => {
	it.each([{ limit: 1 }, { returnAll: true }])('%j finds only its own site', async (parameters) => {
		const { json, run } = await runNode(onlyOwn(), site('getAll', parameters));
		expect(json.map(({ id }) => id)).toEqual([own.id]);
		expect(run.data.resultData.metadata).toEqual({
			siteManagementLimited: 'Node Under Test: /sites',
		});
	});

	it('logs once per run that records of others were left out, for any number of items', async () => {
		const warn = jest.spyOn(Container.get(Logger), 'warn').mockClear();
		const twice = { ...site('getAll', { returnAll: true }), items: [{}, {}] };
		for (let run = 1; run <= 2; run++) {
			await runNode(onlyOwn(), twice);
			const lines = warn.mock.calls.map(([line]) => String(line));
			expect(lines.filter((line) => line.endsWith('were left out'))).toHaveLength(run);
		}
		warn.mockRestore();
	});

	it('reports omitted records to a model, and reports nothing when none are omitted', async () => {
		const run = { ...site('getAll'), asTool: true };
		const { json } = await runNode(onlyOwn(), run);
		expect(json[0]!.id).toBe(own.id);
		expect(json.at(-1)!.message).toBe(LEFT_OUT);
		const all = fleet.world.store.sites.all().map(({ id }) => id);
		const [first] = await fleet.sites(1);
		const most = limited({ onlySites: all.filter((id) => id !== first!.id) });
		const cut = await runNode(most, { ...site('getAll', { longestResult: 150 }), asTool: true });
		const message = expect.stringMatching(/ start from 1\. Records of sites .* were left out\.$/);
		expect(cut.json.at(-1)).toMatchObject({ more: true, message });
		other.connection.status = 'disconnected';
		const theirs = { filters: { connectionStatus: 'disconnected' } };
		const none = await runNode(onlyOwn(), { ...site('getAll', theirs), asTool: true });
		expect(none.json).toMatchObject([{ count: 0, message: `No records were found. ${LEFT_OUT}` }]);
		for (const access of [fleet, limited({ onlySites: all })]) {
			const shown = await runNode(access, run);
			expect(JSON.stringify(shown.json)).not.toContain(LEFT_OUT);
			expect(shown.run.data.resultData.metadata).toBeUndefined();
		}
	});

	it('shows the sites with a tag', async () => {
		const { data } = await fleet.api.post('/tags', { tag: { name: 'Ours' } });
		const { id } = data.tag;
		await fleet.api.post(`/tags/${id}/assign`, { site_ids: [own.id, other.id] });
		const tagged = limited({ onlyTags: id });
		const { json } = await runNode(tagged, site('getAll', { returnAll: true }));
		expect(json.map((each) => each.id).sort()).toEqual([own.id, other.id].sort());
		// The service is asked for no other site.
		const [list] = fleet.sent().filter(({ route }) => route === 'GET /sites');
		expect(list!.query).toMatchObject({ 'filters[tags:in][]': [id] });
		const mixed = limited({ onlyTags: id, onlySites: other.id });
		fleet.forget();
		expect((await runNode(mixed, site('count'))).json).toEqual([{ count: 2 }]);
		expect(JSON.stringify(fleet.sent())).not.toContain('tags:in');
	});
});

it('Find Sites Without Backup checks only its own sites, and reads no snapshots of others', async () => {
	const since = new Date(fleet.clock.now()).toISOString();
	const find = operationRun('backup', 'findSitesWithoutBackup', { backupSince: since });
	const { json } = await runNode(onlyOwn(), find);
	expect(json.map(({ site_id: id }) => id)).toEqual([own.id]);
	const others = fleet.sent().filter(({ route }) => route.includes('/snapshots'));
	expect(others.filter(({ route }) => !route.includes(own.id))).toEqual([]);
});

describe('the editor', () => {
	const search = { node: 'site', method: 'searchSites', parameters: { resource: 'site' } };

	it('offers its own site in From List, even after a page of others', async () => {
		const { results, paginationToken } = await searchList(onlyOwn(), search);
		expect(results.map(({ value }) => value)).toEqual([own.id]);
		expect(paginationToken).toBeUndefined();
		const found = await searchList(onlyOwn(), { ...search, filter: new URL(other.url).host });
		expect(found.results).toEqual([]);
	});

	it.each([
		['searchClients', 'clients'],
		['searchReports', 'reports'],
		['searchReportTemplates', 'report-templates'],
		['searchSchedules', 'auto-update-schedules'],
		['searchScheduledReports', 'scheduled-reports'],
		['searchStagingSites', 'staging-sites'],
		['searchTags', 'tags'],
		['searchTasks', 'tasks'],
		['searchTeamMembers', 'team-members'],
		['getClients', 'clients'],
		['getSchedules', 'auto-update-schedules'],
		['getSites', 'sites'],
		['getTags', 'tags'],
	])('%s offers no record that belongs to other sites only', async (method, collection) => {
		const { data } = await fleet.api.get(`/${collection}`);
		const records: any[] = data[collection.replaceAll('-', '_')];
		const isOf = (id: string) => (record: any) => {
			const sites = sitesOf[collection]!(record);
			return sites === 'all' || sites.length === 0 || sites.includes(id);
		};
		const named = records.flatMap(sitesOf[collection]!).filter((id) => id !== 'all');
		const mine = named.find((id) => !records.every(isOf(id))) ?? own.id;
		const run = { node: 'site', method, parameters: { resource: 'site' } };
		const offered = async (access: Fleet) =>
			(method.startsWith('get')
				? await loadOptions(access, run)
				: (await searchList(access, run)).results
			).map(({ value }) => value);
		const all = await offered(fleet);
		const allowed = records.filter((record) => all.includes(record.id) && isOf(mine)(record));
		const shown = await offered(limited({ onlySites: mine }));
		expect(shown.sort()).toEqual(allowed.map(({ id }) => id).sort());
		expect(shown.length).toBeLessThan(all.length);
	});
});

describe('triggers', () => {
	const told = (items: IDataObject[] | null) => (items ?? []).map(({ event, id }) => [event, id]);

	/** One that watches its own site, until it is set free. */
	const limitedTo = async (node: string, ...events: string[]) => {
		const access: Access = onlyOwn();
		const parameters = { events, output: 'raw' };
		const active = await activate(access, { node, parameters });
		const setFree = async () => {
			delete access.limits;
			await active.change(parameters);
		};
		return { ...active, setFree };
	};

	const become = (status: 'up' | 'down', ...sites: SiteRow[]) => {
		for (const { uptime } of sites) uptime.status = status;
		fleet.clock.advance(HOUR_MS);
	};

	it('emit nothing of other sites, and continue after it', async () => {
		const { poll, setFree } = await limitedTo('siteTrigger', 'down', 'up');
		expect(await poll()).toBeNull();
		become('down', own, other);
		expect(told(await poll())).toEqual([['down', own.id]]);
		await setFree();
		expect(await poll()).toBeNull();
		become('up', own, other);
		expect(told(await poll()).sort()).toEqual([own, other].map(({ id }) => ['up', id]).sort());
	});

	it('emit nothing of another site that has left the state, and continue', async () => {
		const { poll } = await limitedTo('siteTrigger', 'down', 'up');
		expect(await poll()).toBeNull();
		become('down', own, other);
		expect(told(await poll())).toEqual([['down', own.id]]);
		become('up', other);
		expect(await poll()).toBeNull();
		become('up', own);
		expect(told(await poll())).toEqual([['up', own.id]]);
	});

	it('emit no task of other sites, and continue after it', async () => {
		const { poll, setFree } = await limitedTo('taskTrigger', 'started');
		expect(await poll()).toBeNull();
		const [theirs, ours] = [other, own].map(
			({ id }) => startTaskNow(fleet.world, { type: 'speed', siteIds: [id] }).id,
		);
		fleet.clock.advance(60_000);
		expect(told(await poll())).toEqual([['started', ours]]);
		await setFree();
		expect(told(await poll()).flat()).not.toContain(theirs);
	});

	it('emit a migration that also concerns another site with their own site, and continue', async () => {
		const { poll } = await limitedTo('backupTrigger', 'migrationFinished');
		expect(await poll()).toBeNull();
		const siteIds = [other.id, own.id];
		startTaskNow(fleet.world, { type: 'migrate', siteIds, outcome: 'completed' });
		fleet.clock.advance(HOUR_MS);
		expect(await poll()).toMatchObject([{ event: 'migrationFinished', site: { id: own.id } }]);
		expect(await poll()).toBeNull();
	});

	it('test in the editor with a record of its own', async () => {
		become('down', own, other);
		const { test } = await limitedTo('siteTrigger', 'down', 'up');
		expect(told(await test())).toEqual([['down', own.id]]);
	});
});

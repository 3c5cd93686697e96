import type { INodeParameters } from 'n8n-workflow';
import { runNode } from '../../../support/engine';
import { inStep, startFleet, type Fleet } from '../../../support/fleet';
import { locator } from '../../../support/locator';
import { startWayward } from '../../../support/wayward';

/** The latest snapshot, and the newest one before a time, wherever a snapshot is chosen. */

let fleet: Fleet;
let site: { id: string; url: string };
let like: Parameters<Fleet['world']['store']['snapshots']['insert']>[0];

/** Of the site, with these ids. */
const GOOD = 'aaaaaaaaaaaaaaaaaaaaaaa1';
const OLD = 'aaaaaaaaaaaaaaaaaaaaaaa2';
const FAILED = 'aaaaaaaaaaaaaaaaaaaaaaa3';

beforeEach(async () => {
	fleet = await startFleet({ sites: 20 });
	inStep(fleet);
	const { sites, snapshots } = fleet.world.store;
	like = snapshots.all().find(({ status, site_id: id }) => {
		const of = sites.get(id)!;
		return status === 'succeeded' && of.connection.status === 'connected' && of.backups.enabled;
	})!;
	site = sites.get(like.site_id)!;
	for (const { id, site_id: of } of snapshots.all()) if (of === site.id) snapshots.delete(id);
	add(OLD, '2025-06-01T08:00:00.000Z');
	add(GOOD, '2026-02-20T08:00:00.000Z');
	add(FAILED, '2026-02-27T08:00:00.000Z', 'failed');
});
afterEach(async () => await fleet.close());

function add(id: string, createdAt: string, status: 'succeeded' | 'failed' = 'succeeded') {
	fleet.world.store.snapshots.insert({ ...like, id, created_at: createdAt, status });
}

const newestBefore = (time: string) =>
	({ __rl: true, mode: 'before', value: time }) as unknown as INodeParameters;

const of = (resource: string, operation: string, snapshotId: INodeParameters, more = {}) => ({
	node: resource,
	parameters: { resource, operation, siteId: locator(site.id), snapshotId, ...more },
});

const routes = () => fleet.sent().map(({ route }) => route);
const changes = () => routes().filter((route) => route.startsWith('POST '));

it.each<[string, INodeParameters, string]>([
	['the first row of the list', locator('latest', 'list'), GOOD],
	['an expression', locator('={{ "latest" }}'), GOOD],
	['a mode with a time', newestBefore('2026-01-31T00:00:00Z'), OLD],
	['a mode with a date', newestBefore('2026-01-31'), OLD],
	['a mode with a time of n8n', newestBefore('={{ $now.set({ year: 2025, month: 9 }) }}'), OLD],
	['an expression with a time', locator('={{ "before:2026-01-31T00:00:00Z" }}'), OLD],
	['the time of the snapshot itself', newestBefore('2025-06-01T08:00:00Z'), OLD],
])('is chosen by %s: the newest good one, whatever failed after it', async (_, choice, wanted) => {
	const { json, error } = await runNode(fleet, of('snapshot', 'get', choice));
	expect(error).toBeUndefined();
	expect(json).toEqual([expect.objectContaining({ id: wanted, status: 'succeeded' })]);
	expect(json[0]).not.toHaveProperty('snapshot_id');
	expect(routes()).toEqual([
		`GET /sites/${site.id}/snapshots`,
		`GET /sites/${site.id}/snapshots/${wanted}`,
	]);
});

it.each(['download', 'upload', 'restore', 'migrate'])(
	'%s goes to it, and says which one it is',
	async (operation) => {
		const other = fleet.world.store.sites.all().find(({ id }) => id !== site.id)!;
		const more = operation === 'migrate' ? { destinationUrl: other.url } : {};
		const { json, error } = await runNode(
			fleet,
			of('backup', operation, locator('latest', 'list'), more),
		);
		expect(error).toBeUndefined();
		expect(changes()).toEqual([`POST /sites/${site.id}/backups/${GOOD}/${operation}`]);
		expect(json).toEqual([
			expect.objectContaining({
				task_status: expect.any(String),
				snapshot_id: GOOD,
				snapshot_created_at: '2026-02-20T08:00:00.000Z',
			}),
		]);
	},
);

it('a staging site is made of it, also of a site By URL', async () => {
	const { json, error } = await runNode(fleet, {
		node: 'stagingSite',
		parameters: {
			resource: 'stagingSite',
			operation: 'create',
			siteId: locator(site.url, 'url'),
			snapshotId: newestBefore('2026-01-01'),
			waitForCompletion: true,
		},
	});
	expect(error).toBeUndefined();
	expect(json).toEqual([expect.objectContaining({ site_id: site.id, snapshot_id: OLD })]);
});

it('the files of it are listed', async () => {
	await runNode(fleet, {
		node: 'backupContent',
		parameters: {
			resource: 'file',
			operation: 'getAll',
			siteId: locator(site.id),
			options: { snapshotId: newestBefore('2026-01-01') },
		},
	});
	expect(fleet.sent().at(-1)).toMatchObject({
		route: `GET /sites/${site.id}/files`,
		query: { snapshot_id: OLD },
	});
});

it.each(['backup', 'stagingSite'])('Preview of a %s shows which one it is', async (resource) => {
	const isBackup = resource === 'backup';
	const { json, error } = await runNode(fleet, {
		node: resource,
		parameters: {
			resource,
			operation: isBackup ? 'restore' : 'create',
			siteId: locator(site.id),
			snapshotId: locator('latest'),
			preview: true,
		},
	});
	expect(error).toBeUndefined();
	expect(json[0]!.target).toMatchObject({
		snapshot: { id: GOOD, status: 'succeeded', created_at: '2026-02-20T08:00:00.000Z' },
	});
	expect(changes()).toEqual([]);
});

it('is looked up when the turn of the change has come', async () => {
	const sites = [site.id, site.id].map((id) => ({ id }));
	const run = of('backup', 'download', locator('latest'), {
		siteId: locator('={{ $json.id }}'),
		waitForCompletion: false,
	});
	fleet.world.settings.taskMs = 0;
	await runNode(fleet, { ...run, items: sites, settings: { onError: 'continueRegularOutput' } });
	const looks = routes().map((route) => route.split(' ')[0]);
	expect(looks.slice(0, 4)).toEqual(['GET', 'POST', 'GET', 'POST']);
});

it.each<[string, INodeParameters, string]>([
	['none before the time', newestBefore('2025-01-01T00:00:00Z'), ' made by 2025-01-01T00:00:00Z'],
	['none at all', locator('latest'), ''],
])('%s is an error before anything is sent', async (what, choice, until) => {
	if (what === 'none at all') {
		for (const id of [GOOD, OLD]) fleet.world.store.snapshots.delete(id);
	}
	const { error } = await runNode(fleet, of('backup', 'restore', choice));
	expect(error!.message).toBe(`The site ${site.id} has no good snapshot${until}`);
	expect(error!.description).toContain('Nothing was sent');
	expect(changes()).toEqual([]);
});

it.each<[INodeParameters, string]>([
	[newestBefore('yesterday'), 'The parameter "Snapshot" is not a date and time: "yesterday"'],
	[locator('before:'), 'The parameter "Snapshot" is not a date and time: ""'],
	[newestBefore('={{ " " }}'), 'The parameter "Snapshot" is empty'],
])('what is no time is refused before anything is read', async (choice, message) => {
	const { error } = await runNode(fleet, of('backup', 'restore', choice));
	expect(error!.message).toContain(message);
	expect(routes()).toEqual([]);
});

it('that the service gives although it is none is refused', async () => {
	const failed = { id: FAILED, created_at: '2026-02-27T08:00:00.000Z', status: 'failed' };
	const meta = { pagination: { perPage: 1, totalPages: 1, totalItems: 1 } };
	const wayward = await startWayward(() => ({ body: { snapshots: [failed], meta } }));
	const { error } = await runNode(wayward, of('backup', 'restore', locator('latest')));
	expect(error?.message).toContain('has no good snapshot');
	expect(wayward.requests.filter((request) => !request.startsWith('GET '))).toEqual([]);
	await wayward.close();
});

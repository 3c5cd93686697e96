import type { IDataObject } from 'n8n-workflow';
import { completedSnapshots } from '../../../sandbox/service/domain/snapshots/rules';
import { mustSucceed, operationRun, runNode } from '../../support/engine';
import { fleetEach, inStep, START } from '../../support/fleet';
import { pageOf, startWayward } from '../../support/wayward';

const DAY_MS = 86_400_000;

const fleet = fleetEach({ sites: 1, at: START });
let site: { id: string };

beforeEach(async () => {
	inStep(fleet);
	site = fleet.world.store.sites.peek()[0]!;
	await backUp();
});

async function backUp() {
	const [before] = completedSnapshots(fleet.world, site.id);
	await fleet.api.post(`/sites/${site.id}/sync`, { sync: { message: 'A' } });
	fleet.clock.advance(1_800_000);
	fleet.world.settle();
	expect(completedSnapshots(fleet.world, site.id)[0]).not.toEqual(before);
	fleet.forget();
}

async function read(knownRows?: IDataObject[], options: object = {}) {
	const known = knownRows && { knownRows: '={{ $json.rows }}' };
	const set = { source: 'snapshots', options: { ...known, ...options } };
	const getAll = operationRun('component', 'getAll', set, { items: [{ rows: knownRows ?? [] }] });
	return mustSucceed(await runNode(fleet, getAll)).json;
}

const WHOLE = ['mark', 'as_of', 'snapshot_id'];
const facts = (rows: IDataObject[]) =>
	rows.map((row) => Object.entries(row).filter(([field]) => !WHOLE.includes(field)));

const routesOf = (end: string) => fleet.routes().filter((route) => route.endsWith(end)).length;

it('rows of the same snapshot hold without a request for their folders', async () => {
	const rows = await read();
	fleet.forget();
	expect(await read(rows)).toEqual(rows);
	expect(fleet.routes().filter((route) => /stats|download/.test(route))).toEqual([]);
});

it('where the totals of a folder are the same in a newer snapshot, it is not listed', async () => {
	const rows = await read();
	await backUp();
	const again = await read(rows);
	expect(facts(again)).toEqual(facts(rows));
	expect(again[0]!.as_of).not.toBe(rows[0]!.as_of);
	expect(routesOf('/download')).toBe(0);
	expect(fleet.routes().length).toBeLessThan(10);
});

it('a changed version is found in a newer snapshot', async () => {
	const rows = await read();
	const { file, folder } = rows.find(
		({ kind, version }) => kind === 'plugin' && version === '2.0.1',
	)!;
	await fleet.admin.post(`/sites/${site.id}/plugins`, { name: folder, version: '9.8.7' });
	fleet.clock.advance(DAY_MS);
	fleet.world.settle();
	await backUp();
	const after = await read(rows);
	expect(after.find((row) => row.file === file)!.version).toBe('9.8.7');
	expect(after.map((row) => row.file)).toEqual(rows.map((row) => row.file));
	// Only files that changed are read, and those of folders without a component.
	expect(routesOf('/download')).toBeLessThan(5);
});

it.each([
	[6, 0],
	[8, 1],
])('after %i days folders with the same totals are listed %i times again', async (days, times) => {
	const listedAt = new Date(fleet.clock.now() - days * DAY_MS).toISOString();
	const rows = (await read()).map((row) => ({
		...row,
		mark: String(row.mark).replace(/[|][^|]+(?=[|]\d+$)/, `|${listedAt}`),
	}));
	await backUp();
	await read(rows);
	const lists = fleet.sent().filter(({ query }) => query.path === './wp-content/plugins/');
	expect(lists.filter(({ route }) => route.endsWith('/files'))).toHaveLength(times);
});

it.each<[what: string, known: (rows: IDataObject[]) => IDataObject[]]>([
	['some rows are missing', (rows) => rows.filter((_, nth) => nth % 3 > 0)],
	['only those of one component are there', (rows) => rows.slice(0, 1)],
	['marks are missing', (rows) => rows.map(({ mark: _, ...row }) => row)],
	['a row tells a reason', (rows) => rows.map((row) => ({ ...row, reason: 'It failed' }))],
	['a table stores versions as numbers', (rows) => rows.map((row) => ({ ...row, version: 5.1 }))],
	['they are of another site', (rows) => rows.map((row) => ({ ...row, site_id: 'other' }))],
])('reads what earlier rows do not prove: %s', async (_what, known) => {
	const rows = await read();
	expect(facts(await read(known(rows)))).toEqual(facts(rows));
});

it.each([1, 8])('keeps to its share of the limit with %i items', async (count) => {
	const starts: number[] = [];
	inStep(fleet, () => void starts.push(fleet.clock.now()));
	const before = fleet.clock.now();
	const set = { source: 'snapshots', options: { limitShare: 10 } };
	const items = Array.from({ length: count }, () => ({}));
	mustSucceed(await runNode(fleet, operationRun('component', 'getAll', set, { items })));
	const minutes = (fleet.clock.now() - before) / 60_000;
	expect(starts.length).toBeGreaterThan(10);
	// A tenth of the 100,000 requests a minute that this service allows.
	expect(fleet.routes().length / minutes).toBeLessThan(10_000 * 1.1);
});

it('does not know a site whose snapshot shows no theme, whichever kinds are chosen', async () => {
	const service = await startWayward((_url, _count, route) => {
		if (route.endsWith('/snapshots/s')) return { body: { snapshot: { id: 's' } } };
		return route.endsWith('/files') ? pageOf('files', []) : pageOf('sites', [{ id: '7' }]);
	});
	const set = { options: { snapshotId: 's' }, componentFilters: { componentKinds: ['plugin'] } };
	const { json } = await runNode(service, operationRun('component', 'getAll', set));
	const reason = 'The snapshot shows no theme, so it may not show the plugins either';
	expect(json).toMatchObject([{ site_id: '7', reason }]);
});

import type { IDataObject } from 'n8n-workflow';
import type { SiteRow } from '../../sandbox/service/domain/sites/rows';
import { mustSucceed, type NodeRun, operationRun, runNode } from '../support/engine';
import { START, fleetEach } from '../support/fleet';
import { locator } from '../support/locator';
import { useClock } from '../support/transportClock';
import { backUp } from '../support/watching';
import { pageOf, startWayward } from '../support/wayward';

/** "Which sites of this client have no good backup since Monday?", on a fleet with every kind of them. */

const HOUR_MS = 3_600_000;

const fleet = fleetEach({ sites: 8, at: START });
let client: string;
let good: SiteRow, old: SiteRow, failing: SiteRow, recovered: SiteRow;
let never: SiteRow, hopeless: SiteRow, off: SiteRow, other: SiteRow;

beforeEach(async () => {
	const { world } = fleet;
	const rows = world.store.sites.all();
	[good, old, failing, recovered, never, hopeless, off, other] = rows as [
		...[SiteRow, SiteRow, SiteRow, SiteRow],
		...[SiteRow, SiteRow, SiteRow, SiteRow],
	];
	const siteIds = rows.filter((row) => row !== other).map(({ id }) => id);
	for (const row of rows) {
		row.internal.client_id = null;
		Object.assign(row.backups, { enabled: true, latest_snapshot: null, available_snapshots: 0 });
		row.sync.in_progress = false;
	}
	for (const { id } of world.store.snapshots.all()) world.store.snapshots.delete(id);
	const { data } = await fleet.api.post('/clients', {
		client: { company_name: 'Harbour Bakery', email: 'own@example.com', site_ids: siteIds },
	});
	client = data.client.id;
	fleet.clock.advance(1_000);
	// Ten days ago, as of the end.
	for (const row of [good, old, failing, recovered, off, other]) backUp(fleet, row, 'succeeded');
	fleet.clock.advance(9 * 24 * HOUR_MS);
	for (const row of [good, recovered]) backUp(fleet, row, 'succeeded');
	fleet.clock.advance(HOUR_MS);
	for (const row of [failing, recovered, hopeless]) backUp(fleet, row, 'failed');
	off.backups.enabled = false;
	fleet.clock.advance(23 * HOUR_MS);
	fleet.forget();
});

const monday = new Date(START + 8 * 24 * HOUR_MS).toISOString();

const run = (more: object = {}): NodeRun =>
	operationRun('backup', 'findSitesWithoutBackup', {
		...{ backupSince: monday, filters: { clientId: locator(client) } },
		...more,
	});

/** Options that leave out sites for which nobody has to do anything. */
const few = { includeNever: false, includeDisabled: false };

const reasons = (json: IDataObject[]) =>
	Object.fromEntries(json.map((item) => [item.site_id, item.reason]));

it('names each of them with the reason, and no other', async () => {
	old.backups.latest_snapshot!.created_at = new Date(START + 500).toISOString();
	off.backups.latest_snapshot!.created_at = new Date(START).toISOString();
	const { json } = mustSucceed(await runNode(fleet, run()));
	const times = json.map(({ last_backup_at: at }) => String(at ?? ''));
	expect(times).toEqual([...times].sort());
	expect(reasons(json)).toEqual({
		[old.id]: 'last good backup too old',
		[failing.id]: 'newest backup failed',
		[never.id]: 'no good backup yet',
		[hopeless.id]: 'no good backup',
		[off.id]: 'backups off',
	});
	const found = (site: SiteRow) => json.find((item) => item.site_id === site.id);
	expect(found(failing)).toEqual({
		...{ site_id: failing.id, site_title: failing.title, site_url: failing.url },
		...{ client_id: client, client_name: 'Harbour Bakery' },
		last_backup_at: new Date(START + 1_000).toISOString(),
		...{ hours_since: 240, reason: 'newest backup failed' },
		scanner_status: failing.security.scanner.status,
	});
	expect(found(never)).toMatchObject({ last_backup_at: null, hours_since: null });
	// One for each site whose newest backup failed.
	const looks = [failing, recovered, hopeless].map(({ id }) => `GET /sites/${id}/snapshots`);
	expect(fleet.routes().sort()).toEqual(['GET /sites', ...looks].sort());
});

it('does not say that a backup has failed which is being made', async () => {
	backUp(fleet, failing, 'in_progress');
	const { json } = await runNode(fleet, run());
	expect(reasons(json)[failing.id]).toBe('last good backup too old');
});

it('passes over the hacked snapshots of a hacked site', async () => {
	const [newest] = fleet.world.store.snapshots
		.all()
		.filter(({ site_id: id }) => id === good.id)
		.sort((a, b) => b.created_at.localeCompare(a.created_at));
	good.security.scanner.status = newest!.security.scanner.status = 'hacked';
	good.security.scanner.malware_detected_at = newest!.created_at;
	const { json } = await runNode(fleet, run());
	const found = json.find((item) => item.site_id === good.id);
	expect(found).toMatchObject({
		reason: 'newest backup hacked',
		hours_since: 240,
		scanner_status: 'hacked',
	});
	expect(newest!.created_at > monday).toBe(true);
});

it('counts in hours unless another period is chosen', async () => {
	const hours = { backupSince: undefined, backupHours: 1_000 };
	const { json } = await runNode(fleet, run(hours));
	expect(Object.keys(reasons(json)).sort()).toEqual([never.id, hopeless.id].sort());
	const day = await runNode(fleet, run({ ...hours, backupHours: 12 }));
	expect(Object.keys(reasons(day.json))).toHaveLength(7);
});

it('without a time, or with a switch without a value, nothing is sent', async () => {
	const { error } = await runNode(fleet, run({ options: { includeNever: '={{ $json.gone }}' } }));
	expect(error?.message).toMatch(/^The parameter "Include Sites With.+ has no value$/);
	for (const backupSince of ['={{ " " }}', '={{ $json.gone }}', '={{ "soon" }}']) {
		const { error } = await runNode(fleet, run({ backupSince }));
		expect(error?.message).toMatch(/^The parameter "Since"/);
	}
	expect(fleet.sent()).toEqual([]);
});

it('a time in the future is refused, as every site would be too old', async () => {
	const { error } = await runNode(fleet, run({ backupSince: '2027-02-20T00:00:00Z' }));
	expect(error?.message).toBe('"Since" is in the future: 2027-02-20T00:00:00.000Z');
});

it('leaves out sites that were never backed up, if chosen; of none, a tool gets a message', async () => {
	const { json } = await runNode(fleet, run({ options: few }));
	expect(Object.keys(reasons(json)).sort()).toEqual([old.id, failing.id, hopeless.id].sort());
	const forModel = await runNode(fleet, { ...run({ options: few }), asTool: true });
	expect(forModel.json.flatMap(({ site_url: url }) => url ?? [])).toEqual(
		json.map((row) => row.site_url),
	);
	expect(JSON.stringify(forModel.json)).not.toMatch(/_id"/);
	backUp(fleet, hopeless, 'succeeded');
	const none = run({ backupSince: '2001-01-01', options: few });
	expect((await runNode(fleet, none)).json).toEqual([]);
	const item = run({ backupSince: '2001-01-01', options: { ...few, whenNone: 'item' } });
	expect((await runNode(fleet, item)).json).toEqual([{ client_id: client, count: 0 }]);
	expect((await runNode(fleet, { ...none, asTool: true })).json).toMatchObject([{ count: 0 }]);
});

describe('of a service that does not report its time', () => {
	const headers = { Date: 'unknown', 'X-RateLimit-Limit': '200', 'X-RateLimit-Remaining': '199' };

	/** Sites with backups so many hours old, by the service. @param behind the hours that n8n's clock is behind */
	async function found(period: object, behind = 0) {
		useClock({ now: () => START - behind * HOUR_MS, sleep: () => {} });
		const sites = [1, 48].map((hours) => {
			const created_at = new Date(START - hours * HOUR_MS).toISOString();
			const latest_snapshot = { id: 'a', status: 'succeeded', created_at };
			const backups = { enabled: true, available_snapshots: 1, latest_snapshot };
			return { id: `hours${hours}`, title: 'A', url: 'https://a.example', client: null, backups };
		});
		const service = await startWayward(() => pageOf('sites', sites), headers);
		const { json, error } = await runNode(service, run({ filters: {}, ...period }));
		return { error, hours: json.map(({ site_id: id, hours_since }) => [id, hours_since]) };
	}

	const hours = { backupSince: undefined, backupHours: 36 };
	const since = { backupSince: new Date(START - 36 * HOUR_MS).toISOString() };

	it('uses the clock of n8n', async () => {
		expect(await found(hours)).toEqual({ error: undefined, hours: [['hours48', 48]] });
		expect(await found(since)).toEqual({ error: undefined, hours: [['hours48', 48]] });
	});

	it('an error where the clock is behind the backups', async () => {
		const { error, hours: listed } = await found(hours, 24);
		expect(listed).toEqual([]);
		expect(error?.message).toContain('Which backups are too old is not known');
		expect(await found(since, 24)).toEqual({ error: undefined, hours: [['hours48', null]] });
	});
});

it('a hacked snapshot does not count as good, and each site has its current scan', async () => {
	const { snapshots } = fleet.world.store;
	for (const row of snapshots.all()) {
		if (row.site_id !== recovered.id || row.status !== 'succeeded') continue;
		const isNewer = Date.parse(row.created_at) > START + HOUR_MS;
		row.security.scanner.status = isNewer ? 'hacked' : 'clean';
	}
	old.security.scanner.status = 'hacked';
	const { json } = await runNode(fleet, run());
	expect(json.find((item) => item.site_id === old.id)!.scanner_status).toBe('hacked');
	expect(json.find((item) => item.site_id === recovered.id)).toMatchObject({
		reason: 'newest backup failed',
		last_backup_at: new Date(START + 1_000).toISOString(),
	});
});

import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { filesAt } from '../../sandbox/service/domain/content/files';
import type { SiteRow } from '../../sandbox/service/domain/sites/rows';
import type { SnapshotRow } from '../../sandbox/service/domain/snapshots/rows';
import { beginSnapshot, completeSnapshot } from '../../sandbox/service/domain/snapshots/rules';
import { mustSucceed, operationRun, runNode, runOf } from '../support/engine';
import { fleetEach, inStep, START } from '../support/fleet';
import { locator } from '../support/locator';

/** Since when a site is hacked, and which files differ: File: Compare against all files of the world. */

const HOUR_MS = 3_600_000;

const fleet = fleetEach({ sites: 2, at: START });
let site: SiteRow;

beforeEach(() => {
	inStep(fleet);
	site = fleet.world.store.sites.all().find(({ multisite }) => !multisite)!;
	Object.assign(site.backups, { enabled: true, retention_days: 9_000 });
	site.security.scanner.status = 'clean';
	site.sync.in_progress = false;
	for (const { id } of fleet.world.store.snapshots.all()) fleet.world.store.snapshots.delete(id);
});

/** A snapshot for each letter, an hour apart. */
const KINDS: Record<string, (snapshot: SnapshotRow) => void> = {
	clean: () => {},
	hacked: ({ security }) => void (security.scanner.status = 'hacked'),
	failed: (snapshot) => void (snapshot.status = 'failed'),
	off: ({ security }) => void (security.enabled = false),
	// What only the whole record says.
	unread: ({ security }) => void (security.scanner.files.scanned = 0),
	partly: ({ security }) => void (security.scanner.files.scanned -= 5),
};

function snapshotsOf(kinds: string): string[] {
	const { world, clock } = fleet;
	return kinds.split(' ').map((kind) => {
		clock.advance(HOUR_MS);
		world.catchUp();
		const id = world.random.hex(24);
		const snapshot = beginSnapshot(world, site, { id, status: 'in_progress', note: null });
		completeSnapshot(world, site, snapshot);
		KINDS[kind]!(snapshot);
		return id;
	});
}

async function find(options: object = {}) {
	const set = { siteId: locator(site.id), options };
	const run = operationRun('snapshot', 'findFirstHacked', set);
	const { json } = mustSucceed(await runNode(fleet, run));
	expect(json).toHaveLength(1);
	return json[0]!;
}

const BEFORE = 'Not known directly before it:';
const NONE_BEFORE = 'No snapshot before it is scanned clean.';
const AFTER = '1 reported as clean after it: the scanner missed the malware, or it came back.';
const IN_PART = expect.stringMatching(
	/^Of the clean snapshot, only \d+ of \d+ files were scanned\.$/,
);

it.each<[kinds: string, result: string, clean: number, hacked: number, reason: string]>([
	['clean clean hacked hacked', 'found', 1, 2, ''],
	['clean failed off hacked', 'found', 0, 3, `${BEFORE} 1 failed, 1 not scanned.`],
	['off clean hacked', 'found', 1, 2, ''],
	['clean hacked clean hacked', 'found', 0, 1, AFTER],
	['clean unread hacked', 'found', 0, 2, `${BEFORE} 1 not scanned.`],
	['clean partly hacked', 'found', 1, 2, IN_PART],
	['off hacked', 'no_clean_before', -1, 1, `${BEFORE} 1 not scanned. ${NONE_BEFORE}`],
	['unread hacked', 'no_clean_before', -1, 1, `${BEFORE} 1 not scanned. ${NONE_BEFORE}`],
	['hacked clean', 'no_clean_before', -1, 0, `${NONE_BEFORE} ${AFTER}`],
	['clean clean', 'none_hacked', 1, -1, ''],
	['failed clean', 'not_known', 1, -1, 'Not known: 1 failed.'],
	['clean unread', 'not_known', 0, -1, 'Not known: 1 not scanned.'],
	['off', 'not_known', -1, -1, 'Not known: 1 not scanned. No snapshot is scanned clean.'],
])('%s: %s', async (kinds, result, clean, hacked, reason) => {
	const ids = snapshotsOf(kinds);
	expect(await find()).toMatchObject({
		...{ result, clean_snapshot_id: ids[clean] ?? null, hacked_snapshot_id: ids[hacked] ?? null },
		...{ snapshot_count: ids.length, site_id: site.id, site_title: site.title, reason },
	});
});

it.each<[kinds: string, scan: string | null, newest: number]>([
	['clean hacked', 'hacked', 1],
	['clean hacked clean', 'clean', 2],
	['clean hacked clean hacked', 'hacked', 3],
	['clean hacked failed', 'hacked', 1],
	['clean hacked off', 'not scanned', 2],
	['clean hacked unread', 'not scanned', 2],
	['clean hacked partly', 'partly scanned', 2],
	['clean clean', 'clean', 1],
	['failed', null, -1],
])('%s: what the newest one is now: %s', async (kinds, scan, newest) => {
	const ids = snapshotsOf(kinds);
	expect(await find()).toMatchObject({
		newest_scan: scan,
		newest_snapshot_id: ids[newest] ?? null,
		newest_at: newest < 0 ? null : expect.any(String),
	});
});

it('says that the site is hacked where no snapshot is, and that a period has none', async () => {
	snapshotsOf('clean clean');
	site.security.scanner.status = 'hacked';
	const found = await find();
	expect(found.result).toBe('not_known');
	expect(found.reason).toBe('The site is reported as hacked, but none of these snapshots.');
	site.security.scanner.status = 'clean';
	const later = { createdAfter: fleet.world.timestamp(fleet.clock.now() + HOUR_MS) };
	expect(await find(later)).toMatchObject({ result: 'not_known', snapshot_count: 0 });
	expect((await find({ createdBefore: later.createdAfter })).snapshot_count).toBe(2);
});

it('reads 250 snapshots with five requests, over years and hours without any', async () => {
	snapshotsOf('clean');
	fleet.clock.advance(400 * 24 * HOUR_MS);
	snapshotsOf([...Array<string>(200).fill('clean'), ...Array<string>(49).fill('hacked')].join(' '));
	fleet.forget();
	expect(await find()).toMatchObject({ result: 'found', snapshot_count: 250 });
	expect(fleet.routes()).toHaveLength(5);
});

async function compare(before: string, after: string, options: INodeParameters = {}) {
	const ids = { snapshotId: locator(before), laterSnapshotId: locator(after) };
	const set = { siteId: locator(site.id), ...ids, options };
	const { json, error } = await runNode(fleet, runOf('backupContent/file/compare', set));
	return { ...json[0], error } as IDataObject & { files: IDataObject[]; error?: Error };
}

/** What differs in the world itself. */
function truth(before: string, after: string): string[] {
	const [old, now] = [before, after].map((id) => {
		const at = Date.parse(fleet.world.store.snapshots.get(id)!.created_at);
		const files = filesAt(fleet.world, site, at);
		return new Map(files.map(({ path, size, modifiedAt }) => [path, `${size} ${modifiedAt}`]));
	}) as [Map<string, string>, Map<string, string>];
	const paths = [...new Set([...old.keys(), ...now.keys()])].sort();
	return paths.flatMap((path) => {
		if (old.get(path) === now.get(path)) return [];
		return `${!old.has(path) ? 'added' : now.has(path) ? 'changed' : 'gone'} ${path}`;
	});
}

const said = ({ files }: { files: IDataObject[] }) =>
	files.map(({ change, path }) => `${String(change)} ${String(path)}`);

async function infect(wanted: object) {
	fleet.clock.advance(60_000);
	const { status, data } = await fleet.admin.post(`/sites/${site.id}/infections`, wanted);
	expect([status, data]).toEqual([200, expect.anything()]);
	return data as { changed: string[]; added: string[] };
}

it.each<INodeParameters>([{}, { listAllFolders: true }])(
	'finds all that differs, %j',
	async (options) => {
		const [before] = snapshotsOf('clean') as [string];
		const first = await infect({ changes: 3, adds: 'mu-plugins' });
		const second = await infect({ changes: 1, adds: 'uploads' });
		// A page of the cache has the same size again after 300 hours.
		fleet.clock.advance(299 * HOUR_MS - 120_000);
		const [after] = snapshotsOf('clean') as [string];
		fleet.forget();
		const found = await compare(before, after, options);
		expect(said(found)).toEqual(truth(before, after));
		expect(found.result).toBe('different');
		expect(found.restore_paths).toEqual(
			expect.arrayContaining([...first.changed, ...second.changed]),
		);
		expect(found.added_paths).toEqual(expect.arrayContaining([...first.added, ...second.added]));
		expect(found.files).toContainEqual(
			expect.objectContaining({ kind: 'mustUse', path: first.added[0], size_before: null }),
		);
		expect(found.request_count).toBe(fleet.routes().length);
		expect(Number(found.requests_at_most)).toBeGreaterThanOrEqual(fleet.routes().length);
		// A site has about 40 folders.
		if (!('listAllFolders' in options)) expect(fleet.routes().length).toBeLessThan(70);
	},
);

it('says how much a comparison costs with four requests', async () => {
	const [before] = snapshotsOf('clean') as [string];
	const brief = { onlyTotals: true };
	const [same] = snapshotsOf('clean') as [string];
	await infect({});
	const [after] = snapshotsOf('clean') as [string];
	fleet.forget();
	expect(await compare(before, after, brief)).toMatchObject({ result: 'different', files: [] });
	expect(fleet.routes()).toHaveLength(4);
	expect((await compare(before, same, { ...brief, folder: './wp-admin/' })).result).toBe(
		'same_totals',
	);
});

it('says that nothing differs only where all was listed', async () => {
	const [before, after] = snapshotsOf('clean clean') as [string, string];
	const folder = './wp-content/plugins/';
	const quick = await compare(before, after, { folder });
	expect(quick).toMatchObject({ result: 'same_totals', files: [] });
	expect(quick.reason).toMatch(
		/^\d+ folders with the same number and size of files were not listed: a change that/,
	);
	const whole = await compare(before, after, { folder, listAllFolders: true });
	expect(whole).toMatchObject({ result: 'same', reason: '', files: [] });
});

it('names what it did not read', async () => {
	const [before] = snapshotsOf('clean') as [string];
	const { changed } = await infect({ changes: 2, adds: 'nothing' });
	const [after] = snapshotsOf('clean') as [string];
	const left = changed[0]!.split('/').slice(0, 4).join('/').concat('/');
	await fleet.api.post(`/sites/${site.id}/files/skip`, { paths: [left] });
	const found = await compare(before, after);
	expect(found.files).toContainEqual(
		expect.objectContaining({ change: 'unread', path: left, reason: 'Backups leave it out' }),
	);
	expect(found.reason).toMatch(/^Not read: 1, such as/);
	const few = await compare(before, after, { maxRequests: 10, folder: './wp-content/' });
	expect(few.unread_count).toBeGreaterThan(0);
	const all = [...said(few).map((each) => each.split(' ')[1]!)];
	for (const path of changed) expect(all.some((each) => path.startsWith(each))).toBe(true);
	const { error } = await compare(after, before);
	expect(error!.message).toBe(`The snapshot ${before} is not later than ${after}`);
});

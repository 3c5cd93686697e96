import type { INodeParameters } from 'n8n-workflow';
import { mustSucceed, operationRun, runNode, runOf, runOn } from '../../support/engine';
import { inStep, fleetEach, type Fleet } from '../../support/fleet';
import { locator } from '../../support/locator';

/** The latest snapshot, and the newest one before a time, wherever a snapshot is chosen; and which are refused. */

const fleet = fleetEach({ sites: 20 });
let site: { id: string; url: string };
let like: Parameters<Fleet['world']['store']['snapshots']['insert']>[0];

/** Of the site, with these ids. */
const GOOD = 'aaaaaaaaaaaaaaaaaaaaaaa1';
const OLD = 'aaaaaaaaaaaaaaaaaaaaaaa2';
const FAILED = 'aaaaaaaaaaaaaaaaaaaaaaa3';
const CHOSEN = { snapshot_id: GOOD, snapshot_created_at: '2026-02-20T08:00:00.000Z' };

beforeEach(async () => {
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

function add(id: string, createdAt: string, status: 'succeeded' | 'failed' = 'succeeded') {
	fleet.world.store.snapshots.insert({ ...like, id, created_at: createdAt, status });
}

const newestBefore = (time: string) =>
	({ __rl: true, mode: 'before', value: time }) as unknown as INodeParameters;

const of = (resource: string, operation: string, snapshotId: INodeParameters, more = {}) =>
	operationRun(resource, operation, { siteId: locator(site.id), snapshotId, ...more });

it.each<[string, INodeParameters, string]>([
	['the first row of the list', locator('latest', 'list'), GOOD],
	['an expression', locator('={{ "latest" }}'), GOOD],
	['a mode with a time', newestBefore('2026-01-31T00:00:00Z'), OLD],
	['a mode with a date', newestBefore('2026-01-31'), OLD],
	['a mode with a time of n8n', newestBefore('={{ $now.set({ year: 2025, month: 9 }) }}'), OLD],
	['an expression with a time', locator('={{ "before:2026-01-31T00:00:00Z" }}'), OLD],
	['the time of the snapshot itself', newestBefore('2025-06-01T08:00:00Z'), OLD],
])('is chosen by %s: the newest good one, whatever failed after it', async (_, choice, wanted) => {
	const { json } = mustSucceed(await runNode(fleet, of('snapshot', 'get', choice)));
	expect(json).toEqual([expect.objectContaining({ id: wanted, status: 'succeeded' })]);
	expect(json[0]).not.toHaveProperty('snapshot_id');
	expect(fleet.routes()).toEqual([
		`GET /sites/${site.id}/snapshots`,
		`GET /sites/${site.id}/snapshots/${wanted}`,
	]);
});

it('a download and a staging site use it, also of a site By URL, and say which one it is', async () => {
	const { json } = await runNode(fleet, of('backup', 'download', locator('latest', 'list')));
	expect(fleet.changes()).toEqual([`POST /sites/${site.id}/backups/${GOOD}/download`]);
	expect(json).toEqual([expect.objectContaining(CHOSEN)]);
	const byUrl = { siteId: locator(site.url, 'url'), waitForCompletion: true };
	const made = await runNode(fleet, of('stagingSite', 'create', newestBefore('2026-01-01'), byUrl));
	const ids = { site_id: site.id, snapshot_id: OLD };
	expect(made.json).toEqual([expect.objectContaining(ids)]);
});

it('the files of it are listed', async () => {
	const options = { snapshotId: newestBefore('2026-01-01') };
	const set = { siteId: locator(site.id), options };
	await runNode(fleet, runOf('backupContent/file/getAll', set));
	const { route, query } = fleet.sent().at(-1)!;
	expect([route, query.snapshot_id]).toEqual([`GET /sites/${site.id}/files`, OLD]);
});

it.each<[INodeParameters, string]>([
	[newestBefore('2025-01-01T00:00:00Z'), ' made by 2025-01-01T00:00:00Z'],
	[locator('latest'), ''],
])('none of %j is an error before anything is sent', async (choice, until) => {
	if (!until) for (const id of [GOOD, OLD]) fleet.world.store.snapshots.delete(id);
	const { error } = await runNode(fleet, of('backup', 'restore', choice));
	expect(error!.message).toBe(`The site ${site.id} has no good snapshot${until}`);
	expect(error!.description).toContain('Nothing was sent');
	expect(fleet.changes()).toEqual([]);
});

it.each<[INodeParameters, string]>([
	[newestBefore('yesterday'), 'The parameter "Snapshot" is not a date and time: "yesterday"'],
	[locator('before:'), 'The parameter "Snapshot" is not a date and time: ""'],
	[newestBefore('={{ " " }}'), 'The parameter "Snapshot" is empty'],
])('refuses a value that is not a time, before anything is read', async (choice, message) => {
	const { error } = await runNode(fleet, of('backup', 'restore', choice));
	expect(error!.message).toContain(message);
	expect(fleet.routes()).toEqual([]);
});

it('refuses a failed snapshot that the service returns as the latest', async () => {
	const failed = { id: FAILED, created_at: '2026-02-27T08:00:00.000Z', status: 'failed' };
	const list = `GET /sites/${site.id}/snapshots`;
	const meta = { pagination: { perPage: 1, totalPages: 1, totalItems: 1 } };
	const answers = { [list]: { body: { snapshots: [failed], meta } } };
	const { error, routes } = await runOn(answers, of('backup', 'restore', locator('latest')));
	expect(error?.message).toContain('has no good snapshot');
	expect(new Set(routes)).toEqual(new Set([list]));
});

type Scanner = typeof like.security.scanner;

const INFECTED = 'aaaaaaaaaaaaaaaaaaaaaaa4';
const INFECTED_AT = '2026-02-25T08:00:00.000Z';

/** Sets what a snapshot says of its scan, in any form that a service may give. */
function scan(id: string, scanner: Partial<Record<keyof Scanner, unknown>>, enabled = true) {
	const row = fleet.world.store.snapshots.get(id)!;
	row.security = {
		enabled,
		scanner: { ...structuredClone(row.security.scanner), ...scanner } as Scanner,
	};
}

const HACKED = { status: 'hacked', detections: { files: 32, scripts: 1, cron_jobs: 0 } };
const CLEAN = { status: 'clean', detections: { files: 0, scripts: 0, cron_jobs: 0 } };

/** Operations that put a snapshot to use, and what each needs besides. */
const PUTS = ['restore', 'migrate', 'upload', 'create'] as const;

function putting(operation: (typeof PUTS)[number], snapshotId: INodeParameters, more = {}) {
	const other = fleet.world.store.sites.all().find(({ id }) => id !== site.id)!;
	const resource = operation === 'create' ? 'stagingSite' : 'backup';
	const needs = { migrate: { destinationUrl: other.url }, upload: { provider: 'cloudstore_a' } };
	const own = operation in needs && needs[operation as keyof typeof needs];
	return of(resource, operation, snapshotId, { ...own, ...more });
}

const snapshotIn = () => {
	const { route, body } = fleet.sent().find((sent) => sent.route.startsWith('POST '))!;
	return (body as any)?.staging_site?.snapshot_id ?? route.split('/').at(-2);
};

const allowing = { options: { allowHackedSnapshot: true } };

describe.each(PUTS)('%s and a hacked snapshot', (operation) => {
	beforeEach(() => {
		for (const id of [GOOD, OLD]) scan(id, CLEAN);
		add(INFECTED, INFECTED_AT);
		scan(INFECTED, HACKED);
	});

	it.each<[string, INodeParameters]>([
		['Latest', locator('latest', 'list')],
		['an expression', locator('={{ "latest" }}')],
		['Newest Before', newestBefore('2026-02-26T00:00:00Z')],
		['the time of the hacked one', newestBefore(INFECTED_AT)],
	])('%s skips it, and the output says which it is, after waiting too', async (_, choice) => {
		const more = { waitForCompletion: true };
		const { json } = mustSucceed(await runNode(fleet, putting(operation, choice, more)));
		expect(snapshotIn()).toBe(GOOD);
		const status = { task_status: 'completed', snapshot_scanner_status: 'clean' };
		expect(json).toEqual([expect.objectContaining({ ...CHOSEN, ...status })]);
	});

	it.each([false, true])('by ID is refused, with the newest good one: %s', async (preview) => {
		const { error } = await runNode(fleet, putting(operation, locator(INFECTED), { preview }));
		expect(error?.message).toBe(
			`The snapshot ${INFECTED} of ${INFECTED_AT} is hacked; the newest good one is ${GOOD} of 2026-02-20T08:00:00.000Z (scanned clean)`,
		);
		expect(error?.description).toContain('Nothing was sent');
		expect(error?.context?.details).toMatchObject({ outcome: 'notSent' });
		expect(fleet.changes()).toEqual([]);
	});

	it.each([INFECTED, 'latest'])('%s is accepted if allowed, and the output says so', async (id) => {
		const { json } = mustSucceed(await runNode(fleet, putting(operation, locator(id), allowing)));
		expect(snapshotIn()).toBe(INFECTED);
		expect(json).toEqual([expect.objectContaining({ snapshot_scanner_status: 'hacked' })]);
	});

	it('chooses none where all are hacked', async () => {
		for (const id of [GOOD, OLD]) scan(id, HACKED);
		const { error } = await runNode(fleet, putting(operation, locator('latest')));
		expect(error?.message).toBe(`The site ${site.id} has no good snapshot; hacked ones: 3`);
		const byId = await runNode(fleet, putting(operation, locator(INFECTED)));
		expect(byId.error?.message).toContain('; there is no good one');
		expect(fleet.changes()).toEqual([]);
	});

	it('skips more than a page of hacked ones', async () => {
		for (let number = 0; number < 130; number++) {
			const id = `bbbbbbbbbbbbbbbbbbbbb${String(number).padStart(3, '0')}`;
			add(id, new Date(Date.parse(INFECTED_AT) - number * 60_000).toISOString());
			scan(id, HACKED);
		}
		await runNode(fleet, putting(operation, locator('latest')));
		expect(snapshotIn()).toBe(GOOD);
	});

	it.each([
		['with security off', GOOD, CLEAN, false],
		['with security off', 'latest', CLEAN, false],
		['of no file', GOOD, { ...CLEAN, files: { total: 9, scanned: 0 } }, true],
	])('one that was not scanned (%s) is good, and the output says so: %s', async (...row) => {
		const [, id, scanner, on] = row;
		scan(GOOD, scanner, on);
		const { json } = mustSucceed(await runNode(fleet, putting(operation, locator(id))));
		expect(snapshotIn()).toBe(GOOD);
		const status = { snapshot_scanner_status: 'not scanned' };
		expect(json).toEqual([expect.objectContaining({ ...CHOSEN, ...status })]);
	});

	it('is looked up and checked for each item directly before its change', async () => {
		const settings = { onError: 'continueRegularOutput' as const };
		const run = putting(operation, locator('={{ $json.id }}'), { waitForCompletion: false });
		const items = [{ id: GOOD }, { id: INFECTED }];
		const { json } = await runNode(fleet, { ...run, items, settings });
		expect(json[0]).toMatchObject({ snapshot_id: GOOD });
		expect(json[1]!.error).toContain('is hacked');
		const sent = fleet.routes().map((route) => route.replace(/ .*\/snapshots/, ' snapshots'));
		const [first, second] = [GOOD, INFECTED].map((id) => sent.indexOf(`GET snapshots/${id}`));
		const change = sent.findIndex((route) => route.startsWith('POST '));
		expect(first).toBeLessThan(change);
		expect(change).toBeLessThan(second!);
	});

	it('one that did not succeed is refused by ID, whatever its scan says', async () => {
		scan(FAILED, CLEAN);
		fleet.world.store.snapshots.get(FAILED)!.error_message = 'Update your HTTP Auth Credentials.';
		for (const more of [{}, { preview: true }, allowing]) {
			const { error } = await runNode(fleet, putting(operation, locator(FAILED), more));
			expect(error?.message).toContain(
				`The snapshot ${FAILED} of 2026-02-27T08:00:00.000Z is failed (Update your HTTP Auth Credentials.); the newest good one is ${GOOD}`,
			);
		}
		expect(fleet.changes()).toEqual([]);
	});

	it.each([GOOD, 'latest'])('Preview of %s says what the scan found', async (id) => {
		const { json } = await runNode(fleet, putting(operation, locator(id), { preview: true }));
		expect(json[0]!.checked).toMatchObject({ snapshot_scanner_status: 'clean' });
		const { source, target } = json[0] as Record<string, object>;
		const snapshot = { id: GOOD, status: 'succeeded', created_at: '2026-02-20T08:00:00.000Z' };
		expect(source ?? target).toMatchObject({ snapshot });
		expect(fleet.changes()).toEqual([]);
		// It was read once.
		const reads = fleet.routes().filter((route) => route.includes(`/snapshots/${GOOD}`));
		if (id === GOOD) expect(reads).toHaveLength(1);
	});
});

it('a snapshot that the service does not show needs Allow Hacked Snapshot', async () => {
	fleet.world.store.sites.get(site.id)!.backups.enabled = false;
	const refused = await runNode(fleet, of('backup', 'restore', locator(GOOD)));
	expect(refused.error?.message).toContain('backups are disabled');
	expect(fleet.changes()).toEqual([]);
	const { json, error } = await runNode(fleet, of('backup', 'restore', locator(GOOD), allowing));
	expect(error).toBeUndefined();
	expect(json).toEqual([expect.objectContaining({ snapshot_scanner_status: 'not known' })]);
});

it.each(['latest', INFECTED])('a read accepts a hacked snapshot: %s', async (choice) => {
	add(INFECTED, INFECTED_AT);
	scan(INFECTED, HACKED);
	const { json } = mustSucceed(await runNode(fleet, of('snapshot', 'get', locator(choice))));
	expect(json).toEqual([
		expect.objectContaining({ id: INFECTED, scanner_status: 'hacked', detections: 33 }),
	]);
});

it('a failed snapshot is never shown as clean, however it is read', async () => {
	scan(FAILED, CLEAN);
	const all = { filters: { createdAfter: '2025-01-01', status: 'failed' } };
	for (const run of [
		of('snapshot', 'getAll', locator(''), all),
		of('snapshot', 'get', locator(FAILED)),
	]) {
		const { json } = await runNode(fleet, run);
		expect(json).toEqual([
			expect.objectContaining({ id: FAILED, scanner_status: 'not scanned', detections: null }),
		]);
	}
	const clean = { filters: { createdAfter: '2025-01-01', scannerStatus: 'clean' } };
	const { json } = await runNode(fleet, of('snapshot', 'getAll', locator(''), clean));
	expect(json.map(({ id }) => id)).not.toContain(FAILED);
	const { json: count } = await runNode(fleet, of('snapshot', 'count', locator(''), clean));
	expect(count).toEqual([expect.objectContaining({ count: json.length })]);
});

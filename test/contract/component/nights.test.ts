import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { IDataObject } from 'n8n-workflow';
import {
	componentsAt,
	setVersion,
	versionsAt,
} from '../../../sandbox/service/domain/content/components';
import type { Profile } from '../../../sandbox/service/otherService';
import type { SiteRow } from '../../../sandbox/service/domain/sites/rows';
import {
	beginSnapshot,
	completedSnapshots,
	completeSnapshot,
} from '../../../sandbox/service/domain/snapshots/rules';
import { isLong, PATIENCE_MS } from '../../support/effort';
import { mustSucceed, operationRun, runNode } from '../../support/engine';
import { type Fleet, inStep, START, startFleet } from '../../support/fleet';

/** The inventory of a whole fleet, night after night, with the rows of the night before. */

const SIZES = (process.env.NIGHT_SITES ?? (isLong ? '1000,10000' : '50')).split(',').map(Number);

const DAY_MS = 86_400_000;

jest.setTimeout(PATIENCE_MS);

/** Every so many sites one gets an update. */
const UPDATED_EVERY = 10;
const NEW_VERSION = '9.8.7';

/** Bytes for each site: about ten rows of before, ten new ones, and what n8n keeps of both. */
const HELD_OF_SITE = 100_000;
/** Bytes of the modules and schemas that the first requests load. */
const HELD_AT_FIRST = 55_000_000;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function heldBytes(): number {
	collect();
	const { heapUsed, external } = process.memoryUsage();
	return heapUsed + external;
}

type Night = Awaited<ReturnType<typeof night>>;

/** Runs one night, and counts the requests as they arrive at the service. */
async function night(fleet: Fleet, source: string, knownRows: IDataObject[]) {
	const before = heldBytes();
	/** Bytes of memory at most, above those of the beginning. */
	let held = 0;
	let requests = 0;
	/** By the last part of the address. */
	const routes: Record<string, number> = {};
	const count = (message: unknown) => {
		const { request } = message as { request: IncomingMessage };
		const name = request.url!.replace(/[?].*/, '').replace(/.*[/]/, '');
		routes[name] = (routes[name] ?? 0) + 1;
		requests += 1;
		if (requests % 20_000 === 0) held = Math.max(held, heldBytes() - before);
	};
	inStep(fleet);
	const began = performance.now();
	subscribe('http.server.request.start', count);
	const options = knownRows.length > 0 ? { knownRows: '={{ $json.rows }}' } : {};
	const items = [{ rows: knownRows }];
	const getMany = operationRun('component', 'getAll', { source, options }, { items });
	const { json } = mustSucceed(await runNode(fleet, getMany));
	unsubscribe('http.server.request.start', count);
	const seconds = (performance.now() - began) / 1_000;
	held = Math.max(held, heldBytes() - before);
	/** Rows that say why something could not be read. */
	const unread = json.filter(({ reason }) => reason !== null).length;
	return { requests, routes, seconds, held, unread, rows: json };
}

/** Each connected site is backed up. */
function backUpAll({ clock, world }: Fleet): void {
	clock.advance(DAY_MS);
	world.settle();
	for (const site of world.store.sites.peek()) {
		if (!site.backups.enabled || site.connection.status !== 'connected') continue;
		const id = world.random.hex(24);
		completeSnapshot(
			world,
			site,
			beginSnapshot(world, site, { id, status: 'succeeded', note: null }),
		);
	}
}

/** Some sites come to another version of one of their components; others have schedules for it. */
function updateSome({ world, clock }: Fleet): void {
	clock.advance(DAY_MS / 2);
	world.settle();
	const chosen = world.store.sites.peek().filter((_, nth) => nth % UPDATED_EVERY === 0);
	for (const site of chosen) {
		const [name] = versionsAt(world, site, world.now).keys();
		setVersion(world, site, name!, NEW_VERSION);
	}
}

const KINDS: Record<string, string> = { plugin: 'plugin', 'must-use': 'mustUse', theme: 'theme' };
const FOLDER = /^[.]\/wp-content\/(plugins|mu-plugins|themes)\//;

/** The only line of a site that cannot be read. */
const UNKNOWN = 'unknown';

/** What the fleet itself has at a time, as lines. */
const wantedOf = ({ world }: Fleet, site: SiteRow, at: number) =>
	componentsAt(world, site, at).map(
		({ kind, file, name, version }) =>
			`${KINDS[kind]} ${file.replace(FOLDER, '')} ${name} ${version ?? ''}`,
	);

const lineOf = ({ kind, file, name, version }: IDataObject) =>
	`${String(kind)} ${String(file)} ${String(name)} ${String(version)}`;

function changedSites(before: IDataObject[], after: IDataObject[]): number {
	const keyOf = (row: IDataObject) => `${String(row.site_id)} ${lineOf(row)}`;
	const known = new Set(before.map(keyOf));
	const others = after.filter((row) => !known.has(keyOf(row)));
	return new Set(others.map(({ site_id: id }) => id)).size;
}

/** The lines of a site in its newest good backup. */
function inBackup(fleet: Fleet, site: SiteRow): string[] {
	const newest = completedSnapshots(fleet.world, site.id).find(
		({ security }) => security.scanner.status !== 'hacked',
	);
	if (!newest) return [UNKNOWN];
	return wantedOf(fleet, site, Date.parse(newest.created_at));
}

/** What rows and the fleet do not have in common. */
function differences(
	fleet: Fleet,
	rows: IDataObject[],
	wanted: (site: SiteRow) => string[],
): string[] {
	const bySite = new Map<unknown, string[]>();
	for (const row of rows) {
		if (row.kind === 'dropIn') continue;
		const lines = bySite.get(row.site_id) ?? [];
		const isWhole = row.reason !== null && row.kind === null;
		lines.push(isWhole ? UNKNOWN : lineOf(row));
		bySite.set(row.site_id, lines);
	}
	return fleet.world.store.sites.peek().flatMap((site) => {
		const found = (bySite.get(site.id) ?? []).sort();
		const there = wanted(site).sort();
		if (found.join('\n') === there.join('\n')) return [];
		const missing = there.filter((line) => !found.includes(line));
		const invented = found.filter((line) => !there.includes(line));
		return [`${site.id} lacks ${missing.join('; ')} and has ${invented.join('; ')}`];
	});
}

function tell(what: string, sites: number, { rows, ...figures }: Night): void {
	if (isLong || process.env.NIGHT_SITES)
		process.stdout.write(
			`${what} of ${sites} sites: ${JSON.stringify({ ...figures, rows: rows.length })}\n`,
		);
}

/** The lists of the service, which the reference does not have. */
const LISTS: Profile = {
	routes: { 'GET /sites/wp/plugins': { keys: {} }, 'GET /sites/wp/themes': { keys: {} } },
};

describe.each(SIZES)('with %i sites', (sites) => {
	let fleet: Fleet;
	const mostHeld = HELD_AT_FIRST + HELD_OF_SITE * sites;
	const options = { sites, at: START, rateLimit: { limit: 1_000_000 } };
	afterEach(async () => await fleet.close());

	async function read(what: string, source: string, knownRows: IDataObject[] = []) {
		const result = await night(fleet, source, knownRows);
		tell(what, sites, result);
		return result;
	}

	const expectAll = ({ rows }: Night) => {
		const wanted = (site: SiteRow) => inBackup(fleet, site);
		expect(differences(fleet, rows, wanted).slice(0, 5)).toEqual([]);
	};

	it('nights from snapshots find every component with its version, and invent none', async () => {
		fleet = await startFleet(options);
		const first = await read('First night', 'snapshots');
		expectAll(first);
		expect(first.requests).toBeLessThan(30 * sites);

		backUpAll(fleet);
		const quiet = await read('Night without changes', 'snapshots', first.rows);
		expectAll(quiet);
		expect(quiet.requests).toBeLessThan(6 * sites);
		expect(quiet.routes.download).toBeUndefined();
		first.rows = [];

		updateSome(fleet);
		backUpAll(fleet);
		const updated = await read('Night with updates', 'snapshots', quiet.rows);
		expectAll(updated);
		expect(updated.rows.filter(({ version }) => version === NEW_VERSION)).not.toEqual([]);
		const changed = changedSites(quiet.rows, updated.rows);
		expect(updated.requests - quiet.requests).toBeLessThan(30 * changed);
		for (const { held } of [first, quiet, updated]) expect(held).toBeLessThan(mostHeld);
	});

	it("the service's lists give every plugin and theme, a request for each hundred sites and list", async () => {
		fleet = await startFleet({ ...options, profile: LISTS });
		for (const { connection } of fleet.world.store.sites.peek()) connection.status = 'connected';
		const listed = await read("The service's lists", 'automatic');
		expect(listed.requests).toBe(3 * Math.ceil(sites / 100));
		const wanted = (site: SiteRow) =>
			wantedOf(fleet, site, fleet.world.now).filter((line) => !line.startsWith('mustUse'));
		expect(differences(fleet, listed.rows, wanted).slice(0, 5)).toEqual([]);
		expect(listed.held).toBeLessThan(mostHeld);
	});
});

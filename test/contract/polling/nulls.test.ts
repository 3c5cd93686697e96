import type { IDataObject } from 'n8n-workflow';
import type { SiteRow } from '../../../sandbox/service/domain/sites/rows';
import { activate } from '../../support/engine';
import { inStep, startFleet, type Fleet } from '../../support/fleet';
import { useClock } from '../../support/transportClock';

/** More sites than a page holds that were never synced, first or last as the service sorts them. */

const MINUTE_MS = 60_000;

let fleet: Fleet;
afterEach(async () => await fleet.close());

it.each([true, false])(
	'the backups of all others are reported (nulls first: %s)',
	async (isHighest) => {
		fleet = await startFleet({ sites: 130, settings: { nullsAreHighest: isHighest } });
		inStep(fleet);
		useClock({ now: () => fleet.clock.now(), sleep: () => {} });
		fleet.clock.advance(60 * MINUTE_MS);
		const { sites } = fleet.world.store;
		const rows: SiteRow[] = sites.all().map(({ id }) => sites.get(id)!);
		const set = (site: SiteRow, status: string, at: string | null) => {
			site.backups.enabled = true;
			Object.assign(site.sync, { last_sync_at: at, last_sync_status: status });
		};
		const now = () => fleet.world.timestamp();
		const [over, underWay, next, ...never] = rows as [SiteRow, SiteRow, SiteRow, ...SiteRow[]];
		for (const site of never) set(site, '', null);
		for (const site of [over, next]) set(site, 'succeeded', now());
		set(underWay, 'in_progress', now());
		fleet.clock.advance(MINUTE_MS);

		const { poll } = await activate(fleet, {
			node: 'backupTrigger',
			parameters: { events: ['backupFinished', 'backupFailed'], output: 'raw' },
		});
		const told = (items: IDataObject[] | null) => (items ?? []).map(({ id }) => id).sort();
		expect(await poll()).toBeNull();
		underWay.sync.last_sync_status = 'succeeded';
		fleet.clock.advance(MINUTE_MS);
		set(next, 'failed', now());
		fleet.clock.advance(MINUTE_MS);
		expect(told(await poll())).toEqual([underWay.id, next.id].sort());
		fleet.clock.advance(MINUTE_MS);
		expect(await poll()).toBeNull();
	},
);

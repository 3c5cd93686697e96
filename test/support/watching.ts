import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { SiteRow } from '../../sandbox/service/domain/sites/rows';
import type { SnapshotRow } from '../../sandbox/service/domain/snapshots/rows';
import { beginSnapshot, nameLatest } from '../../sandbox/service/domain/snapshots/rules';
import { activate } from './engine';
import { type Fleet, fleetEach, inStep } from './fleet';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** A fleet for each test, whose time n8n has as well, and a trigger that watches it. */
export function watching(node: string, sites: number, prepare: (fleet: Fleet) => void = () => {}) {
	const fleet = fleetEach({ sites });
	beforeEach(() => {
		inStep(fleet);
		prepare(fleet);
	});
	const trigger = async (events: string[], more: INodeParameters = {}) =>
		await activate(fleet, { node, parameters: { events, output: 'raw', ...more } });
	/** One that has been switched on: what happens from now on is news. */
	const begun = async (...chosen: Parameters<typeof trigger>) => {
		const active = await trigger(...chosen);
		expect(await active.poll()).toBeNull();
		return active;
	};
	return { fleet, trigger, begun };
}

/** What came out, as `down s1`: by the record, or by the site where an item does not show that. */
export const told = (items: IDataObject[] | null) =>
	(items ?? []).map(({ event, id, site_id }) => `${String(event)} ${String(id ?? site_id)}`).sort();

/** A snapshot that is shown as the newest one of its site. */
export function backUp({ world }: Fleet, site: SiteRow, status: SnapshotRow['status']) {
	world.catchUp();
	const snapshot = beginSnapshot(world, site, { id: world.random.hex(24), status, note: null });
	nameLatest(site, snapshot);
	site.backups.available_snapshots += status === 'succeeded' ? 1 : 0;
	return snapshot;
}

/** A tag whose name is its ID. */
export function addTag({ world }: Fleet, id: string): string {
	const at = world.timestamp();
	return world.store.tags.insert({ id, name: id, color: null, created_at: at, updated_at: at }).id;
}

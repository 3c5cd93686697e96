import { day } from '../../engine/clock';
import { hashOf, Random } from '../../engine/random';
import type { World } from '../../engine/world';
import type { SiteRow } from '../sites/rows';
import type { BackupStatus, Restore } from './rows';
import { changesOf, subsitesOf, subsiteTables } from './changes';

/** A table as it was at some time (Part B 2.8). */
export interface TableEntry {
	name: string;
	rows: number;
	size: number;
	created_at: string;
	status: BackupStatus;
}

const coreTables =
	'commentmeta,comments,links,options,postmeta,posts,term_relationships,term_taxonomy,termmeta,terms,usermeta,users'.split(
		',',
	);
const moreTables =
	'actionscheduler_actions,actionscheduler_logs,booking_slots,cookie_consents,form_entries,Mail_Log,redirects_404,shop_order_items,shop_sessions,slider_slides,statistics_visits'.split(
		',',
	);

/** The tables of a site as they were at a time (milliseconds), by name. */
export function tablesAt(world: World, site: SiteRow, at: number): TableEntry[] {
	const { skipped_tables: skipped, restores } = changesOf(world, site.id);
	const random = new Random(hashOf(site.id, 'tables'));
	const names = [
		...[...coreTables, ...random.sample(moreTables, random.integer(0, 8))].map(
			(name) => `wp_${name}`,
		),
		...subsitesOf(site).flatMap((subsite) =>
			coreTables.slice(0, 10).map((name) => subsiteTables(subsite) + name),
		),
	];
	return names.sort().map((name) => {
		const since = Date.parse(site.created_at);
		const age = Math.max(0, ageOf(name, at, restores) - since) / day;
		const base = hashOf(site.id, name);
		const rows = (base % 900) + Math.floor(age * ((base >>> 10) % 12));
		return {
			name,
			rows,
			size: 16_384 + rows * (60 + ((base >>> 20) % 400)),
			created_at: site.created_at,
			status: skipped.includes(name) ? 'skipped' : 'synced',
		};
	});
}

/** The time up to which a table has grown at `at`: a restore takes it back, from there it goes on. */
function ageOf(name: string, at: number, restores: readonly Restore[]): number {
	const past = restores.filter(
		({ database, tables, ...restore }) =>
			database && (!tables || tables.includes(name)) && Date.parse(restore.at) <= at,
	);
	const restore = past.at(-1);
	if (!restore) return at;
	return ageOf(name, Date.parse(restore.from), past.slice(0, -1)) + at - Date.parse(restore.at);
}

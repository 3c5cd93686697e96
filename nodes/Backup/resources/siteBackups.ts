import type { IDataObject } from 'n8n-workflow';
import type { Due, Feed } from '../../shared/polling/feed';
import { instantOf } from '../../shared/lib/instant';
import { valueAt } from '../../shared/lib/valueAt';
import { statusClass } from '../../shared/vocabulary/statusWords';
import type { Service } from '../../shared/client/service';
import { isOfRecord } from '../../shared/receive/errors';
import { newestSucceeded } from '../../shared/run/newestSnapshot';

export const HOUR_MS = 3_600_000;

export const isGood = (status: unknown) => statusClass('snapshot', status) === 'succeeded';
const hasFailed = (status: unknown) =>
	['failed', 'cancelled'].includes(statusClass('snapshot', status));

/** When a backup counts as overdue. */
export interface Overdue {
	/** Hours after the last good backup. */
	hours: number;
	/** Whether sites that have never had one count from the time when they were added. */
	includesNever: boolean;
	/** Minutes until the list of sites is read again. */
	everyMinutes: number;
}

/** The newest snapshot of a site, good or not. */
export const newestOf = (site: IDataObject) =>
	valueAt(site, 'backups.latest_snapshot') as IDataObject | null | undefined;

/** What is known of the last good backup besides its time. */
interface Backup extends Due {
	isNever?: true;
}

/**
 * Sites without a good backup for some hours: the newest snapshot tells, or where that is not a good one, the newest
 * good one, for which the site's snapshots are asked. Source: Part B, 2.1.
 * @param isAmong whether a site belongs to the scope
 * @param concerns whether its events are wanted
 */
export function overdueFeed(
	{ hours, includesNever, everyMinutes }: Overdue,
	query: IDataObject,
	scope: {
		choice: unknown;
		isAmong: (site: IDataObject) => boolean;
		concerns: (site: IDataObject) => boolean;
	},
): Feed {
	const afterMs = hours * HOUR_MS;
	const never = (site: IDataObject, due: Due): Backup => ({
		event: due.event,
		since: instantOf(site.created_at),
		afterMs: includesNever ? due.afterMs : Infinity,
		isNever: true,
	});
	return {
		due: {
			url: '/sites',
			query,
			choice: [scope.choice, hours, includesNever],
			everyMs: everyMinutes * 60_000,
			refindMs: afterMs / 2,
			samplesBy: 'last_sync_at,asc',
			concerns: scope.concerns,
			due: (site) => {
				const isOn = valueAt(site, 'backups.enabled') === true && scope.isAmong(site);
				const newest = newestOf(site);
				const since = instantOf(newest?.created_at);
				const due: Due = { event: 'backupOverdue', since, afterMs: isOn ? afterMs : Infinity };
				if (newest === null && !valueAt(site, 'backups.available_snapshots')) {
					return [never(site, due)];
				}
				if (isGood(newest?.status) && since === since) return [due];
				return [{ ...due, since: since || Infinity, isAtMost: true }];
			},
			find: async (service, site, due) => {
				const found = await lastGood(service, site);
				if (found === undefined) return undefined;
				if (found === null) return never(site, due);
				return { event: due.event, since: found, afterMs: due.afterMs };
			},
			json: (site, { since, isNever, isAtMost }: Backup, now) => ({
				...site,
				last_backup_at: isNever || isAtMost ? null : new Date(since).toISOString(),
				hours_since: isNever || isAtMost ? null : Math.floor((now - since) / HOUR_MS),
			}),
		},
	};
}

/** When the newest good snapshot of a site was made, which is no hacked one; null when there is none, undefined when that cannot be found. */
export async function lastGood(
	service: Service,
	{ id }: IDataObject,
): Promise<number | null | undefined> {
	const page = await newestSucceeded(service, String(id)).then((found) => [found], unlessOfRecord);
	if (!page) return undefined;
	const [snapshot] = page;
	if (!snapshot) return null;
	const time = instantOf(snapshot.created_at);
	return isGood(snapshot.status) && time === time ? time : undefined;
}

/** A record that is gone or cannot be read holds up no others; what is wrong with the account does. */
export function unlessOfRecord(error: unknown): undefined {
	if (isOfRecord(error)) return undefined;
	throw error;
}

/** How long before the time of a sync its snapshot can have been begun: a longer one may be that of an earlier sync. */
const LONGEST_MS = 6 * HOUR_MS;
const LONGEST_FAILED_MS = HOUR_MS;

/** How much later than the sync its snapshot can be, where the time of the sync is that of its beginning. */
const LATER_MS = 120_000;

/**
 * The snapshot that a sync has made, which is the newest one of the site where its time and its status fit; none where
 * it may be that of an earlier sync.
 * @param hasSucceeded whether the sync has succeeded
 */
export function snapshotOfSync(site: IDataObject, hasSucceeded: boolean): IDataObject {
	const newest = newestOf(site) ?? {};
	const age = instantOf(valueAt(site, 'sync.last_sync_at')) - instantOf(newest.created_at);
	const fits = hasSucceeded ? isGood(newest.status) : hasFailed(newest.status);
	const isOfSync = age >= -LATER_MS && age <= (hasSucceeded ? LONGEST_MS : LONGEST_FAILED_MS);
	if (!fits || !isOfSync) return {};
	return { snapshot_id: newest.id, snapshot_created_at: newest.created_at };
}

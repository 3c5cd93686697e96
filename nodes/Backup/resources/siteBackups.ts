import type { IDataObject } from 'n8n-workflow';
import type { Due, Feed } from '../../shared/polling/feed';
import { HOUR_MS, instantOf, valueAt } from '../../shared/lib';
import type { SiteScope } from '../../shared/resources/siteScope';
import { choiceOf, isAmong, isExcepted, scopeQuery } from '../../shared/resources/siteScope';
import { goodSince, isGood, isNeverBackedUp, latestOf } from '../../shared/vocabulary/snapshots';
import { statusClass } from '../../shared/vocabulary/values';
import type { CallContext } from '../../shared/n8n/context';
import { isOfRecord } from '../../shared/receive/errors';
import { newestSucceeded } from '../../shared/run/newestSnapshot';

const hasFailed = (status: unknown) =>
	['failed', 'cancelled'].includes(statusClass('snapshot', status));

/** When a backup counts as overdue. */
export interface Overdue {
	/** Hours after the last good backup. */
	hours: number;
	/** Whether to include sites without any backup, from the time they were added. */
	includesNever: boolean;
	/** Minutes until the list of sites is read again. */
	everyMinutes: number;
}

/** The last good backup of a site. */
interface Backup extends Due {
	isNever?: true;
}

/**
 * Sites without a good backup for some hours. If the newest snapshot is not good, find the newest good one among the
 * site's snapshots. Source: Part B, 2.1.
 */
export function overdueFeed(
	{ hours, includesNever, everyMinutes }: Overdue,
	scope: SiteScope,
): Feed {
	const afterMs = hours * HOUR_MS;
	const never = (site: IDataObject, due: Due): Backup => ({
		event: due.event,
		since: instantOf(site.created_at),
		afterMs: includesNever ? due.afterMs : Infinity,
		isNever: true,
	});
	return {
		kind: 'due',
		url: '/sites',
		query: scopeQuery(scope),
		choice: [choiceOf(scope), hours, includesNever],
		everyMs: everyMinutes * 60_000,
		refindMs: afterMs / 2,
		samplesBy: 'last_sync_at,asc',
		concerns: (site) => !isExcepted(scope, site),
		due: (site) => {
			const isOn = valueAt(site, 'backups.enabled') === true && isAmong(scope, site);
			const since = goodSince(site);
			const due: Due = { event: 'backupOverdue', since, afterMs: isOn ? afterMs : Infinity };
			if (isNeverBackedUp(site)) return [never(site, due)];
			if (!Number.isNaN(since)) return [due];
			return [{ ...due, since: instantOf(latestOf(site).created_at) || Infinity, isAtMost: true }];
		},
		find: async (context, site, due) => {
			const found = await lastGood(context, site);
			if (found === undefined) return undefined;
			if (found === null) return never(site, due);
			return { event: due.event, since: found, afterMs: due.afterMs };
		},
		json: (site, { since, isNever, isAtMost }: Backup, now) => ({
			...site,
			last_backup_at: isNever || isAtMost ? null : new Date(since).toISOString(),
			hours_since: isNever || isAtMost ? null : Math.floor((now - since) / HOUR_MS),
		}),
	};
}

/** When the newest good snapshot that is not hacked was made; null for none, undefined if unknown. */
export async function lastGood(
	context: CallContext,
	{ id }: IDataObject,
): Promise<number | null | undefined> {
	const page = await newestSucceeded(context, String(id)).then((found) => [found], unlessOfRecord);
	if (!page) return undefined;
	const [snapshot] = page;
	if (!snapshot) return null;
	const time = instantOf(snapshot.created_at);
	return isGood(snapshot.status) && !Number.isNaN(time) ? time : undefined;
}

/** Skip a record that is gone or unreadable; an error of the account is thrown. */
export function unlessOfRecord(error: unknown): undefined {
	if (isOfRecord(error)) return undefined;
	throw error;
}

/** Longest time between the creation of a snapshot and the end of its sync. */
const LONGEST_MS = 6 * HOUR_MS;
const LONGEST_FAILED_MS = HOUR_MS;

/** How much later than the sync a snapshot can be, if the sync's time is its start. */
const LATER_MS = 120_000;

/**
 * The newest snapshot, if its time and status fit this sync; otherwise none.
 * @param hasSucceeded whether the sync has succeeded
 */
export function snapshotOfSync(site: IDataObject, hasSucceeded: boolean): IDataObject {
	const newest = latestOf(site);
	const age = instantOf(valueAt(site, 'sync.last_sync_at')) - instantOf(newest.created_at);
	const fits = hasSucceeded ? isGood(newest.status) : hasFailed(newest.status);
	const isOfSync = age >= -LATER_MS && age <= (hasSucceeded ? LONGEST_MS : LONGEST_FAILED_MS);
	if (!fits || !isOfSync) return {};
	return { snapshot_id: newest.id, snapshot_created_at: newest.created_at };
}

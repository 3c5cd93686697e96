import type { IDataObject } from 'n8n-workflow';
import type { Feed, Occurrence } from '../../shared/polling/feed';
import { HOUR_MS, valueAt } from '../../shared/lib';
import { otherStatus } from '../../shared/resources/statusEvents';
import type { SiteScope } from '../../shared/resources/siteScope';
import { choiceOf, isInScope, scopeQuery } from '../../shared/resources/siteScope';
import { mayGoOn, statusClass } from '../../shared/vocabulary/values';
import { migrations, restores } from './backupTasks';
import type { Overdue } from './siteBackups';
import { overdueFeed } from './siteBackups';
import { optionsFrom } from '../../shared/describe';

/** The events of backups that a workflow can start on. */
export const backupEvents = optionsFrom({
	backupFailed: ['Backup Failed', 'A backup of a site (the API calls this sync) failed'],
	backupFinished: [
		'Backup Finished',
		'A backup of a site (the API calls this sync) finished successfully',
	],
	backupOverdue: [
		'Backup Overdue',
		'A site has had no good backup for the hours that you set. Reported once until there is a good backup again.',
	],
	migrationFailed: [
		'Migration Failed',
		'The migration of a backup to another host failed, was cancelled or was aborted',
	],
	migrationFinished: ['Migration Finished', 'A backup was migrated to another host'],
	otherStatus: [
		'Other Status',
		'A backup, restore or migration has a status that this node does not know. Reported once for each of them and each status. Reads all three lists.',
	],
	restoreFailed: ['Restore Failed', 'The restore of a backup failed, was cancelled or was aborted'],
	restoreFinished: ['Restore Finished', 'A backup was restored'],
});

/** How long a sync may stay open after its time. */
const SYNC_MS = 6 * HOUR_MS;

const text = (site: IDataObject, path: string) => String(valueAt(site, path) ?? '');

/** With backups disabled, a sync creates no snapshot. */
const isBackup = (scope: SiteScope, site: IDataObject) =>
	valueAt(site, 'backups.enabled') !== false && isInScope(scope, site);

/** Whether a site's last sync may still end. With an unknown status, only if the site is in scope. */
const isSyncOpen = (scope: SiteScope) => (site: IDataObject) => {
	const status = statusClass('snapshot', valueAt(site, 'sync.last_sync_status'));
	return status === 'underWay' || (status === 'unknown' && isBackup(scope, site));
};

/** The end of a site's last sync, or a status of it that is not known. Source: Part B, 2.1. */
function backupOccurrences(scope: SiteScope) {
	return (site: IDataObject): Occurrence[] => {
		const status = text(site, 'sync.last_sync_status');
		const at = text(site, 'sync.last_sync_at');
		if (!at || !status || !isBackup(scope, site)) return [];
		if (mayGoOn('snapshot', status)) return otherStatus('snapshot', status);
		const isFinished = statusClass('snapshot', status) === 'succeeded';
		return [{ key: 'end', event: isFinished ? 'backupFinished' : 'backupFailed' }];
	};
}

/** The lists that the chosen events need. Events of one list share its requests. */
export function backupFeeds(
	events: string[],
	scope: SiteScope,
	overdue: Overdue,
): Record<string, Feed> {
	const any = (...names: string[]) => names.some((name) => events.includes(name));
	const feeds: Record<string, Feed> = {};
	if (any('backupFinished', 'backupFailed', 'otherStatus')) {
		feeds.backups = {
			kind: 'timed',
			url: '/sites',
			timeField: 'last_sync_at',
			isSparse: true,
			time: (site) => text(site, 'sync.last_sync_at'),
			id: (site) => `${String(site.id)} ${text(site, 'sync.last_sync_at')}`,
			query: scopeQuery(scope),
			choice: choiceOf(scope),
			occurrences: backupOccurrences(scope),
			isOpen: isSyncOpen(scope),
			openForMs: SYNC_MS,
		};
	}
	if (any('backupOverdue')) feeds.overdue = overdueFeed(overdue, scope);
	if (any('restoreFinished', 'restoreFailed', 'otherStatus')) feeds.restores = restores(scope);
	if (any('migrationFinished', 'migrationFailed', 'otherStatus')) {
		feeds.migrations = migrations(scope);
	}
	return feeds;
}

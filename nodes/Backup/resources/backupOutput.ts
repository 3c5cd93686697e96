import type { IDataObject } from 'n8n-workflow';
import { shownAt } from '../../shared/client/allowed';
import { recordAt } from '../../shared/client/records';
import { outputOf } from '../../shared/describe/output';
import { HOUR_MS, instantOf, recordIn, valueAt } from '../../shared/lib';
import type { CallContext } from '../../shared/n8n/context';
import type { EventDetails, Feed } from '../../shared/polling/feed';
import { orUnread } from '../../shared/receive/errors';
import { errorOf, taskAbout, taskSites } from '../../shared/receive/task';
import { clientName } from '../../shared/resources/outputs';
import { withoutPassword } from '../../shared/resources/siteRecords';
import type { SiteScope } from '../../shared/resources/siteScope';
import { taskEnd, taskFeed } from '../../shared/resources/statusEvents';
import { goodSince, isGood, latestOf } from '../../shared/vocabulary/snapshots';
import { hasFailed, mayGoOn } from '../../shared/vocabulary/values';

/** Restores and migrations are tasks, which have the IDs of their sites but no names or tags. */

const FAILED = ['restoreFailed', 'migrationFailed'];

const idsOf = (task: IDataObject) => taskSites(task).flatMap(({ id }) => (id ? String(id) : []));

/** The IDs of sites that may be in the scope. */
function candidates(scope: SiteScope, task: IDataObject): string[] {
	const ids = idsOf(task);
	return scope.ids ? ids.filter((id) => scope.ids!.includes(id)) : ids;
}

/** The tasks of a type. Source: Part A, 2.9 and 4.8. One without a site counts: a lost alarm is worse than an extra one. */
export function tasksOf(type: string, event: string, scope: SiteScope): Feed {
	const [finished, failed] = [`${event}Finished`, `${event}Failed`];
	const ends = { succeeded: finished, failed, cancelled: failed };
	const isWanted = (task: IDataObject) =>
		candidates(scope, task).length > 0 || idsOf(task).length === 0;
	const feed = taskFeed([type], scope.choice, isWanted, (task) => taskEnd(task, ends));
	return { ...feed, events: [finished, failed, 'otherStatus'] };
}

/** Reads the site of a task, which decides whether the event counts, and the steps of a failed one. */
export const taskDetails = (scope: SiteScope): EventDetails => ({
	feeds: ['restores', 'migrations'],
	read: async (context, json) => {
		// In parallel: a poll of a slow service may lack the time for two reads.
		const [site, steps] = await Promise.all([
			siteOf(context, scope, json),
			FAILED.includes(String(json.event)) ? stepsOf(context, json) : {},
		]);
		if (site === undefined) return null;
		return { json: { ...json, ...steps, site: site && withoutPassword(site) } };
	},
	without: { site: null },
});

/** The site of a task in the scope; undefined for none, null if unknown. */
async function siteOf(context: CallContext, scope: SiteScope, task: IDataObject) {
	let isSure = idsOf(task).length > 0;
	const isShown = await shownAt(context, '/sites');
	for (const id of candidates(scope, task)) {
		if (isShown?.({ id }) === false) continue;
		const site = await recordAt(context, `/sites/${encodeURIComponent(id)}`);
		if (site && scope.has(site)) return site;
		isSure &&= site !== undefined;
	}
	return isSure ? undefined : null;
}

/** The steps that show why it failed. An alarm does not wait for them. */
async function stepsOf(context: CallContext, { id }: IDataObject): Promise<IDataObject> {
	const task = await orUnread(recordAt(context, `/tasks/${encodeURIComponent(String(id))}`));
	return task?.details === undefined ? {} : { details: task.details };
}

/** Output of the trigger: a site after a sync or overdue, or a task with its site. */

/** Whether an item is a task: it then has a `site`, or null. */
const isOfTask = (json: IDataObject): boolean => Object.hasOwn(json, 'site');

/** The site of an item, from the item itself or from its task. */
const siteIn = (json: IDataObject): IDataObject => (isOfTask(json) ? recordIn(json.site) : json);

type From = (json: IDataObject) => unknown;

/** A value of the site, from an item that is the site or contains it. */
const ofSite =
	(path: string): From =>
	(json) =>
		valueAt(siteIn(json), path);

/** A value from a task, or from the site of a sync. */
const either =
	(ofTask: From, ofSync: From): From =>
	(json) =>
		isOfTask(json) ? ofTask(json) : ofSync(json);

/** Longest time between the creation of a snapshot and the end of its sync. */
const LONGEST_MS = 6 * HOUR_MS;
const LONGEST_FAILED_MS = HOUR_MS;

/** How much later than the sync a snapshot can be, if the sync's time is its start. */
const LATER_MS = 120_000;

/** The snapshot made by the sync of this event: the newest one, if its time and status fit. */
function madeSnapshot(json: IDataObject): IDataObject {
	const { event } = json;
	const isFinished = event === 'backupFinished';
	if (!isFinished && event !== 'backupFailed') return {};
	const { id, status, created_at: at } = latestOf(json);
	const age = instantOf(valueAt(json, 'sync.last_sync_at')) - instantOf(at);
	const isInTime = age >= -LATER_MS && age <= (isFinished ? LONGEST_MS : LONGEST_FAILED_MS);
	const fits = isFinished ? isGood(status) : hasFailed('snapshot', status);
	return fits && isInTime ? { snapshot_id: id, snapshot_created_at: at } : {};
}

const syncEndedAt: From = ({ sync }) => {
	const { last_sync_status: status, last_sync_at: at } = recordIn(sync);
	return mayGoOn('snapshot', status) ? undefined : at;
};

/** When the last good backup was made, if the record shows it. */
const lastBackupAt: From = (json) => {
	const { event, last_backup_at: found } = json;
	if (event === 'backupOverdue') return found;
	const site = siteIn(json);
	if (Number.isNaN(goodSince(site))) return undefined;
	const newest = latestOf(site).created_at;
	return event === 'backupFinished' ? madeSnapshot(json).snapshot_created_at : newest;
};

/** The snapshot that a task restores or migrates. Its place is an assumption. */
const taskSnapshotId: From = (task) => taskSites(task)[0]?.snapshot_id;

/** Part A, 2.9; Part B, 2.1. */
export const backupOutput = outputOf(
	{
		site_title: ofSite('title'),
		site_url: ofSite('url'),
		status: either(({ status }) => status, ofSite('sync.last_sync_status')),
		error: either(errorOf, ofSite('sync.last_sync_error')),
		scanner_status: ofSite('security.scanner.status'),
		hours_since: ({ hours_since: hours }) => hours,
		ended_at: either(taskAbout.ended_at as From, syncEndedAt),
		last_backup_at: lastBackupAt,
		snapshot_created_at: (json) => madeSnapshot(json).snapshot_created_at,
		// Also if its record cannot be read.
		site_id: (json) => siteIn(json).id ?? idsOf(json)[0],
		snapshot_id: either(taskSnapshotId, (json) => madeSnapshot(json).snapshot_id),
		task_id: (json) => (isOfTask(json) ? json.id : undefined),
		client_id: ofSite('client.id'),
		client_name: (json) => clientName(siteIn(json)),
		tag_ids: ofSite('tags.id'),
		tag_names: ofSite('tags.name'),
	},
	[
		...['backups', 'backups.latest_snapshot', 'connection.status', 'created_at', 'details'],
		...['input', 'site', 'sync', 'sync.last_sync_at', 'sync.next_sync_at', 'tags'],
		...['type', 'updated_at', 'uptime.status'],
	],
);

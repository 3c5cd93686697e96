import type { IDataObject, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { namesIn, number, outputFields, queryOptions, toggle } from '../shared/describe';
import type { Settings } from '../shared/input/field';
import { HOUR_MS, instantOf, omit, valueAt } from '../shared/lib';
import type { CallContext } from '../shared/n8n/context';
import { documentation, eventNames, eventsField, methods, pollOf, triggerOf } from '../shared/node';
import type { Due, Feed } from '../shared/polling/feed';
import { simplified } from '../shared/receive/output';
import { exceptTags, scopeFields, scopeOf, type SiteScope } from '../shared/resources/siteScope';
import { otherStatus } from '../shared/resources/statusEvents';
import { lastGood } from '../shared/run/newestSnapshot';
import { goodSince, isNeverBackedUp, latestOf } from '../shared/vocabulary/snapshots';
import { mayGoOn, statusClass } from '../shared/vocabulary/values';
import { backupOutput, taskDetails, tasksOf } from './resources/backupOutput';

const events = eventsField(
	{
		backupFailed: ['Backup Failed', 'A backup of a site (the API calls this sync) failed'],
		backupFinished: [
			'Backup Finished',
			'A backup of a site (the API calls this sync) finished successfully',
		],
		backupOverdue: [
			'Backup Overdue',
			'A site with backups on has had no good backup for the hours that you set. Reported once until there is a new one.',
		],
		migrationFailed: [
			'Migration Failed',
			'The migration of a backup to another host failed, was cancelled or was aborted',
		],
		migrationFinished: ['Migration Finished', 'A backup was migrated to another host'],
		otherStatus: [
			'Other Status',
			'A backup, restore or migration has a status that this node does not know. Reported once for each status.',
		],
		restoreFailed: [
			'Restore Failed',
			'The restore of a backup failed, was cancelled or was aborted',
		],
		restoreFinished: ['Restore Finished', 'A backup was restored'],
	},
	['backupFailed'],
	'What starts the workflow, each time it happens to a site',
);

const overdueHours = number('overdueHours', 'Overdue After (Hours)', {
	typeOptions: { minValue: 1, maxValue: 8760 },
	default: 36,
	required: true,
	displayOptions: { show: { events: ['backupOverdue'] } },
	description:
		'How many hours after its last good backup a site is overdue. Sites that are already overdue when you publish the workflow are not reported.',
});

const includesNever = toggle('includeSitesWithoutBackups', 'Include Sites Without Backups', {
	default: true,
	displayOptions: { show: { '/events': ['backupOverdue'] } },
	description:
		'Whether to report sites that have never been backed up. For these, the hours count from when the site was added.',
});

const everyMinutes = number('checkEveryMinutes', 'Check Every (Minutes)', {
	typeOptions: { minValue: 1, maxValue: 1440 },
	default: 60,
	required: true,
	displayOptions: { show: { events: ['backupOverdue'] } },
	description:
		'Minimum minutes between two checks for overdue backups. Each check reads all sites: one request for every 100 sites, and more for each site that is hacked or whose newest backup failed.',
});

const parameters = [
	events,
	overdueHours,
	everyMinutes,
	...scopeFields,
	...outputFields(backupOutput.fields),
	...queryOptions([exceptTags, includesNever]),
];

/** The ends of the last syncs of sites, and their unknown statuses. Source: Part B, 2.1. */
function syncs(scope: SiteScope): Feed {
	const statusOf = (site: IDataObject) => valueAt(site, 'sync.last_sync_status');
	const timeOf = (site: IDataObject) => String(valueAt(site, 'sync.last_sync_at') ?? '');
	// With backups disabled, a sync creates no snapshot.
	const isBackup = (site: IDataObject) =>
		valueAt(site, 'backups.enabled') !== false && scope.has(site);
	return {
		kind: 'timed',
		url: '/sites',
		timeField: 'last_sync_at',
		time: timeOf,
		id: (site) => `${String(site.id)} ${timeOf(site)}`,
		query: scope.query,
		choice: scope.choice,
		events: ['backupFinished', 'backupFailed', 'otherStatus'],
		occurrences: (site) => {
			const status = statusOf(site);
			if (!timeOf(site) || !status || !isBackup(site)) return [];
			if (mayGoOn('snapshot', status)) return otherStatus('snapshot', status);
			const isFinished = statusClass('snapshot', status) === 'succeeded';
			return [{ key: 'end', event: isFinished ? 'backupFinished' : 'backupFailed' }];
		},
		isOpen: (site) => {
			const status = statusClass('snapshot', statusOf(site));
			return status === 'underWay' || (status === 'unknown' && isBackup(site));
		},
		openForMs: 6 * HOUR_MS,
	};
}

/** The last good backup of a site. */
interface Backup extends Due {
	isNever?: true;
}

/** Sites without a good backup for some hours. Where the newest snapshot may not be good, finds the newest good one. */
function overdueFeed(set: Settings, scope: SiteScope, context: CallContext): Feed {
	const hours = Number(set[overdueHours.name]);
	const hasNever = set[includesNever.name] !== false;
	const afterMs = hours * HOUR_MS;
	const never = (site: IDataObject, due: Due): Backup => ({
		event: due.event,
		since: instantOf(site.created_at),
		afterMs: hasNever || !isNeverBackedUp(site) ? due.afterMs : Infinity,
		isNever: true,
	});
	return {
		kind: 'due',
		url: '/sites',
		query: scope.query,
		choice: [scope.choice, hours, hasNever],
		events: ['backupOverdue'],
		everyMs: Number(set[everyMinutes.name]) * 60_000,
		refindMs: afterMs / 2,
		samplesBy: 'last_sync_at,asc',
		concerns: (site) => !scope.isExcepted(site),
		due: (site) => {
			const isOn = valueAt(site, 'backups.enabled') === true && scope.isAmong(site);
			const since = goodSince(site);
			const due: Due = { event: 'backupOverdue', since, afterMs: isOn ? afterMs : Infinity };
			if (isNeverBackedUp(site)) return [never(site, due)];
			if (!Number.isNaN(since)) return [due];
			return [{ ...due, since: instantOf(latestOf(site).created_at) || Infinity, isAtMost: true }];
		},
		find: async (site, due) => {
			const found = await lastGood(context, site);
			if (found === null) return never(site, due);
			if (found === undefined) return undefined;
			return { event: due.event, since: instantOf(found), afterMs: due.afterMs };
		},
		json: (site, { since, isNever, isAtMost }: Backup, now) => ({
			...site,
			last_backup_at: isNever || isAtMost ? null : new Date(since).toISOString(),
			hours_since: isNever || isAtMost ? null : Math.floor((now - since) / HOUR_MS),
		}),
	};
}

export class BackupTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Backup Trigger',
		name: 'backupTrigger',
		icon: {
			light: 'file:../../icons/backup.svg',
			dark: 'file:../../icons/backup.dark.svg',
		},
		documentationUrl: documentation('nodes.md#site-management-backup-trigger'),
		subtitle: eventNames(events),
		description:
			'Back up, restore and migrate sites, download and upload backups, or start a workflow when a backup, restore or migration ends, or a backup is overdue',
		defaults: { name: 'Backup Trigger' },
		...triggerOf(parameters, namesIn(backupOutput.simplified, 'event')),
	};

	methods = methods;

	poll = pollOf(parameters, (set, context) => {
		const scope = scopeOf(set);
		const toOutput = simplified(backupOutput.simplified, set, ['event']);
		return {
			feeds: {
				backups: syncs(scope),
				overdue: overdueFeed(set, scope, context),
				restores: tasksOf('restore', 'restore', scope),
				migrations: tasksOf('migrate', 'migration', scope),
			},
			details: taskDetails(scope),
			// Null would say that a site has no good backup, which only Backup Overdue knows.
			shape: (record) => {
				const item = toOutput(record);
				const isUnknown = (name: string) => record.event !== 'backupOverdue' && item[name] === null;
				return omit(item, ...['last_backup_at', 'hours_since'].filter(isUnknown));
			},
			what: 'backup',
			nothingToShow:
				'No site and none of the 100 most recently changed tasks matches the chosen events right now. Choose more events or more sites, or try again after such an event.',
		};
	});
}

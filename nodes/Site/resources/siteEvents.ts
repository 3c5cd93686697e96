import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';
import { omit } from '../../shared/lib/omit';
import type { Feed, Occurrence } from '../../shared/polling/feed';
import { valueAt } from '../../shared/receive/output';
import { otherStatus, otherStatusEvent } from '../../shared/resources/otherStatus';
import type { StatusKind } from '../../shared/vocabulary/statusWords';
import { mayGoOn, statusClass } from '../../shared/vocabulary/statusWords';
import type { Overdue } from './siteBackups';
import { overdueFeed, snapshotOfSync } from './siteBackups';

/** The events of a site that a workflow can start on. */
export const siteEvents: INodePropertyOptions[] = [
	{
		name: 'Backup Failed',
		value: 'backupFailed',
		description: 'A sync, which backs up the site, did not succeed',
	},
	{
		name: 'Backup Finished',
		value: 'backupFinished',
		description: 'A sync, which backs up the site, succeeded',
	},
	{
		name: 'Backup Overdue',
		value: 'backupOverdue',
		description:
			'A site has had no good backup for the hours that you set. Reported once until there is a good backup again.',
	},
	{
		name: 'Disconnected',
		value: 'disconnected',
		description:
			'The service can no longer reach the site. A new site counts as disconnected until it is connected. A site that gets the tag or client while it is disconnected does not start the workflow.',
	},
	{
		name: 'Down',
		value: 'down',
		description: 'Uptime monitoring found the site down',
	},
	{
		name: 'Malware Cleared',
		value: 'malwareCleared',
		description:
			'The malware scan found a hacked site clean again. Also choose Malware Found, so that no event is missed when n8n restarts.',
	},
	{
		name: 'Malware Found',
		value: 'malwareFound',
		description: 'The malware scan found the site hacked',
	},
	otherStatusEvent(
		'A sync, which backs up the site, has a status that this node does not know. Reported once for each sync and status.',
	),
	{
		name: 'Reconnected',
		value: 'reconnected',
		description:
			'The service can reach a disconnected site again. Also choose Disconnected, so that no event is missed when n8n restarts.',
	},
	{
		name: 'Site Added',
		value: 'siteAdded',
		description:
			'A site was added to the account. If you limit the trigger to a tag or client, the event comes once the site has it, within a day.',
	},
	{
		name: 'Up',
		value: 'up',
		description:
			'Uptime monitoring found a site up again that was down. Also choose Down, so that no event is missed when n8n restarts.',
	},
];

/** Which sites the events are about. */
export type SiteScope = (
	{ all: true } | { tagId: string } | { clientId: string } | { siteIds: readonly string[] }
) & {
	/** Sites with one of these tags start nothing. */
	exceptTagIds?: readonly string[];
};

export interface Choice {
	events: readonly string[];
	scope: SiteScope;
	overdue: Overdue;
}

const hasTag = ({ tags }: IDataObject, ids: readonly string[]) =>
	((tags ?? []) as IDataObject[]).some(({ id }) => ids.includes(String(id)));

/** Whether a site starts nothing although it is among those of the scope. */
const isExcepted = ({ exceptTagIds = [] }: SiteScope, site: IDataObject) =>
	hasTag(site, exceptTagIds);

/** Whether the events of a site are wanted, as its record tells. */
export const isInScope = (scope: SiteScope, site: IDataObject) =>
	isAmong(scope, site) && !isExcepted(scope, site);

/** Whether a site is among those of the scope. */
function isAmong(scope: SiteScope, site: IDataObject): boolean {
	if ('tagId' in scope) return hasTag(site, [scope.tagId]);
	if ('clientId' in scope) return String(valueAt(site, 'client.id') ?? '') === scope.clientId;
	return 'siteIds' in scope ? scope.siteIds.includes(String(site.id)) : true;
}

/**
 * What tells one scope from another, which the query does not always: another one begins anew. What a site that is
 * excepted has done is noted all the same, so that other tags for that begin nothing anew.
 */
const choiceOf = (scope: SiteScope): unknown =>
	'siteIds' in scope ? [...scope.siteIds].sort() : omit(scope, 'exceptTagIds');

/**
 * The filters for the scope: a single site is asked for alone. What belongs to all others is told on this side, since
 * a site may come into the scope, which is no event: lists of the scope would not tell it from what has happened.
 */
const scopeQuery = (scope: SiteScope): IDataObject =>
	'siteIds' in scope && scope.siteIds.length === 1 ? { 'filters[id:eq]': scope.siteIds[0]! } : {};

const HOUR_MS = 3_600_000;

/** How long a sync may take whose status is set later than its time. */
const SYNC_MS = 6 * HOUR_MS;

/** How long a new site may take to get the tag or the client of the scope. */
const JOIN_MS = 24 * HOUR_MS;

const text = (site: IDataObject, path: string) => String(valueAt(site, path) ?? '');

/** Without backups a sync makes no snapshot. */
const isBackup = (scope: SiteScope, site: IDataObject) =>
	valueAt(site, 'backups.enabled') !== false && isInScope(scope, site);

/** Whether a site's last sync may still end; one in a status that is not known counts if the site does by then. */
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

/** A site that was added, and is in the scope by now. */
const addedOccurrences =
	(scope: SiteScope) =>
	(site: IDataObject): Occurrence[] =>
		isInScope(scope, site) ? [{ key: 'added', event: 'siteAdded' }] : [];

/** A bad state that a site comes into and leaves again. */
interface SiteState {
	/** The filter that lets only such sites through. */
	filter: string;
	/** The values of the filter while it lasts and once it is over. */
	bad: string;
	good: string;
	/** Where a record tells the state, and by which words. */
	path: string;
	words: StatusKind;
	/** Where a record tells whether the service looks at all: without that, "good" means nothing. */
	watched?: string;
	entered: string;
	left: string;
}

/** Source: Part B, 2.1 and 4.1; the values of `uptime` are not given there, except that a status can be `up`. */
const states: Record<string, SiteState> = {
	connection: {
		filter: 'connection_status:eq',
		path: 'connection.status',
		words: 'connection',
		bad: 'disconnected',
		good: 'connected',
		entered: 'disconnected',
		left: 'reconnected',
	},
	malware: {
		filter: 'scanner_status:eq',
		path: 'security.scanner.status',
		words: 'scanner',
		bad: 'hacked',
		good: 'clean',
		watched: 'security.enabled',
		entered: 'malwareFound',
		left: 'malwareCleared',
	},
	uptime: {
		filter: 'uptime:eq',
		path: 'uptime.status',
		words: 'uptime',
		bad: 'down',
		good: 'up',
		watched: 'uptime.enabled',
		entered: 'down',
		left: 'up',
	},
};

const recordUrl = (id: string) => `/sites/${id}`;

const changedAt = {
	field: 'updated_at',
	time: (site: IDataObject) => String(site.updated_at ?? ''),
};

function stateFeed(state: SiteState, scope: SiteScope): Feed {
	const { filter, bad, good, watched, entered, left } = state;
	const stateOf = (site: IDataObject) => statusClass(state.words, valueAt(site, state.path));
	const of = (status: string) => ({ ...scopeQuery(scope), [`filters[${filter}]`]: status });
	return {
		state: {
			url: '/sites',
			query: () => of(bad),
			leftQuery: () => of(good),
			choice: choiceOf(scope),
			changed: changedAt,
			entered,
			left,
			recordUrl,
			isIn: (site) => stateOf(site) === 'bad',
			concerns: (site) => isInScope(scope, site),
			hasLeft: (site) =>
				stateOf(site) === 'good' && (watched === undefined || valueAt(site, watched) !== false),
		},
	};
}

/** The lists to read for the chosen events, and no others: events of the same list share its requests. */
export function siteFeeds(choice: Choice): Record<string, Feed> {
	const { events, scope, overdue } = choice;
	const any = (...names: string[]) => names.some((name) => events.includes(name));
	const feeds: Record<string, Feed> = {};
	if (any('backupFinished', 'backupFailed', 'otherStatus')) {
		feeds.backups = {
			timed: {
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
			},
		};
	}
	if (any('siteAdded')) {
		const waits = 'tagId' in scope || 'clientId' in scope;
		feeds.added = {
			timed: {
				url: '/sites',
				timeField: 'created_at',
				choice: choiceOf(scope),
				occurrences: addedOccurrences(scope),
				onlyNew: true,
				...(waits && { isOpen: (site) => !isAmong(scope, site), openForMs: JOIN_MS }),
			},
		};
	}
	if (any('backupOverdue')) {
		feeds.overdue = overdueFeed(overdue, scopeQuery(scope), {
			choice: choiceOf(scope),
			isAmong: (site) => isAmong(scope, site),
			concerns: (site) => !isExcepted(scope, site),
		});
	}
	for (const [name, state] of Object.entries(states)) {
		if (any(state.entered, state.left)) feeds[name] = stateFeed(state, scope);
	}
	return feeds;
}

/** What an item has beside the record of its site, in each form of the output. */
export const siteFacts = [
	'event',
	'since',
	'last_backup_at',
	'backup_age_hours',
	'snapshot_id',
	'snapshot_created_at',
	'snapshot_status',
];

/** A site with what a message about its event needs. */
export function withFacts(json: IDataObject): IDataObject {
	const { event } = json;
	if (event === 'backupFinished') return { ...json, ...snapshotOfSync(json, true) };
	if (event === 'backupFailed') return { ...json, ...snapshotOfSync(json, false) };
	const since = valueAt(json, 'security.scanner.malware_detected_at');
	return event === 'malwareFound' && since ? { ...json, since } : json;
}

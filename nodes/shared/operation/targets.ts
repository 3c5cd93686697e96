import { type Check, CHECKS } from '../input/controls';
import { type LocatorName, recordLabel } from '../input/locators';
import { idsOf, type Operation } from './index';

/** Where to read the record of an ID, and the places of the fields that identify it. */
export interface Target extends Partial<Record<Check, string>> {
	/** Path of the record, or of its list if it has no path. */
	path: string;
	/** Whether its list has no pages. */
	isUnpaged?: true;
	/** Whether many share a name by design, such as monthly reports; then the name does not identify one. */
	sharesNames?: true;
	/** Another field that the path can use instead of the ID. Source: Part A, 4.4. */
	alsoBy?: string;
	/** Place of the IDs of its sites. */
	sites?: string;
	/** Place of a value with which it has all sites, and that value. */
	allSites?: readonly [place: string, value: unknown];
}

export const targets: Partial<Record<LocatorName, Target>> = {
	backupDestinationId: {
		path: '/backup-destinations/{backupDestinationId}',
		isUnpaged: true,
		alsoBy: 'provider',
		name: 'name',
		email: 'email',
	},
	clientId: {
		path: '/clients/{clientId}',
		sharesNames: true,
		name: 'company_name',
		email: 'email',
		sites: 'site_ids',
	},
	customWorkId: {
		path: '/sites/{siteId}/custom-works/{customWorkId}',
		sharesNames: true,
		name: 'title',
	},
	importantPageId: { path: '/sites/{siteId}/important-pages', url: 'url' },
	managedAccountId: { path: '/managed-accounts', name: 'company_name', email: 'email' },
	noteId: { path: '/sites/{siteId}/notes/{noteId}' },
	reportId: { path: '/reports/{reportId}', sharesNames: true, url: 'site.url', name: 'title' },
	reportTemplateId: { path: '/report-templates/{reportTemplateId}', name: 'name' },
	scheduleId: {
		path: '/auto-update-schedules/{scheduleId}',
		name: 'name',
		sites: 'scope.sites.ids',
		allSites: ['scope.sites.selection', 'all'],
	},
	scheduledReportId: {
		path: '/scheduled-reports/{scheduledReportId}',
		sharesNames: true,
		url: 'site.url',
		name: 'title',
	},
	senderEmailId: { path: '/sender-emails/{senderEmailId}', name: 'name', email: 'email' },
	siteId: { path: '/sites/{siteId}', url: 'url', name: 'title' },
	snapshotId: { path: '/sites/{siteId}/snapshots/{snapshotId}' },
	stagingSiteId: { path: '/staging-sites/{stagingSiteId}', url: 'url' },
	tagId: { path: '/tags/{tagId}', name: 'name', sites: 'site_ids' },
	taskId: { path: '/tasks/{taskId}', sites: 'input.sites' },
	teamMemberId: {
		path: '/team-members/{teamMemberId}',
		name: 'name',
		email: 'email',
		sites: 'site_ids',
		allSites: ['all_sites_access', true],
	},
};

export const identifyingPlaces = (target: Target) => CHECKS.flatMap((check) => target[check] ?? []);

export const listPath = ({ path }: Target) => path.replace(/\/\{\w+\}$/, '');

/** The record that Only If checks; `label` is its name in messages, such as `site`. */
export type Checked = NonNullable<ReturnType<typeof checkedBy>>;

/** The overwritten site, each record in the body, or the first record in the route with a URL, name or email. */
export function checkedBy(operation: Pick<Operation, 'route' | 'overwrites' | 'guards'>) {
	const { route, overwrites, guards } = operation;
	const canBeChecked = (id: LocatorName) => CHECKS.some((check) => targets[id]?.[check]);
	const id = guards?.id ?? (overwrites ? 'siteId' : idsOf(route).find(canBeChecked));
	if (!id) return undefined;
	return { id, label: overwrites ? 'destination' : recordLabel(id), target: targets[id]! };
}

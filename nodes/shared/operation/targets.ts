import type { LocatorName } from '../input/locators';
import { CHECKS } from '../input/controls';
import type { Operation } from './index';
import { idsOf } from './index';

/** Where to read the record of an ID, and the places of the fields that identify it. */
export interface Target {
	/** Name of such a record, such as `site`. */
	label: string;
	/** Path of the record, or of its list if it has no path. */
	path: string;
	isListed?: true;
	/** Whether its list has no pages. */
	isUnpaged?: true;
	/** Whether many share a name by design, such as monthly reports; then the name does not identify one. */
	sharesNames?: true;
	/** Another field that the path can use instead of the ID. */
	alsoBy?: string;
	url?: string;
	name?: string;
	email?: string;
}

export const targets: Partial<Record<LocatorName, Target>> = {
	backupDestinationId: {
		label: 'backup destination',
		path: '/backup-destinations/{backupDestinationId}',
		isUnpaged: true,
		alsoBy: 'provider',
		name: 'name',
		email: 'email',
	},
	clientId: { label: 'client', path: '/clients/{clientId}', email: 'email' },
	customWorkId: {
		label: 'custom work',
		path: '/sites/{siteId}/custom-works/{customWorkId}',
		sharesNames: true,
		name: 'title',
	},
	importantPageId: {
		label: 'important page',
		path: '/sites/{siteId}/important-pages',
		isListed: true,
		url: 'url',
	},
	managedAccountId: {
		label: 'managed account',
		path: '/managed-accounts',
		isListed: true,
		name: 'company_name',
		email: 'email',
	},
	noteId: { label: 'note', path: '/sites/{siteId}/notes/{noteId}' },
	reportId: {
		label: 'report',
		path: '/reports/{reportId}',
		sharesNames: true,
		url: 'site.url',
		name: 'title',
	},
	reportTemplateId: {
		label: 'report template',
		path: '/report-templates/{reportTemplateId}',
		name: 'name',
	},
	scheduleId: { label: 'schedule', path: '/auto-update-schedules/{scheduleId}', name: 'name' },
	scheduledReportId: {
		label: 'scheduled report',
		path: '/scheduled-reports/{scheduledReportId}',
		sharesNames: true,
		url: 'site.url',
		name: 'title',
	},
	senderEmailId: {
		label: 'sender email',
		path: '/sender-emails/{senderEmailId}',
		name: 'name',
		email: 'email',
	},
	siteId: { label: 'site', path: '/sites/{siteId}', url: 'url', name: 'title' },
	snapshotId: { label: 'snapshot', path: '/sites/{siteId}/snapshots/{snapshotId}' },
	stagingSiteId: { label: 'staging site', path: '/staging-sites/{stagingSiteId}', url: 'url' },
	tagId: { label: 'tag', path: '/tags/{tagId}', name: 'name' },
	taskId: { label: 'task', path: '/tasks/{taskId}' },
	teamMemberId: {
		label: 'team member',
		path: '/team-members/{teamMemberId}',
		name: 'name',
		email: 'email',
	},
};

/** Path of the list of a target. */
export const listPath = ({ path }: Target) => path.replace(/\/\{\w+\}$/, '');

/**
 * The record that Only If checks: the overwritten site, or the first in the route with a URL, name or email,
 * such as the site of a note.
 */
export function checkedBy({
	route,
	overwrites,
}: Pick<Operation, 'route' | 'overwrites'>): { id: LocatorName; target: Target } | undefined {
	if (overwrites) return { id: 'siteId', target: { ...targets.siteId!, label: 'destination' } };
	for (const id of idsOf(route)) {
		const target = targets[id];
		if (target && CHECKS.some((check) => target[check])) return { id, target };
	}
	return undefined;
}

import type { LocatorName } from '../input/locators';
import { CHECKS } from '../input/controls';
import type { Operation } from './index';
import { idsOf } from './index';

/** Where the record of an id is read, and what tells it from others: places in the record. */
export interface Target {
	/** What it is called: `site`. */
	label: string;
	/** Its path; that of a list which has it where it has none of its own. */
	path: string;
	isListed?: true;
	/** Whether its list comes as a whole, without pages. */
	isUnpaged?: true;
	/** Whether many have the same name by design, such as the monthly reports: it does not say which one it is. */
	sharesNames?: true;
	/** A field that the path can name in the place of the id. */
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

/**
 * The record that Only If looks at: the site that is overwritten, or the first of the route that has something to
 * tell it by, such as the site of a note.
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

import type { PlanFeature } from '../../../sandbox/service/domain/account/rows';
import { errorStatuses } from '../../../sandbox/service/http/statuses';
import { routes } from '../../../sandbox/service/modules';
import { bodies } from './errorBodies';
import { at, atSite, atSnapshot, type ErrorCase } from './errorRequests';
import { byRule } from './errorRules';

/** What the plans of a few sites of the fleet lack (Part B 3, 4.7 and 4.8). */
const bySitePlan = (
	[
		['backups', ['enableSiteBackups', 'disableSiteBackups']],
		['performance', ['listSiteImportantPages', 'deleteSiteImportantPage']],
		['activity_logs', ['enableSiteActivityLogs', 'disableSiteActivityLogs']],
	] as const
).flatMap(([feature, operations]) =>
	operations.map((id): ErrorCase => [
		id,
		422,
		`a site whose plan has no ${feature}`,
		async (fleet) => ({ params: await fleet.siteWithout(feature) }),
	]),
);

/** The operations below a path that can be refused, where nothing but the plan refuses them. */
function below(path: string): Record<string, string> {
	const those = routes.filter((each) => each.path.startsWith(path));
	const refused = those.filter((each) => errorStatuses(each).includes(422));
	return Object.fromEntries(
		refused.map((each) => [each.operationId, each.path.includes('{') ? path : '']),
	);
}

/** What nothing but the plan can refuse. */
const needed: Partial<Record<PlanFeature, Record<string, string>>> = {
	plugin_branding: { updatePluginBranding: '', resetPluginBranding: '' },
	wp_login: { updateWpLogin: '', resetWpLogin: '' },
	auto_updates: { deleteAutoUpdateSchedule: '/auto-update-schedules' },
	scheduled_reports: { deleteScheduledReport: '/scheduled-reports' },
	notes: { createSiteNote: '/sites', updateSiteNote: '/sites', deleteSiteNote: '/sites' },
	site_settings: { updateSiteSettings: '/sites' },
	sender_emails: {
		listSenderEmails: '',
		showSenderEmail: '/sender-emails',
		deleteSenderEmail: '/sender-emails',
		refreshSenderEmail: '/sender-emails',
	},
	staging_sites: {
		listStagingSites: '',
		showStagingSite: '/staging-sites',
		deleteStagingSite: '/staging-sites',
	},
	tags: below('/tags'),
};
const byAccountPlan = Object.entries(needed).flatMap(([feature, operations]) =>
	Object.entries(operations).map(([id, path]): ErrorCase => [
		id,
		422,
		`a plan of the account without ${feature}`,
		async (fleet) => {
			const body = bodies[id];
			const request = path === '' ? { body } : await at(path, body)(fleet);
			await fleet.admin.post('/plan', { without: [feature] });
			return request;
		},
	]),
);

/** Twice the same, of which the second meets the first. */
const twice = (id: string, first: string, how: string, prepare: ErrorCase[3]): ErrorCase => [
	id,
	409,
	how,
	async (fleet) => {
		const request = await prepare(fleet);
		const { status } = await fleet.send(first, { ...request, body: bodies[first] });
		if (status > 201) throw new Error(`${first} was answered with ${status}`);
		return request;
	},
];
const backupOperations = [
	'startSiteBackupDownload',
	'startSiteBackupUpload',
	'startSiteBackupMigration',
	'startSiteBackupRestore',
];
const byConflict: ErrorCase[] = [
	twice(
		'syncSite',
		'syncSite',
		'a sync that runs',
		atSite(undefined, ({ sync, locked }) => !sync.in_progress && !locked),
	),
	...['enableSiteActivityLogs', 'disableSiteActivityLogs', 'updateSiteSettings'].map((id) =>
		twice(id, id, 'a change of the configuration that goes on', atSite(bodies[id])),
	),
	...backupOperations.map((id) =>
		twice(id, 'startSiteBackupDownload', 'a backup operation that runs', atSnapshot(bodies[id]!)),
	),
	...['updatePluginBranding', 'resetPluginBranding', 'updateWpLogin', 'resetWpLogin'].map((id) =>
		twice(id, 'resetPluginBranding', 'another setting update', async () => ({ body: bodies[id] })),
	),
];

const unavailable: ErrorCase = [
	'testBackupDestination',
	503,
	'a provider that is unavailable',
	async (fleet) => {
		await fleet.admin.post('/providers', { unavailable: ['cloudstore_a'] });
		return { params: { backup_destination_id: 'cloudstore_a' } };
	},
];

/** A case for each status of an operation that depends on its own rules. */
export const errorCases = [...byRule, ...bySitePlan, ...byAccountPlan, ...byConflict, unavailable];

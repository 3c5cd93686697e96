import type { PlanFeature } from '../../../sandbox/service/domain/account/rows';
import { errorStatuses } from '../../../sandbox/service/http/statuses';
import { routes } from '../../../sandbox/service/modules';
import { bodies } from './errorBodies';
import type { ErrorCase } from './errorFleet';
import { byRule, paramsOf } from './errorRules';

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
			const params = await paramsOf(fleet, path || 'none');
			await fleet.admin.post('/plan', { without: [feature] });
			return { params, body: bodies[id] };
		},
		path === '/sites' ? 'site_id' : feature,
	]),
);

/** Operations of which the second meets the first. */
const twice: Array<[first: string, meets: string[], of: string]> = [
	['syncSite', ['syncSite'], 'idle site'],
	['enableSiteActivityLogs', ['enableSiteActivityLogs'], 'site'],
	['disableSiteActivityLogs', ['disableSiteActivityLogs'], 'site'],
	['updateSiteSettings', ['updateSiteSettings'], 'site'],
	[
		'startSiteBackupDownload',
		['Download', 'Upload', 'Migration', 'Restore'].map((what) => `startSiteBackup${what}`),
		'snapshot',
	],
	[
		'resetPluginBranding',
		['updatePluginBranding', 'resetPluginBranding', 'updateWpLogin', 'resetWpLogin'],
		'none',
	],
];
const byConflict = twice.flatMap(([first, meets, of]) =>
	meets.map((id): ErrorCase => [
		id,
		409,
		`${first} that is under way`,
		async (fleet) => {
			const params = await paramsOf(fleet, of);
			const { status } = await fleet.send(first, { params, body: bodies[first] });
			if (status > 201) throw new Error(`${first} was answered with ${status}`);
			return { params, body: bodies[id] };
		},
	]),
);

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

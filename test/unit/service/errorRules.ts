import { bodies, bodyWith, wrapperOf } from './errorBodies';
import type { ErrorCase, ErrorFleet, Row } from './errorFleet';

/** Who is asked for, by the words of the table below. */
const places: Record<string, (fleet: ErrorFleet) => Promise<Record<string, string>>> = {
	none: async () => ({}),
	site: async (fleet) => ({ site_id: (await fleet.site()).id }),
	'idle site': async (fleet) => ({
		site_id: (await fleet.site(({ sync, locked }) => !sync.in_progress && !locked)).id,
	}),
	'locked site': async (fleet) => ({ site_id: (await fleet.site((site) => site.locked)).id }),
	'site without backups': async (fleet) => ({ site_id: (await fleet.site(undefined, false)).id }),
	'site without logs': async (fleet) => ({
		site_id: (await fleet.site((site) => !site.activity_logs.enabled)).id,
	}),
	'monitored site': async (fleet) => ({
		site_id: (await fleet.site((site) => site.performance.enabled)).id,
	}),
	snapshot: async (fleet) => await fleet.snapshot(),
};

/** Those of a place, or of a record such as `/tasks completed`. */
export async function paramsOf(fleet: ErrorFleet, of: string): Promise<Record<string, string>> {
	if (!of.startsWith('/')) return await places[of]!(fleet);
	const [path, status] = of.split(' ') as [string, string?];
	const fits = (row: Row) => !status || row.status === status;
	return {
		[`${path.slice(1, -1).replaceAll('-', '_')}_id`]: (await fleet.list(path)).find(fits)!.id,
	};
}

const unknownSite = { scope: { sites: { selection: 'specific', ids: ['x'] }, updates: {} } };
const unknownSender = { email: { sender_email: { id: 'x' } } };
const paths = { scope: { paths: ['./'] } };
const days = { performed_on: '2099-01-01' };
const siteIds = 'auto_update_schedule.scope.sites.ids';
const senderId = 'report_template.email.sender_email.id';

/** What is refused: of whom, with which fields, and which parameter the error names, if not the first of them. */
const refused: Array<[id: string, of: string, fields?: Record<string, unknown>, param?: string]> = [
	['createClient', 'none', { site_ids: ['x'] }],
	['updateClient', '/clients', { site_ids: ['x'] }],
	['syncSite', 'locked site'],
	['cancelTask', '/tasks completed'],
	['listSiteFiles', 'site without backups'],
	['showSiteFileStats', 'site without backups'],
	['listSiteTables', 'site without backups'],
	['showSiteTableStats', 'site without backups'],
	['syncSiteFiles', 'site without backups'],
	['skipSiteFiles', 'site without backups'],
	['syncSiteTables', 'site without backups'],
	['skipSiteTables', 'site without backups'],
	['listSiteSnapshots', 'site without backups'],
	['showSiteSnapshot', 'site without backups'],
	['listSiteActivityLogs', 'site without logs'],
	['createSiteCustomWorks', 'site', days, 'custom_works.0.performed_on'],
	['createSiteImportantPage', 'monitored site', { url: 'https://other.example.com' }],
	['startSiteBackupDownload', 'snapshot', paths, 'download.scope.paths'],
	['startSiteBackupUpload', 'snapshot', paths, 'upload.scope.paths'],
	['startSiteBackupRestore', 'snapshot', paths, 'restore.scope.paths'],
	['startSiteBackupMigration', 'snapshot', paths, 'migration.scope.paths'],
	['acceptManagedAccount', '/managed-accounts connected'],
	['rejectManagedAccount', '/managed-accounts connected'],
	['updateSenderEmail', '/sender-emails', { name: 'Ours', host: 'no host' }, 'sender_email'],
	['resendSenderEmailVerification', '/sender-emails verified'],
	['rotateSenderEmailDkim', '/sender-emails pending'],
	['verifySenderEmailDkim', '/sender-emails pending'],
	['verifySenderEmailReturnPath', '/sender-emails pending'],
	['createTeamMember', 'none', { site_ids: ['x'] }],
	['updateTeamMember', '/team-members', { site_ids: ['x'] }],
	['resendTeamMemberInvitation', '/team-members connected'],
	['createAutoUpdateSchedule', 'none', unknownSite, siteIds],
	['updateAutoUpdateSchedule', '/auto-update-schedules', unknownSite, siteIds],
	['enableAutoUpdateSchedule', '/auto-update-schedules active'],
	['disableAutoUpdateSchedule', '/auto-update-schedules paused'],
	['createReportTemplate', 'none', unknownSender, senderId],
	['updateReportTemplate', '/report-templates', unknownSender, senderId],
	['updateScheduledReport', '/scheduled-reports', { template_id: 'x' }],
	['pauseScheduledReport', '/scheduled-reports paused'],
	['resumeScheduledReport', '/scheduled-reports active'],
	['createReport', 'none', { site_id: 'x' }],
	['sendReportEmail', '/reports', unknownSender.email, 'send_email.sender_email.id'],
	['extendStagingSiteExpiry', '/staging-sites', { days: 1000 }],
	['resumeStagingSite', '/staging-sites active'],
	['updateStagingSitePhpVersion', '/staging-sites paused'],
	['downloadStagingSite', '/staging-sites paused'],
	['generateStagingSiteWpSsoLoginUrl', '/staging-sites paused'],
];

/** What is refused of a request that has to be prepared. */
const prepared: Array<[id: string, how: string, request: ErrorCase[3], param: string]> = [
	[
		'createSite',
		'the address of another site',
		async (fleet) => ({ body: { site: { url: (await fleet.site()).url } } }),
		'site.url',
	],
	[
		'updateSite',
		'the address of another site',
		async (fleet) => ({
			params: { site_id: (await fleet.site()).id },
			body: { site: { url: (await fleet.site(undefined, false)).url } },
		}),
		'site.url',
	],
	[
		'updateSiteCustomWork',
		'a day in the future',
		async (fleet) => {
			const params = { site_id: (await fleet.site()).id };
			const body = bodies.createSiteCustomWorks;
			const { data } = await fleet.send('createSiteCustomWorks', { params, body });
			return {
				params: { ...params, custom_work_id: data.custom_works[0].id },
				body: { custom_work: { performed_on: '2099-01-01' } },
			};
		},
		'custom_work.performed_on',
	],
	[
		'testBackupDestination',
		'a destination that was disconnected',
		async (fleet) => {
			const params = { backup_destination_id: 'cloudstore_b' };
			await fleet.send('disconnectBackupDestination', { params });
			return { params };
		},
		'backup_destination_id',
	],
	[
		'createSenderEmail',
		'an address in use',
		async (fleet) => {
			const [{ email } = {}] = await fleet.list('/sender-emails');
			return { body: { sender_email: { email: String(email).toUpperCase(), name: 'Again' } } };
		},
		'sender_email.email',
	],
	[
		'createScheduledReport',
		'a site that has one',
		async (fleet) => {
			const [{ site } = {}] = await fleet.list('/scheduled-reports');
			return { body: bodyWith('createScheduledReport', { site_id: site.id }) };
		},
		'scheduled_report.site_id',
	],
	[
		'createStagingSite',
		'no completed snapshot',
		async (fleet) => ({
			body: bodyWith('createStagingSite', { site_id: (await fleet.site()).id }),
		}),
		'staging_site.snapshot_id',
	],
];

/** What the fleet answers by the rules that the reference states. */
export const byRule: ErrorCase[] = [
	...prepared.map(([id, ...of]): ErrorCase => [id, 422, ...of]),
	...refused.map(([id, of, fields, named]): ErrorCase => [
		id,
		422,
		[of, fields && JSON.stringify(fields)].filter(Boolean).join(' '),
		async (fleet) => ({
			params: await paramsOf(fleet, of),
			body: fields ? bodyWith(id, fields) : bodies[id],
		}),
		named ?? (fields && [wrapperOf(id), Object.keys(fields)[0]].filter(Boolean).join('.')),
	]),
];

import { bodies } from './errorBodies';
import {
	at,
	atSite,
	atSiteWithoutBackups,
	atSnapshot,
	type ErrorCase,
	is,
	send,
} from './errorRequests';

/** What the fleet answers by the rules that the reference states. */
export const byRule: ErrorCase[] = [
	[
		'createClient',
		422,
		'an unknown site',
		send({ client: { email: 'a@example.com', site_ids: ['x'] } }),
	],
	['updateClient', 422, 'an unknown site', at('/clients', { client: { site_ids: ['x'] } })],
	[
		'createSite',
		422,
		'the address of another site',
		async (fleet) => ({ body: { site: { url: (await fleet.site()).url } } }),
	],
	[
		'updateSite',
		422,
		'the address of another site',
		async (fleet) => ({
			params: { site_id: (await fleet.site()).id },
			body: { site: { url: (await fleet.site(undefined, false)).url } },
		}),
	],
	['syncSite', 422, 'a site under maintenance', atSite(undefined, ({ locked }) => locked)],
	['cancelTask', 422, 'a task that has ended', at('/tasks', undefined, is('completed'))],
	...['listSiteFiles', 'showSiteFileStats', 'listSiteTables', 'showSiteTableStats'].map(
		(id): ErrorCase => [id, 422, 'a site without a completed snapshot', atSiteWithoutBackups()],
	),
	...['syncSiteFiles', 'skipSiteFiles', 'syncSiteTables', 'skipSiteTables'].map((id): ErrorCase => [
		id,
		422,
		'a site without a completed snapshot',
		atSiteWithoutBackups(bodies[id]),
	]),
	['listSiteSnapshots', 422, 'a site whose backups are disabled', atSiteWithoutBackups()],
	['showSiteSnapshot', 422, 'a site whose backups are disabled', atSiteWithoutBackups()],
	[
		'listSiteActivityLogs',
		422,
		'a site that logs nothing',
		atSite(undefined, ({ activity_logs: logs }) => !logs.enabled),
	],
	[
		'createSiteCustomWorks',
		422,
		'a day in the future',
		atSite({ custom_works: [{ title: 'Logo', performed_on: '2099-01-01' }] }),
	],
	[
		'updateSiteCustomWork',
		422,
		'a day in the future',
		async (fleet) => {
			const { id: site_id } = await fleet.site();
			const params = { site_id };
			const { data } = await fleet.send('createSiteCustomWorks', {
				params,
				body: bodies.createSiteCustomWorks,
			});
			return {
				params: { site_id, custom_work_id: data.custom_works[0].id },
				body: { custom_work: { performed_on: '2099-01-01' } },
			};
		},
	],
	[
		'createSiteImportantPage',
		422,
		'another domain',
		atSite(bodies.createSiteImportantPage, ({ performance }) => performance.enabled),
	],
	...(
		[
			['startSiteBackupDownload', 'download', {}],
			['startSiteBackupUpload', 'upload', { destination: { provider: 'cloudstore_a' } }],
			['startSiteBackupRestore', 'restore', {}],
			[
				'startSiteBackupMigration',
				'migration',
				{ destination_url: 'https://other.example.com', type: 'internal' },
			],
		] as const
	).map(([id, wrapper, rest]): ErrorCase => [
		id,
		422,
		'paths of files that are not included',
		atSnapshot({ [wrapper]: { ...rest, scope: { paths: ['./'] } } }),
	]),
	[
		'acceptManagedAccount',
		422,
		'no invitation',
		at('/managed-accounts', undefined, is('connected')),
	],
	[
		'rejectManagedAccount',
		422,
		'no invitation',
		at('/managed-accounts', undefined, is('connected')),
	],
	[
		'testBackupDestination',
		422,
		'a destination that was disconnected',
		async (fleet) => {
			const params = { backup_destination_id: 'cloudstore_b' };
			await fleet.send('disconnectBackupDestination', { params });
			return { params };
		},
	],
	[
		'createSenderEmail',
		422,
		'an address in use',
		async (fleet) => {
			const [{ email } = {}] = await fleet.list('/sender-emails');
			return { body: { sender_email: { email, name: 'Again' } } };
		},
	],
	[
		'updateSenderEmail',
		422,
		'no host name',
		at('/sender-emails', { sender_email: { host: 'no host' } }),
	],
	[
		'resendSenderEmailVerification',
		422,
		'a verified one',
		at('/sender-emails', undefined, is('verified')),
	],
	...['rotateSenderEmailDkim', 'verifySenderEmailDkim', 'verifySenderEmailReturnPath'].map(
		(id): ErrorCase => [id, 422, 'a pending one', at('/sender-emails', undefined, is('pending'))],
	),
	[
		'createTeamMember',
		422,
		'an unknown site',
		send({
			team_member: { name: 'N', email: 'n@example.com', role: 'collaborator', site_ids: ['x'] },
		}),
	],
	[
		'updateTeamMember',
		422,
		'an unknown site',
		at('/team-members', { team_member: { site_ids: ['x'] } }),
	],
	['resendTeamMemberInvitation', 422, 'a member', at('/team-members', undefined, is('connected'))],
	[
		'createAutoUpdateSchedule',
		422,
		'an unknown site',
		send({
			auto_update_schedule: {
				name: 'Some',
				schedule: 'daily',
				started_at: '2025-03-01T02:00:00Z',
				scope: { sites: { selection: 'specific', ids: ['x'] }, updates: {} },
			},
		}),
	],
	[
		'updateAutoUpdateSchedule',
		422,
		'an unknown site',
		at('/auto-update-schedules', {
			auto_update_schedule: { scope: { sites: { selection: 'specific', ids: ['x'] } } },
		}),
	],
	[
		'enableAutoUpdateSchedule',
		422,
		'an active one',
		at('/auto-update-schedules', undefined, is('active')),
	],
	[
		'disableAutoUpdateSchedule',
		422,
		'a paused one',
		at('/auto-update-schedules', undefined, is('paused')),
	],
	[
		'createReportTemplate',
		422,
		'an unknown sender',
		send({ report_template: { name: 'N', email: { sender_email: { id: 'x' } } } }),
	],
	[
		'updateReportTemplate',
		422,
		'an unknown sender',
		at('/report-templates', { report_template: { email: { sender_email: { id: 'x' } } } }),
	],
	[
		'createScheduledReport',
		422,
		'a site that has one',
		async (fleet) => {
			const [{ site } = {}] = await fleet.list('/scheduled-reports');
			const body = bodies.createScheduledReport as { scheduled_report: object };
			return { body: { scheduled_report: { ...body.scheduled_report, site_id: site.id } } };
		},
	],
	[
		'updateScheduledReport',
		422,
		'an unknown template',
		at('/scheduled-reports', { scheduled_report: { template_id: 'x' } }),
	],
	['pauseScheduledReport', 422, 'a paused one', at('/scheduled-reports', undefined, is('paused'))],
	[
		'resumeScheduledReport',
		422,
		'an active one',
		at('/scheduled-reports', undefined, is('active')),
	],
	['createReport', 422, 'an unknown site', send(bodies.createReport!)],
	[
		'sendReportEmail',
		422,
		'an unknown sender',
		at('/reports', { send_email: { recipients: ['a@example.com'], sender_email: { id: 'x' } } }),
	],
	[
		'createStagingSite',
		422,
		'no completed snapshot',
		async (fleet) => ({
			body: { staging_site: { site_id: (await fleet.site()).id, snapshot_id: 'x' } },
		}),
	],
	['extendStagingSiteExpiry', 422, 'beyond the limit', at('/staging-sites', { days: 1000 })],
	['resumeStagingSite', 422, 'an active one', at('/staging-sites', undefined, is('active'))],
	...['updateStagingSitePhpVersion', 'downloadStagingSite', 'generateStagingSiteWpSsoLoginUrl'].map(
		(id): ErrorCase => [id, 422, 'a paused one', at('/staging-sites', bodies[id], is('paused'))],
	),
];

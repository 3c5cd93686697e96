import { completedSnapshots } from '../../../sandbox/service/domain/snapshots/rules';
import { between, changeCases, GONE, listCases, outcomes } from '../../support/caseKinds';
import { contentOf } from '../../support/engine';
import { START, type Fleet } from '../../support/fleet';
import {
	having,
	idCases,
	operationCases,
	request,
	type Called,
	type OperationCases,
} from '../../support/operationCases';
import { locator } from '../../support/locator';

interface Ids {
	/** Of a client, with a snapshot on `day`, a report and an active scheduled report. */
	site: string;
	siteUrl: string;
	/** With a paused scheduled report. */
	pausedSite: string;
	/** Without any scheduled report. */
	freeSite: string;
	client: string;
	day: string;
	sender: string;
	senderEmail: string;
	/** Used by the active scheduled report. */
	template: string;
	unusedTemplate: string;
	report: string;
	scheduled: string;
	pausedScheduled: string;
	schedule: string;
	pausedSchedule: string;
	/** Has run three times without anything to update. */
	idleSchedule: string;
}

/** All template data as the node has it, */
const dataParameters = ({ sender }: Ids) => ({
	primaryColor: '#aa3300',
	language: 'de',
	dateFormat: 'dd.MM.yyyy',
	sections: {
		section: [
			{
				key: 'cover',
				visible: true,
				heading: 'Your site',
				description: 'In this month',
				dynamicData: '{ "logo": { "option": "default" } }',
			},
			{ key: 'introduction', visible: false, heading: '', description: '', dynamicData: '{}' },
		],
	},
	sectionOrder: 'introduction\n cover,',
	senderEmailId: locator(sender),
	emailSubject: 'Report',
	emailBody: 'Hello',
	attachPdf: false,
});

/** and as it is sent. */
const dataSent = ({ sender }: Ids, delivery = {}) => ({
	general: { primary_color: '#aa3300', language: 'de', date_format: 'dd.MM.yyyy' },
	sections: {
		cover: {
			visible: true,
			heading: 'Your site',
			description: 'In this month',
			dynamic_data: { logo: { option: 'default' } },
		},
		introduction: { visible: false },
	},
	section_order: ['introduction', 'cover'],
	email: {
		sender_email: { id: sender },
		subject: 'Report',
		body: 'Hello',
		attach_pdf: false,
		...delivery,
	},
});

const RECIPIENTS = ['owner@example.com', 'office@example.com'];

/** Recipients that are added or taken out, in other capitals than they have. */
const onRecipients = (change: 'add' | 'remove'): OperationCases<Ids>[string] => ({
	parameters: ({ scheduled }) => ({
		scheduledReportId: locator(scheduled),
		recipients: 'Owner@example.com, office@example.com',
	}),
	sent: ({ scheduled }) => {
		const recipients = change === 'add' ? RECIPIENTS : [];
		return [
			request(`GET /scheduled-reports/${scheduled}`),
			request(`POST /scheduled-reports/${scheduled}/update`, {
				scheduled_report: { report_template_data: { email: { recipients } } },
			}),
			request(`GET /scheduled-reports/${scheduled}`),
		];
	},
	output: ({ json }, { scheduled }) =>
		expect(json).toEqual([
			having({
				id: scheduled,
				...(change === 'add'
					? { added_count: 1, already_there: ['Owner@example.com'] }
					: { removed_count: 1, not_there: ['office@example.com'] }),
			}),
		]),
});

const onScheduleSites = (change: 'add' | 'remove'): OperationCases<Ids>[string] => ({
	parameters: ({ schedule, site, freeSite }) => ({
		scheduleId: locator(schedule),
		siteIds: change === 'add' ? [freeSite, site] : [site, freeSite],
	}),
	sent: ({ schedule, site, freeSite }) => {
		const ids = change === 'add' ? [site, freeSite] : [];
		return [
			request(`GET /auto-update-schedules/${schedule}`),
			request(`POST /auto-update-schedules/${schedule}/update`, {
				auto_update_schedule: { scope: { sites: { selection: 'specific', ids } } },
			}),
			request(`GET /auto-update-schedules/${schedule}`),
		];
	},
	output: ({ json }, { schedule, site, freeSite }) =>
		expect(json).toEqual([
			having({
				id: schedule,
				scope: having({
					sites: { selection: 'specific', ids: change === 'add' ? [site, freeSite] : [] },
					updates: having({ cms_core: true }),
				}),
				...(change === 'add'
					? { added_count: 1, already_there: [site] }
					: { removed_count: 1, not_there: [freeSite] }),
			}),
		]),
});

const listChanges: OperationCases<Ids> = {
	'scheduledReport/scheduledReport/addRecipients': onRecipients('add'),
	'scheduledReport/scheduledReport/removeRecipients': onRecipients('remove'),
	'autoUpdate/schedule/addSites': onScheduleSites('add'),
	'autoUpdate/schedule/removeSites': onScheduleSites('remove'),
};

/** The records of `Ids` that are not called as in a path. */
const called: Called<Ids> = { scheduledReport: 'scheduled', reportTemplate: 'template' };

/** Operations that take nothing but ids, on other records than the first of their kind. */
const onIds = idCases<Ids>(called, {
	'scheduledReport/scheduledReport/resume': { on: ['pausedScheduled'] },
	'autoUpdate/schedule/enable': { on: ['pausedSchedule'] },
});

const timezone = { timezone: ['timezone', 'Europe/Berlin'] as [string, string] };

const lists = listCases<Ids>(called, {
	'report/report/getAll': {
		filters: ({ site, client, senderEmail }) => ({
			type: ['type:eq', 'one_time'],
			siteId: ['site_id:eq', locator(site)],
			clientId: ['client_id:eq', locator(client)],
			sender: ['sender_email:eq', senderEmail],
			recipientStatus: ['recipient_status:eq', 'sent'],
			...between({ created: 'created_at' }),
		}),
		sort: 'created_at,asc',
		options: timezone,
	},
	'reportTemplate/reportTemplate/getAll': {
		filters: ({ site, freeSite }) => ({
			nameContains: ['name:contains', 'own'],
			siteIds: ['site_id:in', [site, freeSite]],
			...between({ created: 'created_at', updated: 'updated_at' }),
		}),
		sort: 'name,desc',
	},
	'scheduledReport/scheduledReport/getAll': {
		filters: ({ site }) => ({
			siteId: ['site_id:eq', locator(site)],
			status: ['status:eq', 'active'],
			frequency: ['frequency:eq', 'weekly'],
			...between({ created: 'created_at' }),
		}),
		sort: 'next_report_at,asc',
		options: timezone,
	},
	'autoUpdate/schedule/getAll': {
		filters: ({ site, freeSite }) => ({
			nameContains: ['name:contains', 'own'],
			status: ['status:eq', 'active'],
			statusIsOneOf: ['status:in', ['active', 'paused']],
			recurrence: ['schedule:eq', 'daily'],
			recurrenceIsOneOf: ['schedule:in', ['daily', 'weekly_on_day']],
			hasBackup: ['has_backup:eq', true],
			hasVisualRegression: ['has_vr:eq', false],
			updateTypes: ['update_types:in', ['core', 'theme']],
			siteIds: ['site_id:in', [site, freeSite]],
			...between({
				started: 'started_at',
				nextUpdate: 'next_update_at',
				created: 'created_at',
				updated: 'updated_at',
			}),
		}),
		sort: 'next_update_at,asc',
		options: timezone,
	},
	'autoUpdate/history/getAll': {
		filters: ({ idleSchedule, schedule }) => ({
			scheduleId: ['auto_update_schedule_id:eq', locator(idleSchedule)],
			scheduleIds: ['auto_update_schedule_id:in', [schedule, idleSchedule]],
			scheduleNameContains: ['auto_update_schedule_name:contains', 'cache'],
			status: ['status:eq', 'no_updates'],
			statusIsOneOf: ['status:in', ['failed', 'no_updates']],
			...between({ performedOn: 'performed_on' }),
		}),
		sort: 'auto_update_schedule_name,asc',
	},
});

const changes = changeCases<Ids>(called, {
	'report/report/create': {
		wrapper: 'report',
		set: (ids) => ({
			siteId: locator(ids.site),
			startDate: `${ids.day}T00:00:00`,
			endDate: `${ids.day}T00:00:00`,
			additionalFields: {
				timezone: 'UTC',
				reportTemplateId: locator(ids.template),
				...dataParameters(ids),
			},
		}),
		sent: (ids) => ({
			site_id: ids.site,
			start_date: ids.day,
			end_date: ids.day,
			timezone: 'UTC',
			template_id: ids.template,
			report_template_data: dataSent(ids),
		}),
		output: ({ json }, { site }) =>
			expect(json).toEqual([
				{
					task_id: expect.any(String),
					task_status: 'queued',
					task_started_at: expect.any(String),
					site_id: site,
				},
			]),
	},
	'report/report/sendEmail': {
		wrapper: 'send_email',
		set: ({ sender }) => ({
			recipients: 'b@example.com,\n c@example.com',
			additionalFields: {
				senderEmailId: locator(sender),
				emailSubject: 'Your report',
				emailBody: 'Attached.',
				attachPdf: true,
			},
		}),
		sent: ({ sender }) => ({
			recipients: ['b@example.com', 'c@example.com'],
			sender_email: { id: sender },
			subject: 'Your report',
			body: 'Attached.',
			attach_pdf: true,
		}),
		output: ({ json }, { report }) =>
			expect(json).toEqual(
				outcomes({ report_id: report }, 'recipient', 'sent', ['b@example.com'], ['c@example.com']),
			),
	},
	'reportTemplate/reportTemplate/create': {
		wrapper: 'report_template',
		set: (ids) => ({ name: 'New', additionalFields: dataParameters(ids) }),
		sent: (ids) => ({ name: 'New', ...dataSent(ids) }),
	},
	'reportTemplate/reportTemplate/update': {
		wrapper: 'report_template',
		set: (ids) => ({ updateFields: { name: 'Renamed', ...dataParameters(ids) } }),
		sent: (ids) => ({ name: 'Renamed', ...dataSent(ids) }),
	},
	'reportTemplate/reportTemplate/update clearing': {
		wrapper: 'report_template',
		set: { updateFields: { attachPdf: true, clear: ['email.sender_email', 'email.body'] } },
		sent: { email: { attach_pdf: true, sender_email: null, body: null } },
	},
	'reportTemplate/reportTemplate/update emptying-a-section': {
		wrapper: 'report_template',
		set: {
			updateFields: {
				sections: {
					section: [{ key: 'introduction', clear: ['heading'], description: 'This month' }],
				},
			},
		},
		sent: { sections: { introduction: { heading: '', description: 'This month', visible: true } } },
	},
	'reportTemplate/reportTemplate/delete': {
		set: ({ template, unusedTemplate }) => ({
			reportTemplateIds: `${template}, ${unusedTemplate}\n${GONE}`,
		}),
		sent: ({ template, unusedTemplate }) => ({ ids: [template, unusedTemplate, GONE] }),
		output: ({ json }, { template, unusedTemplate }) =>
			expect(json).toEqual(
				outcomes(
					{},
					'id',
					'deleted',
					[template, 'template_in_use'],
					[unusedTemplate],
					[GONE, 'not_found'],
				),
			),
	},
	'scheduledReport/scheduledReport/create': {
		wrapper: 'scheduled_report',
		set: (ids) => ({
			siteId: locator(ids.freeSite),
			frequency: 'biweekly',
			startedAt: '2026-03-05T09:00:00',
			additionalFields: {
				timezone: 'Europe/Berlin',
				...dataParameters(ids),
				sendToClient: true,
				recipients: RECIPIENTS.join('\n'),
			},
		}),
		sent: (ids) => ({
			site_id: ids.freeSite,
			frequency: 'biweekly',
			started_at: '2026-03-05T09:00:00Z',
			timezone: 'Europe/Berlin',
			report_template_data: dataSent(ids, { send_to_client: true, recipients: RECIPIENTS }),
		}),
	},
	'scheduledReport/scheduledReport/update': {
		wrapper: 'scheduled_report',
		set: (ids) => ({
			updateFields: {
				frequency: 'monthly',
				startedAt: '2026-03-06T10:00:00',
				timezone: 'UTC',
				reportTemplateId: locator(ids.unusedTemplate),
				...dataParameters(ids),
				sendToClient: false,
				recipients: '={{ ["office@example.com"] }}',
			},
		}),
		sent: (ids) => ({
			frequency: 'monthly',
			started_at: '2026-03-06T10:00:00Z',
			timezone: 'UTC',
			template_id: ids.unusedTemplate,
			report_template_data: dataSent(ids, {
				send_to_client: false,
				recipients: ['office@example.com'],
			}),
		}),
	},
	'autoUpdate/schedule/create': {
		wrapper: 'auto_update_schedule',
		set: ({ site, freeSite }) => ({
			name: 'Nightly',
			recurrence: 'monthly_on_week',
			startedAt: '2026-03-05T02:00:00',
			sites: { scope: { selection: 'specific', siteIds: `${site}, ${freeSite}` } },
			updates: {
				categories: {
					cmsCore: false,
					plugins: 'specific',
					pluginFileNames: 'page-cache/page-cache.php\nforms/forms.php',
					themes: 'all',
				},
			},
			additionalFields: { backup: true, visualRegression: false },
		}),
		sent: ({ site, freeSite }) => ({
			name: 'Nightly',
			schedule: 'monthly_on_week',
			started_at: '2026-03-05T02:00:00Z',
			scope: {
				sites: { selection: 'specific', ids: [site, freeSite] },
				updates: {
					cms_core: false,
					plugins: {
						selection: 'specific',
						filenames: ['page-cache/page-cache.php', 'forms/forms.php'],
					},
					themes: { selection: 'all' },
				},
			},
			options: { backup: true, visual_regression: false },
		}),
	},
	'autoUpdate/schedule/update': {
		wrapper: 'auto_update_schedule',
		set: {
			updateFields: {
				name: 'Renamed',
				recurrence: 'biweekly',
				startedAt: '2026-03-06T02:00:00',
				// Left from before the selection was changed: they are hidden, and not sent.
				sites: { scope: { selection: 'all', siteIds: 'left' } },
				updates: {
					categories: {
						cmsCore: true,
						plugins: 'none',
						pluginFileNames: 'left.php',
						themes: 'specific',
						themeFileNames: '={{ ["plain-paper"] }}',
					},
				},
				backup: false,
				visualRegression: true,
			},
		},
		sent: {
			name: 'Renamed',
			schedule: 'biweekly',
			started_at: '2026-03-06T02:00:00Z',
			scope: {
				sites: { selection: 'all' },
				updates: {
					cms_core: true,
					themes: { selection: 'specific', filenames: ['plain-paper'] },
				},
			},
			options: { backup: false, visual_regression: true },
		},
	},
	'autoUpdate/schedule/update only-an-option': {
		wrapper: 'auto_update_schedule',
		set: { updateFields: { backup: false } },
		sent: { options: { backup: false } },
	},
});

const others: OperationCases<Ids> = {
	'report/report/download': {
		parameters: ({ report }) => ({ reportId: locator(report), binaryPropertyName: 'pdf' }),
		sent: ({ report }) => request(`GET /reports/${report}/download`),
		output: ({ items }, { report }) => {
			expect(items).toHaveLength(1);
			const [{ json, binary }] = items as [(typeof items)[number]];
			expect(json).toMatchObject({
				id: report,
				file_name: `report-${report}.pdf`,
				mime_type: 'application/pdf',
			});
			expect(Object.keys(binary!)).toEqual(['pdf']);
			expect(binary!.pdf).toMatchObject({
				fileName: `report-${report}.pdf`,
				mimeType: 'application/pdf',
			});
			const content = contentOf(items[0]!, 'pdf').toString('latin1');
			expect(content.startsWith('%PDF-')).toBe(true);
			expect(content.trimEnd().endsWith('%%EOF')).toBe(true);
		},
	},
};

async function prepare({ world, clock, api }: Fleet): Promise<Ids> {
	const { store } = world;
	const post = async (path: string, wrapper: string, fields: object) =>
		(await api.post(path, { [wrapper]: fields })).data[wrapper];
	for (const { id } of store.scheduledReports.all()) store.scheduledReports.delete(id);
	const sites = store.sites.all().filter(({ id }) => completedSnapshots(world, id).length > 0);
	const [site, pausedSite, freeSite] = sites.map(({ id }) => id) as [string, string, string];
	const client = store.clients.all()[0]!.id;
	store.sites.get(site)!.internal.client_id = client;
	const day = completedSnapshots(world, site)[0]!.created_at.slice(0, 10);
	const sender = store.senderEmails.all().find(({ status }) => status === 'verified')!;

	const used = await post('/report-templates', 'report_template', { name: 'Our own' });
	const unused = await post('/report-templates', 'report_template', { name: 'Other' });

	await api.post('/reports', { report: { site_id: site, start_date: day, end_date: day } });
	clock.advance(120_000);
	const madeAt = new Date(START + 120_000).toISOString();
	const { data } = await api.get('/reports', {
		params: { 'filters[site_id:eq]': site, 'filters[created_at:gte]': madeAt },
	});
	const report: string = data.reports[0].id;
	await api.post(`/reports/${report}/send-email`, {
		send_email: { recipients: ['a@example.com'], sender_email: { id: sender.id } },
	});

	const scheduledOf = async (siteId: string) =>
		await post('/scheduled-reports', 'scheduled_report', {
			site_id: siteId,
			started_at: madeAt,
			frequency: 'weekly',
			report_template_data: {
				email: { recipients: ['owner@example.com'], body: 'Hi', sender_email: { id: sender.id } },
			},
		});
	const { id: scheduled } = await scheduledOf(site);
	await api.post(`/scheduled-reports/${scheduled}/update`, {
		scheduled_report: { template_id: used.id },
	});
	const { id: pausedScheduled } = await scheduledOf(pausedSite);
	await api.post(`/scheduled-reports/${pausedScheduled}/pause`);

	const scheduleOf = async (name: string) =>
		await post('/auto-update-schedules', 'auto_update_schedule', {
			name,
			schedule: 'daily',
			started_at: madeAt,
			scope: {
				sites: { selection: 'specific', ids: [site] },
				updates: { cms_core: true, plugins: { selection: 'all' } },
			},
			options: { backup: true },
		});
	const { id: schedule } = await scheduleOf('Our own');
	const { id: pausedSchedule } = await scheduleOf('Our own, paused');
	await api.post(`/auto-update-schedules/${pausedSchedule}/disable`);

	return {
		site,
		siteUrl: store.sites.get(site)!.url,
		pausedSite,
		freeSite,
		client,
		day,
		sender: sender.id,
		senderEmail: sender.email,
		template: used.id,
		unusedTemplate: unused.id,
		report,
		scheduled,
		pausedScheduled,
		schedule,
		pausedSchedule,
		idleSchedule: store.autoUpdateSchedules.all().find(({ name }) => name === 'Page cache only')!
			.id,
	};
}

operationCases(
	'reports',
	prepare,
	{ ...lists, ...changes, ...others, ...listChanges, ...onIds },
	called,
);

import { completedSnapshots } from '../../../sandbox/service/domain/snapshots/rules';
import { contentOf } from '../../support/engine';
import { START, type Fleet } from '../../support/fleet';
import {
	having,
	idCases,
	list,
	operationCases,
	query,
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

const times = (name: string) => ({
	[`${name}After`]: '2020-01-01T00:00:00',
	[`${name}Before`]: '2030-01-01T00:00:00',
});
const timesSent = (field: string) => ({
	[`filters[${field}:gte]`]: '2020-01-01T00:00:00Z',
	[`filters[${field}:lte]`]: '2030-01-01T00:00:00Z',
});

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
const dataSent = ({ sender }: Ids) => ({
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
	email: { sender_email: { id: sender }, subject: 'Report', body: 'Hello', attach_pdf: false },
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

/** Operations that take nothing but ids. */
const onIds = idCases<Ids>(called, {
	'report/report/get': {
		record: ({ report, site }) => having({ id: report, site: having({ id: site }) }),
	},
	'reportTemplate/reportTemplate/get': {
		record: ({ template }) => having({ id: template, sections: expect.any(Object) }),
	},
	'scheduledReport/scheduledReport/pause': {
		record: ({ scheduled }) => having({ id: scheduled, status: 'paused' }),
	},
	'scheduledReport/scheduledReport/resume': {
		on: ['pausedScheduled'],
		record: ({ pausedScheduled }) => having({ id: pausedScheduled, status: 'active' }),
	},
	'autoUpdate/schedule/get': {
		record: ({ schedule }) => having({ id: schedule, scope: expect.any(Object) }),
	},
	'autoUpdate/schedule/enable': {
		on: ['pausedSchedule'],
		record: ({ pausedSchedule }) => having({ id: pausedSchedule, status: 'active' }),
	},
	'autoUpdate/schedule/disable': {
		record: ({ schedule }) => having({ id: schedule, status: 'paused' }),
	},
});

const reports: OperationCases<Ids> = {
	'report/report/getAll': {
		parameters: ({ site, client, senderEmail }) => ({
			filters: {
				type: 'one_time',
				siteId: locator(site),
				clientId: locator(client),
				sender: senderEmail,
				recipientStatus: 'sent',
				...times('created'),
			},
			sort: { by: { field: 'created_at', direction: 'asc' } },
			options: { timezone: 'Europe/Berlin' },
		}),
		sent: ({ site, client, senderEmail }) =>
			list('GET /reports', {
				'filters[type:eq]': 'one_time',
				'filters[site_id:eq]': site,
				'filters[client_id:eq]': client,
				'filters[sender_email:eq]': senderEmail,
				'filters[recipient_status:eq]': 'sent',
				...timesSent('created_at'),
				sort: 'created_at,asc',
				timezone: 'Europe/Berlin',
			}),
		output: ({ json }, { report }) =>
			expect(json).toEqual([expect.objectContaining({ id: report, type: 'one_time' })]),
	},
	'report/report/create': {
		parameters: (ids) => ({
			siteId: locator(ids.site),
			startDate: `${ids.day}T00:00:00`,
			endDate: `${ids.day}T00:00:00`,
			additionalFields: {
				timezone: 'UTC',
				reportTemplateId: locator(ids.template),
				...dataParameters(ids),
			},
		}),
		sent: (ids) =>
			request('POST /reports', {
				report: {
					site_id: ids.site,
					start_date: ids.day,
					end_date: ids.day,
					timezone: 'UTC',
					template_id: ids.template,
					report_template_data: dataSent(ids),
				},
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
	'report/report/create by-url': {
		parameters: ({ siteUrl, day }) => ({
			siteId: locator(siteUrl, 'url'),
			startDate: day,
			endDate: day,
		}),
		sent: ({ site, siteUrl, day }) => [
			query('GET /sites', {
				page: '1',
				perPage: '100',
				'filters[url:contains]': new URL(siteUrl).host,
			}),
			request('POST /reports', { report: { site_id: site, start_date: day, end_date: day } }),
		],
		output: ({ json }) => expect(json).toHaveLength(1),
	},
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
	'report/report/sendEmail': {
		parameters: ({ report, sender }) => ({
			reportId: locator(report),
			recipients: 'b@example.com,\n c@example.com',
			additionalFields: {
				senderEmailId: locator(sender),
				emailSubject: 'Your report',
				emailBody: 'Attached.',
				attachPdf: true,
			},
		}),
		sent: ({ report, sender }) =>
			request(`POST /reports/${report}/send-email`, {
				send_email: {
					recipients: ['b@example.com', 'c@example.com'],
					sender_email: { id: sender },
					subject: 'Your report',
					body: 'Attached.',
					attach_pdf: true,
				},
			}),
		output: ({ json }, { report }) =>
			expect(json).toEqual(
				['b@example.com', 'c@example.com'].map((recipient) => ({
					report_id: report,
					recipient,
					sent: true,
					success: true,
				})),
			),
	},
};

const reportTemplates: OperationCases<Ids> = {
	'reportTemplate/reportTemplate/getAll': {
		parameters: ({ site, freeSite }) => ({
			filters: {
				nameContains: 'own',
				siteIds: [site, freeSite],
				...times('created'),
				...times('updated'),
			},
			sort: { by: { field: 'name', direction: 'desc' } },
		}),
		sent: ({ site, freeSite }) =>
			list('GET /report-templates', {
				'filters[name:contains]': 'own',
				'filters[site_id:in][]': [site, freeSite],
				...timesSent('created_at'),
				...timesSent('updated_at'),
				sort: 'name,desc',
			}),
		output: ({ json }, { template, site }) =>
			expect(json).toEqual([expect.objectContaining({ id: template, site_ids: [site] })]),
	},
	'reportTemplate/reportTemplate/create': {
		parameters: (ids) => ({ name: 'New', additionalFields: dataParameters(ids) }),
		sent: (ids) =>
			request('POST /report-templates', { report_template: { name: 'New', ...dataSent(ids) } }),
		output: ({ json }, ids) =>
			expect(json).toEqual([
				expect.objectContaining({ name: 'New', section_order: dataSent(ids).section_order }),
			]),
	},
	'reportTemplate/reportTemplate/create only-a-name': {
		parameters: () => ({ name: 'New', additionalFields: { emailBody: '', sectionOrder: '' } }),
		sent: () => request('POST /report-templates', { report_template: { name: 'New' } }),
		output: ({ json }) => expect(json).toHaveLength(1),
	},
	'reportTemplate/reportTemplate/update': {
		parameters: (ids) => ({
			reportTemplateId: locator(ids.template),
			updateFields: { name: 'Renamed', ...dataParameters(ids) },
		}),
		sent: (ids) =>
			request(`POST /report-templates/${ids.template}/update`, {
				report_template: { name: 'Renamed', ...dataSent(ids) },
			}),
		output: ({ json }, { template }) =>
			expect(json).toEqual([expect.objectContaining({ id: template, name: 'Renamed' })]),
	},
	'reportTemplate/reportTemplate/update clearing': {
		parameters: ({ template }) => ({
			reportTemplateId: locator(template),
			updateFields: { attachPdf: true, clear: ['email.sender_email', 'email.body'] },
		}),
		sent: ({ template }) =>
			request(`POST /report-templates/${template}/update`, {
				report_template: { email: { attach_pdf: true, sender_email: null, body: null } },
			}),
		output: ({ json }) =>
			expect(json[0]).toMatchObject({ email: { sender_email: null, body: null } }),
	},
	'reportTemplate/reportTemplate/update emptying-a-section': {
		parameters: ({ template }) => ({
			reportTemplateId: locator(template),
			updateFields: {
				sections: {
					section: [{ key: 'introduction', clear: ['heading'], description: 'This month' }],
				},
			},
		}),
		sent: ({ template }) =>
			request(`POST /report-templates/${template}/update`, {
				report_template: {
					sections: {
						introduction: {
							heading: '',
							description: 'This month',
							visible: true,
						},
					},
				},
			}),
		output: ({ json }) =>
			expect(json[0]).toMatchObject({ sections: { introduction: { heading: '' } } }),
	},
	'reportTemplate/reportTemplate/delete': {
		parameters: ({ template, unusedTemplate }) => ({
			reportTemplateIds: `${template}, ${unusedTemplate}\nf0f0f0f0f0f0f0f0f0f0f0f0`,
		}),
		sent: ({ template, unusedTemplate }) =>
			request('POST /report-templates/delete', {
				ids: [template, unusedTemplate, 'f0f0f0f0f0f0f0f0f0f0f0f0'],
			}),
		output: ({ json }, { template, unusedTemplate }) =>
			expect(json).toEqual([
				having({ id: template, deleted: false, success: false, code: 'template_in_use' }),
				{ id: unusedTemplate, deleted: true, success: true },
				having({
					id: 'f0f0f0f0f0f0f0f0f0f0f0f0',
					deleted: false,
					success: false,
					code: 'not_found',
				}),
			]),
	},
};

const simplified = [
	'frequency',
	'id',
	'next_report_at',
	'recipient_count',
	'recipients',
	'report_template_id',
	'site_id',
	'site_title',
	'site_url',
	'started_at',
	'status',
	'timezone',
	'title',
];

/** Of a single one. */
const inFull = [
	...simplified,
	'send_to_client',
	'sender_email',
	'sender_email_id',
	'subject',
].sort();

const scheduledReports: OperationCases<Ids> = {
	'scheduledReport/scheduledReport/getAll': {
		parameters: ({ site }) => ({
			output: 'simplified',
			filters: {
				siteId: locator(site),
				status: 'active',
				frequency: 'weekly',
				...times('created'),
			},
			sort: { by: { field: 'next_report_at', direction: 'asc' } },
			options: { timezone: 'Europe/Berlin' },
		}),
		sent: ({ site }) =>
			list('GET /scheduled-reports', {
				'filters[site_id:eq]': site,
				'filters[status:eq]': 'active',
				'filters[frequency:eq]': 'weekly',
				...timesSent('created_at'),
				sort: 'next_report_at,asc',
				timezone: 'Europe/Berlin',
			}),
		output: ({ json }, { scheduled, site }) => {
			expect(json).toEqual([
				expect.objectContaining({
					id: scheduled,
					site_id: site,
					recipient_count: 1,
				}),
			]);
			expect(Object.keys(json[0]!).sort()).toEqual(simplified);
		},
	},
	'scheduledReport/scheduledReport/getAll raw': {
		parameters: ({ site }) => ({ output: 'raw', filters: { siteId: locator(site) } }),
		sent: ({ site }) => list('GET /scheduled-reports', { 'filters[site_id:eq]': site }),
		output: ({ json }) => expect(json[0]).toMatchObject({ email: expect.any(Object) }),
	},
	'scheduledReport/scheduledReport/create': {
		parameters: (ids) => ({
			siteId: locator(ids.freeSite),
			frequency: 'biweekly',
			startedAt: '2026-03-05T09:00:00',
			additionalFields: {
				timezone: 'Europe/Berlin',
				...dataParameters(ids),
				sendToClient: true,
				recipients: 'owner@example.com\noffice@example.com',
			},
		}),
		sent: (ids) => {
			const { email, ...data } = dataSent(ids);
			const recipients = ['owner@example.com', 'office@example.com'];
			return request('POST /scheduled-reports', {
				scheduled_report: {
					site_id: ids.freeSite,
					frequency: 'biweekly',
					started_at: '2026-03-05T09:00:00Z',
					timezone: 'Europe/Berlin',
					report_template_data: { ...data, email: { ...email, send_to_client: true, recipients } },
				},
			});
		},
		output: ({ json }) =>
			expect(json).toEqual([expect.objectContaining({ status: 'active', frequency: 'biweekly' })]),
	},
	'scheduledReport/scheduledReport/get': {
		parameters: ({ scheduled }) => ({
			scheduledReportId: locator(scheduled),
			output: 'simplified',
		}),
		sent: ({ scheduled }) => request(`GET /scheduled-reports/${scheduled}`),
		output: ({ json }, { scheduled }) => {
			expect(json).toEqual([expect.objectContaining({ id: scheduled, recipient_count: 1 })]);
			expect(Object.keys(json[0]!).sort()).toEqual(inFull);
		},
	},
	'scheduledReport/scheduledReport/get selected': {
		parameters: ({ scheduled }) => ({
			scheduledReportId: locator(scheduled),
			output: 'selected',
			outputFields: ['id', 'report_template_data'],
		}),
		sent: ({ scheduled }) => request(`GET /scheduled-reports/${scheduled}`),
		output: ({ json }, { scheduled }) =>
			expect(json).toEqual([
				{
					id: scheduled,
					report_template_data: expect.objectContaining({ sections: expect.any(Object) }),
				},
			]),
	},
	'scheduledReport/scheduledReport/update': {
		parameters: (ids) => ({
			scheduledReportId: locator(ids.scheduled),
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
		sent: (ids) => {
			const { email, ...data } = dataSent(ids);
			const delivery = { send_to_client: false, recipients: ['office@example.com'] };
			return request(`POST /scheduled-reports/${ids.scheduled}/update`, {
				scheduled_report: {
					frequency: 'monthly',
					started_at: '2026-03-06T10:00:00Z',
					timezone: 'UTC',
					template_id: ids.unusedTemplate,
					report_template_data: { ...data, email: { ...email, ...delivery } },
				},
			});
		},
		output: ({ json }, { scheduled, unusedTemplate }) =>
			expect(json).toEqual([
				expect.objectContaining({ id: scheduled, template_id: unusedTemplate }),
			]),
	},
	'scheduledReport/scheduledReport/update clearing': {
		parameters: ({ scheduled }) => ({
			scheduledReportId: locator(scheduled),
			updateFields: {
				clear: ['sender_email', 'body', 'recipients'].map(
					(field) => `report_template_data.email.${field}`,
				),
			},
		}),
		sent: ({ scheduled }) =>
			request(`POST /scheduled-reports/${scheduled}/update`, {
				scheduled_report: {
					report_template_data: { email: { sender_email: null, body: null, recipients: [] } },
				},
			}),
		output: ({ json }) =>
			expect(json[0]).toMatchObject({ report_template_data: { email: { recipients: [] } } }),
	},
};

const autoUpdates: OperationCases<Ids> = {
	'autoUpdate/schedule/getAll': {
		parameters: ({ site, freeSite }) => ({
			filters: {
				nameContains: 'own',
				status: 'active',
				statusIsOneOf: ['active', 'paused'],
				recurrence: 'daily',
				recurrenceIsOneOf: ['daily', 'weekly_on_day'],
				hasBackup: true,
				hasVisualRegression: false,
				updateTypes: ['core', 'theme'],
				siteIds: [site, freeSite],
				...times('started'),
				...times('nextUpdate'),
				...times('created'),
				...times('updated'),
			},
			sort: { by: { field: 'next_update_at', direction: 'asc' } },
			options: { timezone: 'Europe/Berlin' },
		}),
		sent: ({ site, freeSite }) =>
			list('GET /auto-update-schedules', {
				'filters[name:contains]': 'own',
				'filters[status:eq]': 'active',
				'filters[status:in][]': ['active', 'paused'],
				'filters[schedule:eq]': 'daily',
				'filters[schedule:in][]': ['daily', 'weekly_on_day'],
				'filters[has_backup:eq]': 'true',
				'filters[has_vr:eq]': 'false',
				'filters[update_types:in][]': ['core', 'theme'],
				'filters[site_id:in][]': [site, freeSite],
				...timesSent('started_at'),
				...timesSent('next_update_at'),
				...timesSent('created_at'),
				...timesSent('updated_at'),
				sort: 'next_update_at,asc',
				timezone: 'Europe/Berlin',
			}),
		output: ({ json }, { schedule }) =>
			expect(json).toEqual([expect.objectContaining({ id: schedule, status: 'active' })]),
	},
	'autoUpdate/schedule/create': {
		parameters: ({ site, freeSite }) => ({
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
		sent: ({ site, freeSite }) =>
			request('POST /auto-update-schedules', {
				auto_update_schedule: {
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
				},
			}),
		output: ({ json }) =>
			expect(json).toEqual([expect.objectContaining({ name: 'Nightly', status: 'active' })]),
	},
	'autoUpdate/schedule/update': {
		parameters: ({ schedule }) => ({
			scheduleId: locator(schedule),
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
		}),
		sent: ({ schedule }) =>
			request(`POST /auto-update-schedules/${schedule}/update`, {
				auto_update_schedule: {
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
			}),
		output: ({ json }, { schedule }) =>
			expect(json).toEqual([
				expect.objectContaining({
					id: schedule,
					scope: {
						sites: { selection: 'all' },
						updates: expect.objectContaining({
							cms_core: true,
							plugins: { selection: 'specific', filenames: [] },
						}),
					},
				}),
			]),
	},
	'autoUpdate/schedule/update only-an-option': {
		parameters: ({ schedule }) => ({
			scheduleId: locator(schedule),
			updateFields: { backup: false },
		}),
		sent: ({ schedule }) =>
			request(`POST /auto-update-schedules/${schedule}/update`, {
				auto_update_schedule: { options: { backup: false } },
			}),
		output: ({ json }) =>
			expect(json[0]).toMatchObject({ options: { backup: false, visual_regression: false } }),
	},
	'autoUpdate/history/getAll': {
		parameters: ({ idleSchedule, schedule }) => ({
			filters: {
				scheduleId: locator(idleSchedule),
				scheduleIds: [schedule, idleSchedule],
				scheduleNameContains: 'cache',
				status: 'no_updates',
				statusIsOneOf: ['failed', 'no_updates'],
				...times('performedOn'),
			},
			sort: { by: { field: 'auto_update_schedule_name', direction: 'asc' } },
			// This list does not take it.
			options: { timezone: 'Europe/Berlin' },
		}),
		sent: ({ idleSchedule, schedule }) =>
			list('GET /auto-update-history', {
				'filters[auto_update_schedule_id:eq]': idleSchedule,
				'filters[auto_update_schedule_id:in][]': [schedule, idleSchedule],
				'filters[auto_update_schedule_name:contains]': 'cache',
				'filters[status:eq]': 'no_updates',
				'filters[status:in][]': ['failed', 'no_updates'],
				...timesSent('performed_on'),
				sort: 'auto_update_schedule_name,asc',
			}),
		output: ({ json }, { idleSchedule }) => {
			expect(json).toHaveLength(3);
			for (const entry of json) {
				expect(entry).toMatchObject({
					auto_update_schedule: { id: idleSchedule },
					status: 'no_updates',
					task_id: null,
				});
			}
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
	{
		...reports,
		...reportTemplates,
		...scheduledReports,
		...autoUpdates,
		...listChanges,
		...onIds,
	},
	called,
);

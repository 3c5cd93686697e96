import { completedSnapshots } from '../../../sandbox/service/domain/snapshots/rules';
import { contentOf, type NodeResult } from '../../support/engine';
import { START, type Fleet } from '../../support/fleet';
import {
	GONE,
	operationCases,
	outcomes,
	startedTask,
	type OperationCases,
} from '../../support/operationCases';
import { locator } from '../../support/locator';
import type { Names } from '../../support/savedNodes';

/** Template data, with a section and a list. */
const data = ({ sender }: Names) => ({
	sections: { section: [{ key: 'introduction', visible: false, heading: 'Your site' }] },
	sectionOrder: 'introduction\n cover,',
	senderEmailId: locator(sender),
});

const recipients = 'Owner@example.com, office@example.com';

const onScheduleSites = (change: 'add' | 'remove') => ({
	set: ({ site, freeSite }: Names) => ({ siteIds: [freeSite, site] }),
	output: ({ json }: NodeResult, { site, freeSite }: Names) => {
		const ids = change === 'add' ? [site, freeSite] : [];
		expect(json).toMatchObject([
			{
				scope: { sites: { selection: 'specific', ids }, updates: { cms_core: true } },
				...(change === 'add'
					? { added_count: 1, already_there: [site] }
					: { removed_count: 1, not_there: [freeSite] }),
			},
		]);
	},
});

const cases: OperationCases = {
	'report/report/create': {
		set: (ids) => ({
			siteId: locator(ids.site),
			startDate: `${ids.day}T00:00:00`,
			endDate: `${ids.day}T00:00:00`,
			additionalFields: { reportTemplateId: locator(ids.template), ...data(ids) },
		}),
		output: startedTask('queued', ({ site }) => ({ site_id: site })),
	},
	'report/report/sendEmail': {
		set: ({ sender }) => ({
			recipients: 'b@example.com,\n c@example.com, B@example.com',
			additionalFields: { senderEmailId: locator(sender) },
		}),
		output: outcomes(
			({ report }) => ({ report_id: report }),
			'recipient',
			'sent',
			() => [['b@example.com'], ['c@example.com']],
		),
	},
	'report/report/download': {
		set: { binaryPropertyName: 'pdf' },
		output: ({ items }, { report }) => {
			const name = expect.stringMatching(/^Report \w.* 2026-0\d\.pdf$/);
			const file = { file_name: name, mime_type: 'application/pdf' };
			expect(items.map(({ json }) => json)).toMatchObject([{ id: report, ...file }]);
			expect(Object.keys(items[0]!.binary!)).toEqual(['pdf']);
			expect(contentOf(items[0]!, 'pdf').toString('latin1')).toMatch(/^%PDF-[^]*%%EOF\s*$/);
		},
	},
	'reportTemplate/reportTemplate/create': {
		set: (ids) => ({ name: 'New', additionalFields: data(ids) }),
	},
	'reportTemplate/reportTemplate/update': {
		set: (ids) => ({ updateFields: { name: 'Renamed', ...data(ids) } }),
	},
	'reportTemplate/reportTemplate/delete': {
		set: ({ template, unusedTemplate }) => ({
			reportTemplateIds: `${template}, ${unusedTemplate}\n${GONE}`,
		}),
		output: outcomes({}, 'id', 'deleted', ({ template, unusedTemplate }) => [
			[template, 'template_in_use'],
			[unusedTemplate],
			[GONE, 'not_found'],
		]),
	},
	'scheduledReport/scheduledReport/create': {
		set: (ids) => ({
			siteId: locator(ids.freeSite),
			frequency: 'biweekly',
			startedAt: '2026-03-05T09:00:00',
			additionalFields: { ...data(ids), sendToClient: true },
		}),
	},
	'scheduledReport/scheduledReport/update': {
		set: (ids) => ({
			updateFields: { ...data(ids), recipients: '={{ ["office@example.com"] }}' },
		}),
	},
	'scheduledReport/scheduledReport/resume': { on: ['pausedScheduled'] },
	'scheduledReport/scheduledReport/addRecipients': {
		set: { recipients },
		output: ({ json }) =>
			expect(json).toMatchObject([{ added_count: 1, already_there: ['Owner@example.com'] }]),
	},
	'scheduledReport/scheduledReport/removeRecipients': {
		set: { recipients },
		output: ({ json }) =>
			expect(json).toMatchObject([{ removed_count: 1, not_there: ['office@example.com'] }]),
	},
	'autoUpdate/schedule/create': {
		set: ({ site, freeSite }) => ({
			name: 'Nightly',
			recurrence: 'monthly_on_week',
			startedAt: '2026-03-05T02:00:00',
			sites: { scope: { selection: 'specific', siteIds: `${site}, ${freeSite}` } },
			updates: { categories: { cmsCore: false, plugins: 'all', themes: 'all' } },
			additionalFields: { backup: true },
		}),
	},
	'autoUpdate/schedule/update': {
		set: { updateFields: { recurrence: 'biweekly', sites: { scope: { selection: 'all' } } } },
	},
	'autoUpdate/schedule/update only-an-option': { set: { updateFields: { backup: false } } },
	'autoUpdate/schedule/enable': { on: ['pausedSchedule'] },
	'autoUpdate/schedule/addSites': onScheduleSites('add'),
	'autoUpdate/schedule/removeSites': onScheduleSites('remove'),
	'autoUpdate/history/getAll': {},
};

async function prepare({ world, clock, api }: Fleet): Promise<Names> {
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

const called = { scheduledReport: 'scheduled', reportTemplate: 'template' };

operationCases('reports', prepare, cases, called);

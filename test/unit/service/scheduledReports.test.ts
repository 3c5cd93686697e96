import { expectError, list, start, startTime, type TestService } from './support';

const path = '/scheduled-reports';
const at = (ms: number) => new Date(startTime + ms).toISOString();
const hour = 60 * 60 * 1000;
const day = 24 * hour;
const week = 7 * day;

/** A service without reports and scheduled reports. */
async function startEmpty() {
	const service = await start();
	const { reports, scheduledReports, sites } = service.world.store;
	for (const { id } of reports.all()) reports.delete(id);
	for (const { id } of scheduledReports.all()) scheduledReports.delete(id);
	const [site, other] = sites.all();
	return { ...service, site: site!, other: other! };
}

type Started = Awaited<ReturnType<typeof startEmpty>>;

const create = ({ api, site }: Started, changes: object = {}) =>
	api.post(path, {
		scheduled_report: {
			site_id: site.id,
			started_at: at(hour),
			frequency: 'weekly',
			...changes,
		},
	});

async function startWithReport(changes: object = {}) {
	const service = await startEmpty();
	const { status, data } = await create(service, changes);
	expect(status).toBe(201);
	return { ...service, scheduled: data.scheduled_report, id: data.scheduled_report.id as string };
}

const show = async ({ api }: TestService, id: string) =>
	(await api.get(`${path}/${id}`)).data.scheduled_report;
const update = ({ api, id }: { id: string } & TestService, scheduled_report: object) =>
	api.post(`${path}/${id}/update`, { scheduled_report });
const act = ({ api, id }: { id: string } & TestService, verb: string) =>
	api.post(`${path}/${id}/${verb}`);
const recipients = (...addresses: string[]) => ({
	report_template_data: { email: { recipients: addresses } },
});

describe('creating a scheduled report', () => {
	it('returns it active, with its data and the first date', async () => {
		const { scheduled, site } = await startWithReport({
			report_template_data: { email: { subject: 'News', recipients: ['a@b.example'] } },
		});
		expect(scheduled).toEqual({
			id: expect.any(String),
			title: expect.stringContaining(site.title),
			site: { id: site.id, title: site.title, url: site.url },
			template_id: '',
			status: 'active',
			frequency: 'weekly',
			timezone: 'UTC',
			started_at: at(hour),
			next_report_at: at(hour),
			created_at: at(0),
			updated_at: at(0),
			report_template_data: {
				general: expect.any(Object),
				sections: expect.any(Object),
				section_order: ['cover', 'introduction'],
				email: {
					sender_email: null,
					subject: 'News',
					body: null,
					attach_pdf: true,
					send_to_client: false,
					recipients: ['a@b.example'],
				},
			},
		});
	});

	it('is refused for a site that has one, active or paused, until that is deleted', async () => {
		const service = await startWithReport();
		expect(expectError(await create(service), 422)).toEqual(['scheduled_report.site_id']);
		await act(service, 'pause');
		expectError(await create(service), 422);
		expect((await create(service, { site_id: service.other.id })).status).toBe(201);
		await service.api.delete(`${path}/${service.id}`);
		expect((await create(service)).status).toBe(201);
	});
});

describe('one scheduled report', () => {
	it('shows its data, but its recipients only in a list', async () => {
		const service = await startWithReport(recipients('a@b.example'));
		expect(await show(service, service.id)).toEqual(service.scheduled);
		const { report_template_data: _data, ...common } = service.scheduled;
		expect(await list(service, path)).toEqual([
			{ ...common, email: { recipients: ['a@b.example'] } },
		]);
	});

	it('is gone once deleted, and makes no more reports', async () => {
		const service = await startWithReport();
		expect((await service.api.delete(`${path}/${service.id}`)).status).toBe(204);
		expectError(await service.api.get(`${path}/${service.id}`), 404);
		service.clock.advance(week);
		expect(await list(service, '/reports')).toEqual([]);
	});

	it('is gone with its site', async () => {
		const service = await startWithReport();
		await service.api.delete(`/sites/${service.site.id}`);
		expect(await list(service, path)).toEqual([]);
		service.clock.advance(week);
		expect(await list(service, '/reports')).toEqual([]);
	});
});

describe('updating a scheduled report', () => {
	it('changes what is sent and keeps the rest', async () => {
		const service = await startWithReport(recipients('a@b.example'));
		service.clock.advance(1000);
		const { status, data } = await update(service, {
			report_template_data: { email: { subject: 'Other' }, general: { language: 'de' } },
		});
		expect(status).toBe(200);
		const before = service.scheduled.report_template_data;
		expect(data.scheduled_report).toEqual({
			...service.scheduled,
			report_template_data: {
				...before,
				general: { ...before.general, language: 'de' },
				email: { ...before.email, subject: 'Other' },
			},
			updated_at: at(1000),
		});
	});

	it('moves the next date with the frequency, the start and the time zone', async () => {
		const service = await startWithReport({ started_at: '2025-02-10T12:00:00Z' });
		const next = async (changes: object) =>
			(await update(service, changes)).data.scheduled_report.next_report_at;
		expect(service.scheduled.next_report_at).toBe(at(week));
		expect(await next({ frequency: 'monthly' })).toBe('2025-04-10T12:00:00.000Z');
		expect(await next({ timezone: 'Europe/Berlin' })).toBe('2025-04-10T11:00:00.000Z');
		expect(await next({ started_at: at(hour) })).toBe(at(hour));
	});

	it('takes over another template, but keeps its recipients', async () => {
		const service = await startWithReport({
			report_template_data: {
				email: { subject: 'Own', recipients: ['a@b.example'], send_to_client: true },
			},
		});
		const created = await service.api.post('/report-templates', {
			report_template: { name: 'Mine', email: { subject: 'Template' } },
		});
		const { id } = created.data.report_template;
		const { data } = await update(service, { template_id: id });
		expect(data.scheduled_report.template_id).toBe(id);
		expect(data.scheduled_report.report_template_data.email).toMatchObject({
			subject: 'Template',
			recipients: ['a@b.example'],
			send_to_client: true,
		});
		await service.api.post(`/report-templates/${id}/update`, {
			report_template: { email: { subject: 'Later' } },
		});
		const { email } = (await show(service, service.id)).report_template_data;
		expect(email.subject).toBe('Later');
	});
});

describe('pausing and resuming a scheduled report', () => {
	it('makes no reports while it is paused, and continues at the next date', async () => {
		const service = await startWithReport();
		const paused = await act(service, 'pause');
		expect([paused.status, paused.data.scheduled_report.status]).toEqual([200, 'paused']);
		service.clock.advance(week);
		expect(await list(service, '/reports')).toEqual([]);
		const resumed = await act(service, 'resume');
		expect(resumed.status).toBe(200);
		expect(resumed.data.scheduled_report).toMatchObject({
			status: 'active',
			next_report_at: at(week + hour),
			updated_at: at(week),
		});
		service.clock.advance(hour);
		expect(await list(service, '/reports')).toHaveLength(1);
	});
});

describe('the reports of a scheduled report', () => {
	it('come at each date, of the period before it, and go to the recipients', async () => {
		const service = await startWithReport(recipients('a@b.example', 'c@d.example'));
		service.clock.advance(hour - 1);
		expect(await list(service, '/reports')).toEqual([]);
		service.clock.advance(1);
		const [report] = await list(service, '/reports');
		expect(report).toMatchObject({
			type: 'scheduled',
			site: { id: service.site.id },
			start_date: '2025-03-03',
			end_date: '2025-03-09',
			created_at: at(hour),
		});
		const sent = { status: 'sent', sent_at: at(hour), delivered_at: null, opened_at: null };
		expect(report.email.recipients).toEqual([
			{ email: 'a@b.example', ...sent },
			{ email: 'c@d.example', ...sent },
		]);
		expect((await show(service, service.id)).next_report_at).toBe(at(week + hour));
		service.clock.advance(2 * week);
		expect(await list(service, '/reports')).toHaveLength(3);
	});

	it('change their recipients by the clock', async () => {
		const addresses = Array.from({ length: 60 }, (_, n) => `r${n}@b.example`);
		const service = await startWithReport(recipients(...addresses));
		const statuses = async () => {
			const [report] = await list(service, '/reports');
			const all = report.email.recipients.map(({ status }: { status: string }) => status);
			return [...new Set<string>(all)].sort();
		};
		service.clock.advance(hour);
		expect(await statuses()).toEqual(['sent']);
		service.clock.advance(30_000);
		expect(await statuses()).toEqual(['bounced', 'delivered', 'failed']);
		service.clock.advance(hour);
		expect(await statuses()).toEqual(['bounced', 'delivered', 'failed', 'opened', 'spam']);
	});

	it.each([
		['biweekly', '2025-02-24', 2 * week],
		['monthly', '2025-02-10', 31 * day],
	])('are %s of that period', async (frequency, startDate, later) => {
		const service = await startWithReport({ frequency });
		service.clock.advance(hour);
		const [report] = await list(service, '/reports');
		expect([report.start_date, report.end_date]).toEqual([startDate, '2025-03-09']);
		expect((await show(service, service.id)).next_report_at).toBe(at(later + hour));
	});

	it('go to the client of the site when that is asked for', async () => {
		const service = await startWithReport({
			report_template_data: { email: { recipients: ['a@b.example'], send_to_client: true } },
		});
		const client = service.world.store.clients.all()[0]!;
		service.site.internal.client_id = client.id;
		service.clock.advance(hour);
		const [report] = await list(service, '/reports');
		expect(report.email.recipients.map(({ email }: { email: string }) => email)).toEqual([
			'a@b.example',
			client.email,
		]);
		await update(service, { report_template_data: { email: { send_to_client: false } } });
		service.clock.advance(week);
		expect((await list(service, '/reports'))[0].email.recipients).toHaveLength(1);
	});

	it('come once at a date, however often it was switched before', async () => {
		const service = await startWithReport();
		for (const verb of ['pause', 'resume', 'pause', 'resume']) await act(service, verb);
		service.clock.advance(hour);
		expect(await list(service, '/reports')).toHaveLength(1);
	});
});

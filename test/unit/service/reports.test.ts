import { completedSnapshots } from '../../../sandbox/service/domain/snapshots/rules';
import { at, day, expectError, hour, list, minute, start } from './support';

/** Reports that tasks and schedules make, the emails that go out with them, and the templates they are made of. */

const week = 7 * day;

/** A service without reports and schedules, and a site of a client with one snapshot, of a known date. */
async function startEmpty() {
	const service = await start();
	const { api, world, clock } = service;
	const { sites, reports, scheduledReports, clients } = world.store;
	for (const { id } of reports.all()) reports.delete(id);
	for (const { id } of scheduledReports.all()) scheduledReports.delete(id);
	const site = sites.all().find(({ id }) => completedSnapshots(world, id).length > 0)!;
	const [snapshot, ...others] = completedSnapshots(world, site.id);
	for (const other of others) other.status = 'failed';
	snapshot!.created_at = '2025-03-05T23:30:00.000Z';
	const client = clients.all()[0]!;
	site.internal.client_id = client.id;
	const create = async (changes: object = {}) =>
		await api.post('/reports', {
			report: { site_id: site.id, start_date: '2025-03-01', end_date: '2025-03-09', ...changes },
		});
	const reported = async () => await list(service, '/reports');
	return {
		...service,
		site,
		client,
		snapshot: snapshot!,
		create,
		reported,
		make: async (changes: object = {}) => {
			await create(changes);
			clock.advance(2 * minute);
			return (await reported())[0];
		},
		schedule: async (changes: object = {}) => {
			const fields = { site_id: site.id, started_at: at(hour), frequency: 'weekly', ...changes };
			const response = await api.post('/scheduled-reports', { scheduled_report: fields });
			return response.data.scheduled_report;
		},
		update: async (id: string, scheduled_report: object) => {
			const response = await api.post(`/scheduled-reports/${id}/update`, { scheduled_report });
			return response.data.scheduled_report;
		},
		template: async (email: object = {}) => {
			const report_template = { name: 'Mine', email };
			return (await api.post('/report-templates', { report_template })).data.report_template;
		},
	};
}

describe('a report', () => {
	it('exists once its task is completed, and keeps the names of a site that is gone', async () => {
		const { api, clock, site, client, create, reported } = await startEmpty();
		const { data } = await create();
		const { task } = (await api.get(`/tasks/${data.task.id}`)).data;
		expect([task.type, task.input.sites[0].id]).toEqual(['report', site.id]);
		clock.advance(2 * minute - 1);
		expect(await reported()).toEqual([]);
		clock.advance(1);
		const { id, title, url } = site;
		const name = `${client.first_name} ${client.last_name}`;
		const found = await reported();
		expect(found).toMatchObject([
			{
				site: { id, title, url },
				type: 'one_time',
				client: { id: client.id, name, email: client.email },
				created_at: at(2 * minute),
				email: { recipients: [] },
			},
		]);
		await api.delete(`/sites/${id}`);
		expect(await reported()).toEqual(found);
	});

	it('is not made if its task is cancelled, or the site is gone', async () => {
		const { api, clock, site, create, reported } = await startEmpty();
		const { data } = await create();
		await api.post(`/tasks/${data.task.id}/cancel`);
		await create();
		await api.delete(`/sites/${site.id}`);
		clock.advance(2 * minute);
		expect(await reported()).toEqual([]);
	});

	it.each([
		['report.template_id', { template_id: 'unknown' }],
		['report.end_date', { start_date: '2025-03-06', end_date: '2025-03-05' }],
		['report.start_date', { start_date: '2025-03-06' }],
		['report.start_date', { end_date: '2025-03-04' }],
	])('needs a template and a completed snapshot that exist: %s of %j', async (param, changes) => {
		const { create } = await startEmpty();
		expect(expectError(await create(changes), 422)).toEqual([param]);
	});

	it('looks for its snapshots in its time zone', async () => {
		const { create, snapshot } = await startEmpty();
		const range = { start_date: '2025-03-06', end_date: '2025-03-06', timezone: 'Europe/Berlin' };
		expect((await create(range)).status).toBe(201);
		snapshot.status = 'failed';
		expectError(await create(range), 422);
	});

	it('is the same PDF each time, of its title, date and visible sections', async () => {
		const { api, clock, make } = await startEmpty();
		const pdf = async (id: string) => {
			const { data } = await api.get(`/reports/${id}/download`, { responseType: 'arraybuffer' });
			return Buffer.from(data).toString('latin1');
		};
		const section = { visible: true, heading: 'Heading', description: 'x y z' };
		const sections = (introduction: object) => ({
			report_template_data: { sections: { introduction }, section_order: ['introduction'] },
		});
		const { id, title } = await make(sections(section));
		const whole = await pdf(id);
		expect(whole).toMatch(/^%PDF-1\.\d[^]*%%EOF\s*$/);
		expect(whole).toContain(`(${title})`);
		expect(whole).toContain('(D:20250310120200Z)');
		clock.advance(hour);
		expect(await pdf(id)).toBe(whole);
		const { id: other } = await make(sections({ ...section, visible: false }));
		expect((await pdf(other)).length).toBeLessThan(whole.length);
	});
});

describe('the email of a report', () => {
	async function startWithReport() {
		const service = await startEmpty();
		const { id } = await service.make();
		return {
			...service,
			send: async (fields: object = {}) =>
				await service.api.post(`/reports/${id}/send-email`, {
					send_email: { recipients: ['a@b.example'], ...fields },
				}),
			email: async () => (await service.api.get(`/reports/${id}`)).data.report.email,
		};
	}

	it('goes to the recipients that are addresses, and reports the others', async () => {
		const { send, email } = await startWithReport();
		const { data } = await send({ recipients: ['a@b.example', 'nobody', 'c@d.example'] });
		expect(data.send_email).toEqual({
			recipients: ['a@b.example', 'c@d.example'],
			errors: [{ id: 'nobody', code: 'invalid_email', message: expect.any(String) }],
		});
		const addresses = (await email()).recipients.map((each: { email: string }) => each.email);
		expect(addresses).toEqual(['a@b.example', 'c@d.example']);
	});

	it('needs a verified sender, and is remembered as it was sent', async () => {
		const { world, send, email } = await startWithReport();
		const sender = world.store.senderEmails.all()[0]!;
		sender.status = 'pending';
		const sent = { subject: 'Hello', body: 'Text', sender_email: { id: sender.id } };
		expect(expectError(await send(sent), 422)).toEqual(['send_email.sender_email.id']);
		expect((await email()).recipients).toEqual([]);
		sender.status = 'verified';
		await send(sent);
		await send({ body: 'Other' });
		const { id, email: address } = sender;
		const kept = { subject: 'Hello', body: 'Other', sender_email: { id, email: address } };
		expect(await email()).toMatchObject(kept);
	});

	it('arrives or fails after half a minute, and is opened or marked as spam later', async () => {
		const { clock, send, email } = await startWithReport();
		await send({ recipients: Array.from({ length: 60 }, (_, n) => `r${n}@b.example`) });
		const [sent, delivered] = [at(2 * minute), at(2.5 * minute)];
		const arrived = ['bounced', 'delivered', 'failed'];
		for (const [ms, statuses] of [
			[29_999, ['sent']],
			[1, arrived],
			[hour, [...arrived, 'opened', 'spam']],
		] as const) {
			clock.advance(ms);
			const { recipients } = await email();
			const found = recipients.map(({ status }: { status: string }) => status);
			expect([...new Set(found)].sort()).toEqual(statuses);
			for (const { status, sent_at, delivered_at, opened_at } of recipients) {
				const isThere = ['delivered', 'opened', 'spam'].includes(status);
				const opened = status === 'opened' ? at(2 * minute + hour) : null;
				const times = [sent, isThere ? delivered : null, opened];
				expect([sent_at, delivered_at, opened_at]).toEqual(times);
			}
		}
	});

	it('starts over for a recipient when it is sent again', async () => {
		const { clock, send, email } = await startWithReport();
		for (let i = 0; i < 2; i++) {
			await send();
			clock.advance(20_000);
		}
		const sent_at = at(2 * minute + 20_000);
		expect((await email()).recipients).toMatchObject([{ status: 'sent', sent_at }]);
	});
});

describe('a scheduled report', () => {
	it.each([
		['weekly', '2025-03-03', week],
		['biweekly', '2025-02-24', 2 * week],
		['monthly', '2025-02-10', 31 * day],
	])('is made %s at each date, of the period before', async (frequency, start_date, period) => {
		const { api, clock, client, schedule, reported } = await startEmpty();
		const email = { recipients: ['a@b.example'], send_to_client: true };
		const { id } = await schedule({ frequency, report_template_data: { email } });
		clock.advance(hour - 1);
		expect(await reported()).toEqual([]);
		clock.advance(1);
		const sent = { status: 'sent', sent_at: at(hour) };
		expect(await reported()).toMatchObject([
			{
				type: 'scheduled',
				start_date,
				end_date: '2025-03-09',
				created_at: at(hour),
				email: {
					recipients: [
						{ email: 'a@b.example', ...sent },
						{ email: client.email, ...sent },
					],
				},
			},
		]);
		const { scheduled_report } = (await api.get(`/scheduled-reports/${id}`)).data;
		expect(scheduled_report.next_report_at).toBe(at(hour + period));
		clock.advance(period);
		expect(await reported()).toHaveLength(2);
	});

	it('follows its frequency, start and time zone', async () => {
		const { schedule, update } = await startEmpty();
		const { id, next_report_at: first } = await schedule({ started_at: '2025-02-10T12:00:00Z' });
		const next = async (changes: object) => (await update(id, changes)).next_report_at;
		expect(first).toBe(at(week));
		expect(await next({ frequency: 'monthly' })).toBe('2025-04-10T12:00:00.000Z');
		expect(await next({ timezone: 'Europe/Berlin' })).toBe('2025-04-10T11:00:00.000Z');
		expect(await next({ started_at: at(hour) })).toBe(at(hour));
	});

	it('rests while it is paused, and comes once at the next date after that', async () => {
		const { api, clock, schedule, reported } = await startEmpty();
		const { id } = await schedule();
		const act = async (verb: string) => await api.post(`/scheduled-reports/${id}/${verb}`);
		await act('pause');
		clock.advance(week);
		expect(await reported()).toEqual([]);
		for (const verb of ['resume', 'pause']) await act(verb);
		const { scheduled_report } = (await act('resume')).data;
		expect(scheduled_report.next_report_at).toBe(at(week + hour));
		clock.advance(hour);
		expect(await reported()).toHaveLength(1);
	});

	it('ends with the schedule and with its site, which can have one at a time', async () => {
		const { api, clock, site, schedule, reported } = await startEmpty();
		const { id } = await schedule();
		expect(await schedule()).toBeUndefined();
		await api.delete(`/scheduled-reports/${id}`);
		expect(await schedule()).toBeDefined();
		await api.delete(`/sites/${site.id}`);
		clock.advance(week);
		expect(await reported()).toEqual([]);
	});
});

describe('a report template', () => {
	it('gives its email to a report, and to a schedule what it is at the time', async () => {
		const { make, schedule, update, template, api } = await startEmpty();
		const { id } = await template({ subject: 'Template', body: 'Hello' });
		const own = { email: { subject: 'Own', recipients: ['a@b.example'] } };
		const report = await make({ template_id: id, report_template_data: { email: { body: 'Hi' } } });
		expect(report.email).toMatchObject({ subject: 'Template', body: 'Hi' });
		const scheduled = await schedule({ report_template_data: own });
		await update(scheduled.id, { template_id: id });
		const later = { report_template: { email: { subject: 'Later' } } };
		await api.post(`/report-templates/${id}/update`, later);
		const { scheduled_report } = (await api.get(`/scheduled-reports/${scheduled.id}`)).data;
		const kept = { subject: 'Later', body: 'Hello', recipients: ['a@b.example'] };
		expect(scheduled_report.report_template_data.email).toMatchObject(kept);
	});

	it('is in use by an active or a paused schedule, until that is gone', async () => {
		const { api, site, schedule, update, template } = await startEmpty();
		const { id } = await template();
		const scheduled = await schedule();
		await update(scheduled.id, { template_id: id });
		await api.post(`/scheduled-reports/${scheduled.id}/pause`);
		const remove = async () => (await api.post('/report-templates/delete', { ids: [id] })).data;
		const shown = async () => (await api.get(`/report-templates/${id}`)).data.report_template;
		expect((await shown()).site_ids).toEqual([site.id]);
		expect((await remove()).delete.errors).toMatchObject([{ id, code: 'template_in_use' }]);
		await api.delete(`/scheduled-reports/${scheduled.id}`);
		expect((await shown()).site_ids).toEqual([]);
		expect((await remove()).delete.ids).toEqual([id]);
	});
});

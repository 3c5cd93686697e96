import { completedSnapshots } from '../../../sandbox/service/domain/snapshots/rules';
import { expectError, list, listIds, start, startTime, type TestService } from './support';

const path = '/reports';
const at = (ms: number) => new Date(startTime + ms).toISOString();
const hour = 60 * 60 * 1000;

/** A service without reports, and a site of a client with a snapshot of a known date. */
async function startWithSnapshot() {
	const service = await start();
	const { sites, reports } = service.world.store;
	for (const { id } of reports.all()) reports.delete(id);
	const site = sites.all().find(({ id }) => completedSnapshots(service.world, id).length > 0)!;
	const [snapshot, ...others] = completedSnapshots(service.world, site.id);
	for (const other of others) other.status = 'failed';
	snapshot!.created_at = '2025-03-05T23:30:00.000Z';
	const client = service.world.store.clients.all()[0]!;
	site.internal.client_id = client.id;
	return { ...service, site, client, snapshot: snapshot! };
}

type Started = Awaited<ReturnType<typeof startWithSnapshot>>;

const create = ({ api, site }: Started, changes: object = {}) =>
	api.post(path, {
		report: { site_id: site.id, start_date: '2025-03-01', end_date: '2025-03-09', ...changes },
	});

async function startWithReport(changes: object = {}) {
	const service = await startWithSnapshot();
	expect((await create(service, changes)).status).toBe(201);
	service.clock.advance(120_000);
	const [report] = await list(service, path);
	return { ...service, report, id: report.id as string };
}

const show = async ({ api }: TestService, id: string) =>
	(await api.get(`${path}/${id}`)).data.report;
const send = ({ api, id }: { id: string } & TestService, fields: object = {}) =>
	api.post(`${path}/${id}/send-email`, { send_email: { recipients: ['a@b.example'], ...fields } });

describe('creating a report', () => {
	it('starts a task, and the report exists once it is completed', async () => {
		const service = await startWithSnapshot();
		const { status, data } = await create(service);
		expect(status).toBe(201);
		expect(data.task).toEqual({ id: expect.any(String), status: 'queued', created_at: at(0) });
		const { task } = (await service.api.get(`/tasks/${data.task.id}`)).data;
		expect([task.type, task.input.sites[0].id]).toEqual(['report', service.site.id]);
		service.clock.advance(119_999);
		expect(await list(service, path)).toEqual([]);
		service.clock.advance(1);
		const { id, title, url } = service.site;
		const { first_name: first, last_name: last, email } = service.client;
		const expected = {
			id: expect.any(String),
			title: expect.stringContaining(title),
			site: { id, title, url },
			type: 'one_time',
			client: { id: service.client.id, name: `${first} ${last}`, email },
			start_date: '2025-03-01',
			end_date: '2025-03-09',
			created_at: at(120_000),
			email: {
				subject: expect.any(String),
				body: null,
				attach_pdf: true,
				sender_email: null,
				recipients: [],
			},
		};
		const [report] = await list(service, path);
		expect(report).toEqual(expected);
		expect(await show(service, report.id)).toEqual(expected);
	});

	it('makes no report when the task is cancelled, or the site is gone before its end', async () => {
		const service = await startWithSnapshot();
		const { data } = await create(service);
		await service.api.post(`/tasks/${data.task.id}/cancel`);
		await create(service);
		await service.api.delete(`/sites/${service.site.id}`);
		service.clock.advance(120_000);
		expect(await list(service, path)).toEqual([]);
	});

	it('has no client when the site has none', async () => {
		const service = await startWithSnapshot();
		service.site.internal.client_id = null;
		await create(service);
		service.clock.advance(120_000);
		expect((await list(service, path))[0].client).toBeNull();
	});

	it('takes its email from the template, unless values are sent', async () => {
		const service = await startWithSnapshot();
		const { data } = await service.api.post('/report-templates', {
			report_template: { name: 'Mine', email: { subject: 'Template', body: 'Hello' } },
		});
		await create(service, {
			template_id: data.report_template.id,
			report_template_data: { email: { subject: 'Sent' } },
		});
		service.clock.advance(120_000);
		expect((await list(service, path))[0].email).toMatchObject({ subject: 'Sent', body: 'Hello' });
	});

	it.each([
		['report.site_id', { site_id: 'unknown' }],
		['report.template_id', { template_id: 'unknown' }],
		[
			'report.report_template_data.email.sender_email.id',
			{ report_template_data: { email: { sender_email: { id: 'unknown' } } } },
		],
		['report.end_date', { start_date: '2025-03-06', end_date: '2025-03-05' }],
		['report.start_date', { start_date: '2025-03-06' }],
		['report.start_date', { end_date: '2025-03-04' }],
	])('cannot be done with a %s like %j', async (param, changes) => {
		expect(expectError(await create(await startWithSnapshot(), changes), 422)).toEqual([param]);
	});

	it('looks for snapshots of the range in its time zone', async () => {
		const service = await startWithSnapshot();
		const range = { start_date: '2025-03-06', end_date: '2025-03-06' };
		expectError(await create(service, range), 422);
		expect((await create(service, { ...range, timezone: 'Europe/Berlin' })).status).toBe(201);
	});

	it('counts completed snapshots only', async () => {
		const service = await startWithSnapshot();
		service.snapshot.status = 'failed';
		expectError(await create(service), 422);
	});
});

describe('one report', () => {
	it('keeps the names of a site that is gone', async () => {
		const service = await startWithReport();
		await service.api.delete(`/sites/${service.site.id}`);
		expect(await show(service, service.id)).toEqual(service.report);
	});
});

describe('downloading a report', () => {
	const download = ({ api }: TestService, id: string) =>
		api.get(`${path}/${id}/download`, { responseType: 'arraybuffer' });

	it('answers with a PDF of the title, dated when the report was made', async () => {
		const service = await startWithReport();
		const { status, headers, data } = await download(service, service.id);
		expect(status).toBe(200);
		expect(headers['content-type']).toBe('application/pdf');
		expect(headers['content-disposition']).toMatch(/^attachment; filename="[\w-]+\.pdf"$/);
		const text = Buffer.from(data).toString('latin1');
		expect(text).toMatch(/^%PDF-1\.\d[^]*%%EOF\s*$/);
		expect(text).toContain(`(${service.report.title})`);
		expect(text).toContain('(D:20250310120200Z)');
	});

	it('gives the same bytes each time', async () => {
		const service = await startWithReport();
		const first = await download(service, service.id);
		service.clock.advance(hour);
		expect((await download(service, service.id)).data).toEqual(first.data);
	});

	it('leaves out sections that are not visible or not in the order', async () => {
		const size = async (data: object) => {
			const service = await startWithReport({ report_template_data: data });
			return (await download(service, service.id)).data.length;
		};
		const sections = { introduction: { visible: true, heading: 'Heading', description: 'x y z' } };
		const whole = await size({ sections, section_order: ['introduction'] });
		const hidden = { introduction: { ...sections.introduction, visible: false } };
		expect(await size({ sections: hidden, section_order: ['introduction'] })).toBeLessThan(whole);
		expect(await size({ sections, section_order: ['unknown'] })).toBeLessThan(whole);
	});
});

describe('sending a report', () => {
	it('goes to the recipients that are addresses, and reports the others', async () => {
		const service = await startWithReport();
		const recipients = ['a@b.example', 'nobody', 'c@d.example', 'a@b.example'];
		const { status, data } = await send(service, { recipients });
		expect(status).toBe(200);
		expect(data).toEqual({
			send_email: {
				recipients: ['a@b.example', 'c@d.example'],
				errors: [{ id: 'nobody', code: 'invalid_email', message: expect.any(String) }],
			},
			meta: { requested: 3, succeeded: 2, failed: 1 },
		});
		const sent = { status: 'sent', sent_at: at(120_000), delivered_at: null, opened_at: null };
		expect((await show(service, service.id)).email.recipients).toEqual([
			{ email: 'a@b.example', ...sent },
			{ email: 'c@d.example', ...sent },
		]);
	});

	it('remembers how it was sent, and keeps what is not sent', async () => {
		const service = await startWithReport();
		const sender = service.world.store.senderEmails.all()[0]!;
		sender.status = 'verified';
		await send(service, { subject: 'Hello', body: 'Text', attach_pdf: false });
		await send(service, { sender_email: { id: sender.id } });
		expect((await show(service, service.id)).email).toMatchObject({
			subject: 'Hello',
			body: 'Text',
			attach_pdf: false,
			sender_email: { id: sender.id, email: sender.email },
		});
		await send(service, { sender_email: null });
		expect((await show(service, service.id)).email.sender_email).toBeNull();
	});

	it('needs a sender that is known and verified', async () => {
		const service = await startWithReport();
		const sender = service.world.store.senderEmails.all()[0]!;
		sender.status = 'pending';
		for (const id of ['unknown', sender.id]) {
			const response = await send(service, { sender_email: { id } });
			expect(expectError(response, 422)).toEqual(['send_email.sender_email.id']);
		}
		expect((await show(service, service.id)).email.recipients).toEqual([]);
	});

	/** What a recipient becomes by the luck that is drawn. */
	it.each([
		[0, 'failed', null, null],
		[0.05, 'bounced', null, null],
		[0.12, 'spam', 30_000, null],
		[0.2, 'delivered', 30_000, null],
		[0.9, 'opened', 30_000, hour],
	])('with luck %d ends as %s', async (luck, last, deliveredAfter, openedAfter) => {
		const service = await startWithReport();
		service.world.random.next = () => luck;
		await send(service);
		const sentAt = 120_000;
		const recipient = async () => (await show(service, service.id)).email.recipients[0];
		service.clock.advance(29_999);
		expect((await recipient()).status).toBe('sent');
		service.clock.advance(1);
		expect((await recipient()).status).toBe(deliveredAfter === null ? last : 'delivered');
		service.clock.advance(hour);
		expect(await recipient()).toEqual({
			email: 'a@b.example',
			status: last,
			sent_at: at(sentAt),
			delivered_at: deliveredAfter === null ? null : at(sentAt + deliveredAfter),
			opened_at: openedAfter === null ? null : at(sentAt + openedAfter),
		});
	});

	it('again starts over for a recipient, whatever happens to the first email', async () => {
		const service = await startWithReport();
		service.world.random.next = () => 0.9;
		await send(service);
		service.clock.advance(20_000);
		await send(service);
		service.clock.advance(20_000);
		const { recipients } = (await show(service, service.id)).email;
		expect(recipients).toEqual([expect.objectContaining({ status: 'sent', sent_at: at(140_000) })]);
	});
});

describe('listing reports', () => {
	it('has reports of both kinds in the demo fleet', async () => {
		const service = await start({ sites: 100 });
		for (const type of ['one_time', 'scheduled']) {
			expect(await listIds(service, path, { 'filters[type:eq]': type })).not.toEqual([]);
		}
	});
});

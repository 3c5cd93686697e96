import { list, listIds, start, startTime, type TestService } from './support';

const path = '/report-templates';
const at = (ms: number) => new Date(startTime + ms).toISOString();

const create = ({ api }: TestService, report_template: object) =>
	api.post(path, { report_template });

async function startWithTemplate(fields: object = {}) {
	const service = await start();
	const { reportTemplates, scheduledReports } = service.world.store;
	for (const { id } of reportTemplates.all()) reportTemplates.delete(id);
	for (const { id } of scheduledReports.all()) scheduledReports.delete(id);
	const { status, data } = await create(service, { name: 'Mine', ...fields });
	expect(status).toBe(201);
	return { ...service, template: data.report_template, id: data.report_template.id as string };
}

const show = async ({ api }: TestService, id: string) =>
	(await api.get(`${path}/${id}`)).data.report_template;
const update = ({ api }: TestService, id: string, report_template: object) =>
	api.post(`${path}/${id}/update`, { report_template });

/** Gives the first site a scheduled report of the template; returns both ids. */
async function use({ api, world }: TestService, templateId: string) {
	const [site] = world.store.sites.all();
	const { data } = await api.post('/scheduled-reports', {
		scheduled_report: { site_id: site!.id, started_at: at(0), frequency: 'weekly' },
	});
	const { id } = data.scheduled_report;
	const { status } = await api.post(`/scheduled-reports/${id}/update`, {
		scheduled_report: { template_id: templateId },
	});
	expect(status).toBe(200);
	return { id, siteId: site!.id };
}

describe('creating a report template', () => {
	it('returns what was sent, with the defaults for the rest', async () => {
		const { template } = await startWithTemplate({
			general: { primary_color: '#ABCDEF' },
			sections: { updates: { heading: 'Updates' } },
			section_order: ['updates'],
			email: { subject: 'News', attach_pdf: false },
		});
		expect(template).toEqual({
			id: expect.any(String),
			site_ids: [],
			name: 'Mine',
			general: { primary_color: '#ABCDEF', language: 'en', date_format: expect.any(String) },
			sections: {
				cover: expect.objectContaining({
					dynamic_data: { logo: { option: 'default' }, cover_image: { option: 'default' } },
				}),
				introduction: expect.objectContaining({ visible: true }),
				updates: { visible: true, heading: 'Updates', description: '', dynamic_data: {} },
			},
			section_order: ['updates'],
			email: { sender_email: null, subject: 'News', body: null, attach_pdf: false },
			created_at: at(0),
			updated_at: at(0),
		});
	});

	it('names its sender with the address', async () => {
		const service = await start();
		const sender = service.world.store.senderEmails.all()[0]!;
		const email = { sender_email: { id: sender.id } };
		const { data } = await create(service, { name: 'Mine', email });
		expect(data.report_template.email.sender_email).toEqual({ id: sender.id, email: sender.email });
	});
});

describe('one report template', () => {
	it('is shown whole, but listed in short', async () => {
		const service = await startWithTemplate();
		const { template, id } = service;
		expect(await show(service, id)).toEqual(template);
		const { site_ids, name, created_at, updated_at } = template;
		expect(await list(service, path)).toEqual([{ id, site_ids, name, created_at, updated_at }]);
	});

	it('names the sites with an active or paused scheduled report of it', async () => {
		const service = await startWithTemplate();
		const { id, siteId } = await use(service, service.id);
		expect((await show(service, service.id)).site_ids).toEqual([siteId]);
		await service.api.post(`/scheduled-reports/${id}/pause`);
		expect((await show(service, service.id)).site_ids).toEqual([siteId]);
		await service.api.delete(`/scheduled-reports/${id}`);
		expect((await show(service, service.id)).site_ids).toEqual([]);
	});

	it('names no site that is gone', async () => {
		const service = await startWithTemplate();
		const { siteId } = await use(service, service.id);
		await service.api.delete(`/sites/${siteId}`);
		expect((await show(service, service.id)).site_ids).toEqual([]);
	});
});

describe('updating a report template', () => {
	it('changes what is sent and keeps the rest', async () => {
		const service = await startWithTemplate();
		service.clock.advance(1000);
		const { status, data } = await update(service, service.id, {
			general: { language: 'de' },
			section_order: [],
		});
		expect(status).toBe(200);
		expect(data.report_template).toEqual({
			...service.template,
			general: { ...service.template.general, language: 'de' },
			section_order: [],
			updated_at: at(1000),
		});
	});
});

describe('deleting report templates', () => {
	const remove = ({ api }: TestService, ids: string[]) => api.post(`${path}/delete`, { ids });

	it('deletes those it can, and reports the others', async () => {
		const service = await startWithTemplate();
		const used = (await create(service, { name: 'Used' })).data.report_template.id;
		await use(service, used);
		const { status, data } = await remove(service, [service.id, used, 'unknown']);
		expect(status).toBe(200);
		expect(data).toEqual({
			delete: {
				ids: [service.id],
				errors: [
					{ id: used, code: 'template_in_use', message: expect.any(String) },
					{ id: 'unknown', code: 'not_found', message: expect.any(String) },
				],
			},
			meta: { requested: 3, succeeded: 1, failed: 2 },
		});
		expect(await listIds(service, path)).toEqual([used]);
	});

	it('refuses one that a paused scheduled report uses, until that is deleted', async () => {
		const service = await startWithTemplate();
		const { id } = await use(service, service.id);
		await service.api.post(`/scheduled-reports/${id}/pause`);
		expect((await remove(service, [service.id])).data.meta.failed).toBe(1);
		await service.api.delete(`/scheduled-reports/${id}`);
		expect((await remove(service, [service.id])).data.meta.failed).toBe(0);
	});
});

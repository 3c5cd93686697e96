import { expectError, type SiteService, startSite } from './support';

const work = { title: 'Checkout reworked', performed_on: '2025-03-01' };

const create = ({ api, path }: SiteService, ...items: unknown[]) =>
	api.post(`${path}/custom-works`, { custom_works: items });

async function startWithWork(fields: object = {}) {
	const service = await startSite();
	const { data } = await create(service, { ...work, ...fields });
	const { id } = data.custom_works[0];
	const url = `${service.path}/custom-works/${id}`;
	const update = (changes: unknown) => service.api.post(`${url}/update`, { custom_work: changes });
	return { ...service, id, url, update };
}

describe('creating custom works', () => {
	it('adds all of them in the order they are sent', async () => {
		const service = await startSite();
		const second = { title: 'Form', performed_on: '2025-03-10', description: 'Mails again' };
		const { status, data } = await create(service, work, second);
		expect(status).toBe(201);
		const written = { id: expect.any(String), created_at: expect.any(String) };
		const [first, other] = data.custom_works;
		expect(first).toEqual({ ...work, description: '', updated_at: first.created_at, ...written });
		expect(other).toEqual({ ...second, updated_at: first.created_at, ...written });
	});

	it('takes the longest title and description, and today', async () => {
		const service = await startSite();
		const longest = {
			title: 'x'.repeat(150),
			description: 'y'.repeat(500),
			performed_on: '2025-03-10',
		};
		expect((await create(service, longest)).status).toBe(201);
	});
});

describe('one custom work', () => {
	it('keeps the fields that an update does not send', async () => {
		const { clock, update } = await startWithWork({ description: 'Long' });
		clock.advance(1000);
		const { status, data } = await update({ title: 'New' });
		expect(status).toBe(200);
		expect(data.custom_work).toMatchObject({
			...work,
			title: 'New',
			description: 'Long',
			created_at: '2025-03-10T12:00:00.000Z',
			updated_at: '2025-03-10T12:00:01.000Z',
		});
	});

	it('cannot be moved to the future', async () => {
		const { clock, update } = await startWithWork();
		expectError(await update({ performed_on: '2025-03-11' }), 422);
		clock.advance(12 * 60 * 60 * 1000);
		expect((await update({ performed_on: '2025-03-11' })).status).toBe(200);
	});
});

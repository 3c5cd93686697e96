import { expectError, list, startSite } from './support';

const user = { name: 'Sam Keeper', email: 'sam.keeper@agency.example.com' };

async function startWithNote(content = 'First') {
	const service = await startSite();
	const url = `${service.path}/notes`;
	const write = (text: unknown) => service.api.post(url, { note: { content: text } });
	const { data } = await write(content);
	const noteUrl = `${url}/${data.note.id}`;
	return {
		...service,
		url,
		noteUrl,
		note: data.note,
		write,
		rewrite: (text: unknown) => service.api.post(`${noteUrl}/update`, { note: { content: text } }),
		versions: async () => (await service.api.get(`${noteUrl}/versions`)).data.versions,
	};
}

describe('notes of a site', () => {
	it('are written by the current user', async () => {
		const { note } = await startWithNote();
		expect(note).toEqual({
			id: expect.any(String),
			content: 'First',
			user,
			versions: { available: false },
			created_at: '2025-03-10T12:00:00.000Z',
			updated_at: '2025-03-10T12:00:00.000Z',
		});
	});

	it('can have 2500 characters', async () => {
		const { write } = await startWithNote();
		expect((await write('x'.repeat(2500))).status).toBe(201);
	});

	it('keep their former contents as versions, newest first', async () => {
		const { clock, note, rewrite, versions } = await startWithNote();
		expect(await versions()).toEqual([]);
		clock.advance(1000);
		const { data } = await rewrite('Second');
		expect(data.note).toEqual({
			...note,
			content: 'Second',
			versions: { available: true },
			updated_at: '2025-03-10T12:00:01.000Z',
		});
		clock.advance(1000);
		await rewrite('Third');
		expect(await versions()).toEqual([
			expect.objectContaining({
				content: 'Second',
				user,
				created_at: '2025-03-10T12:00:01.000Z',
			}),
			expect.objectContaining({
				content: 'First',
				user,
				created_at: '2025-03-10T12:00:00.000Z',
			}),
		]);
	});

	it('are listed without their versions', async () => {
		const service = await startWithNote();
		await service.rewrite('Second');
		const rows = await list(service, service.url);
		expect(rows.map(({ content }) => content)).toEqual(['Second']);
		expect(rows[0].versions).toEqual({ available: true });
	});

	it('take their versions with them when they are deleted', async () => {
		const { api, noteUrl, rewrite } = await startWithNote();
		await rewrite('Second');
		expect((await api.delete(noteUrl)).status).toBe(204);
		expectError(await api.get(noteUrl), 404);
		expectError(await api.get(`${noteUrl}/versions`), 404);
	});

	it('are gone with their site', async () => {
		const { api, path, world } = await startWithNote();
		await api.delete(path);
		expect(world.store.notes.all()).toEqual([]);
	});
});

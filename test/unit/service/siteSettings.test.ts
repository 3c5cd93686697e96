import { expectError, startSite } from './support';

const off = { wp_auto_updates: { enabled: false }, shop_db_upgrade: { enabled: false } };

async function startSettings() {
	const service = await startSite();
	const url = `${service.path}/settings`;
	return {
		...service,
		show: async () => (await service.api.get(url)).data.settings,
		update: (settings: unknown) => service.api.post(`${url}/update`, { settings }),
	};
}

describe('site settings', () => {
	it('are off at first', async () => {
		const { show } = await startSettings();
		expect(await show()).toEqual(off);
	});

	it('are updated one by one or together, and both are returned', async () => {
		const { clock, show, update } = await startSettings();
		const { status, data } = await update({ shop_db_upgrade: { enabled: true } });
		expect(status).toBe(200);
		expect(data).toEqual({ settings: { ...off, shop_db_upgrade: { enabled: true } } });
		expect(await show()).toEqual(data.settings);
		clock.advance(1000);
		const both = { wp_auto_updates: { enabled: true }, shop_db_upgrade: { enabled: false } };
		expect((await update(both)).data.settings).toEqual(both);
	});

	it('are in conflict with another update in progress', async () => {
		const { clock, show, update } = await startSettings();
		await update({ wp_auto_updates: { enabled: true } });
		clock.advance(999);
		expectError(await update({ wp_auto_updates: { enabled: false } }), 409);
		expect((await show()).wp_auto_updates).toEqual({ enabled: true });
		clock.advance(1);
		expect((await update({ wp_auto_updates: { enabled: false } })).status).toBe(200);
	});
});

import { expectError, start, type TestService } from './support';

const settingUpdateMs = 2000;

const pluginDefaults = {
	type: 'default',
	name: expect.any(String),
	description: expect.any(String),
	author: { name: expect.any(String), url: expect.any(String) },
};
const noWpLogin = {
	type: 'default',
	logo_file: null,
	label: null,
	error_message: null,
	tooltip: null,
	sender_email: null,
};
const logo = `data:image/png;base64,${Buffer.from('logo').toString('base64')}`;

/** The two brandings, with a change that each takes. */
const brandings = [
	['plugin-branding', { plugin_branding: { type: 'hidden' } }],
	['wp-login', { wp_login: { label: 'Sign in' } }],
] as const;

const update = ({ api }: TestService, name: string, body: object) =>
	api.post(`/whitelabel/${name}/update`, body);
const reset = ({ api }: TestService, name: string) => api.post(`/whitelabel/${name}/reset`);
const show = async ({ api }: TestService, name: string): Promise<any> =>
	Object.values((await api.get(`/whitelabel/${name}`)).data)[0];

/** Updates a branding and lets the update end; returns what it answered with. */
async function apply(service: TestService, name: string, body: object) {
	const { status, data } = await update(service, name, body);
	expect(status).toBe(200);
	service.clock.advance(settingUpdateMs);
	const [branding] = Object.values<any>(data);
	expect(await show(service, name)).toEqual(branding);
	return branding;
}
const brand = (service: TestService, fields: object) =>
	apply(service, 'plugin-branding', { plugin_branding: fields });
const login = (service: TestService, fields: object) =>
	apply(service, 'wp-login', { wp_login: fields });

describe.each(brandings)('the setting %s', (name, body) => {
	it.each(['update', 'reset'])('continues for a while, and refuses %s meanwhile', async (verb) => {
		const service = await start({ settings: { settingUpdateMs } });
		const again = () => (verb === 'update' ? update(service, name, body) : reset(service, name));
		expect((await update(service, name, body)).status).toBe(200);
		service.clock.advance(settingUpdateMs - 1);
		expectError(await again(), 409);
		service.clock.advance(1);
		expect((await again()).status).toBe(200);
		expectError(await again(), 409);
	});

	it('is refused while the other one is being updated', async () => {
		const service = await start();
		const [otherName, otherBody] = brandings.find(([other]) => other !== name)!;
		await update(service, otherName, otherBody);
		const before = await show(service, name);
		expectError(await update(service, name, body), 409);
		expect(await show(service, name)).toEqual(before);
		expectError(await reset(service, name), 409);
	});
});

it('the plan feature of one branding does not serve the other', async () => {
	const service = await start({ settings: { planFeatures: ['wp_login'] } });
	expectError(await reset(service, 'plugin-branding'), 422);
	expect((await reset(service, 'wp-login')).status).toBe(200);
});

describe('plugin branding', () => {
	const custom = {
		type: 'custom',
		name: 'Agency Care',
		description: 'Looked after by the agency',
		author: { name: 'The Agency', url: 'https://agency.example.org' },
	};

	it('shows the default details of the account at first', async () => {
		expect(await show(await start(), 'plugin-branding')).toEqual(pluginDefaults);
	});

	it('takes custom details, and later changes of some of them', async () => {
		const service = await start();
		const defaults = await show(service, 'plugin-branding');
		expect(await brand(service, custom)).toEqual(custom);
		const changes = { type: 'custom', name: 'Care', author: { url: null } };
		expect(await brand(service, changes)).toEqual({
			...custom,
			name: 'Care',
			author: { name: 'The Agency', url: defaults.author.url },
		});
	});

	it('shows no details when it is hidden, whatever is sent', async () => {
		const service = await start();
		expect(await brand(service, { ...custom, type: 'hidden' })).toEqual({
			type: 'hidden',
			name: null,
			description: null,
			author: { name: null, url: null },
		});
	});

	it('shows the default details for the type default, whatever is sent', async () => {
		const service = await start();
		const defaults = await show(service, 'plugin-branding');
		await brand(service, custom);
		expect(await brand(service, { ...custom, type: 'default' })).toEqual(defaults);
	});

	it('is as at first after a reset', async () => {
		const service = await start();
		const defaults = await show(service, 'plugin-branding');
		await brand(service, custom);
		const { status, data } = await reset(service, 'plugin-branding');
		expect([status, data]).toEqual([200, { plugin_branding: defaults }]);
	});
});

describe('the login screen', () => {
	it('has no custom settings at first', async () => {
		expect(await show(await start(), 'wp-login')).toEqual(noWpLogin);
	});

	it('takes custom settings, and keeps those that are not sent', async () => {
		const service = await start();
		const sender = service.world.store.senderEmails.all()[0]!;
		const settings = { logo_file: logo, label: 'Sign in', error_message: 'No', tooltip: 'Hi' };
		const custom = {
			type: 'custom',
			...settings,
			sender_email: { id: sender.id, email: sender.email },
		};
		expect(await login(service, { ...settings, sender_email: { id: sender.id } })).toEqual(custom);
		expect(await login(service, { label: null })).toEqual({ ...custom, label: null });
	});

	it.each([
		['label', null],
		['sender_email', null],
	])('is default again when its last custom setting, %s, is cleared', async (field, nothing) => {
		const service = await start();
		const { id } = service.world.store.senderEmails.all()[0]!;
		const value = field === 'label' ? 'Sign in' : { id };
		expect((await login(service, { [field]: value })).type).toBe('custom');
		expect(await login(service, { [field]: nothing })).toEqual(noWpLogin);
	});

	it('has no custom settings after a reset', async () => {
		const service = await start();
		await login(service, { label: 'Sign in' });
		const { status, data } = await reset(service, 'wp-login');
		expect([status, data]).toEqual([200, { wp_login: noWpLogin }]);
		expect(await show(service, 'wp-login')).toEqual(noWpLogin);
	});

	it('takes a logo of 2 MB', async () => {
		const service = await start();
		const image = Buffer.alloc(2 * 1024 * 1024, 7).toString('base64');
		const { status, data } = await update(service, 'wp-login', {
			wp_login: { logo_file: `data:image/png;base64,${image}` },
		});
		expect(status).toBe(200);
		expect(data.wp_login.logo_file).toHaveLength(image.length + 22);
	});

	it('refuses an unknown sender email, and is free for another update', async () => {
		const service = await start();
		const wp_login = { label: 'x', sender_email: { id: 'unknown' } };
		expect(expectError(await update(service, 'wp-login', { wp_login }), 422)).toEqual([
			'wp_login.sender_email.id',
		]);
		expect(await show(service, 'wp-login')).toEqual(noWpLogin);
		expect((await reset(service, 'wp-login')).status).toBe(200);
	});

	it('shows no sender email that was deleted', async () => {
		const service = await start();
		const { id } = service.world.store.senderEmails.all()[0]!;
		await login(service, { label: 'x', sender_email: { id } });
		await service.api.delete(`/sender-emails/${id}`);
		expect((await show(service, 'wp-login')).sender_email).toBeNull();
	});
});

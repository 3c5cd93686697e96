import { FOREIGN, rawRequest } from '../../support/rawRequest';
import { start } from './support';

const switchOn = { method: 'POST', body: { token_expired: true } };

it.each([
	...FOREIGN,
	['the same name without its port', { Origin: 'http://localhost' }],
	['a name that begins with localhost', { Host: 'localhost.example.com' }],
])('the controls cannot be used by %s', async (_, headers) => {
	const { admin, pageUrl } = await start();
	const control = '/_sandbox/faults';
	for (const path of [control, '/%5Fsandbox/faults', '/_sandbox/%66aults']) {
		const { status } = await rawRequest(pageUrl, path, { ...switchOn, headers });
		expect([path, status]).toEqual([path, 403]);
	}
	const token = `${control}/token_expired`;
	expect((await rawRequest(pageUrl, token, { method: 'DELETE', headers })).status).toBe(403);
	expect((await admin.get('/faults')).data).toEqual({ faults: {} });
	if (!('Host' in headers)) return;
	for (const path of ['/', '/_sandbox', '/_sandbox/api/sites', '/_sandbox/changes']) {
		expect([path, (await rawRequest(pageUrl, path, { headers })).status]).toEqual([path, 403]);
	}
});

it.each(['127.0.0.1', 'localhost', 'LOCALHOST', '[::1]'])(
	'the controls can be used by programs and by their own page at %s',
	async (name) => {
		const { pageUrl } = await start();
		const host = `${name}:${new URL(pageUrl).port}`;
		for (const headers of [{ Host: host }, { Host: host, Origin: `http://${host}` }]) {
			const asked = { ...switchOn, headers };
			expect((await rawRequest(pageUrl, '/_sandbox/faults', asked)).status).toBe(200);
		}
		expect((await rawRequest(pageUrl, '/', { headers: { Host: host } })).status).toBe(200);
	},
);

it('the controls are guarded apart from the API, which asks for its token', async () => {
	const { pageUrl, token } = await start();
	const headers = { Host: 'api.example.com', Authorization: `Bearer ${token}` };
	expect((await rawRequest(pageUrl, '/api/v6/tags', { headers })).status).toBe(200);
});

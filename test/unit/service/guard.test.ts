import { rawRequest, type RawRequest } from '../../support/rawRequest';
import { start, type TestService } from './support';

const statusOf = async (
	{ pageUrl }: TestService,
	{ path, ...asked }: RawRequest & { path: string },
) => (await rawRequest(pageUrl, path, asked)).status;

const switchOn = { method: 'POST', body: { token_expired: true } };

describe('the controls of a service', () => {
	it.each(['https://example.com', 'http://127.0.0.1:1', 'http://localhost', 'null'])(
		'cannot be used by a page of %s',
		async (origin) => {
			const service = await start();
			const headers = { Origin: origin };
			for (const path of ['/_sandbox/faults', '/%5Fsandbox/faults', '/_sandbox/%66aults']) {
				expect(await statusOf(service, { ...switchOn, path, headers })).toBe(403);
			}
			const path = '/_sandbox/faults/token_expired';
			expect(await statusOf(service, { method: 'DELETE', path, headers })).toBe(403);
			expect((await service.admin.get('/faults')).data).toEqual({ faults: {} });
		},
	);

	it.each(['example.com', 'example.com:80', '127.0.0.1.example.com', 'localhost.example.com'])(
		'are refused for the host "%s"',
		async (host) => {
			const service = await start();
			const headers = { Host: host };
			for (const path of ['/', '/_sandbox', '/_sandbox/api/sites', '/_sandbox/changes']) {
				expect([path, await statusOf(service, { path, headers })]).toEqual([path, 403]);
			}
			const path = '/_sandbox/faults';
			expect(await statusOf(service, { ...switchOn, path, headers })).toBe(403);
			const own = { ...headers, Origin: `http://${host}` };
			expect(await statusOf(service, { ...switchOn, path, headers: own })).toBe(403);
		},
	);

	it.each(['127.0.0.1', 'localhost', 'LOCALHOST', '[::1]'])(
		'can be used by programs and by its own page at %s',
		async (name) => {
			const service = await start();
			const host = `${name}:${new URL(service.pageUrl).port}`;
			const path = '/_sandbox/faults';
			const origin = { Host: host, Origin: `http://${host}` };
			for (const headers of [{ Host: host }, origin]) {
				expect(await statusOf(service, { ...switchOn, path, headers })).toBe(200);
			}
			expect(await statusOf(service, { path: '/', headers: { Host: host } })).toBe(200);
		},
	);

	it('are guarded apart from the API, which asks for its token', async () => {
		const service = await start();
		const headers = { Host: 'api.example.com', Authorization: `Bearer ${service.token}` };
		expect(await statusOf(service, { path: '/api/v6/tags', headers })).toBe(200);
	});
});

import { Guard, NotPermitted, permit, RateLimited } from '../../../tools/live/guard';
import type { Extra } from '../../../tools/live/reads';
import { reads } from '../../../tools/live/reads';
import { reference } from '../../support/reference';
import { type Answer, startWayward, type Wayward } from '../../support/wayward';
import { stillClock } from './support';

/** The one way out of check:live: only reads get through. */

const base = new URL('https://api.example.com/api/v6');
const BASE = base.href;

const isPermitted = (method: string, address: string, ...extras: Extra[]) => {
	try {
		permit(method, address, { base, extras: new Set(extras) });
		return true;
	} catch (error) {
		expect(error).toBeInstanceOf(NotPermitted);
		return false;
	}
};

const filled = (path: string) => path.replace(/\{\w+\}/g, 'a1');

it('knows every GET of the reference', () => {
	const gets = reference.filter(({ route }) => route.startsWith('GET '));
	expect(reads.map(({ route }) => route)).toEqual(gets.map(({ route }) => route));
	expect(reads.filter(({ extra }) => extra).map(({ route, extra }) => [extra, route])).toEqual([
		['files', 'GET /reports/{report_id}/download'],
		['files', 'GET /sites/{site_id}/files/download'],
		['links', 'GET /staging-sites/{staging_site_id}/wp/users/sso-login-url'],
	]);
});

it('lets every read through, and files and links only on request', () => {
	for (const { path, extra } of reads) {
		const address = `${BASE}${filled(path)}`;
		expect([path, isPermitted('GET', address)]).toEqual([path, extra === undefined]);
		expect([path, isPermitted('GET', address, 'files', 'links')]).toEqual([path, true]);
	}
	const downloads = `${BASE}/reports/7/download`;
	expect(isPermitted('GET', downloads, 'links')).toBe(false);
});

it('lets no change through, whatever method it is sent with', () => {
	for (const { route } of reference) {
		const [method, path] = route.split(' ') as [string, string];
		if (method === 'GET') continue;
		const address = `${BASE}${filled(path)}`;
		for (const sent of [method, 'PUT', 'HEAD', 'get', '']) {
			expect([route, isPermitted(sent, address)]).toEqual([route, false]);
		}
		const isRead = reads.some((read) => filled(read.path) === filled(path));
		if (!isRead) expect([route, isPermitted('GET', address)]).toEqual([route, false]);
	}
});

it.each([
	['another host', 'https://evil.example.com/api/v6/tags'],
	['another protocol', 'http://api.example.com/api/v6/tags'],
	['a user', 'https://me@api.example.com/api/v6/tags'],
	['the host as a user', 'https://api.example.com@evil.example.com/api/v6/tags'],
	['beside the base', 'https://api.example.com/api/v66/tags'],
	['dots', `${BASE}/../v5/tags`],
	['dots that are encoded', `${BASE}/tags/%2e%2e/sites`],
	['dots as an id', `${BASE}/tags/..`],
	['a slash in an id', `${BASE}/tags/7%2Fdelete`],
	['a parameter in an id', `${BASE}/tags/7;delete`],
	['a line break in an id', `${BASE}/tags/7%0d%0aX`],
	['an empty id', `${BASE}/tags/`],
	['another case', `${BASE}/Tags`],
	['an unknown path', `${BASE}/pets`],
	['more than a read', `${BASE}/tags/7/assign`],
	['a fragment', `${BASE}/tags#x`],
	['another method in the query', `${BASE}/tags?_method=DELETE`],
	['an unknown parameter', `${BASE}/tags?page=1&delete=1`],
	['a parameter of another list', `${BASE}/tags?filters[php_version:eq]=8`],
])('lets nothing through with %s', (_, address) => {
	expect(isPermitted('GET', address, 'files', 'links')).toBe(false);
});

describe('a request', () => {
	let service: Wayward;
	let answer: (url: URL, count: number) => Answer;

	beforeEach(async () => {
		service = await startWayward((url, count) => answer(url, count));
	});

	function guardOf() {
		const clock = stillClock();
		const options = { base: new URL(service.baseUrl), extras: new Set<Extra>(), clock };
		return { clock, guard: new Guard({ ...options, token: 'the-token' }) };
	}

	const left = (remaining: number, reset = 30): Answer => ({
		headers: {
			'X-RateLimit-Limit': '200',
			'X-RateLimit-Remaining': String(remaining),
			'X-RateLimit-Reset': String(reset),
		},
		body: {},
	});

	it('sends nothing that is not permitted', async () => {
		answer = () => ({ body: {} });
		const { guard } = guardOf();
		await expect(guard.get('/tags/7/assign')).rejects.toThrow(NotPermitted);
		await expect(guard.send('DELETE', `${service.baseUrl}/tags/7`)).rejects.toThrow(NotPermitted);
		await expect(guard.get('/tags', { _method: 'DELETE' })).rejects.toThrow(NotPermitted);
		expect(service.requests).toEqual([]);
	});

	it.each([
		[50, []],
		[49, [Math.ceil(30_000 / 49)]],
		[10, [3000]],
		[9, [30_000]],
		[0, [30_000]],
	])('with %d requests left it waits %j ms', async (remaining, slept) => {
		answer = () => left(remaining);
		const { guard, clock } = guardOf();
		await guard.get('/tags');
		await guard.get('/tags');
		expect(clock.slept).toEqual(slept);
	});

	it('sends nothing after a 429', async () => {
		answer = (_, count) => (count === 2 ? { status: 429, body: {} } : { body: {} });
		const { guard } = guardOf();
		await guard.get('/tags');
		await expect(guard.get('/tags')).rejects.toThrow(RateLimited);
		await expect(guard.get('/tags')).rejects.toThrow(RateLimited);
		expect(service.requests).toHaveLength(2);
	});
});

import { faults, type Faults } from '../../../sandbox/service/http/faults';
import { expectError, start } from './support';

describe('the value of a fault', () => {
	const when = { next: 3, method: 'POST', path: '/tags' };

	it.each<[keyof Faults, string, object]>([
		['wrong_answers', 'html', { kind: 'html' }],
		['wrong_answers', 'unpaged,3x POST /tags', { kind: 'unpaged', ...when }],
		['redirects', 'always', {}],
		['redirects', '307', { status: 307 }],
		['redirects', '301,0.5 GET', { status: 301, rate: 0.5, method: 'GET' }],
		['redirects', '3x POST /tags', when],
		['odd_rate_headers', 'epoch', { kind: 'epoch' }],
		['odd_rate_headers', 'text,3x POST /tags', { kind: 'text', ...when }],
		['hanging', '3x POST /tags', when],
		['harmless', 'always', {}],
		['harmless', '0.3 GET', { rate: 0.3, method: 'GET' }],
		['harmless', 'no_meta', { only: 'no_meta' }],
		['harmless', 'no_meta,3x POST /tags', { only: 'no_meta', ...when }],
		['server_errors', '503,0.05', { status: 503, rate: 0.05 }],
	])('%s is read from "%s" on the command line', async (name, text, expected) => {
		expect(faults[name].parse(text)).toEqual(expected);
		const { admin } = await start({ sites: 0 });
		expect((await admin.post('/faults', { [name]: expected })).status).toBe(200);
	});

	it.each<[keyof Faults, string, string]>([
		['wrong_answers', 'odd', '"odd" is unknown. Choose one of html, empty, truncated, shape'],
		['wrong_answers', '3x', '"3x" is unknown. Choose one of html'],
		['wrong_answers', 'html,often', '"often" is not a valid WHEN. WHEN is "always"'],
		['redirects', '304', '"304" is unknown. Choose one of 301, 302, 303, 307, 308'],
		['redirects', '302,', '"" is not a valid WHEN'],
		['redirects', 'home', '"home" is not a valid WHEN'],
		['odd_rate_headers', '', '"" is unknown. Choose one of empty, zero'],
		['odd_rate_headers', 'zero,3', '"3" is not a valid WHEN'],
		['hanging', '3y', '"3y" is not a valid WHEN'],
		['harmless', 'meta', '"meta" is not a valid WHEN'],
		['server_errors', '404', '"404" is unknown. Choose one of 500 to 599'],
	])('%s is not read from "%s" there', (name, text, message) => {
		expect(() => faults[name].parse(text)).toThrow(message);
	});

	it.each<[keyof Faults, object, string]>([
		['wrong_answers', {}, 'wrong_answers.kind'],
		['wrong_answers', { kind: 'odd' }, 'wrong_answers.kind'],
		['redirects', { status: 304 }, 'redirects.status'],
		['redirects', { to: 'a\nb' }, 'redirects.to'],
		['odd_rate_headers', { kind: 'html' }, 'odd_rate_headers.kind'],
		['hanging', { ms: 5 }, 'hanging.ms'],
	])('%s is not %j as JSON', async (name, value, param) => {
		const { admin } = await start({ sites: 0 });
		expect(expectError(await admin.post('/faults', { [name]: value }), 400)).toEqual([param]);
	});
});

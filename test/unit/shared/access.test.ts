import { allows, checkAccess, isAccess } from '../../../nodes/shared/access';
import type { Effect, Route } from '../../../nodes/shared/operation';

/** What a credential allows; how nodes and n8n's own requests meet it, see test/contract/safety.test.ts. */

const routes = new Map<Route, Effect>([
	['GET /tags', 'reads'],
	['GET /sites/{siteId}/login', 'irreversible'],
	['POST /tags/{tagId}/update', 'changes'],
	['DELETE /tags/{tagId}', 'irreversible'],
]);
const baseUrl = 'https://api.example.com/api/v6';
const check =
	(access: unknown, method: string, path: string, more = {}) =>
	() =>
		checkAccess(
			{ baseUrl, access } as never,
			{ method: method as never, url: `${baseUrl}${path}`, ...more },
			routes,
		);

it.each([
	['everything', 3],
	['noIrreversible', 2],
	['readOnly', 1],
] as const)('%s allows the first %i of reads, changes, irreversible', (access, count) => {
	const allowed = (['reads', 'changes', 'irreversible'] as const).map((each) =>
		allows(access, each),
	);
	expect(allowed).toEqual([0, 1, 2].map((place) => place < count));
});

it.each(['', 'toString', null, undefined, 7])('%j is no access', (value) => {
	expect(isAccess(value)).toBe(false);
});

it.each([
	['readOnly', 'GET', '/tags'],
	['readOnly', 'GET', '/unknown'],
	['noIrreversible', 'POST', '/tags/7/update'],
	['everything', 'DELETE', '/tags/7'],
	[undefined, 'DELETE', '/tags/7'],
])('%s: %s %s', (access, method, path) => {
	expect(check(access, method, path)).not.toThrow();
});

it.each([
	['readOnly', 'GET', '/sites/7/login', 'can not be undone'],
	['readOnly', 'POST', '/tags/7/update', 'changes something'],
	['noIrreversible', 'DELETE', '/tags/7', 'can not be undone'],
	['noIrreversible', 'POST', '/unknown', 'can not be undone'],
	['noIrreversible', 'POST', '/tags/7/8/update', 'can not be undone'],
	['all', 'GET', '/tags', 'none of its choices'],
])('%s: not %s %s', (access, method, path, message) => {
	expect(check(access, method, path)).toThrow(message);
});

it('a request that asks to be taken for another one may do anything', () => {
	const headers = { 'X-Method': 'DELETE' };
	expect(check('noIrreversible', 'GET', '/tags', { headers })).toThrow('can not be undone');
});

it('the token goes to the service only', () => {
	const url = 'https://other.example.com/api/v6/tags';
	expect(check('everything', 'GET', '', { url })).toThrow(
		'only sent to https://api.example.com, not to https://other.example.com',
	);
});

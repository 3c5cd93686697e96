import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readProfile } from '../../../sandbox/service/otherService';
import { changeAnswer, changeError, delayOf } from '../../../sandbox/service/otherService/answers';
import { startFleet } from '../../support/fleet';
import { newFolder } from '../../support/ending';
import { root } from '../../support/reference';

/** A profile has the service answer as another one does; that it does so in all, checkLive.test.ts shows. */

const ROUTE = 'GET /tags';

/** What becomes of an answer with tags. */
function changed(keys: Record<string, any>, count = 2) {
	const tags = Array.from({ length: count }, (_, id) => ({
		...{ id: String(id), name: 'A', size: 7, state: 'on' },
	}));
	changeAnswer({ routes: { [ROUTE]: { keys } } }, ROUTE, { tags });
	return tags as any[];
}

it.each<[what: string, keys: Record<string, any>, first: object]>([
	['a text that is no number', { 'tags[].name': { of: 2, types: { number: 2 } } }, { name: 'A' }],
	[
		'a new list of objects',
		{
			'tags[].marks[].at': { of: 1, types: { number: 1 }, is: 'extra' },
			'tags[].marks[]': { of: 1, types: { object: 1 } },
			'tags[].marks': { of: 1, types: { array: 1 }, is: 'extra' },
		},
		{ marks: [{ at: 1 }] },
	],
	['a key that is not told', { 'tags[].{key}': { of: 1, types: { string: 1 }, is: 'extra' } }, {}],
	['a prototype key', { 'tags[].__proto__': { of: 1, types: { null: 1 }, is: 'extra' } }, {}],
])('%s', (_, keys, first) => {
	expect(changed(keys)[0]).toEqual({ id: '0', name: 'A', size: 7, state: 'on', ...first });
});

it('a share of nulls is of the same records each time', () => {
	const nulls = () =>
		changed({ 'tags[].name': { of: 4, types: { string: 3, null: 1 } } }, 400)
			.filter(({ name }) => name === null)
			.map(({ id }) => id);
	expect(nulls()).toEqual(nulls());
	expect(nulls().length).toBeGreaterThan(60);
	expect(nulls().length).toBeLessThan(140);
});

it('a list takes longer by its records', () => {
	const profile = { routes: { [ROUTE]: { ms: 400, msPerRecord: 76 } } };
	expect(delayOf(profile, ROUTE, { tags: Array(100).fill({}), meta: {} })).toBe(8000);
	expect(delayOf(profile, 'GET /x', {})).toBe(0);
});

const error = {
	code: 'malformed',
	message: 'No.',
	details: [{ code: 'blank', param: 'name', message: 'is blank' }],
};

it.each<[types: Record<string, string>, expected: object]>([
	[
		{ status: 'number', detail: 'string' },
		{ status: 400, detail: 'No.' },
	],
	[
		{ errors: 'array', 'errors[]': 'object', 'errors[].field': 'string', 'errors[].msg': 'string' },
		{ errors: [{ field: 'name', msg: 'is blank' }] },
	],
	[{ errors: 'array', 'errors[]': 'string' }, { errors: ['is blank'] }],
	[
		{ data: 'object', 'data.error': 'object', 'data.error.code': 'string' },
		{ data: { error: { code: 'bad_request' } } },
	],
])('errors of the form %j', (types, expected) => {
	const typed = Object.entries(types).map(([place, type]) => [place, { types: { [type]: 1 } }]);
	const form = { keys: Object.fromEntries(typed), codes: { 400: 'bad_request' } };
	expect(changeError({ errors: { '*': form } }, 400, { error })).toEqual(expected);
	expect(changeError({ errors: { 404: form } }, 400, { error })).toEqual({ error });
});

it('the profile of part C: errors as users have published them', async () => {
	const profile = readProfile(join(root, 'sandbox/service/otherService/part-c.json'));
	const { api } = await startFleet({ sites: 3, profile, validateStatus: () => true });
	const { data } = await api.get('/tags', { params: { sort: 'x,asc' } });
	const details = [{ code: expect.any(String), param: 'sort', message: expect.any(String) }];
	const message = expect.any(String) as string;
	expect(data).toEqual({ error: { status: 400, code: 'bad_request', message, details } });
	const { data: missing } = await api.get('/tags/0');
	expect(missing.error).toMatchObject({ status: 404, code: 'not_found' });
});

it('one profile has words, a form of responses and a meaning of the reset', async () => {
	const { api, baseUrl, token } = await startFleet({
		sites: 1,
		profile: {
			words: { cms: 'press' },
			harmless: { only: 'numbers_in_meta' },
			rateLimitReset: 'epoch',
		},
	});
	const { data, headers } = await api.get('/tags');
	expect(data.meta).toHaveProperty('totalPages');
	expect(headers['x-ratelimit-reset']).toMatch(/^\d{10}$/);
	const outside = { Authorization: `Bearer ${token}` };
	const answer = await fetch(`${baseUrl}/auto-update-schedules`, { headers: outside });
	expect(await answer.text()).toContain('"press_core":');
});

it.each([
	['that is not there', undefined, /--profile: .*cannot be read/],
	['that is no JSON', '{', /--profile: .*cannot be read/],
	[
		'that is none',
		'{"a":1}',
		/--profile: .*is not a profile: it has none of routes, errors, words, harmless, rateLimitReset/,
	],
])('the command refuses a file %s', async (_, content, message) => {
	const file = join(newFolder('profile'), 'profile.json');
	if (content !== undefined) await writeFile(file, content);
	const program = [join(root, 'sandbox/startService.mjs'), '--profile', file];
	const { stderr } = spawnSync(process.execPath, program, { cwd: root, encoding: 'utf8' });
	expect(stderr).toMatch(message);
});

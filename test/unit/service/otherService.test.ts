import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readProfile } from '../../../sandbox/service/otherService';
import { changeAnswer, changeError, delayOf } from '../../../sandbox/service/otherService/answers';
import { startFleet } from '../../support/fleet';
import { root } from '../../support/reference';

/** A profile has the service answer as another one does. */

const ROUTE = 'GET /tags';

/** What becomes of an answer with two tags. */
function changed(keys: Record<string, any>) {
	const body = {
		tags: [
			{ id: '1', name: 'A', size: 7, state: 'on' },
			{ id: '2', name: '12', size: 8, state: 'on' },
		],
	};
	changeAnswer({ routes: { [ROUTE]: { keys } } }, ROUTE, body);
	return body.tags as any[];
}

it.each<[what: string, keys: Record<string, any>, first: object]>([
	['a missing field', { 'tags[].name': { of: 2, types: {}, is: 'missing' } }, { name: undefined }],
	[
		'a new text',
		{ 'tags[].icon': { of: 2, types: { string: 2 }, is: 'extra' } },
		{ icon: 'a text' },
	],
	['a null', { 'tags[].name': { of: 2, types: { null: 2 } } }, { name: null }],
	['a number as text', { 'tags[].size': { of: 2, types: { string: 2 } } }, { size: '7' }],
	[
		'a text that cannot be a number',
		{ 'tags[].name': { of: 2, types: { number: 2 } } },
		{ name: 'A' },
	],
	[
		'a new word',
		{ 'tags[].state': { of: 1, types: { string: 1 }, words: { off: 1 }, newWords: ['off'] } },
		{ state: 'off' },
	],
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
	[
		'a key of the prototype',
		{ 'tags[].__proto__': { of: 1, types: { null: 1 }, is: 'extra' } },
		{},
	],
])('%s', (_, keys, first) => {
	expect(changed(keys)[0]).toEqual({ id: '1', name: 'A', size: 7, state: 'on', ...first });
});

it('a share of nulls is of the same records each time', () => {
	const profile = {
		routes: { [ROUTE]: { keys: { 'tags[].name': { of: 4, types: { string: 3, null: 1 } } } } },
	};
	const nulls = () => {
		const body = { tags: Array.from({ length: 400 }, (_, id) => ({ id: String(id), name: 'A' })) };
		changeAnswer(profile, ROUTE, body);
		return body.tags.filter(({ name }) => name === null).map(({ id }) => id);
	};
	expect(nulls()).toEqual(nulls());
	expect(nulls().length).toBeGreaterThan(60);
	expect(nulls().length).toBeLessThan(140);
});

it('does not change other routes', () => {
	const body = { tag: { id: '1' } };
	changeAnswer(
		{ routes: { [ROUTE]: { keys: { 'tag.id': { of: 1, types: { null: 1 } } } } } },
		'GET /x',
		body,
	);
	expect(body).toEqual({ tag: { id: '1' } });
});

it('a list takes longer by its records', () => {
	const profile = { routes: { [ROUTE]: { ms: 400, msPerRecord: 76 } } };
	expect(delayOf(profile, ROUTE, { tags: Array(100).fill({}), meta: {} })).toBe(8000);
	expect(delayOf(profile, 'GET /x', {})).toBe(0);
});

const error = (details?: object[]) => ({
	error: { code: 'malformed', message: 'No.', ...(details && { details }) },
});

it.each<[what: string, keys: string[][], expected: object]>([
	[
		'flat',
		[
			['status', 'number'],
			['detail', 'string'],
		],
		{ status: 400, detail: 'No.' },
	],
	[
		'a list',
		[
			['errors', 'array'],
			['errors[]', 'object'],
			['errors[].field', 'string'],
			['errors[].msg', 'string'],
		],
		{ errors: [{ field: 'name', msg: 'is blank' }] },
	],
	[
		'a list of texts',
		[
			['errors', 'array'],
			['errors[]', 'string'],
		],
		{ errors: ['is blank'] },
	],
	[
		'nested',
		[
			['data', 'object'],
			['data.error', 'object'],
			['data.error.code', 'string'],
		],
		{ data: { error: { code: 'bad_request' } } },
	],
])('errors have another form: %s', (_, places, expected) => {
	const keys = Object.fromEntries(
		places.map(([place, type]) => [place, { types: { [type!]: 1 } }]),
	);
	const errors = { '*': { keys, codes: { 400: 'bad_request' } } };
	const details = [{ code: 'blank', param: 'name', message: 'is blank' }];
	expect(changeError({ errors }, 400, error(details))).toEqual(expected);
});

it('errors do not change where the profile has no form', () => {
	expect(changeError({}, 400, error())).toEqual(error());
	expect(changeError({ errors: { 404: { keys: {} } } }, 400, error())).toEqual(error());
});

it('the profile of part C: errors as users have published them', async () => {
	const profile = readProfile(join(root, 'sandbox/service/otherService/part-c.json'));
	const { api } = await startFleet({ sites: 3, profile, validateStatus: () => true });
	const { data } = await api.get('/tags', { params: { sort: 'x,asc' } });
	expect(data).toEqual({
		error: {
			status: 400,
			code: 'bad_request',
			message: expect.any(String),
			details: [{ code: expect.any(String), param: 'sort', message: expect.any(String) }],
		},
	});
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

describe('the command', () => {
	let folder: string;
	beforeAll(async () => {
		folder = await mkdtemp(join(tmpdir(), 'profile-'));
	});
	afterAll(async () => await rm(folder, { recursive: true }));

	it.each([
		['that is not there', undefined, /--profile: .*cannot be read/],
		['that is no JSON', '{', /--profile: .*cannot be read/],
		[
			'that is none',
			'{"a":1}',
			/--profile: .*is not a profile: it has none of routes, errors, words, harmless, rateLimitReset/,
		],
	])('refuses a file %s', async (_, content, message) => {
		const file = join(folder, 'profile.json');
		await rm(file, { force: true });
		if (content !== undefined) await writeFile(file, content);
		const program = [join(root, 'sandbox/startService.mjs'), '--profile', file];
		const told = await new Promise<string>((resolve) => {
			execFile(process.execPath, program, { cwd: root }, (_error, _out, stderr) => resolve(stderr));
		});
		expect(told).toMatch(message);
	});
});

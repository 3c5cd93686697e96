import { reasonOf, reasonWithin } from '../../../nodes/shared/receive/errors';
import { reader } from '../../../nodes/shared/receive/messages';
import { errorOf, failureOf } from '../../../nodes/shared/receive/task';

/** The places in which the service says why something failed. */

const SECRET = 'hunter2hunter2';
const read = (body: unknown) => reasonOf(body, reader([SECRET]));
const why = 'The name is taken';
const long = 'is too long';

it.each<[form: string, body: unknown, reason: string]>([
	['the details of an error', { error: { details: why } }, why],
	['a message and details', { error: { message: 'Tag 7', details: why } }, `Tag 7: ${why}`],
	['a message alone', { error: { code: 'conflict', message: why } }, why],
	['a code alone', { error: { code: 'conflict' } }, 'conflict'],
	['details by param', { error: { details: [{ param: 'name', message: why }] } }, `name: ${why}`],
	[
		'a published error',
		{
			error: {
				...{ status: 400, code: 'bad_request', message: 'Invalid query' },
				details: [{ code: 'invalid_type', param: 'site_ids', message: 'Must be an array' }],
			},
		},
		'Invalid query: site_ids: Must be an array',
	],
	['a code by param', { error: { details: [{ param: 'name', code: 'blank' }] } }, 'name: blank'],
	[
		'a message that repeats its details',
		{ error: { message: `The request is invalid: name ${long}`, details: { name: [long] } } },
		`name: ${long}`,
	],
	['an error as text', { error: why }, why],
	[
		'an error without its wrapper',
		{ message: why, details: { name: long } },
		`${why}: name: ${long}`,
	],
	['plain text', why, why],
	[
		'a list of texts',
		{ error: { details: [why, 'The color is missing'] } },
		`${why}; The color is missing`,
	],
	[
		'fields',
		{ error: { details: { title: [long], name: long } } },
		`title: ${long}; name: ${long}`,
	],
	[
		'a field named as a message is',
		{ error: { details: { message: [long] } } },
		`message: ${long}`,
	],
	['fields of a record', { error: { details: { tag: { title: [long] } } } }, `tag: title: ${long}`],
	[
		'a param named as a message is',
		{ error: { details: [{ code: 'a', param: 'message', message: long }] } },
		`message: ${long}`,
	],
])('%s', (_, body, reason) => expect(read(body)).toBe(reason));

it.each<[what: string, body: unknown]>([
	['nothing', undefined],
	['null', null],
	['an empty text', ''],
	['an empty object', {}],
	['an empty list', []],
	['an error without content', { error: null }],
	['an unknown form', { fault: { faultstring: why } }],
	['numbers alone', { status: 422, counts: { a: 1 } }],
	['a web page', '<!doctype html><p>no</p>'],
	['a web page in a field', { message: '<html><body>no</body></html>' }],
	['a script', { error: { details: 'no <script>alert(1)</script>' } }],
])('no reason in %s', (_, body) => expect(read(body)).toBe(''));

describe('a reason', () => {
	it('has no tags', () => {
		const details = '<p>The <b>name</b> is 3 < 4</p>';
		expect(read({ error: { details } })).toMatch(/^The\s+name\s+is 3 < 4$/);
	});

	it('does not say the same twice', () => {
		expect(read({ error: { message: `${why}!`, details: [why, why] } })).toBe(why);
		expect(read({ error: { message: long, details: { name: long } } })).toBe(`name: ${long}`);
	});

	it('has no secrets, wherever it comes from', () => {
		const said = `The password ${SECRET} is wrong`;
		for (const body of [
			said,
			{ error: said },
			{ message: `<p>${said}</p>` },
			{ error: { details: [said] } },
			{ error: { details: { [SECRET]: ['is wrong'] } } },
		]) {
			const reason = read(body);
			expect(reason).toContain('wrong');
			expect(reason).not.toContain('hunter2');
		}
	});

	it('is short, however large the body is', () => {
		const deep = JSON.parse(`${'{"a":'.repeat(3_000)}"x y"${'}'.repeat(3_000)}`);
		const wide = Object.fromEntries(Array.from({ length: 1e5 }, (_, key) => [`k${key}`, [why]]));
		for (const details of ['x'.repeat(1e6), deep, wide, [wide, wide], { x: [[deep]] }]) {
			expect(read({ error: { details } }).length).toBeLessThanOrEqual(500);
		}
	});
});

describe('the error of a step', () => {
	const task = (step: object) => ({
		id: 't1',
		status: 'failed',
		details: { sites: [{ id: 's1', steps: [{ type: 'restore_files', ...step }] }] },
	});
	const step = 'step restore_files on site s1';

	it.each<[error: unknown, text: string]>([
		[{ message: why, code: 'taken' }, `: ${why}`],
		[[{ message: why }, { message: 'and more' }], `: ${why}; and more`],
		[[why], `: ${why}`],
		[why, `: ${why}`],
		[{ a: { b: why } }, `: {"a":{"b":"${why}"}}`],
		[{ a: true }, ': {"a":true}'],
	])('%j', (error, text) => expect(errorOf(task({ error }))).toBe(`${step}${text}`));

	it.each([[{}], [[]], [null], ['']])('%j is not an error', (error) => {
		expect(errorOf(task({ error }))).toBeUndefined();
	});

	it('of the task itself is reported if no step has one', () => {
		const failed = { id: 't1', status: 'failed', error: [{ message: why }] };
		expect(failureOf(failed)).toBe(`The task t1 ended as failed: ${why}`);
	});

	it('is left long enough for what blanks secrets and cuts', () => {
		expect(reasonWithin('x'.repeat(1_000))).toHaveLength(1_000);
	});
});

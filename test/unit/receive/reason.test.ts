import { reasonOf, reasonWithin } from '../../../nodes/shared/receive/reason';
import { reader } from '../../../nodes/shared/receive/errors';
import { errorOf, failureOf } from '../../../nodes/shared/receive/task';

/** The forms in which services, frameworks and proxies say why something failed. */

const SECRET = 'hunter2hunter2';
const read = (body: unknown, status = 422) => reasonOf(body, status, reader([SECRET]));
const why = 'The name is taken';

it.each<[form: string, body: unknown, reason: string]>([
	['the details of an error', { error: { details: why } }, why],
	['a message and details', { error: { message: 'Tag 7', details: why } }, `Tag 7: ${why}`],
	['a message that says nothing', { error: { message: 'Validation failed', details: why } }, why],
	[
		'a message that says nothing around the details',
		{ error: { message: `The request cannot be carried out: ${why}`, details: why } },
		why,
	],
	['details by param', { error: { details: [{ param: 'name', message: why }] } }, `name: ${why}`],
	['an error as text', { error: why }, why],
	['a message', { message: why }, why],
	['errors by field', { errors: { name: ['is taken', 'is taken'] } }, 'name: is taken'],
	['plain text', why, why],
	['detail', { detail: why }, why],
	[
		'problem details',
		{ type: 'https://a/errors/7', title: 'Invalid', status: 422, detail: why, instance: '/tags' },
		`Invalid: ${why}`,
	],
	[
		'an OAuth error',
		{ error: 'invalid_request', error_description: why },
		`invalid_request: ${why}`,
	],
	['msg', { code: 7, msg: why }, why],
	['reason', { ok: false, reason: why }, why],
	['a list of texts', [why, 'The color is missing'], `${why}; The color is missing`],
	['a list of records', [{ field: 'name', message: why }], `${why}; field: name`],
	['detail in a list', [{ loc: ['body', 'name'], msg: why, type: 'x' }], `${why}; loc: body; name`],
	['data.error', { success: false, data: { error: why } }, why],
	['data.error as a record', { data: { error: { code: 'taken', message: why } } }, why],
	[
		'errors of JSON:API',
		{ errors: [{ status: '422', code: 'a', title: 'No', detail: why }] },
		`No; detail: ${why}`,
	],
	['the error of a task', { task: { id: 't1', status: 'failed', error: [{ message: why }] } }, why],
	['the reason in an error', { error: { code: 'in_use', reason: why } }, `in_use: ${why}`],
	['detail in an error', { error: { status: 422, detail: why } }, why],
	['errors of GraphQL', { data: null, errors: [{ message: why, path: ['tag'] }] }, why],
	['a fault', { fault: { faultstring: why, detail: { errorcode: 'x.y.Z' } } }, why],
	['somewhere below', { a: { b: { c: { d: { e: { f: { g: [{ h: why }] } } } } } } }, why],
	['a word below', { result: { outcome: 'conflict' }, id: 'a1b2' }, 'conflict'],
])('%s', (_, body, reason) => expect(read(body)).toBe(reason));

it.each<[what: string, body: unknown]>([
	['nothing', undefined],
	['null', null],
	['an empty text', ''],
	['an empty object', {}],
	['an empty list', []],
	['numbers alone', { status: 422, counts: { a: 1 } }],
	['a web page', '<!doctype html><p>no</p>'],
	['a web page in a field', { message: '<html><body>no</body></html>' }],
	['a script', { error: { details: 'no <script>alert(1)</script>' } }],
])('no reason in %s', (_, body) => expect(read(body)).toBe(''));

describe('a key is a field', () => {
	const work = { custom_work: { title: 'x', description: 'y', message: 'z', status: 'on' } };
	const of = (body: unknown, sent?: unknown) => reasonOf(body, 422, reader([SECRET], sent));
	const long = 'is too long';

	it.each<[body: unknown, reason: string]>([
		[{ details: { title: [long] } }, 'title: is too long'],
		[{ error: { details: { title: [long] } } }, 'title: is too long'],
		[{ error: { details: { custom_work: { title: [long] } } } }, 'custom_work: title: is too long'],
		[
			{ error: { details: { custom_works: [{ title: [long] }] } } },
			'custom_works: title: is too long',
		],
		[
			{ error: { details: { title: [long], description: ['is blank'] } } },
			'title: is too long; description: is blank',
		],
		[
			{ error: { details: { code: [long], name: [long] } } },
			'code: is too long; name: is too long',
		],
		[
			{ error: { details: { message: 'Look here', status: [long], site_id: ['is gone'] } } },
			'Look here; status: is too long; site_id: is gone',
		],
		[
			{ error: { details: { title: [{ message: long, code: 'too_long' }] } } },
			'title: is too long',
		],
		[{ error: { title: [long] } }, 'title: is too long'],
		[{ error: { message: 'Validation failed', title: [long] } }, 'title: is too long'],
		[
			{ error: { message: 'Validation failed', details: [], errors: { title: [long] } } },
			'title: is too long',
		],
		[{ title: [long], site_id: ['is gone'] }, 'title: is too long; site_id: is gone'],
		[{ errors: { description: ['is required'] } }, 'description: is required'],
	])('whose value is a list: %j', (body, reason) => expect(of(body)).toBe(reason));

	it.each<[body: unknown, reason: string]>([
		[{ error: { details: { title: long } } }, 'title: is too long'],
		[{ error: { details: { description: long } } }, 'description: is too long'],
		[
			{ error: { details: { custom_work: { message: long } } } },
			'custom_work: message: is too long',
		],
		[{ error: { details: { message: [long] } } }, 'message: is too long'],
		[{ error: { title: long } }, 'title: is too long'],
		[{ errors: { title: long, status: 'is unknown' } }, 'title: is too long; status: is unknown'],
	])('that was sent: %j', (body, reason) => expect(of(body, work)).toBe(reason));

	it.each<[body: unknown, reason: string]>([
		[{ error: { message: long } }, long],
		[{ message: [long, 'is blank'] }, 'is too long; is blank'],
		[
			{ error: { details: [{ code: 'a', param: 'message', message: long }] } },
			'message: is too long',
		],
		[{ title: 'Invalid', status: 422, detail: long }, 'Invalid: is too long'],
		[{ detail: [{ msg: long }] }, long],
		[{ name: 'ValidationError', message: long }, long],
	])('but not a word for what went wrong: %j', (body, reason) => {
		expect(of(body, work)).toBe(reason);
	});
});

describe('a reason', () => {
	it('has no tags', () => {
		const details = '<p>The <b>name</b> is 3 < 4</p>';
		expect(read({ error: { details } })).toMatch(/^The\s+name\s+is 3 < 4$/);
	});

	it('does not say the same twice', () => {
		expect(read({ error: why, message: `${why}!`, detail: why, errors: [why, why] })).toBe(why);
		expect(read([why, { message: why }, [why]])).toBe(why);
		expect(read({ x: [{ y: why }, { z: why }] })).toBe(why);
	});

	it('has no secrets, wherever it comes from', () => {
		const said = `The password ${SECRET} is wrong`;
		for (const body of [
			{ detail: said },
			[said],
			{ data: { error: said } },
			{ error: { reason: said } },
			{ x: { y: [said] } },
			{ [SECRET]: ['is wrong'] },
			{ message: `<p>${said}</p>` },
		]) {
			const reason = read(body);
			expect(reason).toContain('wrong');
			expect(reason).not.toContain('hunter2');
		}
	});

	it('is short, and found soon, however large the body is', () => {
		const deep = JSON.parse(`${'{"a":'.repeat(3_000)}"x y"${'}'.repeat(3_000)}`);
		const wide = Object.fromEntries(Array.from({ length: 1e5 }, (_, key) => [`k${key}`, [why]]));
		for (const body of [{ detail: 'x'.repeat(1e6) }, deep, wide, [wide, wide], { x: [[deep]] }]) {
			expect(read(body).length).toBeLessThanOrEqual(500);
		}
	});

	it('of a 400 is the details alone where the message says no more', () => {
		const error = { message: 'The request is invalid: name is taken', details: 'name is taken' };
		expect(read({ error }, 400)).toBe('name is taken');
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
		[{ detail: why }, `: ${why}`],
		[{ a: { b: why } }, `: ${why}`],
		[{ a: true }, ': {"a":true}'],
	])('%j', (error, text) => {
		expect(errorOf(task({ error }))).toBe(`${step}${text}`);
		expect(errorOf(task({ errors: error }))).toBe(`${step}${text}`);
	});

	it.each([[{}], [[]], [null], ['']])('%j is none', (error) => {
		expect(errorOf(task({ error }))).toBeUndefined();
	});

	it('of the task itself is told where no step has one', () => {
		const failed = { id: 't1', status: 'failed', error: [{ message: why }] };
		expect(failureOf(failed)).toBe(`The task t1 ended as failed: ${why}`);
	});

	it('is left long enough for what blanks secrets and cuts', () => {
		expect(reasonWithin({ error: 'x'.repeat(1_000) })).toHaveLength(1_000);
	});
});

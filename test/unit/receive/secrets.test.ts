import { casesOf, fc } from '../../support/effort';
import { blanker, secretsIn } from '../../../nodes/shared/receive/secrets';

/** What must not be repeated, in whatever form it comes back. */

const numRuns = casesOf('SECRETS', { quick: 100, long: 5_000 });

const blank = (text: string, ...secrets: string[]) => blanker(secrets)(text);

it.each<[what: string, form: (secret: string) => string]>([
	['as it is', (secret) => secret],
	['percent-encoded', encodeURIComponent],
	[
		'percent-encoded, each byte',
		(secret) => Buffer.from(secret).toString('hex').replace(/../g, '%$&'),
	],
	['percent-encoded twice', (secret) => encodeURIComponent(encodeURIComponent(secret))],
	['as a form', (secret) => new URLSearchParams([['', secret]]).toString().slice(1)],
	['in JSON', (secret) => JSON.stringify(secret).slice(1, -1)],
	['in JSON in JSON', (secret) => JSON.stringify(JSON.stringify(secret)).slice(3, -3)],
	[
		'in JSON, all of it',
		(secret) =>
			secret.replace(/[^]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`),
	],
	['in PHP’s JSON', (secret) => JSON.stringify(secret).slice(1, -1).replaceAll('/', '\\/')],
	['in JSON in a query', (secret) => encodeURIComponent(JSON.stringify(secret).slice(1, -1))],
	['in HTML', (secret) => secret.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)],
	['in Base64', (secret) => Buffer.from(secret).toString('base64')],
	['in Base64 for URLs', (secret) => Buffer.from(secret).toString('base64url')],
	['behind a user in Base64', (secret) => Buffer.from(`guard:${secret}`).toString('base64')],
	[
		'in JSON in Base64',
		(secret) => Buffer.from(JSON.stringify([{ a: secret }])).toString('base64'),
	],
])('a secret is blanked %s', (what, form) => {
	const secret = fc.oneof(
		fc.string({ minLength: 6, maxLength: 40 }),
		fc.string({ minLength: 6, maxLength: 40, unit: 'binary' }),
	);
	fc.assert(
		fc.property(secret, (given) => {
			fc.pre(given.trim().length > 5);
			// In JSON in Base64 only what is the same in JSON is known.
			fc.pre(what !== 'in JSON in Base64' || JSON.stringify(given).slice(1, -1) === given);
			expect(blank(`Wrong: (${form(given)}) !`, given)).toMatch(/^Wrong: \([^]?…[^]?[^]?\) !$/);
		}),
		{ numRuns },
	);
});

it.each([
	['hunter2 and hunter2', ['hunter2'], '… and …'],
	['abcabc', ['abc'], 'abcabc'],
	['PIN 123, not 1234', ['123'], 'PIN …, not 1234'],
	[
		'a long secret is cut: 0123456789abcdef012…',
		['0123456789abcdef0123456789'],
		'a long secret is cut: ……',
	],
	['https://me:word@a.example.com/x', [], 'https://…@a.example.com/x'],
	['one two', ['one', 'two'], '… …'],
	['onetwo', ['onetwo', 'twothree'], '…'],
	['nothing of it', ['', 'secret'], 'nothing of it'],
])('%j without %j', (text, secrets, wanted) => expect(blank(text, ...secrets)).toBe(wanted));

it('other texts stay as they are', () => {
	fc.assert(
		fc.property(fc.string({ maxLength: 60 }), (text) => {
			fc.pre(!text.includes('@') && !text.includes('zzzz'));
			expect(blank(text, 'zzzzzzzz')).toBe(text);
		}),
		{ numRuns },
	);
});

it.each([
	[{ url: 'https://me:p%40ss@a.example.com/?x=1' }, ['p%40ss', 'p@ss']],
	[{ url: 'https://token@a.example.com' }, ['token', 'token']],
	[{ url: 'sftp://me:a@b@host/x' }, ['a@b', 'a@b']],
	[
		{ url: 'https://a.example.com/?access_token=abc&page=2&X-Amz-Signature=def' },
		['abc', 'abc', 'def', 'def'],
	],
	[{ password: 1234 }, ['1234']],
	[{ name: 'A', email: 'a@example.com' }, []],
])('the secrets in %j are known', (body, secrets) => expect(secretsIn(body)).toEqual(secrets));

import {
	type ErrorContext,
	type Failure,
	type Outcome,
	blanker,
	failures,
	ofChange,
} from '../../../nodes/shared/receive/messages';

/** The table from what has happened to what a user reads; agents see the message alone. */

const about = (isChange: boolean): ErrorContext => ({
	isChange,
	path: '/tags/7/update',
	verifyAt: '/tags/7 (Tag: Get)',
	baseUrl: 'https://api.example.com/api/v6',
	secrets: [],
});
const status = (code: number, reason = '') => failures.status(code, reason, false, about(false));
const answer = { statusCode: 200, headers: { 'x-ratelimit-limit': '200' }, body: '' };
const wrongAnswer = (form: string) => failures.wrongAnswer(form, answer, false, about(false));

const applied = '; the change may have been applied: check /tags/7 (Tag: Get) before you repeat it';

it('a record that was not found names the operations that list the IDs', () => {
	const lists = 'Site: Get Many and Note: Get Many';
	const messageOf = (reason: string) =>
		failures.status(404, reason, false, { ...about(false), lists }).message;
	const unknown = 'The service found no such record';
	expect(messageOf('Gone.')).toBe(`${unknown}: Gone; list the IDs with ${lists} (/tags/7/update)`);
	expect(messageOf('')).toBe(`${unknown}; list the IDs with ${lists} (/tags/7/update)`);
});

it.each<[message: string, failure: Failure, outcome: Outcome]>([
	['The service rejected the request: name: is blank', status(400, 'name: is blank'), 'refused'],
	['The service rejected the API token', status(401), 'refused'],
	['The service does not allow this', status(403), 'refused'],
	['The service does not allow this: The plan ended', status(403, 'The plan ended'), 'refused'],
	['The service found no such record: Gone (/tags/7/update)', status(404, 'Gone'), 'refused'],
	['The service does not support this request (405)', status(405), 'refused'],
	[
		'This conflicts with the current state of the record: Busy (/tags/7/update)',
		status(409, 'Busy'),
		'refused',
	],
	['The service rejected the request (418)', status(418), 'refused'],
	['The service rejected this: title: is too long', status(422, 'title: is too long'), 'refused'],
	['The rate limit was still used up after several attempts', status(429), 'refused'],
	['The service failed (503)', status(503), 'unknown'],
	['The service did not answer', failures.noAnswer('socket hang up'), 'unknown'],
	[
		'The response is a web page, not an API response. Check the Base URL of the credential (https://api.example.com/api/v6)',
		wrongAnswer('a web page'),
		'unknown',
	],
	['The response does not match the API: it is empty', wrongAnswer('empty'), 'unknown'],
	[
		'The service responded with a redirect to https://b.example.com/tags, which the node does not follow; the Base URL of the credential should be https://b.example.com',
		failures.redirect({ to: 'https://b.example.com/tags', baseUrl: 'https://b.example.com' }),
		'unknown',
	],
	['The request failed before it was sent: oops', failures.notSent('oops'), 'unknown'],
])('%s', (message, failure, outcome) => {
	const read = ofChange(failure, about(false));
	expect(read).toMatchObject({ message, outcome });
	expect(`${read.message} ${read.description}`).not.toMatch(/applied|changed/);
	const change = ofChange(failure, about(true));
	const isUnsure = outcome === 'unknown';
	expect(change).toMatchObject({ message: message + (isUnsure ? applied : ''), outcome });
	if (!isUnsure) {
		expect(change.message).not.toMatch(/applied/);
		expect(change.description).not.toMatch(/later/);
	}
});

it('a change that was not sent says so', () => {
	expect(failures.notReached('connect ECONNREFUSED', about(true))).toMatchObject({
		message: 'The service could not be reached: this change was not sent',
		outcome: 'notSent',
	});
	expect(failures.notReached('connect ECONNREFUSED', about(false)).message).toBe(
		'The service could not be reached',
	);
});

it.each([
	['hunter2 and hunter2', ['hunter2'], '… and …'],
	['a "quoted" (pass.word)*', ['(pass.word)*'], 'a "quoted" …'],
	['https://me:word@a.example.com/x', [], 'https://…@a.example.com/x'],
	['one two', ['one', 'two'], '… …'],
	['secrets', ['secret', 'secrets'], '…'],
	['nothing of it', ['secret'], 'nothing of it'],
])('%j without %j', (text, secrets, wanted) => expect(blanker(secrets)(text)).toBe(wanted));

import { secretsIn } from '../../../nodes/shared/receive/secrets';
import {
	tell,
	type ErrorFacts,
	type Happening,
	type Outcome,
} from '../../../nodes/shared/receive/messages';

/** The table from what has happened to what a user reads; agents see the message alone. */

const about = (isChange: boolean): ErrorFacts => ({
	isChange,
	path: '/tags/7/update',
	verifyAt: '/tags/7 (Tag: Get)',
	baseUrl: 'https://api.example.com/api/v6',
});
const status = (code: number, reason = ''): Happening => ({ kind: 'status', status: code, reason });

const applied = '; the change may have been applied: check /tags/7 (Tag: Get) before you repeat it';

it('a record that was not found names the operations that list the IDs', () => {
	const lists = 'Site: Get Many and Note: Get Many';
	const told = (reason: string) => tell(status(404, reason), { ...about(false), lists }).message;
	const unknown = 'The service found no record at /tags/7/update';
	expect(told('Gone.')).toBe(`${unknown}: Gone; list the IDs with ${lists}`);
	expect(told('')).toBe(`${unknown}; list the IDs with ${lists}`);
});

it.each<[happening: Happening, message: string, outcome: Outcome]>([
	[status(400, 'name: is blank'), 'The service rejected the request: name: is blank', 'refused'],
	[status(401), 'The service rejected the API token', 'refused'],
	[status(403), 'The service does not allow this', 'refused'],
	[status(403, 'The plan ended'), 'The service does not allow this: The plan ended', 'refused'],
	[status(404, 'Gone'), 'The service found no record at /tags/7/update: Gone', 'refused'],
	[status(405), 'The service does not support this request (405)', 'refused'],
	[
		status(409, 'Busy'),
		'This conflicts with the current state of the record (/tags/7/update): Busy',
		'refused',
	],
	[status(418), 'The service rejected the request (418)', 'refused'],
	[status(422, 'title: is too long'), 'The service rejected this: title: is too long', 'refused'],
	[status(429), 'The rate limit was still used up after several attempts', 'refused'],
	[status(503), 'The service failed (503)', 'unknown'],
	[{ kind: 'no answer', cause: 'socket hang up' }, 'The service did not answer', 'unknown'],
	[
		{ kind: 'wrong answer', form: 'a web page' },
		'The response is a web page, not an API response. Check the Base URL of the credential (https://api.example.com/api/v6)',
		'unknown',
	],
	[
		{ kind: 'wrong answer', form: 'empty' },
		'The response does not match the API: it is empty',
		'unknown',
	],
	[
		{ kind: 'redirect', to: 'https://b.example.com/tags', baseUrl: 'https://b.example.com' },
		'The service responded with a redirect to https://b.example.com/tags, which the node does not follow; the Base URL of the credential should be https://b.example.com',
		'unknown',
	],
	[{ kind: 'not sent', cause: 'oops' }, 'The request failed before it was sent: oops', 'unknown'],
])('%j', (happening, message, outcome) => {
	const read = tell(happening, about(false));
	expect(read).toMatchObject({ message, outcome });
	expect(`${read.message} ${read.description}`).not.toMatch(/applied|changed/);
	const change = tell(happening, about(true));
	const isUnsure = outcome === 'unknown';
	expect(change).toMatchObject({ message: message + (isUnsure ? applied : ''), outcome });
	if (!isUnsure) expect(change.message).not.toMatch(/applied/);
	if (happening.kind === 'status' && happening.status < 500) {
		expect(change.description).not.toMatch(/later/);
	}
});

it('a change that was not sent says so', () => {
	const happening: Happening = { kind: 'not reached', cause: 'connect ECONNREFUSED' };
	expect(tell(happening, about(true))).toMatchObject({
		message: 'The service could not be reached: this change was not sent',
		outcome: 'notSent',
	});
	expect(tell(happening, about(false)).message).toBe('The service could not be reached');
});

it('finds the passwords in a request, and no other values', () => {
	const body = {
		site: { url: 'https://a', connection: { http_auth: { username: 'guard', password: 'p-one' } } },
		restore: {
			connection: {
				credentials: {
					http_auth: { username: 'guard', password: 'p-two' },
					server: { host: 'ftp.example.com', pass: 'p-three', key: { passphrase: 'p-four' } },
				},
			},
		},
	};
	expect(secretsIn(body)).toEqual(['p-one', 'p-two', 'p-three', 'p-four']);
});

it('an object with an open name below credentials contains secrets, as does a list', () => {
	const database = { name: 'shop', user: 'me', pass: 'p-one', ports: [], more: { key: 'p-two' } };
	const credentials = { host: 'a.example', database, keys: ['p-three', { pin: 'p-four' }] };
	expect(secretsIn({ restore: { connection: { credentials } } })).toEqual([
		'p-one',
		'p-two',
		'p-three',
		'p-four',
	]);
});

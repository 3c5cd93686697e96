import { inOrder, secretsIn } from '../../../nodes/shared/receive/output';

/** The fields of an item and their order, and what in a request is secret. */

const orderOf = (...names: string[]) =>
	Object.keys(inOrder(Object.fromEntries(names.map((name) => [name, name]))));

it.each([
	[
		'what people look for, the answer, times, ids, and the rest',
		['paused', 'site_id', 'created_at', 'status', 'title', 'event'],
		['event', 'title', 'status', 'created_at', 'site_id', 'paused'],
	],
	[
		'a site without a backup: the site, why, since when, and whose it is',
		['client_name', 'site_id', 'last_backup_at', 'hours_since', 'client_id', 'reason', 'site_url'],
		['site_url', 'reason', 'hours_since', 'last_backup_at', 'site_id', 'client_name', 'client_id'],
	],
	[
		'a task: how it goes, when, and what it is of',
		['task_id', 'duration_seconds', 'task_ended_at', 'task_started_at', 'task_status', 'site_id'],
		['task_status', 'task_ended_at', 'task_started_at', 'task_id', 'site_id', 'duration_seconds'],
	],
	[
		'other states and errors after the known ones, as they come',
		['last_sync_error', 'snapshot_status', 'error', 'status', 'reason'],
		['reason', 'status', 'error', 'last_sync_error', 'snapshot_status'],
	],
	[
		'times in any form, as they come',
		['timestamp', 'start_date', 'hacked_since', 'performed_on', 'updated_at', 'since_when'],
		['timestamp', 'start_date', 'hacked_since', 'performed_on', 'updated_at', 'since_when'],
	],
])('%s', (_, names, wanted) => {
	expect(orderOf(...names)).toEqual(wanted);
});

describe('ids', () => {
	it('start with the ID of the record', () => {
		expect(orderOf('site_id', 'client_id', 'id', 'tag_ids')).toEqual([
			...['id', 'site_id', 'client_id', 'tag_ids'],
		]);
		expect(orderOf('note', 'id')).toEqual(['id', 'note']);
	});

	it('are next to the names of their records', () => {
		expect(
			orderOf('client_id', 'tag_ids', 'id', 'tag_names', 'client_email', 'client_name', 'size'),
		).toEqual(['id', 'client_id', 'client_email', 'client_name', 'tag_ids', 'tag_names', 'size']);
	});

	it('a name without an ID is one of the other fields', () => {
		expect(orderOf('user_name', 'site_id', 'client_name')).toEqual([
			...['site_id', 'user_name', 'client_name'],
		]);
		expect(orderOf('valid', 'humidity', 'ids_of', 'site_id')).toEqual([
			...['site_id', 'valid', 'humidity', 'ids_of'],
		]);
	});

	it('come after the site that people look for, which stays in front', () => {
		expect(orderOf('site_id', 'site_url', 'site_title')).toEqual([
			...['site_title', 'site_url', 'site_id'],
		]);
	});
});

it('keeps all values, and does not change the item', () => {
	const given = { paused: false, tags: ['a'], site_id: '7', error: null, at: undefined, title: '' };
	const before = Object.keys(given);
	const ordered = inOrder(given);
	expect(ordered).toStrictEqual(given);
	expect(Object.keys(ordered)).toEqual(['title', 'error', 'site_id', 'paused', 'tags', 'at']);
	expect(Object.keys(given)).toEqual(before);
	expect(inOrder({})).toEqual({});
});

it('sorted fields stay sorted, and other fields keep their order', () => {
	const wanted = ['title', 'status', 'created_at', 'id', 'site_id', 'zeta', 'alpha', 'mid'];
	expect(orderOf(...wanted)).toEqual(wanted);
	expect(orderOf(...orderOf(...[...wanted].reverse()))).toEqual(orderOf(...[...wanted].reverse()));
});

it.each([
	[{ password: 1234 }, ['1234']],
	[{ site: { connection: { http_auth: { username: 'me', password: 'p-one' } } } }, ['p-one']],
	[{ password: '', secret: null, credentials: { timeout: 5 } }, []],
	[{ name: 'A', email: 'a@example.com' }, []],
])('the secrets in %j are known', (body, secrets) => expect(secretsIn(body)).toEqual(secrets));

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

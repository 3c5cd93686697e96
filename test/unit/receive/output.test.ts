import { arranged, inOrder, secretsIn, simplified } from '../../../nodes/shared/receive/output';

/** The fields of an item and their order, and what in a request is secret. */

const orderOf = (...names: string[]) =>
	Object.keys(inOrder(Object.fromEntries(names.map((name) => [name, name]))));

const orders: Record<string, [given: string, wanted: string]> = {
	'what people look for, the answer, times, ids, and the rest': [
		'paused site_id created_at status title event',
		'event title status created_at site_id paused',
	],
	'a site without a backup: the site, why, since when, and whose it is': [
		'client_name site_id last_backup_at hours_since client_id reason site_url',
		'site_url reason hours_since last_backup_at site_id client_name client_id',
	],
	'other states and errors after the known ones, as they come': [
		'last_sync_error snapshot_status error status reason',
		'reason status error last_sync_error snapshot_status',
	],
	'times in any form, as they come': [
		'id timestamp start_date hacked_since performed_on updated_at since_when',
		'timestamp start_date hacked_since performed_on updated_at id since_when',
	],
	'the ID of the record, and the others next to the names of their records': [
		'client_id tag_ids id tag_names client_email client_name size',
		'id client_id client_email client_name tag_ids tag_names size',
	],
	'a name without an ID as one of the other fields': [
		'user_name valid humidity ids_of site_id client_name',
		'site_id user_name valid humidity ids_of client_name',
	],
};

it.each(Object.entries(orders))('%s', (_, [given, wanted]) => {
	expect(orderOf(...given.split(' ')).join(' ')).toBe(wanted);
	expect(orderOf(...wanted.split(' ')).join(' ')).toBe(wanted);
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

it.each(['raw', 'selected'])('%s keeps the order of its fields', (output) => {
	const fields = arranged({ output }, { site_id: '1' }, { paused: true, title: 'A', id: '7' });
	expect(Object.keys(fields)).toEqual(['id', 'site_id', 'paused', 'title']);
	const record = { paused: true, title: 'A' };
	const outputFields = ['paused', 'title'];
	const shape = simplified({ title: 'title' }, { output, outputFields });
	expect(Object.keys(shape(record))).toEqual(outputFields);
});

it.each([
	[{ password: 1234, token: 'abc', secret: 'ab' }, ['1234', 'abc']],
	[{ site: { connection: { http_auth: { username: 'me', password: 'p-one' } } } }, ['p-one']],
	[{ password: '', secret: null, credentials: { timeout: 5 } }, []],
	[{ name: 'A', email: 'a@example.com' }, []],
])('the secrets in %j are known', (body, secrets) => expect(secretsIn(body)).toEqual(secrets));

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

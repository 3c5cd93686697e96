import type { IDataObject } from 'n8n-workflow';
import { undoneIn } from '../../../nodes/shared/receive/done';
import type { Operation } from '../../../nodes/shared/operation/index';

/** What of a record that was sent is not in the one that came back. */

const update = {
	route: 'POST /things/{tagId}/update',
	answer: { kind: 'record', wrapper: 'thing' },
};
const undone = (sent: unknown, came: unknown, more = {}) =>
	undoneIn(
		{ ...update, answer: { ...update.answer, ...more } } as Pick<Operation, 'route' | 'answer'>,
		{ thing: sent } as IDataObject,
		came as IDataObject,
	).map(({ field, isMissing }) => `${field} ${isMissing ? 'missing' : 'other'}`);

it.each<[what: string, sent: unknown, came: unknown]>([
	['the same', { name: 'A', on: true, days: 3 }, { name: 'A', on: true, days: 3, id: '7' }],
	[
		'numbers and texts',
		{ a: 3, b: '3', c: true, d: 'false' },
		{ a: '3', b: 3, c: 'true', d: false },
	],
	['lists in another order', { site_ids: ['1', '2', '3'] }, { site_ids: [3, 1, 2] }],
	['a list with an id twice', { site_ids: ['1', '1'] }, { site_ids: ['1'] }],
	['records for ids', { site_ids: ['1', '2'] }, { sites: [{ id: '2' }, { id: '1' }] }],
	['records in the place of ids', { site_ids: ['1'] }, { site_ids: [{ id: 1, url: 'a' }] }],
	['a record for an id', { site_id: '1' }, { site: { id: 1, url: 'a' } }],
	['a record with more', { sender: { id: '1' } }, { sender: { id: '1', email: 'a' } }],
	[
		'blanks and case',
		{ email: 'A@Example.com ', color: '#FFAA00' },
		{ email: 'a@example.com', color: '#ffaa00' },
	],
	['lines', { note: 'a\r\nb' }, { note: 'a\nb' }],
	['a slash at the end', { url: 'https://A.example.com' }, { url: 'https://a.example.com/' }],
	['a time in another zone', { at: '2026-03-01T12:00:00Z' }, { at: '2026-03-01T13:00:00+01:00' }],
	['a time with fractions', { at: '2026-03-01T12:00:00Z' }, { at: '2026-03-01T12:00:00.000000Z' }],
	['a time without a zone', { at: '2026-03-01T12:00:00Z' }, { at: '2026-03-01 12:00:00' }],
	['a time as a number', { at: '2026-03-01T12:00:00Z' }, { at: 1772366400 }],
	['a time in milliseconds', { at: '2026-03-01T12:00:00.500Z' }, { at: 1772366400500 }],
	['a day with a time', { on: '2026-03-01' }, { on: '2026-03-01T00:00:00+02:00' }],
	['a time of day', { daily: '04:30:00Z' }, { daily: '04:30' }],
	[
		'a password that is not shown',
		{ http_auth: { username: 'a', password: 'p' } },
		{ http_auth: { username: 'a' } },
	],
	['credentials that are not shown', { credentials: { x: 1 } }, {}],
	[
		'a password that is blanked',
		{ connection: { password: 'p' } },
		{ connection: { password: '********' } },
	],
	['a file that is not shown', { logo_file: 'data:image/png;base64,AA' }, {}],
	[
		'a file at its address',
		{ logo_file: 'data:image/png;base64,AA' },
		{ logo_file: 'https://a/logo.png' },
	],
	['what was emptied', { note: '', client: null, site_ids: [] }, { note: null, client: {} }],
	['rows', { rows: [{ a: 1 }, { a: 2 }] }, { rows: [{ a: '1', b: 2 }, { a: '2' }] }],
])('no difference: %s', (_, sent, came) => expect(undone(sent, came)).toEqual([]));

it.each<[what: string, sent: unknown, came: unknown, fields: string[]]>([
	['another value', { name: 'A', color: 'b' }, { name: 'B', color: 'b' }, ['name other']],
	['another name', { cms_core: true }, { wp_core: true }, ['cms_core missing']],
	[
		'below',
		{ scope: { updates: { cms_core: true, plugins: { selection: 'all' } } } },
		{ scope: { updates: { core: true, plugins: { selection: 'specific' } } } },
		['scope.updates.cms_core missing', 'scope.updates.plugins.selection other'],
	],
	['a whole part', { scope: { sites: { ids: ['1'] } } }, {}, ['scope missing']],
	[
		'nothing for something',
		{ note: 'a', on: false },
		{ note: null, on: null },
		['note other', 'on other'],
	],
	['something for nothing', { note: '' }, { note: 'a' }, ['note other']],
	['fewer ids', { site_ids: ['1', '2'] }, { site_ids: ['1'] }, ['site_ids other']],
	['a record for text', { name: 'a' }, { name: { x: 'a' } }, ['name other']],
	['a later time', { at: '2026-03-01T12:00:00Z' }, { at: '2026-03-01T12:00:01Z' }, ['at other']],
	['another day', { on: '2026-03-01' }, { on: '2026-03-02T00:00:00Z' }, ['on other']],
	['another time of day', { daily: '04:30:00Z' }, { daily: '04:30:10Z' }, ['daily other']],
	['no file', { logo_file: 'data:image/png;base64,AA' }, { logo_file: null }, ['logo_file other']],
	['a row more', { rows: [{ a: 1 }] }, { rows: [{ a: 1 }, { a: 1 }] }, ['rows other']],
])('a difference: %s', (_, sent, came, fields) => expect(undone(sent, came)).toEqual(fields));

it('what no answer shows is not missed, and what is called alike is', () => {
	const sent = { url: 'a', connection: { sticky_ip: '1' }, connections: 2 };
	expect(undone(sent, { url: 'b' }, { unshown: ['connection'] })).toEqual([
		'url other',
		'connections missing',
	]);
});

it('a field of the user is not missed, as its name in an answer is not known', () => {
	expect(undone({ a: 1, b: 2 }, { b: 3 }, { openBody: true })).toEqual(['b other']);
});

it('is not asked of what only reads, or has no record', () => {
	const body = { thing: { a: 1 } };
	const answer = { kind: 'record' as const, wrapper: 'thing' };
	expect(undoneIn({ route: 'GET /things', answer }, body, {})).toEqual([]);
	expect(undoneIn({ route: 'POST /things', answer: { kind: 'nothing' } }, body, {})).toEqual([]);
	expect(undoneIn({ route: 'POST /things', answer }, { days: 3 }, {})).toEqual([]);
});

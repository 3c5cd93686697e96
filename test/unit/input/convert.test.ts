import { DateTime } from 'luxon';
import type { Convert, Field } from '../../../nodes/shared/input/field';
import {
	convertOf,
	siteByUrl,
	toDate,
	toId,
	toIds,
	toNamed,
	toText,
	toTexts,
	toTime,
} from '../../../nodes/shared/input/convert';
import { within } from '../../../nodes/shared/input/refusal';

/** What each type of parameter makes of a value, and what it says of one that it refuses. */

const zoned = { getTimezone: () => 'America/New_York' };
const hole: unknown[] = Object.assign([], { 0: 'a', 2: 'b' });

const byType =
	(field: Partial<Field>): Convert =>
	(value) =>
		convertOf({ displayName: 'F', name: 'f', type: 'string', default: '', ...field })(value, zoned);

const closed = 'form';
const options = ['a', 'b', ''].map((value) => ({ name: value, value }));
const choice = { type: 'options', options } as const;
const choices = { type: 'multiOptions', options } as const;
const loaded = { typeOptions: { loadOptionsMethod: 'getTags' } };
const range = byType({ type: 'number', typeOptions: { minValue: 1, maxValue: 9 } });
const whole = byType({ type: 'number', typeOptions: { numberPrecision: 0 } });

const converts = {
	text: (value: unknown) => toText(value),
	id: toId,
	ids: toIds,
	name: (value: unknown) => toNamed('tagId', value, 'Tag').text,
	texts: toTexts('path'),
	time: toTime,
	boolean: byType({ type: 'boolean' }),
	number: byType({ type: 'number' }),
	range,
	whole,
	choice: byType(choice),
	choices: byType(choices),
	'closed choice': byType({ ...choice, closed }),
	'closed choices': byType({ ...choices, closed }),
	'choice in a query': byType({ ...choice, closed, target: { type: 'query', property: 'f' } }),
	'loaded choice': byType({ ...loaded, type: 'options' }),
	'loaded choices': byType({ ...loaded, type: 'multiOptions' }),
	day: byType({ type: 'dateTime', typeOptions: { dateOnly: true } }),
	'own conversion': byType({ type: 'boolean', as: (value) => [value] }),
} satisfies Record<string, Convert>;

type Kind = keyof typeof converts;

const given: Record<Kind, Array<[value: unknown, result: unknown]>> = {
	text: [
		[' as it is\n', ' as it is\n'],
		[-1.5, '-1.5'],
		[true, 'true'],
		[7n, '7'],
		['whole 😀 pairs', 'whole 😀 pairs'],
		[
			DateTime.fromISO('2026-03-01T12:00:00+01:00', { setZone: true }),
			'2026-03-01T12:00:00.000+01:00',
		],
		[new Date(0), '1970-01-01T00:00:00.000Z'],
	],
	id: [
		[' 42\n', '42'],
		[Number.MAX_SAFE_INTEGER, '9007199254740991'],
		['...', '...'],
		['a,b', 'a,b'],
		['[broken', '[broken'],
		['see https://example.com', 'see https://example.com'],
	],
	ids: [
		['1, 2\n3\r\n4,,', ['1', '2', '3', '4']],
		[7, ['7']],
		[
			[1, ' 2 ', '1', '', ' , '],
			['1', '2'],
		],
		['["1", 2]', ['1', '2']],
		['a@b.de, A@B.de, a1, A1, 0a1b2c3d4e, 0A1B2C3D4E', ['a@b.de', 'a1', 'A1', '0a1b2c3d4e']],
		[' ,\n ', []],
	],
	name: [[' A & B\n', 'A & B']],
	// Of an array an entry is what it is.
	texts: [
		['wp-content, ./wp-content/, a@2x.png, A@2x.png', ['wp-content', 'a@2x.png', 'A@2x.png']],
		[
			[' a b ', 'a,b', 'a,b', 8.2],
			[' a b ', 'a,b', '8.2'],
		],
	],
	time: [
		['2026-03-01', '2026-03-01T05:00:00Z'],
		['2026-03-01T12:00', '2026-03-01T17:00:00Z'],
		['2026-03-01t12:00:00z', '2026-03-01T12:00:00Z'],
		['2026-03-01T12:00:00+02', '2026-03-01T10:00:00Z'],
		[' 2026-03-01T12:00:00-0230 ', '2026-03-01T14:30:00Z'],
		// The service has finer times than JavaScript, which writes milliseconds where there are none.
		['2026-03-01T12:00:00.123456789Z', '2026-03-01T12:00:00.123456789Z'],
		['2026-03-01T12:00:00,5Z', '2026-03-01T12:00:00.5Z'],
		['2026-03-01T12:00:00.000Z', '2026-03-01T12:00:00Z'],
		[new Date(0), '1970-01-01T00:00:00Z'],
		[new Date(45), '1970-01-01T00:00:00.045Z'],
		[DateTime.fromMillis(45), '1970-01-01T00:00:00.045Z'],
	],
	day: [['2026-03-01T03:00:00Z', '2026-03-01']],
	boolean: [
		[false, false],
		[' TRUE ', true],
		['false', false],
	],
	number: [
		[-0.5, -0.5],
		[' +1.50 ', 1.5],
		['.5', 0.5],
		['5.', 5],
	],
	range: [
		[1, 1],
		[9, 9],
	],
	whole: [['42', 42]],
	choice: [
		['b', 'b'],
		[' B ', ' B '],
		[7, '7'],
		['', ''],
	],
	choices: [
		[
			['b', 'a', 'b'],
			['b', 'a'],
		],
		['c, B', ['c', 'B']],
		[
			['c', 7, 'c'],
			['c', '7'],
		],
	],
	'closed choice': [['b', 'b']],
	'closed choices': [['a, b', ['a', 'b']]],
	'choice in a query': [['c', 'c']],
	'loaded choice': [[7, '7']],
	'loaded choices': [
		[
			[7, 'x'],
			['7', 'x'],
		],
	],
	'own conversion': [['x', ['x']]],
};

describe.each(Object.entries(given))('%s', (kind, rows) => {
	it.each(rows)('makes of %p %j', (value, result) => {
		expect(converts[kind as Kind](value, zoned)).toEqual(result);
	});
});

const pick = 'select one field of each, such as {{ $json.sites.map(s => s.path) }}';
const object = 'is an object, not a text: select a field, such as {{ $json.client.id }}';
const noEntry = 'has an entry without a value';
const oneId = 'is a list, not one ID: select one entry, such as {{ $json.sites[0].id }}';
const noTime = (value: string) =>
	`is not a date and time: ${value}; use a format like 2026-03-01 or 2026-03-01T12:00:00Z`;
const broken = 'contains a broken character (half of a surrogate pair)';

const refused: Partial<Record<Kind, Array<[value: unknown, message: string]>>> = {
	text: [
		[NaN, 'is NaN, which is not a number'],
		[['a'], 'is a list, not a text: select one entry, such as {{ $json.sites[0].id }}'],
		[{ a: 1 }, object],
		[undefined, object],
		['half \ud800 a pair', `${broken}: "half   a pair"`],
		[new Date(NaN), 'is not a date and time'],
		[DateTime.invalid('none'), 'is not a date and time'],
	],
	id: [
		[true, 'is true, not an ID'],
		[1.5, 'is not an ID: 1.5'],
		[2 ** 53, 'is not an ID: 9007199254740992'],
		['.', 'is not an ID: "."'],
		[' .. ', 'is not an ID: ".."'],
		[' , ,', 'is not an ID: ", ,"'],
		[
			' HTTP://example.com',
			'is a URL, not an ID: "HTTP://example.com". To use the URL of a site, choose By URL',
		],
		['{ "id": "1" }', 'is an object, not one ID: select its ID, such as {{ $json.client.id }}'],
		[new Date(0), 'is an object, not one ID: select its ID, such as {{ $json.client.id }}'],
		[['1'], oneId],
		[' ["1"]', oneId],
	],
	ids: [[[{ id: '1' }], `is a list of records: ${pick.replace('path', 'id')}`]],
	name: [
		[false, 'is false, not a name'],
		['https://example.com', 'is a URL, not a name: "https://example.com"'],
	],
	texts: [
		['{ "a": 1 }', `is an object, not a list: ${pick}`],
		['[]', 'is an empty list'],
		[['a', null], noEntry],
		[[NaN], noEntry],
		[hole, noEntry],
		[['a', { path: 'b' }], `is a list of records: ${pick}`],
		['[["a"]]', `is a list of lists: ${pick}`],
		[true, 'contains true instead of text'],
		[['a', false], 'contains false instead of text'],
	],
	time: [
		...['12:00', '2026-03', '2026-3-1', '12026-03-01', '2026-03-01T12', '2026-03-01T12:0'],
		...['2026-03-01T12:00:00.Z', '2026-03-01T12:00:00.1234567890Z', 'on 2026-03-01'],
		...['2026-03-01T12:00:00 GMT', '2026-02-30', '2026-03-01T25:00:00Z'],
	].map((text) => [text, noTime(`"${text}"`)]),
	day: [
		['2026-02-30T00:00:00Z', noTime('"2026-02-30T00:00:00Z"')],
		[1_770_000_000_000, noTime('1770000000000')],
		[new Date(NaN), noTime('"null"')],
	],
	boolean: [
		[1, 'must be true or false: 1'],
		['yes', 'must be true or false: "yes"'],
	],
	number: [
		...['1e3', '0x10', '1 2', '.', 'v5', '5 kg'].map((text): [string, string] => [
			text,
			`is not a number: "${text}"`,
		]),
		[[5], 'is not a number: "[5]"'],
		[Infinity, 'is not a number: Infinity'],
	],
	range: [
		[0, 'must be at least 1'],
		[10, 'must be at most 9'],
	],
	whole: [
		[1.5, 'must be a whole number: 1.5'],
		[2 ** 53, 'must be a whole number: 9007199254740992'],
	],
	choice: [
		[['a'], 'takes one value, not a list'],
		[{ value: 'a' }, object],
	],
	'closed choice': [['c', 'is "c", which is not one of "a", "b", ""']],
	'closed choices': [[['a', 'c'], 'is "c", which is not one of "a", "b", ""']],
	'loaded choice': [[true, 'is true, not an ID']],
};

describe.each(Object.entries(refused))('%s', (kind, rows) => {
	it.each(rows)('refuses %p: %s', (value, message) => {
		expect(() => converts[kind as Kind](value, zoned)).toThrow(new Error(message));
	});
});

it('a secret with a broken character is not repeated', () => {
	expect(() => within([], () => toText('secret \udc00'), true)).toThrow(new Error(broken));
});

describe('a date', () => {
	it.each(['2026-11-01', '2026-11-01T23:30:00-12:00', ' 2026-11-01t00:00:00+14 '])(
		'%j is the one that is written',
		(text) => {
			for (const zone of ['UTC', 'America/New_York', 'Pacific/Kiritimati']) {
				expect(toDate(text, { getTimezone: () => zone })).toBe('2026-11-01');
			}
		},
	);

	it('of a DateTime is that of its own time zone, and of a Date that of the workflow', () => {
		const time = '2026-11-01T00:00:00+01:00';
		expect(toDate(DateTime.fromISO(time, { setZone: true }), zoned)).toBe('2026-11-01');
		expect(toDate(DateTime.fromISO(time, { zone: 'UTC' }), zoned)).toBe('2026-10-31');
		expect(toDate(new Date('2026-03-01T03:00:00Z'), zoned)).toBe('2026-02-28');
	});
});

describe('the URL of a site', () => {
	it.each([
		['WWW.Example.com/', 'www.example.com', ''],
		['http://example.com/Blog//', 'example.com', '/Blog'],
		[' HTTPS://example.com:8443/a/b ', 'example.com:8443', '/a/b'],
	])('%s', (text, host, path) => {
		expect(siteByUrl(text)).toMatchObject({ host, path, text: text.trim() });
	});

	it.each([
		[7, 'is not a URL: 7'],
		[true, 'is not a URL: "true"'],
		['https://', 'is not a URL: "https://"'],
		['https://example.com?a', 'is not a URL: "https://example.com?a"'],
		['https://example.com#a', 'is not a URL: "https://example.com#a"'],
		['https://example.com/a b', 'is not a URL: "https://example.com/a b"'],
		['https://:secret@example.com', 'is not a URL: "https://…@example.com"'],
		[['a'], 'is a list, not one URL: select one entry, such as {{ $json.sites[0].url }}'],
		[{ url: 'a' }, 'is an object, not one URL: select its URL, such as {{ $json.site.url }}'],
	])('%j is refused', (value, message) => {
		expect(() => siteByUrl(value)).toThrow(new Error(message));
	});
});

import type { Convert } from '../../../nodes/shared/input/field';
import { toIds, toTexts } from '../../../nodes/shared/input/convert';

/** Lists, as people type them, expressions give them and models write them. */

const zoned = { getTimezone: () => 'utc' };
const texts: Convert = toTexts('path');

it.each([
	['1, 2\n3\r\n4,,', ['1', '2', '3', '4']],
	[' 1 ', ['1']],
	[7, ['7']],
	[
		[1, ' 2 ', '1', '', ' , '],
		['1', '2'],
	],
	['["1", 2]', ['1', '2']],
	[' ,\n ', []],
])('reads the IDs in %j', (value, ids) => {
	expect(toIds(value, zoned)).toEqual(ids);
});

it.each([
	['wp-content, wp-includes', ['wp-content', 'wp-includes']],
	// Of an array an entry is what it is.
	[
		[' a b ', 'a,b', 'a,b'],
		[' a b ', 'a,b'],
	],
	[[8.2], ['8.2']],
])('the texts in %j', (value, list) => {
	expect(texts(value, zoned)).toEqual(list);
});

const pick = 'select one field of each, such as {{ $json.sites.map(s => s.path) }}';

it.each([
	[{ a: 1 }, `is an object, not a list: ${pick}`],
	['{ "a": 1 }', `is an object, not a list: ${pick}`],
	[[], 'is an empty list'],
	['[]', 'is an empty list'],
	[['a', null], 'has an entry without a value'],
	[[undefined, 'a'], 'has an entry without a value'],
	[[NaN], 'has an entry without a value'],
	[[{ path: 'a' }], `is a list of records: ${pick}`],
	[['a', { path: 'b' }], `is a list of records: ${pick}`],
	[[['a']], `is a list of lists: ${pick}`],
	['[["a"]]', `is a list of lists: ${pick}`],
	[true, 'contains true instead of text'],
	[['a', false], 'contains false instead of text'],
])('%j is refused', (value, message) => {
	expect(() => texts(value, zoned)).toThrow(new Error(message));
});

it('a hole in a list is an entry without a value', () => {
	const list: unknown[] = ['a'];
	list[2] = 'b';
	expect(() => texts(list, zoned)).toThrow('has an entry without a value');
});

it('refuses records instead of IDs', () => {
	expect(() => toIds([{ id: '1' }], zoned)).toThrow(
		'select one field of each, such as {{ $json.sites.map(s => s.id) }}',
	);
});

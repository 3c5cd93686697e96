import type { Field } from '../../../nodes/shared/input/field';
import { convertOf } from '../../../nodes/shared/input/convert';

/** What each type of field makes of a value. */

const zoned = { getTimezone: () => 'America/New_York' };
const of = (field: Partial<Field>) => (value: unknown) =>
	convertOf({ displayName: 'F', name: 'f', type: 'string', default: '', ...field })(value, zoned);

const options = [
	{ name: 'One', value: 'a' },
	{ name: 'Two', value: 'b' },
	{ name: 'None', value: '' },
];

const closed = 'form';
const inQuery = { type: 'query', property: 'filters[f:eq]' } as const;

type Case = [field: Partial<Field>, value: unknown, result: unknown];

it.each<Case>([
	[{}, 7, '7'],
	[{}, ' kept as it is ', ' kept as it is '],
	[{ type: 'boolean' }, true, true],
	[{ type: 'boolean' }, false, false],
	[{ type: 'boolean' }, ' TRUE ', true],
	[{ type: 'boolean' }, 'false', false],
	[{ type: 'color' }, '#fff', '#fff'],
	[{ type: 'dateTime' }, '2026-03-01T12:00:00', '2026-03-01T17:00:00Z'],
	[{ type: 'dateTime', typeOptions: { dateOnly: true } }, '2026-03-01T03:00:00Z', '2026-03-01'],
	[{ type: 'json' }, '{ "a": 1 }', { a: 1 }],
	[{ type: 'multiOptions', options }, ['b', 'a', 'b'], ['b', 'a']],
	[{ type: 'multiOptions', options }, 'a, b', ['a', 'b']],
	[{ type: 'multiOptions', options }, ['c', 7, 'c'], ['c', '7']],
	[{ type: 'multiOptions', options }, 'c, B', ['c', 'B']],
	[{ type: 'multiOptions', typeOptions: { loadOptionsMethod: 'getTags' } }, [7, 'x'], ['7', 'x']],
	[{ type: 'number' }, -0.5, -0.5],
	[{ type: 'number' }, ' +1.50 ', 1.5],
	[{ type: 'number' }, '.5', 0.5],
	[{ type: 'number' }, '5.', 5],
	[{ type: 'number', typeOptions: { minValue: 1, maxValue: 9 } }, 1, 1],
	[{ type: 'number', typeOptions: { minValue: 1, maxValue: 9 } }, 9, 9],
	[{ type: 'number', typeOptions: { numberPrecision: 0 } }, '42', 42],
	[{ type: 'number', typeOptions: { numberPrecision: 2 } }, 1.25, 1.25],
	[{ type: 'options', options }, 'b', 'b'],
	[{ type: 'options', options }, 'c', 'c'],
	[{ type: 'options', options }, ' B ', ' B '],
	[{ type: 'options', options }, 7, '7'],
	[{ type: 'options', options, closed }, 'b', 'b'],
	[{ type: 'options', options, closed, target: inQuery }, 'c', 'c'],
	[{ type: 'options', options }, '', ''],
	[{ type: 'options', typeOptions: { loadOptionsMethod: 'getTags' } }, 7, '7'],
	[{ type: 'resourceLocator' }, ' 7 ', '7'],
	[{ type: 'boolean', as: (value) => [value] }, 'x', ['x']],
])('%j makes of %j what is sent', (field, value, result) => {
	expect(of(field)(value)).toEqual(result);
});

it.each<[Partial<Field>, unknown, string | RegExp]>([
	[{}, ['a'], /^is a list, not a text/],
	[{ type: 'boolean' }, 1, 'must be true or false: 1'],
	[{ type: 'boolean' }, 'yes', 'must be true or false: "yes"'],
	[{ type: 'color' }, 'red', /^is not a hex color/],
	[{ type: 'json' }, '[]', /^is not a JSON object/],
	[
		{ type: 'multiOptions', options, closed },
		['a', 'c'],
		'is "c", which is not one of "a", "b", ""',
	],
	[{ type: 'multiOptions', options }, [['a']], /^is a list of lists/],
	[{ type: 'multiOptions', options }, ['a', { id: 'b' }], /^is a list of records/],
	[{ type: 'number' }, '1e3', 'is not a number: "1e3"'],
	[{ type: 'number' }, '0x10', 'is not a number: "0x10"'],
	[{ type: 'number' }, '1 2', 'is not a number: "1 2"'],
	[{ type: 'number' }, '.', 'is not a number: "."'],
	[{ type: 'number' }, 'v5', 'is not a number: "v5"'],
	[{ type: 'number' }, '5 kg', 'is not a number: "5 kg"'],
	[{ type: 'number' }, true, 'is not a number: "true"'],
	[{ type: 'number' }, [5], 'is not a number: "[5]"'],
	[{ type: 'number' }, Infinity, 'is not a number: Infinity'],
	[{ type: 'number', typeOptions: { numberPrecision: 0 } }, 1.5, 'must be a whole number: 1.5'],
	[{ type: 'number', typeOptions: { numberPrecision: 0 } }, 2 ** 53, /^must be a whole number/],
	[{ type: 'number', typeOptions: { minValue: 1 } }, 0, 'must be at least 1'],
	[{ type: 'number', typeOptions: { maxValue: 9 } }, 10, 'must be at most 9'],
	[{ type: 'options', options, closed }, 'c', 'is "c", which is not one of "a", "b", ""'],
	[{ type: 'options', options, closed }, ['a'], 'takes one value, not a list'],
	[{ type: 'options', options }, ['a'], 'takes one value, not a list'],
	[{ type: 'options', options }, { value: 'a' }, /^is an object, not a text/],
	[{ type: 'options', options }, Infinity, 'is Infinity, which is not a number'],
	[{ type: 'options', typeOptions: { loadOptionsMethod: 'getTags' } }, true, /not an ID/],
	[{ type: 'resourceLocator' }, 1.5, 'is not an ID: 1.5'],
])('%j refuses %j', (field, value, message) => {
	expect(() => of(field)(value)).toThrow(message);
});

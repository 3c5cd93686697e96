import { hasExpression, isBlank, isLeftBlank, isMissing } from '../../../nodes/shared/input/field';

/** What says nothing, and who has said so. */

class Thing {}

it.each([undefined, null, NaN])('%p is missing, not blank', (value) => {
	expect([isMissing(value), isBlank(value), isLeftBlank(value)]).toEqual([true, true, false]);
});

it.each([[''], [' \n'], [[]], [{}]])('%j is blank, as the editor leaves it', (value) => {
	expect([isMissing(value), isBlank(value), isLeftBlank(value)]).toEqual([false, true, true]);
});

it.each([[['']], [[null, [undefined, ' ']]], [[{}]]])('%j contains only blanks', (value) => {
	expect([isMissing(value), isBlank(value), isLeftBlank(value)]).toEqual([false, true, false]);
});

it.each([[0], [false], ['0'], [['', 0]], [{ a: undefined }], [new Date(NaN)], [new Thing()]])(
	'%p is not blank',
	(value) => {
		expect([isMissing(value), isBlank(value), isLeftBlank(value)]).toEqual([false, false, false]);
	},
);

it.each([
	['={{ 1 }}', true],
	['a = b', false],
	[{ value: '={{ 1 }}' }, true],
	[{ rows: [{ title: 'a' }, { title: '={{ 1 }}' }] }, true],
	[{ rows: [{ title: 'a' }] }, false],
	[['='], true],
	[null, false],
	[undefined, false],
	[7, false],
])('whether there is an expression in %j', (raw, has) => {
	expect(hasExpression(raw)).toBe(has);
});

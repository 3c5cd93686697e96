import { isPlain, isRecord, recordIn, recordsIn, textsIn } from '../../../nodes/shared/lib';

it.each([null, undefined, 'text', 7, true, [], [{}]])('%j is not a record', (value) => {
	expect(isRecord(value)).toBe(false);
});

it('an object is one', () => expect(isRecord({})).toBe(true));

it('only the objects of a list are taken, and of nothing else', () => {
	expect(recordsIn([{ id: 1 }, null, 'text', [{}], { id: 2 }])).toEqual([{ id: 1 }, { id: 2 }]);
	expect(recordsIn({ 0: {}, length: 1 })).toEqual([]);
	expect(recordsIn(undefined)).toEqual([]);
});

class Thing {}

it('only objects without a class are plain', () => {
	const values = [{}, Object.create(null), new Thing(), new Date(0), [], null];
	expect(values.map(isPlain)).toEqual([true, true, false, false, false, false]);
});

it('reads nothing from values of another form', () => {
	expect([recordIn({ id: 1 }), recordIn([1]), recordIn(null)]).toEqual([{ id: 1 }, {}, {}]);
	expect([textsIn(['a', 7]), textsIn('a'), textsIn(undefined)]).toEqual([['a', '7'], [], []]);
});

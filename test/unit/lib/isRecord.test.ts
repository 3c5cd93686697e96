import { isRecord, recordsIn } from '../../../nodes/shared/lib/isRecord';

it.each([null, undefined, 'text', 7, true, [], [{}]])('%j is no record', (value) => {
	expect(isRecord(value)).toBe(false);
});

it('an object is one', () => expect(isRecord({})).toBe(true));

it('only the objects of a list are taken, and of nothing else', () => {
	expect(recordsIn([{ id: 1 }, null, 'text', [{}], { id: 2 }])).toEqual([{ id: 1 }, { id: 2 }]);
	expect(recordsIn({ 0: {}, length: 1 })).toEqual([]);
	expect(recordsIn(undefined)).toEqual([]);
});

import { omit } from '../../../nodes/shared/lib';

it('leaves keys out of a copy', () => {
	const from = { a: 1, b: { c: 2 }, d: undefined };
	const copy = omit(from, 'a');
	expect(Object.entries(copy)).toEqual([
		['b', { c: 2 }],
		['d', undefined],
	]);
	expect(copy.b).toBe(from.b);
	expect(from).toHaveProperty('a', 1);
});

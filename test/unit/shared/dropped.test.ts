import { droppedFrom } from '../../../nodes/shared/dropped';

/** What a list loses that is set anew. */

it.each([
	[['1', '2', '3'], ['2'], ['1', '3']],
	[['1', '2'], ['2', '1', '3'], []],
	[['1', '2'], [], ['1', '2']],
	[[], ['1'], []],
	[[1, '2'], ['1', 2], []],
	// Ids that look alike are two.
	[
		['a1', 'A1', '01', '1 '],
		['1', 'a1'],
		['A1', '01', '1 '],
	],
])('of %j by %j: %j', (before, after, dropped) => {
	expect(droppedFrom(before, after)).toEqual(dropped);
});

import type { IDataObject } from 'n8n-workflow';
import { droppedFrom, replacedIn } from '../../../nodes/shared/receive/proof';

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

describe('a schedule that is set to single sites', () => {
	const sent = { scope: { sites: { selection: 'specific', ids: ['1'] } } };
	const lostBy = (sites: IDataObject) => replacedIn(sent, { scope: { sites } })['scope.sites.ids'];

	it('loses those that it had', () => {
		const lost = lostBy({ selection: 'specific', ids: ['1', '2'] });
		expect(lost).toMatchObject({ before: ['1', '2'], dropped: ['2'] });
	});

	// A word that nobody knows could mean every site.
	it.each(['all', 'all_except', 'everything', null])('may have had all with %j', (selection) => {
		expect(lostBy({ selection })).toEqual({ before: 'all', after: ['1'], dropped: null });
		expect(lostBy({ selection, ids: ['1'] })).toMatchObject({ before: 'all', dropped: null });
	});
});

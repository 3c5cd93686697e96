import { collectionOf, keyIn, singular } from '../../../nodes/shared/vocabulary/words';

it.each([
	['/tags', 'tags', 'tag'],
	['/sites/7/custom-works', 'custom_works', 'custom_work'],
	['/sites/7/custom-works/{customWorkId}', 'custom_works', 'custom_work'],
	['/sites/7/snapshots/64a0c3/tables', 'tables', 'table'],
	['/7', '', ''],
])('%s is about %s, each a %s', (path, collection, one) => {
	expect(collectionOf(path)).toBe(collection);
	expect(singular(collection)).toBe(one);
});

it('records have an ID, except two kinds', () => {
	expect(['tags', 'tables', 'auto_update_history'].map(keyIn)).toEqual([
		'id',
		'name',
		'performed_on',
	]);
});

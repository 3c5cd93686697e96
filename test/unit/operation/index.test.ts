import { idsOf } from '../../../nodes/shared/operation/index';

it('the IDs of a route are those in braces, in their order', () => {
	expect(idsOf('POST /sites/{siteId}/snapshots/{snapshotId}/restore')).toEqual([
		'siteId',
		'snapshotId',
	]);
	expect(idsOf('GET /tags')).toEqual([]);
});

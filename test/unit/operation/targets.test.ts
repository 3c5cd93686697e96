import type { Route } from '../../../nodes/shared/operation/index';
import { checkedBy, targets } from '../../../nodes/shared/operation/targets';

it.each<[route: Route, id: string | undefined]>([
	['DELETE /tags/{tagId}', 'tagId'],
	// A note has nothing to tell it by, its site has.
	['DELETE /sites/{siteId}/notes/{noteId}', 'siteId'],
	['POST /sites/{siteId}/snapshots/{snapshotId}/restore', 'siteId'],
	['POST /tasks/{taskId}/cancel', undefined],
	['GET /tags', undefined],
])('Only If looks in %s at %s', (route, id) => {
	const found = checkedBy({ route });
	expect(found?.id).toBe(id);
	expect(found?.target).toBe(id && targets[id as keyof typeof targets]);
});

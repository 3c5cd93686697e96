import { unprocessable } from '../../engine/errors';
import { taskTypes } from '../../engine/taskRows';
import { control } from '../../http/module';
import { object, oneOf, optional, string } from '../../http/schema';

export const taskControls = [
	control({
		method: 'POST',
		path: '/tasks/failures',
		does: 'Makes the next task of a type fail, or the next one on a site: {"type", "site_id"?}',
		body: object({ type: oneOf(...taskTypes), site_id: optional(string) }),
		handle({ world: { random, store }, body: { type, site_id: siteId = null } }) {
			if (siteId !== null && !store.sites.get(siteId)) {
				throw unprocessable('not_found', 'site_id', 'is not a site');
			}
			return store.taskFailures.insert({ id: random.hex(24), type, site_id: siteId });
		},
	}),
];

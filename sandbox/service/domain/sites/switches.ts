import type { World } from '../../engine/world';
import type { Route } from '../../http/kit';
import { boolean, object } from '../../http/schema';
import type { SiteRow } from './rows';
import { siteOf } from './rules';

type Change = (site: SiteRow, world: World, enabled: boolean) => void;

/**
 * The two operations, `enable<Name>` and `disable<Name>`, of something that a site has switched on
 * or off; they answer with `{<key>: {enabled}}`.
 */
export function siteSwitches(
	name: string,
	path: string,
	key: 'activity_logs' | 'backups',
	change: Change,
): Route[] {
	return (['enable', 'disable'] as const).map((verb): Route => ({
		operationId: verb + name,
		method: 'POST',
		path: `/sites/{site_id}/${path}/${verb}`,
		status: 200,
		response: object({ [key]: object({ enabled: boolean }) }),
		handle(context) {
			const site = siteOf(context);
			const enabled = verb === 'enable';
			change(site, context.world, enabled);
			site[key].enabled = enabled;
			site.updated_at = context.world.timestamp();
			return { [key]: { enabled } };
		},
	}));
}

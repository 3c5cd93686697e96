import type { World } from '../../engine/world';
import { route } from '../../http/kit';
import { beyond, boolean, changesOf, object } from '../../http/schema';
import { needingOfSite } from '../account/needs';
import { beginConfiguration, siteOf } from '../sites/rules';
import type { SiteSettingsRow } from './rows';

const enabled = object({ enabled: boolean });
const settingFields = { wp_auto_updates: enabled, shop_db_upgrade: enabled };
const response = object({
	settings: beyond(object(settingFields), {
		security_hardening: object({ disable_file_editor: enabled, block_file_modifications: enabled }),
	}),
});
const path = '/sites/{site_id}/settings';

/** The settings of a site; both are off until they are changed. */
const settingsOf = (world: World, siteId: string): SiteSettingsRow =>
	world.store.siteSettings.get(siteId) ?? {
		id: siteId,
		wp_auto_updates: { enabled: false },
		shop_db_upgrade: { enabled: false },
	};

/** Part D. */
const hardening = {
	disable_file_editor: { enabled: false },
	block_file_modifications: { enabled: true },
};

const view = ({ id: _id, ...settings }: SiteSettingsRow) => ({
	settings: { ...settings, security_hardening: hardening },
});

/** Part B 2.9 and 4.11. */
export const siteSettingsRoutes = needingOfSite('site_settings', [
	{
		operationId: 'showSiteSettings',
		method: 'GET',
		path,
		status: 200,
		response,
		handle: (context) => view(settingsOf(context.world, siteOf(context).id)),
	},
	route({
		operationId: 'updateSiteSettings',
		method: 'POST',
		path: `${path}/update`,
		body: object({ settings: changesOf(settingFields) }),
		status: 200,
		errors: [409, 422],
		response,
		handle(context) {
			const { world, body } = context;
			const site = siteOf(context);
			beginConfiguration(world, site);
			const changed = { ...settingsOf(world, site.id), ...body.settings };
			return view(world.store.siteSettings.insert(changed));
		},
	}),
]);

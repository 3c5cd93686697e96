import { update } from '../../shared/describe/changes';
import { get, resource } from '../../shared/describe/resource';
import { toggleOn } from '../../shared/input/kinds';

/** Part B, 4.11. */
export const setting = resource('Setting', 'changesSites', [
	get('Get site settings', 'GET /sites/{siteId}/settings', {
		wrapper: 'settings',
		needs: 'wp_auto_updates',
		description: 'Get whether automatic updates and shop database upgrades are on',
	}),
	update('Update site settings', 'POST /sites/{siteId}/settings/update', {
		wrapper: 'settings',
		needs: 'wp_auto_updates',
		description: 'Turn automatic updates and shop database upgrades on or off',
		fields: [
			toggleOn('autoUpdates', 'Automatic Updates', {
				wire: 'wp_auto_updates.enabled',
				description: 'Whether automatic updates of the site are enabled',
			}),
			toggleOn('shopDatabaseUpgrade', 'Shop Database Upgrade', {
				wire: 'shop_db_upgrade.enabled',
				description: 'Whether database upgrades of the shop are enabled',
			}),
		],
	}),
]);

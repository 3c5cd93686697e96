import { at } from '../../shared/describe/about';
import { update } from '../../shared/describe/changes';
import { get, resource } from '../../shared/describe/resource';
import { toggle } from '../../shared/input/kinds';

const autoUpdates = toggle('autoUpdates', 'Automatic Updates', {
	default: true,
	description: 'Whether automatic updates of the site are enabled',
});

const shopDatabaseUpgrade = toggle('shopDatabaseUpgrade', 'Shop Database Upgrade', {
	default: true,
	description: 'Whether database upgrades of the shop are enabled',
});

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
			at('wp_auto_updates.enabled', autoUpdates),
			at('shop_db_upgrade.enabled', shopDatabaseUpgrade),
		],
	}),
]);

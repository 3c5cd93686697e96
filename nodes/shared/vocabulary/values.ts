import type { INodePropertyOptions } from 'n8n-workflow';

/** Objects of activity log entries. Source: Part B, 2.4. */
export const activityObjects: INodePropertyOptions[] = [
	{ name: 'Category', value: 'category' },
	{ name: 'Comment', value: 'comment' },
	{ name: 'Core', value: 'wp_core' },
	{ name: 'Files', value: 'files' },
	{ name: 'Menu', value: 'menu' },
	{ name: 'Multisite', value: 'multisite' },
	{ name: 'Plugin', value: 'plugin' },
	{ name: 'Post', value: 'post' },
	{ name: 'Shop Order', value: 'shop_order' },
	{ name: 'Shop Product', value: 'shop_product' },
	{ name: 'Shop Product Attribute', value: 'shop_product_attribute' },
	{ name: 'Shop Product Category', value: 'shop_product_category' },
	{ name: 'Shop Product Download Access', value: 'shop_product_download_access' },
	{ name: 'Shop Product Tag', value: 'shop_product_tag' },
	{ name: 'Shop Shipping Zone Method', value: 'shop_shipping_zone_method' },
	{ name: 'Shop Tax Rate', value: 'shop_tax_rate' },
	{ name: 'Site', value: 'site' },
	{ name: 'Tag', value: 'tag' },
	{ name: 'Theme', value: 'theme' },
	{ name: 'Unknown', value: 'unknown' },
	{ name: 'User', value: 'user' },
	{ name: 'User Profile', value: 'user_profile' },
];

/** States of a task. Source: Part A, 2.9. */
export const taskStatuses: INodePropertyOptions[] = [
	{ name: 'Aborted', value: 'aborted' },
	{ name: 'Cancelled', value: 'cancelled' },
	{ name: 'Completed', value: 'completed' },
	{ name: 'Failed', value: 'failed' },
	{ name: 'Initializing', value: 'initializing' },
	{ name: 'Running', value: 'running' },
];

/** The grouped name starts with the area, so that a long list can be scanned. */
type TaskType = [value: string, name: string, grouped: string, description?: string];

/** Types of a task by what people call them. Source: Part A, 2.9. */
const taskTypes: TaskType[] = [
	['download', 'Backup Download', 'Backups: Download'],
	['migrate', 'Backup Migration', 'Backups: Migration'],
	['restore', 'Backup Restore', 'Backups: Restore'],
	['test_restore', 'Backup Test Restore', 'Backups: Test Restore'],
	['upload', 'Backup Upload', 'Backups: Upload'],
	['wp_core_db_upgrade', 'Core Database Upgrade', 'Updates: Database of the Core'],
	['hackcleanup', 'Malware Cleanup', 'Other: Malware Cleanup'],
	['speed', 'Performance Check', 'Other: Performance Check'],
	['wp_plugin_activate', 'Plugin Activation', 'Plugins: Activation'],
	['wp_plugin_db_upgrade', 'Plugin Database Upgrade', 'Updates: Databases of Plugins'],
	['wp_plugin_deactivate', 'Plugin Deactivation', 'Plugins: Deactivation'],
	['wp_plugin_delete', 'Plugin Deletion', 'Plugins: Deletion'],
	['wp_plugin_install', 'Plugin Installation', 'Plugins: Installation'],
	['wp_plugin_upload', 'Plugin Upload', 'Plugins: Upload'],
	['report', 'Report', 'Reports: Creation'],
	['settingop', 'Setting Change', 'Other: Setting Change'],
	[
		'wp_site_update',
		'Site Update',
		'Updates: Core, Plugins and Themes',
		'Updates of core, plugins and themes, by hand or by an auto update schedule',
	],
	['configure_staging_site', 'Staging Configuration', 'Staging: Configuration'],
	['staging', 'Staging Creation', 'Staging: Creation'],
	['download_staging', 'Staging Download', 'Staging: Download'],
	['wp_theme_activate', 'Theme Activation', 'Themes: Activation'],
	['wp_theme_delete', 'Theme Deletion', 'Themes: Deletion'],
	['wp_theme_install', 'Theme Installation', 'Themes: Installation'],
	['wp_theme_upload', 'Theme Upload', 'Themes: Upload'],
	['wp_user_create', 'User Creation', 'Users: Creation'],
	['wp_user_delete', 'User Deletion', 'Users: Deletion'],
	['wp_user_password_change', 'User Password Change', 'Users: Password Change'],
	['wp_user_role_change', 'User Role Change', 'Users: Role Change'],
];

/** The name of a type of task. An unknown type keeps the service's word. */
export function taskTypeName(type: string): string {
	return taskTypes.find(([value]) => value === type)?.[1] ?? type;
}

export const typeOptions: INodePropertyOptions[] = taskTypes.map(
	([value, name, , description]) => ({ name, value, description }),
);

export const groupedTypeOptions: INodePropertyOptions[] = taskTypes
	.map(([value, , name, description]) => ({ name, value, description }))
	.sort((a, b) => a.name.localeCompare(b.name));

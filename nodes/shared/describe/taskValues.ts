import type { INodePropertyOptions } from 'n8n-workflow';

/** States of a task. Source: Part A, 2.9. */
export const taskStatuses: INodePropertyOptions[] = [
	{ name: 'Aborted', value: 'aborted' },
	{ name: 'Cancelled', value: 'cancelled' },
	{ name: 'Completed', value: 'completed' },
	{ name: 'Failed', value: 'failed' },
	{ name: 'Initializing', value: 'initializing' },
	{ name: 'Running', value: 'running' },
];

/** Types of a task by what people call them. Source: Part A, 2.9. */
export const taskTypes: INodePropertyOptions[] = [
	{ name: 'Backup Download', value: 'download' },
	{ name: 'Backup Migration', value: 'migrate' },
	{ name: 'Backup Restore', value: 'restore' },
	{ name: 'Backup Test Restore', value: 'test_restore' },
	{ name: 'Backup Upload', value: 'upload' },
	{ name: 'Core Database Upgrade', value: 'wp_core_db_upgrade' },
	{ name: 'Malware Cleanup', value: 'hackcleanup' },
	{ name: 'Performance Check', value: 'speed' },
	{ name: 'Plugin Activation', value: 'wp_plugin_activate' },
	{ name: 'Plugin Database Upgrade', value: 'wp_plugin_db_upgrade' },
	{ name: 'Plugin Deactivation', value: 'wp_plugin_deactivate' },
	{ name: 'Plugin Deletion', value: 'wp_plugin_delete' },
	{ name: 'Plugin Installation', value: 'wp_plugin_install' },
	{ name: 'Plugin Upload', value: 'wp_plugin_upload' },
	{ name: 'Report', value: 'report' },
	{ name: 'Setting Change', value: 'settingop' },
	{
		name: 'Site Update',
		value: 'wp_site_update',
		description: 'Updates of core, plugins and themes, also the automatic ones',
	},
	{ name: 'Staging Configuration', value: 'configure_staging_site' },
	{ name: 'Staging Creation', value: 'staging' },
	{ name: 'Staging Download', value: 'download_staging' },
	{ name: 'Theme Activation', value: 'wp_theme_activate' },
	{ name: 'Theme Deletion', value: 'wp_theme_delete' },
	{ name: 'Theme Installation', value: 'wp_theme_install' },
	{ name: 'Theme Upload', value: 'wp_theme_upload' },
	{ name: 'User Creation', value: 'wp_user_create' },
	{ name: 'User Deletion', value: 'wp_user_delete' },
	{ name: 'User Password Change', value: 'wp_user_password_change' },
	{ name: 'User Role Change', value: 'wp_user_role_change' },
];

/** What people call a type of task; a type that is not known here is called as the service calls it. */
export function taskTypeName(type: string): string {
	return taskTypes.find(({ value }) => value === type)?.name ?? type;
}

/** The same types with what they belong to in front, so that a long list can be looked through by it. */
export const groupedTaskTypes: INodePropertyOptions[] = [
	{ name: 'Backups: Download', value: 'download' },
	{ name: 'Backups: Migration', value: 'migrate' },
	{ name: 'Backups: Restore', value: 'restore' },
	{ name: 'Backups: Test Restore', value: 'test_restore' },
	{ name: 'Backups: Upload', value: 'upload' },
	{ name: 'Other: Malware Cleanup', value: 'hackcleanup' },
	{ name: 'Other: Performance Check', value: 'speed' },
	{ name: 'Other: Setting Change', value: 'settingop' },
	{ name: 'Plugins: Activation', value: 'wp_plugin_activate' },
	{ name: 'Plugins: Deactivation', value: 'wp_plugin_deactivate' },
	{ name: 'Plugins: Deletion', value: 'wp_plugin_delete' },
	{ name: 'Plugins: Installation', value: 'wp_plugin_install' },
	{ name: 'Plugins: Upload', value: 'wp_plugin_upload' },
	{ name: 'Reports: Creation', value: 'report' },
	{ name: 'Staging: Configuration', value: 'configure_staging_site' },
	{ name: 'Staging: Creation', value: 'staging' },
	{ name: 'Staging: Download', value: 'download_staging' },
	{ name: 'Themes: Activation', value: 'wp_theme_activate' },
	{ name: 'Themes: Deletion', value: 'wp_theme_delete' },
	{ name: 'Themes: Installation', value: 'wp_theme_install' },
	{ name: 'Themes: Upload', value: 'wp_theme_upload' },
	{
		name: 'Updates: Core, Plugins and Themes',
		value: 'wp_site_update',
		description: 'Started by hand or by an auto update schedule',
	},
	{ name: 'Updates: Database of the Core', value: 'wp_core_db_upgrade' },
	{ name: 'Updates: Databases of Plugins', value: 'wp_plugin_db_upgrade' },
	{ name: 'Users: Creation', value: 'wp_user_create' },
	{ name: 'Users: Deletion', value: 'wp_user_delete' },
	{ name: 'Users: Password Change', value: 'wp_user_password_change' },
	{ name: 'Users: Role Change', value: 'wp_user_role_change' },
];

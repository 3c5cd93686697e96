import type { INodePropertyOptions } from 'n8n-workflow';
import { byName } from '../input/kinds';
import { caselessForm, labelOf } from '../lib';

const OBJECTS = [
	...['category', 'comment', 'wp_core', 'files', 'menu', 'multisite', 'plugin', 'post'],
	...['shop_order', 'shop_product', 'shop_product_attribute', 'shop_product_category'],
	...['shop_product_download_access', 'shop_product_tag', 'shop_shipping_zone_method'],
	...['shop_tax_rate', 'site', 'tag', 'theme', 'unknown', 'user', 'user_profile'],
];

/** Objects of activity log entries. Source: Part B, 2.4. */
export const activityObjects: INodePropertyOptions[] = OBJECTS.map((value) => ({
	name: value === 'wp_core' ? 'Core' : labelOf(value),
	value,
}));

const TASK_STATES = ['Aborted', 'Cancelled', 'Completed', 'Failed', 'Initializing', 'Running'];

/** States of a task. Source: Part A, 2.9. */
export const taskStatuses: INodePropertyOptions[] = TASK_STATES.map((name) => ({
	name,
	value: name.toLowerCase(),
}));

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
export const taskTypeName = (type: string): string =>
	taskTypes.find(([value]) => value === type)?.[1] ?? type;

export const typeOptions: INodePropertyOptions[] = taskTypes.map(
	([value, name, , description]) => ({ name, value, description }),
);

export const groupedTypeOptions: INodePropertyOptions[] = taskTypes
	.map(([value, , name, description]) => ({ name, value, description }))
	.sort(byName);

/** Classes of statuses of work; `nothingToDo`: it ended without work. */
type WorkClass = 'underWay' | 'succeeded' | 'failed' | 'cancelled' | 'nothingToDo';

/** `good` and `bad` are lasting states; `unknown`, because not in the table, is neither a success nor a failure. */
export type StatusClass = WorkClass | 'good' | 'bad' | 'unknown';

/** Part A, 2.9; only the answers that start a task have `queued`. */
const task = {
	queued: 'underWay',
	initializing: 'underWay',
	running: 'underWay',
	completed: 'succeeded',
	failed: 'failed',
	aborted: 'failed',
	cancelled: 'cancelled',
} as const;

const words = {
	task,
	/** Part A, 2.8: those of its task, or that there was none. */
	autoUpdateRun: { ...task, no_updates: 'nothingToDo' },
	/** Part B, 2.5; also of the sync that makes it, of which 2.1 has `succeeded` only. */
	snapshot: {
		waiting: 'underWay',
		in_progress: 'underWay',
		succeeded: 'succeeded',
		failed: 'failed',
		cancelled: 'cancelled',
	},
	/** Part A, 2.10: the email of a report to one recipient. */
	reportEmail: {
		sent: 'underWay',
		delivered: 'succeeded',
		opened: 'succeeded',
		failed: 'failed',
		bounced: 'failed',
		spam: 'failed',
	},
	/** Part A, 2.16. */
	stagingSite: { initializing: 'underWay', active: 'good', paused: 'bad', suspended: 'bad' },
	/** Part B, 2.1. */
	connection: { connected: 'good', disconnected: 'bad' },
	/** Part B, 2.1. */
	scanner: { clean: 'good', hacked: 'bad' },
	/** Part B, 2.1 has `up` only; its contrary is an assumption. */
	uptime: { up: 'good', down: 'bad' },
} as const satisfies Record<string, Record<string, StatusClass>>;

export type StatusKind = keyof typeof words;

/** Normalises a status: ` In-Progress` is `in_progress`. Empty for none. */
export const statusWord = (status: unknown): string =>
	['string', 'number'].includes(typeof status) ? caselessForm(status).replace(/[\s_-]+/g, '_') : '';

/** The class of a status. A missing one is unknown. */
export function statusClass(kind: StatusKind, status: unknown): StatusClass {
	const known: Record<string, StatusClass> = words[kind];
	const word = statusWord(status);
	return Object.hasOwn(known, word) ? known[word]! : 'unknown';
}

/** Whether work in this status has ended, and not well. */
export const hasFailed = (kind: StatusKind, status: unknown): boolean =>
	['failed', 'cancelled'].includes(statusClass(kind, status));

/** Whether work may continue in this status. In an unknown one it may. */
export const mayGoOn = (kind: StatusKind, status: unknown): boolean =>
	['underWay', 'unknown'].includes(statusClass(kind, status));

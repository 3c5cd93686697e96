import type { Row } from './store';

/** Part A 2.9. `queued` exists only in the response that starts a task. */
export const taskStatuses = [
	'initializing',
	'running',
	'completed',
	'cancelled',
	'failed',
	'aborted',
] as const;

/** Part A 2.9. */
export const taskTypes = [
	'wp_site_update',
	'staging',
	'test_restore',
	'wp_plugin_activate',
	'wp_plugin_deactivate',
	'wp_plugin_delete',
	'wp_plugin_install',
	'wp_theme_activate',
	'wp_theme_delete',
	'wp_theme_install',
	'wp_user_password_change',
	'wp_user_role_change',
	'wp_user_delete',
	'wp_user_create',
	'wp_theme_upload',
	'wp_plugin_upload',
	'wp_core_db_upgrade',
	'wp_plugin_db_upgrade',
	'restore',
	'download',
	'upload',
	'migrate',
	'report',
	'hackcleanup',
	'settingop',
	'speed',
	'download_staging',
	'configure_staging_site',
] as const;

export type TaskStatus = (typeof taskStatuses)[number];
export type TaskType = (typeof taskTypes)[number];

/** Part A 2.9. */
export interface TaskRow extends Row {
	status: TaskStatus;
	type: TaskType;
	created_at: string;
	updated_at: string;
	progress: { percent: number; metrics: { sites: { done: number; total: number } } };
	input: unknown;
	details: { sites: TaskSite[] };
	internal: {
		outcome: 'completed' | 'failed';
		/** What the effects of the task need to know. */
		payload: Record<string, unknown>;
		duration_ms: number;
		steps_done: number;
		failing_site: number | null;
	};
}

export interface TaskSite {
	id: string;
	status: TaskStatus;
	progress: { percent: number };
	steps: TaskStep[];
}

export interface TaskStep {
	type: string;
	status: TaskStatus;
	details: object;
	progress: { percent: number };
	error: { code?: string; message?: string };
}

/** The next task of the type fails, on that site where one is given. */
export interface FailureRow extends Row {
	type: TaskType;
	site_id: string | null;
}

/** What a task shall do. `input` is shown as the task's request details, `durationMs` is clock time. */
export interface TaskOrder {
	type: TaskType;
	siteIds: string[];
	input?: unknown;
	outcome?: 'completed' | 'failed';
	durationMs?: number;
	/** Kept with the task for its effects, never shown. */
	payload?: Record<string, unknown>;
}

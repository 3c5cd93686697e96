/** Records as they are kept: plain JSON. Fields under `internal` never leave the service. */
export interface Row {
	id: string;
}

export const connectionStatuses = ['connected', 'disconnected'] as const;
export const scannerStatuses = ['clean', 'hacked'] as const;
/** Part B 2.1 names only `up`; `down` stands for its opposite. */
export const uptimeStatuses = ['up', 'down'] as const;

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

/** What is in progress; the id says what excludes each other, and of which object. */
export interface ExclusiveRow extends Row {
	number: number;
}

/** Part A 2.1. The client's sites are those whose `internal.client_id` names it. */
export interface ClientRow extends Row {
	first_name: string;
	last_name: string;
	email: string;
	company_name: string;
	address: string;
	note: string;
	created_at: string;
	updated_at: string;
}

/** Part A 2.15. The tag's sites are those whose `internal.tag_ids` names it. */
export interface TagRow extends Row {
	name: string;
	color: string | null;
	created_at: string;
	updated_at: string;
}

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

export interface HttpAuth {
	username: string;
	password: string;
}

interface Amounts {
	total: number;
	synced: number;
	ignored: number;
}

/** Part B 2.1, the detail view plus what its computed fields (client, tags) are made of. */
export interface SiteRow extends Row {
	title: string;
	url: string;
	home_url: string;
	created_at: string;
	updated_at: string;
	connection: {
		status: (typeof connectionStatuses)[number];
		sticky_ip: string | null;
		http_auth: HttpAuth | null;
	};
	server: { hosting: string; mysql_version: string; php_version: string };
	sync: {
		last_sync_at: string | null;
		next_sync_at: string | null;
		last_sync_status: string | null;
		last_sync_error: string | null;
		interval: string;
		daily_sync_time: string;
		paused: boolean;
		in_progress: boolean;
	};
	security: {
		enabled: boolean;
		scanner: {
			status: (typeof scannerStatuses)[number];
			malware_detected_at: string | null;
			interval: string;
			last_check_at: string | null;
			next_check_at: string | null;
			detections: { files: number; scripts: number; cron_jobs: number };
			files: { total: number; scanned: number };
			database: { total: number; scanned: number };
		};
		firewall: {
			enabled: boolean;
			mode: string;
			advanced: boolean;
			bot_protection: { enabled: boolean };
		};
	};
	backups: {
		enabled: boolean;
		real_time: boolean;
		available_snapshots: number;
		retention_days: number;
		latest_snapshot: { id: string; created_at: string; status: string } | null;
		files: { count: Amounts; size: Amounts };
		database: { count: Amounts; size: Amounts };
	};
	performance: { enabled: boolean };
	analytics: { enabled: boolean };
	activity_logs: { enabled: boolean };
	uptime: { enabled: boolean; status: (typeof uptimeStatuses)[number] };
	wp: {
		core: {
			current_version: string;
			latest_version: string;
			update_available: boolean;
			locked: boolean;
			vulnerable: boolean;
		};
		default_wp_object_id: number;
	};
	screenshot: { thumbnail_url: string; updated_at: string };
	locked: boolean;
	multisite: boolean;
	internal: {
		client_id: string | null;
		tag_ids: string[];
		/** Syncs asked for on `date` (UTC). */
		syncs: { date: string; count: number };
	};
}

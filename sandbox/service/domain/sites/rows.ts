import type { Row } from '../../engine/store';

export const connectionStatuses = ['connected', 'disconnected'] as const;
export const scannerStatuses = ['clean', 'hacked'] as const;
/** Part B 2.1 names only `up`; `down` stands for its opposite. */
export const uptimeStatuses = ['up', 'down'] as const;

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
		/** Syncs asked for on `date` (UTC), and whether all of them fail, or only the next one. */
		syncs: { date: string; count: number; failing?: boolean; next_fails?: boolean };
	};
}

declare module '../../engine/store' {
	interface Collections {
		sites: Collection<SiteRow>;
	}
}

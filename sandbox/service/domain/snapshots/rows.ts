import type { Row } from '../../engine/store';
import type { scannerStatuses } from '../sites/rows';

declare module '../../engine/settings' {
	interface Settings {
		/** Most snapshots that are kept per site, so that a long-lived fleet stays small. */
		snapshotsPerSite: number;
	}
}

export const snapshotStatuses = [
	'succeeded',
	'failed',
	'in_progress',
	'waiting',
	'cancelled',
] as const;

/** How much there is of something, and how much of it is in the backup. */
export interface Amounts {
	total: number;
	synced: number;
	ignored: number;
}

export interface BackupAmounts {
	count: Amounts;
	size: Amounts;
}

/** Part B 2.5, the single view. */
export interface SnapshotRow extends Row {
	site_id: string;
	created_at: string;
	status: (typeof snapshotStatuses)[number];
	note: string | null;
	error_message: string | null;
	backups: {
		enabled: boolean;
		real_time: boolean;
		files: BackupAmounts;
		database: BackupAmounts;
	};
	security: {
		enabled: boolean;
		scanner: {
			status: (typeof scannerStatuses)[number];
			detections: { files: number; scripts: number; cron_jobs: number };
			files: { total: number; scanned: number };
			database: { total: number; scanned: number };
		};
	};
	/** The figures are null when monitoring was off or nothing was measured. */
	performance: {
		enabled: boolean;
		score: number | null;
		load_time: number | null;
		page_size: number | null;
		total_requests: number | null;
	};
}

declare module '../../engine/store' {
	interface Collections {
		snapshots: SiteCollection<SnapshotRow>;
	}
}

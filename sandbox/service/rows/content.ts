import type { Row } from '../records';

export const backupStatuses = ['synced', 'skipped'] as const;
export type BackupStatus = (typeof backupStatuses)[number];

/** Content of a site that went back to what it was at `from`; without a list, all of that kind. */
export interface Restore {
	at: string;
	from: string;
	files: boolean;
	paths: string[] | null;
	database: boolean;
	tables: string[] | null;
}

/** What differs from the content that is worked out for a site; its id is that of the site. */
export interface SiteContentRow extends Row {
	/** Paths that were marked; a folder speaks for what is in it, the longest path wins. */
	marks: Record<string, BackupStatus>;
	skipped_tables: string[];
	/** Oldest first. */
	restores: Restore[];
}

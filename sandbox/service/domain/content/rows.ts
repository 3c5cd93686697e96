import type { Row } from '../../engine/store';

export const backupStatuses = ['synced', 'skipped'] as const;
export type BackupStatus = (typeof backupStatuses)[number];

declare module '../../engine/settings' {
	interface Settings {
		/** Folders of the core installation (Part B 4.9: which paths these are is not shown). */
		corePaths: readonly string[];
	}
}

/** Content of a site that went back to what it was at `from`; without a list, all of that kind. */
export interface Restore {
	at: string;
	from: string;
	files: boolean;
	paths: string[] | null;
	database: boolean;
	tables: string[] | null;
}

/** A plugin that has been at a version since a time; a site without it has it from then on. */
export interface PluginChange {
	name: string;
	version: string;
	at: string;
}

/** What differs from the content that is worked out for a site; its id is that of the site. */
export interface SiteContentRow extends Row {
	/** Paths that were marked; a folder speaks for what is in it, the longest path wins. */
	marks: Record<string, BackupStatus>;
	skipped_tables: string[];
	/** Oldest first. */
	restores: Restore[];
	/** Plugins that came to another version, oldest first. */
	plugins?: PluginChange[];
}

declare module '../../engine/store' {
	interface Collections {
		contents: SiteCollection<SiteContentRow>;
	}
}

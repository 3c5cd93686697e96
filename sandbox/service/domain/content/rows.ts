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

/** A plugin or theme that has been at a version since a time; a site without it has it from then on. */
export interface VersionChange {
	name: string;
	version: string;
	at: string;
}

/** How the pages of a site suffer from the next update of a plugin, a theme or the core. */
export interface Flaw {
	plugin: string;
	/** Visitors get an error or an empty page; nothing where the update itself does no harm. */
	effect: 'error' | 'empty' | 'none';
	/** So long after the update, in minutes. */
	after_minutes: number;
	/** Whether it changes the database so that older files of the plugin fail with it. */
	migrates: boolean;
	/** The update that brought it. */
	came?: { at: string; version: string };
}

/** Malware that came to a site. */
export interface Infection {
	at: string;
	/** Paths of files that it changed, and of files that it added. */
	changed: string[];
	added: string[];
	in_database: boolean;
	/** So long after a restore a cron job in the database puts its files back, in minutes. */
	returns_after: number | null;
	/** So long after it came the scanner finds it, in minutes; null for never. */
	seen_after: number | null;
}

/** A plugin or theme that fails on newer PHP. */
export interface PhpBreak {
	/** Its folder below wp-content, such as `plugins/image-slider`. */
	component: string;
	/** The first version of PHP that it fails on, such as 8.4. */
	from: string;
	/** Paths of the only pages that break, such as `/shop`, and an empty one for the home page. */
	pages?: string[];
	/** The folder of another component without which it works. */
	with?: string;
	/** Whether visitors see an error without its text. */
	hides?: boolean;
}

/** What differs from the content that is worked out for a site; its id is that of the site. */
export interface SiteContentRow extends Row {
	/** Paths that were marked; a folder speaks for what is in it, the longest path wins. */
	marks: Record<string, BackupStatus>;
	skipped_tables: string[];
	/** Oldest first. */
	restores: Restore[];
	/** Plugins and themes that came to another version, oldest first; saved fleets have them by this name. */
	plugins?: VersionChange[];
	flaws?: Flaw[];
	infections?: Infection[];
	php_breaks?: PhpBreak[];
}

declare module '../../engine/store' {
	interface Collections {
		contents: SiteCollection<SiteContentRow>;
	}
}

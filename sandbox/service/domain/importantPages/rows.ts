import type { Row } from '../../engine/store';

declare module '../../engine/settings' {
	interface Settings {
		/** Most important pages one site can have (Part B 4.8: numeric value not shown). */
		importantPagesPerSite: number;
	}
}

/** Part B 2.6. */
export interface ImportantPageRow extends Row {
	site_id: string;
	url: string;
}

declare module '../../engine/store' {
	interface Collections {
		importantPages: SiteCollection<ImportantPageRow>;
	}
}

import type { Row } from '../../engine/store';

/** Part B 2.2. */
export interface CustomWorkRow extends Row {
	site_id: string;
	title: string;
	description: string;
	performed_on: string;
	created_at: string;
	updated_at: string;
}

declare module '../../engine/store' {
	interface Collections {
		customWorks: SiteCollection<CustomWorkRow>;
	}
}

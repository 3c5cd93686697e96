import type { Row } from '../../engine/store';

declare module '../../engine/settings' {
	interface Settings {
		/** Most tags one site can have (Part A 8: numeric value not shown). */
		tagsPerSite: number;
	}
}

/** Part A 2.15. The tag's sites are those whose `internal.tag_ids` names it. */
export interface TagRow extends Row {
	name: string;
	color: string | null;
	created_at: string;
	updated_at: string;
}

declare module '../../engine/store' {
	interface Collections {
		tags: Collection<TagRow>;
	}
}

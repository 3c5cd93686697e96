import type { Row } from '../../engine/store';

interface Author {
	name: string;
	email: string;
}

/** Earlier content of a note (Part B 2.3). */
export interface NoteVersion extends Row {
	content: string;
	user: Author;
	created_at: string;
	updated_at: string;
}

/** Part B 2.3. */
export interface NoteRow extends Row {
	site_id: string;
	content: string;
	user: Author;
	created_at: string;
	updated_at: string;
	internal: {
		/** Oldest first. */
		versions: NoteVersion[];
	};
}

declare module '../../engine/store' {
	interface Collections {
		notes: SiteCollection<NoteRow>;
	}
}

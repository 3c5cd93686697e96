const snake = (segment: string) => segment.replaceAll('-', '_');

/** `/sites/7/custom-works` and `/sites/7/custom-works/{id}` are about `custom_works`. */
export function collectionOf(path: string): string {
	const segments = path.split('/').filter(Boolean);
	return snake(segments.filter((segment) => /^[a-z-]+$/.test(segment)).pop() ?? '');
}

/** The wrapper of a record in this collection: `custom_works` gives `custom_work`. */
export const singular = (collection: string) => collection.replace(/s$/, '');

/** The wrapper of the record that a path is about: `/tags/{tagId}/update` is about a `tag`. */
export const recordNameOf = (route: string) =>
	singular(collectionOf(route.replace(/\}[^}]*$/, '')));

/** The field that every record of a list has: its ID, if it has one. */
export const keyIn = (collection: string) =>
	({ tables: 'name', auto_update_history: 'performed_on' })[collection] ?? 'id';

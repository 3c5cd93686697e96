import type { Row } from '../engine/store';
import type { World } from '../engine/world';
import type { Query } from './filters';

/** One request as its handler sees it; query and body fit the schemas of the route. */
export interface Context<B = unknown> {
	world: World;
	params: Record<string, string>;
	query: Query;
	body: B;
	/** Told about each page that a list is answered with, and the row behind it. */
	onPage?: (page: Row[], next: Row | undefined) => void;
}

import type { Part } from '../engine/world';
import type { Route } from './kit';

/** A part of the API: its operations, and what they need of the world. */
export interface Module extends Part {
	routes: Route[];
}

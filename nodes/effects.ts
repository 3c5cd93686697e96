import { resources } from './resources';
import type { Effect, Route } from './shared/operation';

/** What each operation does, by its route: the credential looks at requests of other nodes, too. */
export const effects: ReadonlyMap<Route, Effect> = new Map(
	resources.flatMap(({ operations }) =>
		operations.map(({ route, effect }): [Route, Effect] => [route, effect]),
	),
);

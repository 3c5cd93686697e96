import { conflict } from './errors';
import { Collection, type Row } from './store';
import type { Part, World } from './world';

declare module './store' {
	interface Collections {
		exclusives: Collection<ExclusiveRow>;
	}
}

/**
 * Marks something as in progress, for at most `ms` of clock time; without `ms` until
 * `endExclusive`. Fails with 409 while the same key is in progress already. The key names what
 * excludes each other and the object, for instance `site_settings:<site id>`; `what` is the
 * subject of the error message, for instance `Another settings update`.
 */
export function beginExclusive(
	world: World,
	key: string,
	ms?: number,
	what = 'Another operation',
): void {
	requireIdle(world, key, what);
	const number = Number(world.store.nextNumber('exclusive'));
	world.store.exclusives.insert({ id: key, number });
	if (ms !== undefined) world.after(ms, 'exclusive.end', { key, number });
}

/** Fails with 409 while the key is in progress. */
export function requireIdle(world: World, key: string, what = 'Another operation'): void {
	if (isInProgress(world, key)) throw conflict(`${what} is in progress`);
}

export const isInProgress = (world: World, key: string): boolean =>
	world.store.exclusives.get(key) !== undefined;

/** Lets the next one begin, for instance when the task that did the work has ended. */
export function endExclusive(world: World, key: string): void {
	world.store.exclusives.delete(key);
}

export const exclusives: Part = {
	collections: () => ({ exclusives: new Collection() }),
	handlers: {
		'exclusive.end': (world, { key, number }) => {
			// What began after an early end has a number of its own and goes on.
			if (world.store.exclusives.get(String(key))?.number === number) {
				endExclusive(world, String(key));
			}
		},
	},
};

/** What is in progress; the id says what excludes each other, and of which object. */
export interface ExclusiveRow extends Row {
	number: number;
}

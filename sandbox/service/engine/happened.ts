import type { World } from './world';

/** How many marks came and how many went, by their names. */
export interface Happened {
	came: Record<string, number>;
	went: Record<string, number>;
}

/** What is so now and was not before, and the other way round. */
export function happenedSince(world: World, before: Record<string, string[]>): Happened {
	const now = world.marks();
	const more = (some: Record<string, string[]>, others: Record<string, string[]>) => {
		const counts = Object.entries(some).map(([name, keys]): [string, number] => {
			const known = new Set(others[name]);
			return [name, keys.filter((key) => !known.has(key)).length];
		});
		return Object.fromEntries(counts.filter(([, count]) => count > 0));
	};
	return { came: more(now, before), went: more(before, now) };
}

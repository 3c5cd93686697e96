import type { Restore } from './rows';

/*
 * What of a history is left after restores: each takes back what came after its snapshot, and from there it goes on.
 * Times are milliseconds.
 */

/** Whether something that came at a time is still there. */
export function isKept(restores: readonly Restore[], came: number, now: number): boolean {
	if (came > now) return false;
	const past = restores.filter(({ at }) => Date.parse(at) <= now);
	const last = past.at(-1);
	if (!last || came > Date.parse(last.at)) return true;
	return isKept(past.slice(0, -1), came, Date.parse(last.from));
}

/** How many things are still there. @param count how many came up to a time */
export function countKept(
	restores: readonly Restore[],
	count: (until: number) => number,
	now: number,
): number {
	const past = restores.filter(({ at }) => Date.parse(at) <= now);
	const last = past.at(-1);
	if (!last) return count(now);
	const since = count(now) - count(Date.parse(last.at));
	return since + countKept(past.slice(0, -1), count, Date.parse(last.from));
}

/** Those that took a table back. */
export const restoresOfTable = (restores: readonly Restore[], table: string) =>
	restores.filter(({ database, tables }) => database && (!tables || tables.includes(table)));

/** Those that took a file back. */
export const restoresOf = (restores: readonly Restore[], path: string) =>
	restores.filter(
		({ files, paths }) => files && (!paths || paths.some((each) => isWithin(path, each))),
	);

/** Whether a path is the other one or, when that is a folder, in it. */
export const isWithin = (path: string, other: string): boolean =>
	path === other || (other.endsWith('/') && path.startsWith(other));

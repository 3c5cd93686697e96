import { minute } from '../../engine/clock';
import { hashOf } from '../../engine/random';
import type { World } from '../../engine/world';
import type { SiteRow } from '../sites/rows';
import { changesOf } from './changes';
import { countKept, restoresOfTable } from './kept';

/** What visitors leave on a site all the time, by the table that has it. */
const LEFT = { orders: 'wp_posts', comments: 'wp_comments' } as const;

type Left = keyof typeof LEFT;

export interface Counted {
	/** That came since the site was added. */
	came: number;
	/** That a restore of the database has taken back. */
	lost: number;
}

/** The orders and comments of a site: how many came, and how many are lost. */
export function visitorsOf(world: World, site: SiteRow): Record<Left, Counted> {
	const there = visitorsSince(world, site);
	const counted = (what: Left): Counted => {
		const came = arrivals(site, what)(world.now);
		return { came, lost: came - there[what] };
	};
	return { orders: counted('orders'), comments: counted('comments') };
}

/** The orders and comments that are there now and came after a time (milliseconds), default all of them. */
export function visitorsSince(world: World, site: SiteRow, since = 0): Record<Left, number> {
	const { restores } = changesOf(world, site.id);
	const count = (what: Left) => {
		const came = arrivals(site, what);
		const before = came(since);
		const cameSince = (until: number) => Math.max(0, came(until) - before);
		return countKept(restoresOfTable(restores, LEFT[what]), cameSince, world.now);
	};
	return { orders: count('orders'), comments: count('comments') };
}

/** How many came up to a time. */
function arrivals(site: SiteRow, what: Left): (until: number) => number {
	const every = (15 + (hashOf(site.id, what) % 60)) * minute;
	const start = Date.parse(site.created_at);
	return (until) => Math.max(0, Math.floor((until - start) / every));
}

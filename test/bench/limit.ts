import { MAX_IN_FLIGHT } from '../../nodes/shared/client/limiter';
import { operationRun, runNode, type NodeRun } from '../support/engine';
import { count, LATENCY_MS, withService, type Ready, type Row } from './lib';
import { locator } from '../support/locator';

const ITEMS = 1_000;
const LIMIT = 200;
const GOAL = 1.05;
/** At most so many times what gets of tags take, whose node has fewer fields. */
const SITES_GOAL = 1.06;

/** A thousand requests of one kind. */
export interface Work {
	name: string;
	/** Length of the limit's window, in which the requests that it allows can be sent. */
	windowMs: number;
	/** How many of them the package has under way at the same time. */
	atOnce: number;
	here: (fleet: Ready) => NodeRun;
}

const named = Array.from({ length: ITEMS }, (_, number) => ({ name: `Tag ${number}` }));
const idsOf = ({ siteIds }: Ready) => siteIds.slice(0, ITEMS).map((id) => ({ id }));

/** n8n evaluates all fields of a node for all items before the first request leaves. */
export const gets: Work = {
	name: 'gets of sites',
	windowMs: 6_000,
	atOnce: MAX_IN_FLIGHT,
	here: (fleet) => ({
		...operationRun('site', 'get', { siteId: locator('={{ $json.id }}'), output: 'raw' }),
		items: idsOf(fleet),
	}),
};

export const tagGets: Work = {
	name: 'gets of tags',
	windowMs: 6_000,
	atOnce: MAX_IN_FLIGHT,
	here: ({ tagIds: [tag = ''] }) => ({
		...operationRun('tag', 'get', { tagId: locator('={{ $json.id }}') }),
		items: named.map(() => ({ id: tag })),
	}),
};

const updateFields = { name: '={{ $json.name }}' };

const updates: Work = {
	name: 'updates',
	// One at a time, with the latency, 200 take more than ten seconds.
	windowMs: 15_000,
	atOnce: 1,
	here: ({ tagIds: [tag = ''] }) => ({
		...operationRun('tag', 'update', { tagId: locator(tag), updateFields }),
		items: named,
	}),
};

/** The options of a service with the real limit in a shorter window. */
export const limited = ({ windowMs }: Work) => ({
	sites: ITEMS,
	rateLimit: { limit: LIMIT, windowMs },
});

/** The time that the full windows before the last one take, and then the last requests. */
export function leastSeconds({ windowMs, atOnce }: Work, items = ITEMS): number {
	const full = Math.ceil(items / LIMIT) - 1;
	const last = Math.ceil((items - full * LIMIT) / atOnce);
	return (full * windowMs + last * LATENCY_MS) / 1000;
}

/** A thousand requests of one run, alone in the account. */
export async function limit(): Promise<Row[]> {
	const tags = await rowOf(tagGets);
	const { what, here } = await rowOf(gets);
	const ratio = here.seconds! / tags.here.seconds!;
	const sites: Row = {
		what,
		here,
		beside: { name: 'gets of tags', values: { seconds: tags.here.seconds } },
		ratio,
		goal: { text: `at most ${SITES_GOAL} times as long`, met: ratio <= SITES_GOAL },
	};
	return [tags, sites, await rowOf(updates)];
}

async function rowOf(work: Work): Promise<Row> {
	const { name, windowMs, atOnce } = work;
	return await withService(limited(work), async (bench) => {
		const { items, ...same } = work.here(bench);
		// Loads everything, in the name of another account.
		await runNode({ ...bench, token: 'none' }, { ...same, items: items!.slice(0, 1) });
		const measured = await bench.measure(async () => await runNode(bench, { ...same, items }));
		const here = {
			seconds: measured.seconds,
			failed: ITEMS - measured.result.items.length,
			...count(measured.requests),
		};
		const seconds = leastSeconds(work);
		const ratio = here.seconds / seconds;
		return {
			what: `${ITEMS.toLocaleString('en')} ${name}, ${LIMIT} a window of ${windowMs / 1000} s`,
			here,
			beside: {
				name: `the least time: 4 windows, then 200 requests of ${LATENCY_MS} ms, ${atOnce} at a time`,
				values: { seconds },
			},
			ratio,
			goal: {
				text: `at most ${GOAL}, 0 failed, 0 refused`,
				met: ratio <= GOAL && here.failed === 0 && here.refused === 0,
			},
		};
	});
}

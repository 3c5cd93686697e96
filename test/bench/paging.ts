import { mustSucceed, operationRun, runNode, type NodeRun } from '../support/engine';
import { MAX_IN_FLIGHT } from '../../nodes/shared/client/limiter';
import { count, eachOf, NO_LIMIT, withService, type Bench, type Row } from './lib';
import './plainNode';

const SITES = 10_000;
const PAGES = SITES / 100;

/** As fast as one page after the other, so many times; and at most so many times as long as bare requests. */
const GOAL = 4;
const GOAL_BARE = 1.5;

/** Each way is taken so many times, in turns; the fastest counts, because other work of the machine only slows. */
const ROUNDS = 3;

const getMany = operationRun('site', 'getAll', { returnAll: true, output: 'raw' });
const generic: NodeRun = { node: 'plain', parameters: { operation: 'getSites' } };

const HERE = 'this package';
const BARE = `axios, ${MAX_IN_FLIGHT} pages at a time`;

const ways: Record<string, (bench: Bench) => Promise<unknown[]>> = {
	[HERE]: async (bench) => mustSucceed(await runNode(bench, getMany)).items,
	[BARE]: axiosAtOnce,
	'axios, one page after the other': axiosLoop,
	"n8n's generic pagination": async (bench) => mustSucceed(await runNode(bench, generic)).items,
};

/** Reads all sites of a large account. */
export async function paging(): Promise<Row[]> {
	return await withService({ sites: SITES, rateLimit: NO_LIMIT }, async (bench) => {
		const best = new Map<string, { seconds: number; requests: number }>();
		for (let round = 1; round <= ROUNDS; round++) {
			for (const [name, read] of Object.entries(ways)) {
				const { result, seconds, requests } = await bench.measure(async () => await read(bench));
				if (result.length !== SITES) throw new Error(`${result.length} sites came, not ${SITES}`);
				if (seconds < (best.get(name)?.seconds ?? Infinity)) {
					best.set(name, { seconds, requests: count(requests).requests });
				}
			}
		}
		const here = best.get(HERE)!;
		best.delete(HERE);
		return [...best].map(([name, values]): Row => {
			const ratio = values.seconds / here.seconds;
			const goal =
				name === BARE
					? { text: `at most ${GOAL_BARE}× as long`, met: 1 / ratio <= GOAL_BARE }
					: {
							text: `${GOAL}× as fast, ${PAGES} requests`,
							met: ratio >= GOAL && here.requests === PAGES,
						};
			return {
				what: `Return All of ${SITES.toLocaleString('en')} sites`,
				here,
				beside: { name, values },
				ratio,
				goal,
			};
		});
	});
}

/** As fast as the service gives them: its time for a page, once there are many, is more than the latency. */
async function axiosAtOnce({ api }: Bench): Promise<unknown[]> {
	const pages: unknown[][] = [];
	const numbers = Array.from({ length: PAGES }, (_, index) => index + 1);
	await eachOf(numbers, MAX_IN_FLIGHT, async (page) => {
		const { data } = await api.get('/sites', { params: { page, perPage: 100 } });
		pages[page - 1] = data.sites;
	});
	return pages.flat();
}

async function axiosLoop({ api }: Bench): Promise<unknown[]> {
	const sites: unknown[] = [];
	for (let page = 1, last = 1; page <= last; page++) {
		const { data } = await api.get('/sites', { params: { page, perPage: 100 } });
		sites.push(...data.sites);
		last = data.meta.pagination.totalPages;
	}
	return sites;
}

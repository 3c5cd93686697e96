import type { NodeRun } from '../support/engine';
import { runNode } from '../support/engine';
import {
	count,
	mustSucceed,
	NO_LIMIT,
	withService,
	type Bench,
	type Row,
	type Values,
} from './lib';
import './plainNode';

const SITES = 10_000;
const PAGES = SITES / 100;
const GOAL = 4;

const getMany: NodeRun = {
	node: 'site',
	parameters: { resource: 'site', operation: 'getAll', returnAll: true, output: 'raw' },
};
const generic: NodeRun = { node: 'plain', parameters: { operation: 'getSites' } };

/** Reads all sites of a large account. */
export async function paging(): Promise<Row[]> {
	return await withService({ sites: SITES, rateLimit: NO_LIMIT }, async (bench) => {
		const { here, axiosLoop, byN8n } = {
			here: await all(bench, async () => await itemsOf(bench, getMany)),
			axiosLoop: await all(bench, async () => await loop(bench)),
			byN8n: await all(bench, async () => await itemsOf(bench, generic)),
		};
		const row = (name: string, values: Values & { seconds: number }): Row => {
			const ratio = values.seconds / here.seconds;
			return {
				what: `Return All of ${SITES.toLocaleString('en')} sites`,
				here,
				beside: { name, values },
				ratio,
				goal: {
					text: `${GOAL}× as fast, ${PAGES} requests`,
					met: ratio >= GOAL && here.requests === PAGES,
				},
			};
		};
		return [
			row('axios, one page after the other', axiosLoop),
			row("n8n's generic pagination", byN8n),
		];
	});
}

/** The faster of two: the first one also loads and compiles what is not loaded yet. */
async function all(bench: Bench, read: () => Promise<number>) {
	const times = [];
	for (let run = 1; run <= 2; run++) {
		const { result, seconds, requests } = await bench.measure(read);
		if (result !== SITES) throw new Error(`${result} sites came, not ${SITES}`);
		times.push({ seconds, requests: count(requests).requests });
	}
	return times.sort((a, b) => a.seconds - b.seconds)[0]!;
}

const itemsOf = async (bench: Bench, run: NodeRun) =>
	mustSucceed(await runNode(bench, run)).items.length;

async function loop({ api }: Bench): Promise<number> {
	const sites: unknown[] = [];
	for (let page = 1, last = 1; page <= last; page++) {
		const { data } = await api.get('/sites', { params: { page, perPage: 100 } });
		sites.push(...data.sites);
		last = data.meta.pagination.totalPages;
	}
	return sites.length;
}

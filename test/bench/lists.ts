/**
 * Measures every list of a large fleet, over HTTP: `npx tsx test/bench/lists.ts [sites] [data folder]`.
 * Prints the median and the slowest of several requests for the first and the last page, with the
 * default and every other sort order, in milliseconds, and the memory of the process.
 */
import axios from 'axios';
import { RealClock, startService } from '../../sandbox/service';
import { routes } from '../../sandbox/service/modules';

const repeats = 7;

async function main(): Promise<void> {
	const [sites = '10000', data] = process.argv.slice(2);
	const begun = performance.now();
	const clock = new RealClock();
	const service = await startService({
		sites: Number(sites),
		data,
		clock,
		living: true,
		rateLimit: { limit: 1e9 },
	});
	const { world } = service;
	console.log(`${sites} sites, started in ${Math.round(performance.now() - begun)} ms`);
	const { store } = world;
	const logging = store.sites
		.all()
		.find((site) => site.activity_logs.enabled && site.backups.enabled);
	const pageSite = store.importantPages.all()[0]?.site_id;
	const api = axios.create({
		baseURL: service.baseUrl,
		headers: { Authorization: `Bearer ${service.token}` },
		responseType: 'text',
		transformResponse: (text) => text,
	});

	const results: Array<{ what: string; median: number; slowest: number }> = [];
	for (const { operationId, method, path, query } of routes) {
		if (method !== 'GET' || !query?.page) continue;
		const site = operationId === 'listSiteImportantPages' ? pageSite : logging?.id;
		const url = path.replace('{site_id}', site ?? '');
		const orders = (query.sort?.enum as string[] | undefined) ?? [''];
		for (const sort of orders) {
			for (const last of [false, true]) {
				const params: Record<string, unknown> = sort === '' ? {} : { sort };
				if (last) {
					const answer = await api.get(url, { params, validateStatus: () => true });
					if (answer.status !== 200) console.log(operationId, answer.status, answer.data);
					const { totalPages } = JSON.parse(answer.data).meta?.pagination ?? {};
					if (!(totalPages > 1)) continue;
					params.page = totalPages;
				}
				const times: number[] = [];
				for (let i = 0; i < repeats; i++) {
					const from = performance.now();
					await api.get(url, { params, validateStatus: () => true });
					times.push(performance.now() - from);
				}
				times.sort((a, b) => a - b);
				results.push({
					what: `${operationId} ${sort}${last ? ' last page' : ''}`,
					median: times[Math.floor(repeats / 2)]!,
					slowest: times.at(-1)!,
				});
			}
		}
	}
	results.sort((a, b) => b.median - a.median);
	for (const { what, median, slowest } of results) {
		console.log(`${median.toFixed(1).padStart(7)} ${slowest.toFixed(1).padStart(7)}  ${what}`);
	}
	console.log(`memory ${Math.round(process.memoryUsage().rss / 1e6)} MB`);
	await service.close();
}

void main();

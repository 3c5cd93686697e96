import type { IDataObject, IExecutePaginationFunctions, IHttpRequestOptions } from 'n8n-workflow';
import { description, mustSucceed, runNode, type NodeRun } from '../support/engine';
import { NO_LIMIT, withService, type Row } from './lib';
import './plainNode';
import { gets as siteGets } from './limit';

const REQUESTS = 2_000;

/** At most so many times what a plain declarative node takes, and n8n itself for a node with this description. */
const PLAIN_GOAL = 2;
const GOAL = 1.5;

/** Each way is measured so many times; the least counts, because other work of the machine only adds. */
const ROUNDS = 6;

/** What the package costs besides waiting. */
export async function overhead(): Promise<Row[]> {
	const options = { sites: REQUESTS, rateLimit: NO_LIMIT, faults: {} };
	return await withService(options, async (bench) => {
		const items = bench.siteIds.map((id) => ({ id }));
		const plain: NodeRun = {
			node: 'plain',
			parameters: { operation: 'getSite', id: '={{ $json.id }}' },
		};
		const gets = async (run: NodeRun) => void mustSucceed(await runNode(bench, { ...run, items }));
		const [here, byN8n, alone] = await cpu([
			async () => await gets(siteGets.here(bench)),
			async () => await gets(plain),
			async () => await withoutPackage(async () => await gets(siteGets.here(bench))),
		]);
		const row = (name: string, milliseconds: number, goal: number): Row => {
			const ratio = here / milliseconds;
			return {
				what: 'Processor time for a get',
				here: { milliseconds: here },
				beside: { name, values: { milliseconds } },
				ratio,
				goal: { text: `at most ${goal} times as much`, met: ratio <= goal },
			};
		};
		return [
			row('a plain declarative node', byN8n, PLAIN_GOAL),
			row('n8n itself, with the description of this node', alone, GOAL),
		];
	});
}

/** Milliseconds for each request of each way, once everything is loaded and compiled. */
async function cpu<T extends Array<() => Promise<void>>>(ways: [...T]) {
	const least = ways.map(() => Infinity);
	// In turn, so that other work of the machine is beside all of them.
	for (let round = 0; round <= ROUNDS; round++) {
		for (const [index, work] of ways.entries()) {
			const before = process.cpuUsage();
			await work();
			const { user, system } = process.cpuUsage(before);
			if (round > 0) least[index] = Math.min(least[index]!, (user + system) / 1000 / REQUESTS);
		}
	}
	return least as { [each in keyof T]: number };
}

/** Runs work while the node of sites sends its requests with nothing of this package. */
async function withoutPackage<T>(work: () => Promise<T>): Promise<T> {
	const site = await description('site');
	const ours = site.requestOperations;
	site.requestOperations = {
		async pagination(this: IExecutePaginationFunctions, { options }) {
			const id = this.getNodeParameter('siteId', undefined, { extractValue: true }) as string;
			const request = { ...options, url: `/sites/${id}` } as IHttpRequestOptions;
			const answer = (await this.helpers.httpRequestWithAuthentication.call(
				this,
				'siteManagementApi',
				request,
			)) as { site: IDataObject };
			return [{ json: answer.site }];
		},
	};
	try {
		return await work();
	} finally {
		site.requestOperations = ours;
	}
}

import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import type { IDataObject, IExecutePaginationFunctions, IHttpRequestOptions } from 'n8n-workflow';
import { description, runNode, type NodeRun } from '../support/engine';
import { eachOf, mustSucceed, NO_LIMIT, withService, type Bench, type Row } from './lib';
import { gets as siteGets } from './limit';

const REQUESTS = 2_000;
const STARTS = 5;

/** At most so many times what a plain declarative node takes, and n8n itself for a node with this description. */
const PLAIN_GOAL = 2;
const GOAL = 1.5;

/** Each way is measured so many times; the least counts, because other work of the machine only adds. */
const ROUNDS = 6;

const median = (values: number[]) =>
	values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

/** What the package costs besides waiting: computing, loading, and the size of what the editor loads. */
export async function overhead(): Promise<Row[]> {
	return [...(await computing()), ...(await loading())];
}

async function computing(): Promise<Row[]> {
	const options = { sites: REQUESTS, rateLimit: NO_LIMIT, faults: {} };
	return await withService(options, async (bench) => {
		const items = bench.siteIds.map((id) => ({ id }));
		const gets = async (run: NodeRun) => void mustSucceed(await runNode(bench, { ...run, items }));
		const [here, byN8n, alone, bare] = await cpu([
			async () => await gets(siteGets.here(bench)),
			async () => await gets(siteGets.plain(bench)),
			async () => await withoutPackage(async () => await gets(siteGets.here(bench))),
			async () => await byAxios(bench),
		]);
		const row = (name: string, milliseconds: number, goal = Infinity): Row => {
			const ratio = here / milliseconds;
			return {
				what: 'Processor time for a get',
				here: { milliseconds: here },
				beside: { name, values: { milliseconds } },
				ratio,
				...(goal < Infinity && {
					goal: { text: `at most ${goal} times as much`, met: ratio <= goal },
				}),
			};
		};
		return [
			row('bare axios', bare),
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

const byAxios = async ({ api, siteIds }: Bench) =>
	await eachOf(siteIds, siteGets.atOnce, async (id) => void (await api.get(`/sites/${id}`)));

/** In a process without anything else: n8n has loaded its own part before it loads nodes. */
const script = `
	require('n8n-workflow');
	const { performance } = require('node:perf_hooks');
	const from = performance.now();
	const nodes = require('./package.json').n8n.nodes.map((file) => {
		const [name] = require('node:path').basename(file).split('.');
		return new (require('./' + file)[name])().description;
	});
	const milliseconds = performance.now() - from;
	console.log(JSON.stringify({ milliseconds, nodes: nodes.length, bytes: JSON.stringify(nodes).length }));
`;

async function loading(): Promise<Row[]> {
	const runs: Array<{ milliseconds: number; nodes: number; bytes: number }> = [];
	for (let run = 1; run <= STARTS; run++) {
		const cwd = path.resolve(__dirname, '../..');
		const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], { cwd });
		runs.push(JSON.parse(stdout));
	}
	const { nodes, bytes } = runs[0]!;
	const milliseconds = median(runs.map((run) => run.milliseconds));
	return [
		{ what: `Loading all ${nodes} nodes, median of ${STARTS}`, here: { milliseconds } },
		{ what: 'All descriptions as JSON', here: { kilobytes: bytes / 1000 } },
	];
}

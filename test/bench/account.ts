import type { ChildProcess } from 'node:child_process';
import { MAX_IN_FLIGHT } from '../../nodes/shared/client/limiter';
import { ask, count, start, withService, type Bench, type Row } from './lib';
import { leastSeconds, limited, tagGets } from './limit';

/**
 * Gets of several processes, which know of each other by the service's counts only. They fill no window exactly:
 * otherwise a single place that is left over decides on another window.
 */
const TOGETHER = 1_900;
const shared = { ...tagGets, windowMs: 20_000 };

/** How many processes, and the most of their requests that is refused and of the least time that they take more. */
const GOALS = [
	{ processes: 2, refused: 0.03, over: 1.1 },
	{ processes: 4, refused: 0.03, over: 1.1 },
];

/** The limit belongs to the account, which other processes use at the same time. */
export async function account(): Promise<Row[]> {
	const rows: Row[] = [];
	for (const goal of GOALS) rows.push(await processesAtOnce(goal));
	return rows;
}

async function processesAtOnce({ processes, refused, over }: (typeof GOALS)[number]): Promise<Row> {
	return await withService(limited(shared), async (bench) => {
		const children = Array.from({ length: processes }, () => start('node.ts'));
		const each = TOGETHER / processes;
		try {
			// Loads everything, in the name of another account.
			await all(children, { ...bench, token: 'none' }, 1);
			const measured = await bench.measure(async () => await all(children, bench, each));
			const { result: came, seconds, requests } = measured;
			const here = { seconds, failed: TOGETHER - came, ...count(requests) };
			const least = leastSeconds({ ...shared, atOnce: processes * MAX_IN_FLIGHT }, TOGETHER);
			const ratio = seconds / least;
			const share = here.refused / here.requests;
			return {
				what: `${each.toLocaleString('en')} gets of tags in each of ${processes} processes at once, 200 a window of ${shared.windowMs / 1000} s`,
				here,
				beside: {
					name: 'the least time: 9 windows, then 100 requests',
					values: { seconds: least },
				},
				ratio,
				goal: {
					text: `at most ${over}, 0 failed, at most ${refused * 100} % refused, here ${(share * 100).toFixed(2)} %`,
					met: here.failed === 0 && ratio <= over && share <= refused,
				},
			};
		} finally {
			for (const child of children) child.kill();
		}
	});
}

/** Runs so many gets in each process, and tells how many items came out of all. */
async function all(children: ChildProcess[], bench: Bench, count: number): Promise<number> {
	const { baseUrl, token } = bench;
	const access = { baseUrl, token };
	const { items: input = [], ...same } = shared.here(bench);
	const run = { ...same, items: input.slice(0, count) };
	const answers = await Promise.all(
		children.map(async (child) => await ask<{ items: number }>(child, { access, run })),
	);
	return answers.reduce((sum, { items: came }) => sum + came, 0);
}

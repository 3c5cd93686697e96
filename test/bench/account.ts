import type { RecordedRequest } from '../../sandbox/service';
import { runNode } from '../support/engine';
import { ask, count, start, withService, type Bench, type Row, type Values } from './lib';
import { gets, ITEMS, limited } from './limit';

const HALF = 100;
const items = ITEMS.toLocaleString('en');

/** The limit belongs to the account, which others use at the same time. */
export async function account(): Promise<Row[]> {
	return [await besideAnother(), await twoProcesses()];
}

async function besideAnother(): Promise<Row> {
	const { windowMs } = gets;
	return await withService(limited(gets), async (bench) => {
		const child = start('otherClient.ts');
		try {
			const { baseUrl, token } = bench;
			await ask(child, { baseUrl, token, perWindow: HALF, windowMs });
			const { result, seconds, requests } = await bench.measure(
				async () => await runNode(bench, gets.here(bench)),
			);
			const isOther = ({ headers }: RecordedRequest) => headers['user-agent'] === 'other';
			const own = count(requests.filter((request) => !isOther(request)));
			const other = count(requests.filter(isOther));
			return {
				what: `${items} gets while another client sends ${HALF} requests a window`,
				...withoutFailures({ seconds, failed: ITEMS - result.items.length, ...own }),
				beside: {
					name: 'the other client meanwhile',
					values: { requests: other.requests, refused: other.refused },
				},
			};
		} finally {
			child.kill();
		}
	});
}

async function twoProcesses(): Promise<Row> {
	return await withService(limited(gets), async (bench) => {
		const children = [start('node.ts'), start('node.ts')];
		try {
			const { result, seconds, requests } = await bench.measure(
				async () => await Promise.all(children.map(async (child) => await itemsOf(child, bench))),
			);
			const came = result[0]! + result[1]!;
			return {
				what: `${items} gets in each of two processes at once`,
				...withoutFailures({ seconds, failed: 2 * ITEMS - came, ...count(requests) }),
			};
		} finally {
			for (const child of children) child.kill();
		}
	});
}

async function itemsOf(child: ReturnType<typeof start>, { baseUrl, token, ...fleet }: Bench) {
	const access = { baseUrl, token };
	const run = gets.here({ ...access, ...fleet });
	return (await ask<{ items: number }>(child, { access, run })).items;
}

/** What comes twice here was read in both processes. */
const withoutFailures = ({ repeated: _, ...here }: Values & { failed: number }) => ({
	here,
	goal: { text: '0 failed', met: here.failed === 0 },
});

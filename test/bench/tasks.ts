import { setTimeout as sleep } from 'node:timers/promises';
import { intervalAt } from '../../nodes/shared/run/pollUntil';
import { runNode } from '../support/engine';
import { mustSucceed, NO_LIMIT, withService, type Bench, type Row } from './lib';
import { locator } from '../support/locator';

const TASKS = 200;
const TASK_MS = 20_000;
const PAGES = Math.ceil(TASKS / 100);

/** Many tasks waited for at the same time. */
export async function tasks(): Promise<Row[]> {
	return await withService({ sites: TASKS, rateLimit: NO_LIMIT }, async (bench) => {
		const shared = await waited(bench, async (ids) => {
			const { items } = mustSucceed(
				await runNode(bench, {
					node: 'task',
					parameters: {
						resource: 'task',
						operation: 'wait',
						taskId: locator('={{ $json.id }}'),
					},
					items: ids.map((id) => ({ id })),
				}),
			);
			if (items.length !== TASKS) throw new Error(`${items.length} tasks came, not ${TASKS}`);
		});
		const lists = shared.requests.filter(({ path }) => path.endsWith('/tasks'));
		const looks = lists.filter(({ query }) => new URLSearchParams(query).get('page') === '1');

		const polls = await waited(bench, async (ids) => {
			await Promise.all(ids.map(async (id) => await poll(bench, id)));
		});
		// Each task is read once at first and once when it has ended; names of sites cost ten requests and their list.
		const most = PAGES * looks.length + 2 * TASKS + 10 + PAGES;
		const ratio = polls.requests.length / shared.requests.length;
		return [
			{
				what: `${TASKS} tasks of ${TASK_MS / 1000} s waited for at once`,
				here: {
					seconds: shared.seconds,
					requests: shared.requests.length,
					looks: looks.length,
				},
				beside: {
					name: 'a poll for each task, as often',
					values: { seconds: polls.seconds, requests: polls.requests.length },
				},
				ratio,
				goal: {
					text: `${PAGES} requests per check, for each task one at the start and one at the end, and ${10 + PAGES} for the names of sites`,
					met: shared.requests.length <= most,
				},
			},
		];
	});
}

/** Starts the tasks and measures what it takes to wait for their end. */
async function waited(
	{ controls, siteIds, measure }: Bench,
	wait: (ids: string[]) => Promise<void>,
) {
	const begun = await Promise.all(
		siteIds.map(async (id) => {
			const order = { type: 'download', site_ids: [id], duration_ms: TASK_MS };
			return (await controls.post('/tasks', order)).data.task.id as string;
		}),
	);
	return await measure(async () => await wait(begun));
}

async function poll({ api }: Bench, id: string): Promise<void> {
	for (const since = Date.now(); ; await sleep(intervalAt(Date.now() - since))) {
		const { data } = await api.get(`/tasks/${id}`);
		if (data.task.status === 'completed') return;
	}
}

import type { IDataObject } from 'n8n-workflow';
import { clock } from '../../../nodes/shared/lib';
import { Limiter } from '../../../nodes/shared/client/limiter';
import { PRIORITY } from '../../../nodes/shared/client/queue';
import { accountOf } from '../../../nodes/shared/client/request';
import { TaskWatch } from '../../../nodes/shared/run/pollUntil';
import { itemsOf, type Given, type Sent } from '../../support/engine/contexts';
import { VirtualTime } from '../../support/virtualTime';

/** Those that wait for tasks look together, each for as long as it wants. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

let time: VirtualTime;
beforeEach(() => {
	time = new VirtualTime();
	Object.assign(clock, { now: time.now, steady: time.now, sleep: time.sleep });
});

/** Tasks by id that end at a time; `more` of them are nobody's. */
function tasks(endsAt: Record<string, number>, more = 0) {
	const ids = [
		...Object.keys(endsAt),
		...Array.from({ length: more }, (_, index) => `more${index}`),
	];
	const taskAt = (id: string): IDataObject => ({
		id,
		created_at: '2026-03-01T12:00:00Z',
		status: time.now() >= (endsAt[id] ?? Infinity) ? 'completed' : 'running',
		details: {},
	});
	const answer = ({ url, qs }: Sent): Given => {
		if (url !== '/tasks') return { body: { task: taskAt(url.slice('/tasks/'.length)) } };
		const { page } = qs as { page: number };
		const totalPages = Math.ceil(ids.length / 100);
		return {
			body: {
				tasks: ids.slice((page - 1) * 100, page * 100).map(taskAt),
				meta: { pagination: { perPage: 100, totalPages, totalItems: ids.length } },
			},
		};
	};
	const { item, sent } = itemsOf({ answer });
	const watch = TaskWatch.of(new Limiter().account);
	/** Waits for a task, and tells when that was over. */
	const end = async (id: string, limitMs = 60 * MINUTE) =>
		await watch.end(item, taskAt(id), limitMs).then(
			() => time.now(),
			(error: Error) => `${error.message} at ${time.now()}`,
		);
	return { end, sent };
}

it('a later task does not wait for the long pauses of the others', async () => {
	const { end } = tasks({ long: Infinity, short: 201 * SECOND });
	const long = end('long', 10 * MINUTE);
	let short: Promise<unknown> | undefined;
	time.at(200 * SECOND, () => void (short = end('short')));
	await time.run(15 * MINUTE);
	expect(await short).toBeLessThanOrEqual(203 * SECOND);
	expect(await long).toBe('The task long was still running after 10 minutes at 600000');
});

it('a check takes no longer than its wait, and half a minute at most', async () => {
	const { end, sent } = tasks({ a: 3 * SECOND, b: 3 * SECOND });
	const both = Promise.all([end('a'), end('b')]);
	await time.run();
	await both;
	expect(new Set(sent.map(({ url }) => url))).toEqual(new Set(['/tasks', '/tasks/a', '/tasks/b']));
	expect(sent.map(({ timeout }) => timeout)).toEqual(sent.map(() => 30 * SECOND));

	const hasty = tasks({ c: Infinity });
	const given = hasty.end('c', 12 * SECOND);
	await time.run();
	expect(await given).toMatch(/was still running after 0.2 minutes/);
	expect(hasty.sent[0]!.timeout).toBe(10 * SECOND);
	expect(hasty.sent.at(-1)!.timeout).toBe(5 * SECOND);
});

it.each([
	['more pages than waiting tasks is not read again', 250, 3, 3],
	['fewer pages is read again, and ended tasks alone', 50, 4, 20],
])('a list with %s', async (_, more, least, most) => {
	const { end, sent } = tasks({ a: 20 * SECOND, b: 20 * SECOND }, more);
	const both = Promise.all([end('a'), end('b')]);
	await time.run();
	await both;
	const lists = sent.filter(({ url }) => url === '/tasks').length;
	expect(lists).toBeGreaterThanOrEqual(least);
	expect(lists).toBeLessThanOrEqual(most);
	if (more === 50) expect(sent).toHaveLength(lists + 2);
});

it('a check takes turns with items and polls, however many of them wait', async () => {
	const { item, sent } = itemsOf({
		answer: () => ({ body: { task: { id: 'a', status: 'completed', details: {} } } }),
	});
	const { limiter } = await accountOf(item);
	limiter.release(await limiter.acquire(), { limit: 200, remaining: 199, resetMs: MINUTE });
	let before = 0;
	const busy = async (priority: 0 | 1 | 2 | 3) => {
		const ticket = await limiter.acquire({ priority, flow: {} });
		if (sent.length === 0) before += 1;
		await time.sleep(SECOND);
		limiter.release(ticket, {});
	};
	const given = TaskWatch.of(limiter.account).end(item, { id: 'a' }, MINUTE);
	time.at(SECOND, () => {
		for (let count = 0; count < 90; count++) {
			void busy(PRIORITY.polls);
			void busy(PRIORITY.items);
		}
	});
	await time.run();
	await given;
	// Sixteen are under way by then; each second as many turns, of which every sixth is for looks.
	expect(before).toBeLessThanOrEqual(2 * 16 + 6);
});

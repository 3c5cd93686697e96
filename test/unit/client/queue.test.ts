import { type ExchangeOptions, exchange } from '../../../nodes/shared/client/exchange';
import { clock } from '../../../nodes/shared/lib';
import { Limiter, OutOfTime } from '../../../nodes/shared/client/limiter';
import {
	FairQueue,
	PRIORITY,
	type QueuedRequest,
	Semaphore,
	flowOf,
	priorityOf,
} from '../../../nodes/shared/client/queue';
import { VirtualTime } from '../../support/virtualTime';
import { itemsOf, listOf, triggerOf } from '../../support/engine/contexts';
import { cancelSignal, deadlineOf, endBy } from '../../../nodes/shared/n8n/context';
import { ModelService } from '../../support/modelService';

/** Whose turn it is when requests wait: rules, and whole windows in virtual time. */

const MINUTE = 60_000;
const { items, waits, polls, lists } = PRIORITY;

describe('turns', () => {
	/** A queue of requests by name, each of a flow of its own. */
	function queueOf(...names: Array<[name: string, of: Partial<QueuedRequest>]>) {
		const queue = new FairQueue();
		const order: string[] = [];
		for (const [name, of] of names) {
			queue.add({
				priority: items,
				flow: {},
				giveUpAt: Infinity,
				start: () => order.push(name),
				giveUp: () => order.push(`${name} gave up`),
				...of,
			});
		}
		const take = (withoutPolls = false) => queue.next(withoutPolls)?.start();
		return { queue, order, take };
	}

	const times = (count: number, name: string, of: Partial<QueuedRequest>) =>
		Array.from({ length: count }, (_, index): [string, Partial<QueuedRequest>] => [
			`${name}${index + 1}`,
			of,
		]);

	it('lists go first, then polls, checks and items take turns', () => {
		const { order, take, queue } = queueOf(
			...times(2, 'item', {}),
			...times(1, 'wait', { priority: waits }),
			...times(4, 'poll', { priority: polls }),
			['list', { priority: lists }],
		);
		while (!queue.isEmpty) take();
		expect(order.join(' ')).toBe('list poll1 wait1 item1 poll2 item2 poll3 poll4');
	});

	it('the runs of two nodes take turns, whatever each has waiting', () => {
		const { order, take, queue } = queueOf(
			...times(3, 'one', { flow: 'one' }),
			...times(2, 'two', { flow: 'two' }),
		);
		while (!queue.isEmpty) take();
		expect(order.join(' ')).toBe('one1 two1 one2 two2 one3');
	});

	it('polls wait while the rest of a window is for actions, and give up where that is too late', () => {
		const { order, take, queue } = queueOf(
			['poll1', { priority: polls, giveUpAt: 10 }],
			['poll2', { priority: polls, giveUpAt: 90 }],
			['item', { giveUpAt: 10 }],
		);
		take(true);
		take(true);
		queue.giveUp(60);
		take();
		expect(order).toEqual(['item', 'poll1 gave up', 'poll2']);
	});
});

const MINUTES = 14;

/** n8n's budgets for a poll, of which four fifths may be waited: by default, and with durable cursors. */
const BUDGETS = [240_000, 28_800];

const all = BUDGETS.flatMap((waitMs) =>
	[20, 60, 300].flatMap((triggers) =>
		['GET', 'POST'].map((method) => ({ triggers, method, waitMs })),
	),
);

it.each(all)(
	'$triggers triggers of six requests, which wait for $waitMs ms, leave a third of each window to a run of $method',
	async ({ triggers, method, waitMs }) => {
		const time = new VirtualTime();
		const { now } = time;
		Object.assign(clock, time.clock());
		const limiter = new Limiter();
		const weather = () => ({ thereMs: 30, backMs: 30 });
		const service = new ModelService(time, { limit: 200, windowMs: MINUTE, weather });
		const send = async (who: string, as: string, turn: ExchangeOptions) =>
			void (await exchange(limiter, as, turn, async () => await service.send(who)));
		const underWay = new Set<number>();
		const poll = async (index: number) => {
			if (underWay.has(index)) return;
			underWay.add(index);
			const turn = { priority: polls, flow: `workflow/${index}`, giveUpAt: now() + waitMs };
			try {
				for (let request = 0; request < 6; request++) await send('polls', 'GET', turn);
			} catch (error) {
				if (!(error instanceof OutOfTime)) throw error;
			}
			underWay.delete(index);
		};
		for (let minute = 0; minute < MINUTES; minute++) {
			time.at(minute * MINUTE, () => {
				for (let index = 0; index < triggers; index++) void poll(index);
			});
		}
		const flow = {};
		const run = async () => {
			for (;;) await send('run', method, { flow });
		};
		time.at(1_000, () => {
			for (let lane = 0; lane < (method === 'GET' ? 50 : 1); lane++) void run();
		});
		await time.run(MINUTES * MINUTE - 1);
		const windows = Array.from({ length: MINUTES - 3 }, (_, index) =>
			service.arrivals.filter(({ window }) => window === index + 2),
		);
		for (const arrivals of windows) {
			expect(arrivals).toHaveLength(200);
			expect(arrivals.filter(({ who }) => who === 'run').length).toBeGreaterThanOrEqual(66);
		}
	},
);

describe('who asks', () => {
	const { signal } = new AbortController();
	const [one, other] = itemsOf({ count: 2, signal }).items;
	const poll = triggerOf().context;
	const list = listOf();

	it('a person who waits for a list goes first, then polls, then items', () => {
		expect([one!, poll, list].map(priorityOf)).toEqual([items, polls, lists]);
	});

	it('the items of a run take turns with others together', () => {
		expect(flowOf(one!)).toBe(flowOf(other!));
		expect([poll, list].map(flowOf)).toEqual([poll, list]);
	});

	it('only an execution can be cancelled', () => {
		expect([one!, poll, list].map(cancelSignal)).toEqual([signal, undefined, undefined]);
	});

	it('has no deadline unless one was set', () => {
		expect(deadlineOf(poll)).toBe(Infinity);
		endBy(poll, 7);
		expect([poll, list].map(deadlineOf)).toEqual([7, Infinity]);
	});
});

it('work of which only one runs at a time passes its place on when it fails', async () => {
	const few = new Semaphore(1);
	const failed = few.run(async () => await Promise.reject(new Error('broken')));
	const next = few.run(async () => 'next');
	await expect(failed).rejects.toThrow('broken');
	expect(await next).toBe('next');
	expect(await few.run(async () => 'free again')).toBe('free again');
});

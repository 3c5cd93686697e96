import {
	type AttemptAnswer,
	type ExchangeOptions,
	exchange,
} from '../../../nodes/shared/client/exchange';
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
import { itemsOf, listOf, triggerOf } from '../../support/items';
import { cancelSignal, deadlineOf, endBy } from '../../../nodes/shared/n8n/context';
import { ModelService } from '../../support/modelService';

/** Whose turn it is when requests wait: rules, and whole windows in virtual time. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
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

/** Windows of 200 requests in a minute, and answers after 60 ms. */
class Account {
	readonly time = new VirtualTime();

	readonly limiter = new Limiter();

	private readonly service = new ModelService(this.time, {
		limit: 200,
		windowMs: MINUTE,
		weather: () => ({ thereMs: 30, backMs: 30 }),
	});

	constructor() {
		const { now, sleep } = this.time;
		Object.assign(clock, { now, steady: now, sleep, guard: sleep });
	}

	async send(who: string, method: string, turn: ExchangeOptions): Promise<void> {
		await exchange<AttemptAnswer>(
			this.limiter,
			method,
			turn,
			async () => await this.service.send(who),
		);
	}

	/** How many requests of each the service has seen in each of its windows. */
	windows(): Array<Record<string, number>> {
		const windows: Array<Record<string, number>> = [];
		for (const { window, who } of this.service.arrivals) {
			const counts = (windows[window - 1] ??= {});
			counts[who] = (counts[who] ?? 0) + 1;
		}
		return windows;
	}

	/** Has triggers poll each minute, as n8n does; tells when each one had a request answered last. */
	poll(
		triggers: number,
		requests: number,
		{ waitMs, minutes }: { waitMs: number; minutes: number },
	) {
		const state = Array.from({ length: triggers }, () => ({ isUnderWay: false, last: 0, gap: 0 }));
		const one = async (index: number) => {
			const trigger = state[index]!;
			if (trigger.isUnderWay) return;
			trigger.isUnderWay = true;
			const giveUpAt = this.time.now() + waitMs;
			const turn = { priority: polls, flow: `workflow/${index}`, giveUpAt };
			try {
				for (let request = 0; request < requests; request++) {
					await this.send('polls', 'GET', turn);
					trigger.gap = Math.max(trigger.gap, this.time.now() - trigger.last);
					trigger.last = this.time.now();
				}
			} catch (error) {
				if (!(error instanceof OutOfTime)) throw error;
			}
			trigger.isUnderWay = false;
		};
		for (let minute = 0; minute < minutes; minute++) {
			this.time.at(minute * MINUTE, () => state.forEach((_, index) => void one(index)));
		}
		return state;
	}
}

const MINUTES = 14;

/** n8n's budgets for a poll, of which four fifths may be waited: by default, and with durable cursors. */
const BUDGETS = [240_000, 28_800];

describe.each(BUDGETS)('with polls that wait for up to %i ms', (waitMs) => {
	const kinds = [
		{ kind: 'reads', method: 'GET' },
		{ kind: 'changes', method: 'POST' },
	];
	const all = [20, 60, 100, 300].flatMap((triggers) =>
		kinds.map((kind) => ({ triggers, ...kind })),
	);

	it.each(all)(
		'$triggers triggers of six requests leave a third of each window to a run of $kind',
		async ({ triggers, kind, method }) => {
			const account = new Account();
			account.poll(triggers, 6, { waitMs, minutes: MINUTES });
			const flow = {};
			const run = async () => {
				for (;;) await account.send('run', method, { flow });
			};
			const lanes = kind === 'reads' ? 50 : 1;
			account.time.at(SECOND, () => {
				for (let lane = 0; lane < lanes; lane++) void run();
			});
			await account.time.run(MINUTES * MINUTE - 1);
			const windows = account.windows().slice(1, -1);
			expect(windows.length).toBeGreaterThanOrEqual(MINUTES - 3);
			for (const { run: own = 0, polls: others = 0 } of windows) {
				expect(own).toBeGreaterThanOrEqual(Math.floor((own + others) / 3));
				expect(own + others).toBe(200);
			}
		},
	);
});

describe('who asks', () => {
	const { signal } = new AbortController();
	const [one, other] = itemsOf({ count: 2, signal }).items;
	const poll = triggerOf().context;
	const list = listOf();

	it('a person who waits for a list goes first, then polls, then items', () => {
		expect([one!, poll, list].map(priorityOf)).toEqual([
			PRIORITY.items,
			PRIORITY.polls,
			PRIORITY.lists,
		]);
		expect(PRIORITY.lists).toBeGreaterThan(PRIORITY.polls);
		expect(PRIORITY.polls).toBeGreaterThan(PRIORITY.items);
	});

	it('the items of a run take turns with others together', () => {
		expect(flowOf(one!)).toBe(flowOf(other!));
		expect(flowOf(poll)).toBe(`${poll.getWorkflow().id}/${poll.getNode().id}`);
		expect(flowOf(list)).toBe(list);
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

describe('work that runs a few at a time', () => {
	it('runs at most the given number at once, in order, and passes places on', async () => {
		const few = new Semaphore(2);
		const started: number[] = [];
		const ends: Array<() => void> = [];
		const all = Array.from({ length: 5 }, (_, index) =>
			few.run(async () => {
				started.push(index);
				await new Promise<void>((resolve) => ends.push(resolve));
				return index;
			}),
		);
		for (let running = 2; running <= 5; running++) {
			await new Promise((resolve) => setImmediate(resolve));
			expect(started).toEqual([0, 1, 2, 3, 4].slice(0, running));
			ends.shift()!();
		}
		ends.forEach((end) => end());
		expect(await Promise.all(all)).toEqual([0, 1, 2, 3, 4]);
		const next = few.run(async () => 'next');
		expect(await next).toBe('next');
	});

	it('work that fails passes its place on', async () => {
		const few = new Semaphore(1);
		const failed = few.run(async () => await Promise.reject(new Error('broken')));
		const next = few.run(async () => 'next');
		await expect(failed).rejects.toThrow('broken');
		expect(await next).toBe('next');
		expect(await few.run(async () => 'free again')).toBe('free again');
	});

	it('thousands that wait all get their turn, in order', async () => {
		const few = new Semaphore(3);
		const done: number[] = [];
		await Promise.all(
			Array.from({ length: 5_000 }, (_, index) => few.run(async () => void done.push(index))),
		);
		expect(done).toEqual(Array.from({ length: 5_000 }, (_, index) => index));
	});
});

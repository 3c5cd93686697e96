import { clock } from '../../../../nodes/shared/transport/pacing/clock';
import {
	exchange,
	type AttemptAnswer,
	type ExchangeOptions,
} from '../../../../nodes/shared/transport/http/exchange';
import { Limiter, OutOfTime } from '../../../../nodes/shared/transport/pacing/limiter';
import {
	FairQueue,
	PRIORITY,
	type QueuedRequest,
} from '../../../../nodes/shared/transport/pacing/queue';
import { ModelService } from '../../../support/modelService';
import { VirtualTime } from '../../../support/virtualTime';

/** Whose turn it is when requests wait: rules, and whole windows in virtual time. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const { items, waits, polls, lists } = PRIORITY;

describe('turns', () => {
	const PACE = 900;

	/** A queue of requests by name, each of a flow of its own. */
	function queueOf(...names: Array<[name: string, of: Partial<QueuedRequest>]>) {
		const queue = new FairQueue();
		const order: string[] = [];
		const add = (name: string, of: Partial<QueuedRequest>) =>
			queue.add({
				priority: items,
				flow: {},
				since: 0,
				start: () => order.push(name),
				giveUp: () => order.push(`${name} gave up`),
				...of,
			});
		for (const [name, of] of names) add(name, of);
		const take = (now = 0) => queue.next(now, PACE)?.start();
		return { queue, add, order, take };
	}

	const times = (count: number, name: string, of: Partial<QueuedRequest>) =>
		Array.from({ length: count }, (_, index): [string, Partial<QueuedRequest>] => [
			`${name}${index + 1}`,
			of,
		]);

	it('lists go first, then two polls for each item', () => {
		const { order, take, queue } = queueOf(
			...times(4, 'item', {}),
			...times(5, 'poll', { priority: polls }),
			['list', { priority: lists }],
		);
		while (!queue.isEmpty) take();
		expect(order.join(' ')).toBe('list poll1 item1 poll2 poll3 item2 poll4 poll5 item3 item4');
	});

	it('a look at what a run waits for is an action, and takes turns with items', () => {
		const { order, take, queue } = queueOf(
			...times(3, 'item', {}),
			...times(2, 'wait', { priority: waits }),
			...times(4, 'poll', { priority: polls }),
		);
		while (!queue.isEmpty) take();
		expect(order.join(' ')).toBe('poll1 poll2 wait1 poll3 poll4 item1 wait2 item2 item3');
	});

	it('a change that has waited for nearly a minute goes before other actions and polls', () => {
		const { order, take } = queueOf(
			...times(2, 'poll', { priority: polls }),
			...times(2, 'read', {}),
			['late', { isChange: true, since: 1 }],
			['later', { isChange: true }],
		);
		take(57_000);
		take(58_001);
		take(58_001);
		take(58_001);
		expect(order).toEqual(['poll1', 'later', 'late', 'poll2']);
	});

	it('polls leave a run that sends one request after the other the time to ask again', () => {
		const { queue, add, order, take } = queueOf(...times(9, 'poll', { priority: polls }), [
			'change1',
			{ isChange: true },
		]);
		for (let turn = 0; turn < 5; turn++) take(1_000);
		expect(order).toEqual(['poll1', 'poll2', 'change1', 'poll3', 'poll4']);
		expect(queue.turnAt(1_000)).toBe(1_000 + PACE);
		queue.answered(1_060);
		expect(queue.turnAt(1_060)).toBe(1_160);
		add('change2', { isChange: true });
		expect(queue.turnAt(1_061)).toBe(1_061);
		take(1_061);
		expect(order.at(-1)).toBe('change2');
	});

	it('where it does not ask again, polls go on, and owe nothing', () => {
		const { queue, add, order, take } = queueOf(...times(9, 'poll', { priority: polls }), [
			'read1',
			{},
		]);
		for (let turn = 0; turn < 5; turn++) take();
		for (let turn = 0; turn < 3; turn++) take(PACE);
		add('read2', {});
		expect(queue.turnAt(PACE)).toBe(PACE);
		for (let turn = 0; turn < 3; turn++) take(PACE);
		expect(order.slice(5).join(' ')).toBe('poll5 poll6 poll7 poll8 poll9 read2');
	});

	it('a poll whose time is over by its turn gives up, and is first the next time', () => {
		const { order, add, take } = queueOf(
			['poll1', { priority: polls, flow: 'one', giveUpAt: 10 }],
			['poll2', { priority: polls, flow: 'two', giveUpAt: 20 }],
		);
		take(11);
		expect(order).toEqual(['poll1 gave up']);
		take(11);
		add('poll3', { priority: polls, flow: 'three' });
		add('poll4', { priority: polls, flow: 'one' });
		for (let turn = 0; turn < 2; turn++) take(11);
		expect(order.slice(1)).toEqual(['poll2', 'poll4', 'poll3']);
	});

	it('of those that gave up the first goes first, until it had its turn', () => {
		const { queue, add, order, take } = queueOf();
		const names = ['a', 'b', 'c', 'd'];
		const addAll = () => names.forEach((flow) => add(flow, { priority: polls, flow, giveUpAt: 1 }));
		for (let round = 0; round < 4; round++) {
			addAll();
			take();
			queue.giveUp(60);
		}
		expect(order.filter((name) => !name.includes(' '))).toEqual(names);
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
		Object.assign(clock, { now, sleep, guard: sleep });
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

	it('none of 300 triggers waits for ever, however few of them have their turn in a window', async () => {
		const account = new Account();
		const triggers = account.poll(300, 6, { waitMs, minutes: 20 });
		await account.time.run(20 * MINUTE - 1);
		const end = account.time.now();
		expect(Math.max(...triggers.map(({ gap, last }) => Math.max(gap, end - last)))).toBeLessThan(
			4 * MINUTE,
		);
	});
});

it('a change that is the first of its run waits for no more than two windows, however many run', async () => {
	const account = new Account();
	account.poll(100, 6, { waitMs: 240_000, minutes: MINUTES });
	let longest = 0;
	const run = async (method: string) => {
		const flow = {};
		for (;;) {
			const since = account.time.now();
			await account.send('run', method, { flow });
			if (method === 'POST') longest = Math.max(longest, account.time.now() - since);
		}
	};
	account.time.at(SECOND, () => {
		for (let lane = 0; lane < 100; lane++) void run('GET');
		for (let lane = 0; lane < 150; lane++) void run('POST');
	});
	await account.time.run(MINUTES * MINUTE - 1);
	expect(longest).toBeGreaterThan(MINUTE);
	expect(longest).toBeLessThanOrEqual(2 * MINUTE);
});

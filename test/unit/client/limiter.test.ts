import { rateHeaders } from '../../../nodes/shared/receive/answer';
import { clock } from '../../../nodes/shared/lib';
import {
	type AcquireOptions,
	Limiter,
	OutOfTime,
	type Ticket,
	limiterOf,
} from '../../../nodes/shared/client/limiter';
import { PRIORITY } from '../../../nodes/shared/client/queue';
import { VirtualTime } from '../../support/virtualTime';

const HOUR_MS = 3_600_000;

let time: VirtualTime;

beforeEach(() => {
	time = new VirtualTime();
	const guard = async () => await new Promise<never>(() => undefined);
	Object.assign(clock, { now: time.now, steady: time.now, sleep: time.sleep, guard });
});

/** Lets everything happen that needs no time. */
const settle = async () => await time.run(time.now());

/** Asks for `count` requests at once; tells which may run by now. */
function ask(limiter: Limiter, count: number, turn?: AcquireOptions) {
	const state = { granted: [] as Ticket[], refused: 0 };
	for (let index = 0; index < count; index++) {
		limiter.acquire(turn).then(
			(ticket) => state.granted.push(ticket),
			() => (state.refused += 1),
		);
	}
	return state;
}

const told = (remaining: number, resetMs = 60_000, limit = 200) => ({ limit, remaining, resetMs });

/** A limiter whose window is known: one request has been answered in it. */
async function known(remaining = 199, resetMs?: number, limit?: number): Promise<Limiter> {
	const limiter = new Limiter();
	limiter.release(await limiter.acquire(), told(remaining, resetMs, limit));
	return limiter;
}

it('the first request of a window goes alone, and its answer opens the window', async () => {
	const limiter = new Limiter();
	const state = ask(limiter, 40);
	await settle();
	expect(state.granted).toHaveLength(1);
	limiter.release(state.granted[0]!, told(199));
	await settle();
	expect(state.granted).toHaveLength(17);
});

it('a response without headers opens the window, too; no answer does not', async () => {
	const limiter = new Limiter();
	const state = ask(limiter, 40);
	await settle();
	limiter.release(state.granted[0]!);
	await settle();
	expect(state.granted).toHaveLength(2);
	limiter.release(state.granted[1]!, {});
	await settle();
	expect(state.granted).toHaveLength(18);
});

it('sixteen requests run at the same time, and the next when one has ended', async () => {
	const limiter = await known();
	const state = ask(limiter, 40);
	await settle();
	expect(state.granted).toHaveLength(16);
	limiter.release(state.granted[0]!, told(198));
	await settle();
	expect(state.granted).toHaveLength(17);
});

it('no more than the limit is sent in a window, and one sleep serves all that wait', async () => {
	const limiter = await known(4, 30_000, 5);
	const state = ask(limiter, 9);
	await settle();
	expect(state.granted).toHaveLength(4);
	for (const ticket of state.granted) limiter.release(ticket, told(0, 30_000, 5));
	await time.run(29_999);
	expect(state.granted).toHaveLength(4);
	await time.run(30_000);
	expect(state.granted).toHaveLength(5);
});

it('requests of others in the window reduce the share of this process', async () => {
	const limiter = await known(199);
	const state = ask(limiter, 300);
	await settle();
	// A hundred requests of others, at least: what is left is for the 16 under way and those that follow.
	limiter.release(state.granted[0]!, told(98));
	let done = 1;
	for (let round = 0; round < 200; round++) {
		await settle();
		if (done < state.granted.length) limiter.release(state.granted[done++]!, {});
	}
	expect(state.granted.length).toBeLessThanOrEqual(1 + 98 + 15);
	// Who is not told that exactly a tenth is left leaves that to others.
	expect(state.granted.length).toBeGreaterThanOrEqual(98 - 20);
});

it('a request without a response counts until a later one has a response', async () => {
	const limiter = await known(2, 60_000, 3);
	const [early, lost] = [await limiter.acquire(), await limiter.acquire()];
	const state = ask(limiter, 2);
	limiter.release(lost);
	// The service may have answered this one before it counted the lost one.
	limiter.release(early, told(1, 60_000, 3));
	await settle();
	expect(state.granted).toHaveLength(0);
});

it('a window that may have started with a request without a response ends later', async () => {
	const limiter = new Limiter();
	const state = ask(limiter, 3);
	await settle();
	time.at(2_000, () => limiter.release(state.granted[0]!));
	await time.run(2_000);
	expect(limiter.resetsIn()).toBe(60_000);
});

it('answers that overtake each other do not give room back', async () => {
	const limiter = await known(9, 60_000, 10);
	const state = ask(limiter, 20);
	await settle();
	limiter.release(state.granted[1]!, told(2, 60_000, 10));
	limiter.release(state.granted[0]!, told(8, 60_000, 10));
	await settle();
	expect(state.granted.length).toBeLessThanOrEqual(9);
});

it('rounded-up seconds are corrected by the earliest reset that a response reports', async () => {
	const limiter = await known(2, 6_000, 4);
	const state = ask(limiter, 4);
	await settle();
	time.at(1_200, () => limiter.release(state.granted[0]!, told(1, 4_000, 4)));
	time.at(1_900, () => limiter.release(state.granted[1]!, told(0, 4_000, 4)));
	await time.run(5_199);
	expect(state.granted).toHaveLength(2);
	await time.run(5_200);
	expect(state.granted).toHaveLength(3);
});

it('a refusal closes the window until a little after its end', async () => {
	const limiter = await known(100);
	const sent = await limiter.acquire();
	limiter.release(sent, { ...told(100, 10_000), refused: true });
	const state = ask(limiter, 5);
	await time.run(10_249);
	expect(state.granted).toHaveLength(0);
	await time.run(10_500);
	expect(state.granted).toHaveLength(1);
});

it('a window that started before it was expected counts as new', async () => {
	const limiter = await known(2, 60_000, 10);
	const ticket = await limiter.acquire();
	limiter.release(ticket, told(9, 120_000, 10));
	const state = ask(limiter, 20);
	await settle();
	expect(state.granted).toHaveLength(9);
});

it('the own cap holds in every minute', async () => {
	const limiter = new Limiter();
	limiter.cap = 3;
	const state = ask(limiter, 7);
	const end = (at: number, index: number) =>
		time.at(at, () => limiter.release(state.granted[index]!, told(190)));
	// The service may count a request until it has answered it.
	for (let index = 0; index < 3; index++) end(1_000 * (index + 1), index);
	await time.run(60_999);
	expect(state.granted).toHaveLength(3);
	await time.run(61_000);
	expect(state.granted).toHaveLength(4);
	end(61_001, 3);
	await time.run(62_999);
	expect(state.granted).toHaveLength(5);
});

describe('a clock that is set back by an hour holds nobody up', () => {
	beforeEach(() => {
		time = new VirtualTime({ start: 2 * HOUR_MS });
		const { now, sleep } = time;
		Object.assign(clock, { now, steady: now, sleep, guard: sleep });
	});
	const setBack = () => {
		const { now } = time;
		clock.now = () => now() - HOUR_MS;
	};

	it('where the window is used up', async () => {
		const limiter = await known(0, 60_000, 20);
		const before = ask(limiter, 1);
		await settle();
		setBack();
		const state = ask(limiter, 1);
		// The first of a window gets no answer, and holds up the next for five seconds.
		await time.run(time.now() + 66_000);
		expect([before.granted.length, state.granted.length]).toEqual([1, 1]);
	});

	it('where the own cap is reached', async () => {
		const limiter = await known();
		limiter.cap = 2;
		const before = ask(limiter, 2);
		await settle();
		for (const ticket of before.granted) limiter.release(ticket, told(190));
		setBack();
		const state = ask(limiter, 1);
		await time.run(time.now() + 62_000);
		expect(state.granted).toHaveLength(1);
	});
});

it('a person and a trigger go before the items of a run, and runs take turns', async () => {
	const limiter = await known();
	const order: string[] = [];
	const wait = (name: string, turn: AcquireOptions) =>
		void limiter.acquire(turn).then((ticket) => {
			order.push(name);
			limiter.release(ticket, {});
		});
	const busy = ask(limiter, 16);
	const [first, second] = [{}, {}];
	for (let index = 0; index < 3; index++) wait(`a${index}`, { flow: first });
	for (let index = 0; index < 2; index++) wait(`b${index}`, { flow: second });
	wait('again', { flow: first, again: true });
	wait('poll', { priority: PRIORITY.polls });
	wait('list', { priority: PRIORITY.lists });
	await settle();
	limiter.release(busy.granted[0]!, {});
	await settle();
	expect(order).toEqual(['list', 'poll', 'again', 'b0', 'a0', 'b1', 'a1', 'a2']);
});

it('a cancelled waiter leaves the queue at once', async () => {
	const limiter = await known(0, 30_000, 1);
	const controller = new AbortController();
	const cancelled = ask(limiter, 3, { signal: controller.signal });
	const waiting = ask(limiter, 1);
	await settle();
	controller.abort();
	await settle();
	expect(cancelled).toEqual({ granted: [], refused: 3 });
	await time.run(30_000);
	expect(waiting.granted).toHaveLength(1);
});

it('an aborted signal gets no turn', async () => {
	const state = ask(new Limiter(), 1, { signal: AbortSignal.abort() });
	await settle();
	expect(state).toEqual({ granted: [], refused: 1 });
});

it('an account is a base URL and a token, whatever the cap; credentials with other caps share it', () => {
	const one = limiterOf('https://a.example.com', 'token', 5);
	const other = limiterOf('https://a.example.com', 'token');
	expect([one.cap, other.cap]).toEqual([5, Infinity]);
	expect(limiterOf('https://a.example.com', 'token', 5)).toBe(one);
	expect(other.account).toBe(one.account);
	expect(limiterOf('https://a.example.com', 'other').account).not.toBe(one.account);
	expect(limiterOf('https://b.example.com', 'token').account).not.toBe(one.account);
});

describe('a hanging request does not block an account', () => {
	beforeEach(() => void (clock.guard = time.sleep));

	it('the first of a window releases the next one, without any other wake-up', async () => {
		const limiter = new Limiter();
		const hanging = ask(limiter, 1);
		const other = ask(limiter, 1, { flow: {} });
		await time.run(4_999);
		expect([hanging.granted.length, other.granted.length]).toEqual([1, 0]);
		await time.run(5_000);
		expect(other.granted).toHaveLength(1);
	});

	it('sixteen of them block it for no more than two windows', async () => {
		const limiter = await known();
		ask(limiter, 16);
		const other = ask(limiter, 1, { flow: {} });
		await time.run(120_000);
		expect(other.granted).toHaveLength(1);
	});
});

it('however many wait, one timer wakes them', async () => {
	const limiter = await known(0, 60_000);
	const sleep = jest.fn(clock.sleep);
	clock.sleep = sleep;
	ask(limiter, 3_000);
	await settle();
	expect(sleep).toHaveBeenCalledTimes(1);
});

it('a long pause is logged once, for the run that waits, with its length and its reason', async () => {
	const limiter = await known(0, 60_000);
	const lines: string[] = [];
	ask(limiter, 100, { flow: {}, log: (line) => lines.push(line) });
	ask(limiter, 1, { flow: {}, log: (line) => lines.push(`second: ${line}`) });
	await settle();
	expect(lines).toEqual([
		'Requests to the Site Management Service pause for 60 s because the rate limit of the account is used up',
	]);
});

describe('odd headers', () => {
	const odd = [
		...['', ' ', '0', '-5', '0.5', 'soon', 'NaN', '1e9'].map((value) => ({
			'x-ratelimit-limit': value,
			'x-ratelimit-remaining': value,
			'x-ratelimit-reset': value,
		})),
		{ 'x-ratelimit-reset': `${Math.floor(Date.now() / 1000)}`, 'x-ratelimit-remaining': '0' },
		{ 'x-ratelimit-reset': '31536000', 'x-ratelimit-remaining': '0' },
		{ 'retry-after': '86400' },
		{},
	];

	it.each(odd)(
		'%j hold an account for no more than two windows, also with refusals',
		async (headers) => {
			for (const status of [200, 429]) {
				const limiter = new Limiter();
				limiter.release(await limiter.acquire(), rateHeaders(status, headers));
				const began = time.now();
				const state = ask(limiter, 1);
				await time.run(began + 120_000);
				expect(state.granted).toHaveLength(1);
			}
		},
	);
});

describe('a request that does not wait beyond a time', () => {
	it('gives up at once where there is no room until then, and patient requests continue', async () => {
		const limiter = await known(0, 30_000);
		const hasty = limiter.acquire({ giveUpAt: time.now() + 20_000 });
		const patient = ask(limiter, 2, { giveUpAt: time.now() + 40_000 });
		await expect(hasty).rejects.toThrow(OutOfTime);
		expect(patient).toMatchObject({ refused: 0, granted: [] });
		await time.run(31_000);
		expect(patient.granted.length).toBeGreaterThan(0);
	});

	it('knows how many have room', async () => {
		expect(new Limiter().free).toBe(200);
		const limiter = await known(40, 30_000);
		expect(limiter.free).toBe(40);
		await limiter.acquire();
		expect(limiter.free).toBe(39);
		await time.run(time.now() + 31_000);
	});
});

it('a late response of the previous window does not change the new one', async () => {
	const limiter = await known(199, 10_000);
	const slow = ask(limiter, 1);
	await settle();
	time.at(11_000, () => undefined);
	await time.run(11_000);
	const state = ask(limiter, 2);
	await settle();
	expect(state.granted).toHaveLength(1);
	limiter.release(slow.granted[0]!, told(198, 0));
	await settle();
	expect(state.granted).toHaveLength(1);
	limiter.release(state.granted[0]!, told(199));
	await settle();
	expect(state.granted).toHaveLength(2);
});

it('a refusal that says that there is room begins no new window', async () => {
	const limiter = await known(150, 30_000);
	const state = ask(limiter, 1);
	await settle();
	limiter.release(state.granted[0]!, { ...told(190, 30_900), refused: true });
	const next = ask(limiter, 1);
	await time.run(30_249);
	expect(next.granted).toHaveLength(0);
	await time.run(30_500);
	expect(next.granted).toHaveLength(1);
});

it('a slow request among others does not delay the next ones', async () => {
	const limiter = await known(100);
	const slow = ask(limiter, 1);
	await settle();
	expect(slow.granted).toHaveLength(1);
	time.at(6_000, () => undefined);
	await time.run(6_000);
	const next = ask(limiter, 1);
	await settle();
	expect(next.granted).toHaveLength(1);
});

it('a returned turn is free for others, and for opening a window', async () => {
	const limiter = await known(1, 30_000, 5);
	const first = ask(limiter, 1);
	await settle();
	const second = ask(limiter, 1);
	await settle();
	expect([first.granted.length, second.granted.length]).toEqual([1, 0]);
	limiter.giveBack(first.granted[0]!);
	await settle();
	expect(second.granted).toHaveLength(1);
	// Given back once more it changes nothing.
	limiter.giveBack(first.granted[0]!);
	limiter.release(second.granted[0]!, told(0, 30_000, 5));
	const later = ask(limiter, 2);
	await time.run(30_000);
	expect(later.granted).toHaveLength(1);
	limiter.giveBack(later.granted[0]!);
	await settle();
	expect(later.granted).toHaveLength(2);
});

describe('credentials with the same token', () => {
	/** Each asks for 30 requests, which are answered at once. @returns how many of each were sent by then */
	async function sentBy(caps: Array<number | undefined>, ms: number) {
		accounts += 1;
		const sent = caps.map(() => 0);
		for (let count = 0; count < 30; count++) {
			for (const [index, cap] of caps.entries()) {
				const limiter = limiterOf('https://a.example.com', `shared ${accounts}`, cap);
				void limiter.acquire({ flow: {} }).then((ticket) => {
					sent[index]! += 1;
					limiter.release(ticket, {});
				});
			}
		}
		await time.run(time.now() + ms);
		return sent;
	}
	let accounts = 0;

	it.each([
		[59_000, [5, 10, 30]],
		[61_000, [10, 20, 30]],
	])('each keep their own cap, and continue as soon as it allows: %i', async (ms, sent) => {
		expect(await sentBy([5, 10, undefined], ms)).toEqual(sent);
	});
});

it('of very many accounts, those used long ago are forgotten', () => {
	const url = 'https://a.example.com';
	const [used, unused] = [limiterOf(url, 'used'), limiterOf(url, 'unused')];
	for (let count = 0; count < 1_000; count++) {
		limiterOf(url, `token ${count}`);
		expect(limiterOf(url, 'used')).toBe(used);
	}
	expect(limiterOf(url, 'unused')).not.toBe(unused);
});

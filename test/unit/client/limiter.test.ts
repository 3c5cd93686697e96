import { clock } from '../../../nodes/shared/lib';
import {
	type AcquireOptions,
	Limiter,
	OutOfTime,
	type Ticket,
	limiterOf,
} from '../../../nodes/shared/client/limiter';
import { VirtualTime } from '../../support/virtualTime';

const HOUR_MS = 3_600_000;

let time: VirtualTime;

beforeEach(() => {
	time = new VirtualTime();
	Object.assign(clock, time.clock());
});

/** Lets everything happen that needs no time. */
const settle = async () => await time.run(time.now());

/** Asks for `count` requests at once; tells which may run, from then on. */
async function ask(limiter: Limiter, count: number, turn?: AcquireOptions) {
	const state = { granted: [] as Ticket[], refused: 0 };
	for (let index = 0; index < count; index++) {
		limiter.acquire(turn).then(
			(ticket) => state.granted.push(ticket),
			() => (state.refused += 1),
		);
	}
	await settle();
	return state;
}

const told = (remaining: number, resetMs = 60_000, limit = 200) => ({ limit, remaining, resetMs });

/** A limiter whose window is known: one request has been answered in it. */
async function known(remaining = 199, resetMs?: number, limit?: number): Promise<Limiter> {
	const limiter = new Limiter();
	limiter.release(await limiter.acquire(), told(remaining, resetMs, limit));
	return limiter;
}

it('the first request of a window goes alone, and its response opens it for sixteen at a time', async () => {
	const limiter = new Limiter();
	const state = await ask(limiter, 40);
	const granted: number[] = [];
	// No response does not open it; one without headers does.
	for (const answer of [undefined, {}, told(190)]) {
		await settle();
		granted.push(state.granted.length);
		limiter.release(state.granted.at(-1)!, answer);
	}
	await settle();
	expect([...granted, state.granted.length]).toEqual([1, 2, 18, 19]);
});

it('requests of others in the window reduce the share of this process', async () => {
	const limiter = await known(199);
	const state = await ask(limiter, 300);
	// A hundred requests of others, at least: what is left is for the 16 under way and those that follow.
	limiter.release(state.granted[0]!, told(98));
	await settle();
	expect(state.granted).toHaveLength(16);
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
	const limiter = await known(3, 60_000, 4);
	const [early, lost] = [await limiter.acquire(), await limiter.acquire()];
	limiter.release(lost);
	// The service may have answered this one before it counted the lost one.
	limiter.release(early, told(2, 60_000, 4));
	await time.advance(1);
	const state = await ask(limiter, 2);
	expect(state.granted).toHaveLength(1);
	limiter.release(state.granted[0]!, told(1, 60_000, 4));
	await settle();
	expect(state.granted).toHaveLength(2);
});

it('a window that may have started with a request without a response ends later', async () => {
	const limiter = new Limiter();
	const state = await ask(limiter, 3);
	time.at(2_000, () => limiter.release(state.granted[0]!));
	await time.run(2_000);
	expect(limiter.resetsIn()).toBe(60_000);
});

it('rounded-up seconds are corrected by the earliest reset that a response reports', async () => {
	const limiter = await known(2, 6_000, 4);
	const state = await ask(limiter, 4);
	time.at(1_200, () => limiter.release(state.granted[0]!, told(1, 4_000, 4)));
	time.at(1_900, () => limiter.release(state.granted[1]!, told(0, 4_000, 4)));
	await time.run(5_199);
	expect(state.granted).toHaveLength(2);
	await time.run(5_200);
	expect(state.granted).toHaveLength(3);
});

it.each([
	['its end', 60_000, 10_000],
	['its known end, also where it says that there is room', 30_000, 30_900],
])('a refusal closes the window until a little after %s', async (_, resetMs, refusedMs) => {
	const limiter = await known(100, resetMs);
	limiter.release(await limiter.acquire(), { ...told(190, refusedMs), refused: true });
	const state = await ask(limiter, 5);
	const end = Math.min(resetMs, refusedMs);
	await time.run(end + 249);
	expect(state.granted).toHaveLength(0);
	await time.run(end + 500);
	expect(state.granted).toHaveLength(1);
});

it('a window that started before it was expected counts as new', async () => {
	const limiter = await known(2, 60_000, 10);
	const ticket = await limiter.acquire();
	limiter.release(ticket, told(9, 120_000, 10));
	const state = await ask(limiter, 20);
	expect(state.granted).toHaveLength(9);
});

it('a clock that is set back by an hour holds nobody up', async () => {
	time = new VirtualTime({ start: 2 * HOUR_MS });
	const { now } = time;
	Object.assign(clock, time.clock());
	const usedUp = await known(0, 60_000, 20);
	const capped = await known();
	capped.cap = 2;
	for (const ticket of [await capped.acquire(), await capped.acquire()]) capped.release(ticket, {});
	clock.now = () => now() - HOUR_MS;
	const states = [await ask(usedUp, 1), await ask(capped, 1)];
	await time.run(now() + 62_000);
	expect(states.map(({ granted }) => granted.length)).toEqual([1, 1]);
});

it('a cancelled waiter leaves the queue at once, and gets no turn later', async () => {
	const limiter = await known(0, 30_000, 1);
	const controller = new AbortController();
	const cancelled = await ask(limiter, 3, { signal: controller.signal });
	const waiting = await ask(limiter, 1);
	controller.abort();
	const late = await ask(limiter, 1, { signal: controller.signal });
	expect(cancelled).toEqual({ granted: [], refused: 3 });
	expect(late).toEqual({ granted: [], refused: 1 });
	await time.run(30_000);
	expect(waiting.granted).toHaveLength(1);
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

it('each credential with a cap counts for itself, also once its cap changes; those without share a queue', () => {
	const of = (credential: string, cap?: number) =>
		limiterOf('https://c.example.com', 'token', cap, credential);
	const first = of('first', 5);
	expect(of('second', 5)).not.toBe(first);
	expect(of('first', 3)).toBe(first);
	expect(first.cap).toBe(3);
	expect(of('first')).toBe(of('second'));
	expect([of('first').cap, first.cap]).toEqual([Infinity, 3]);
});

it.each([
	['the first of a window holds up others for five seconds', new Limiter(), 1, 5_000],
	['sixteen hold them up for no more than two windows', undefined, 16, 120_000],
])('a hanging request does not block an account: %s', async (_, fresh, hanging, ms) => {
	const limiter = fresh ?? (await known());
	await ask(limiter, hanging);
	const other = await ask(limiter, 1, { flow: {} });
	await time.run(4_999);
	expect(other.granted).toHaveLength(0);
	await time.run(ms);
	expect(other.granted).toHaveLength(1);
});

it('a cap counts a request until a minute after its response, however long that takes', async () => {
	const limiter = await known();
	limiter.cap = 10;
	const sentAt: number[] = [];
	for (let index = 0; index < 30; index++) {
		void limiter.acquire().then(async (ticket) => {
			sentAt.push(time.now());
			await time.sleep(8_000);
			limiter.release(ticket, told(150));
		});
	}
	await time.run(67_999);
	expect(sentAt).toHaveLength(10);
	await time.run(80_000);
	expect(sentAt.length).toBeGreaterThan(10);
});

it('a cap that has room again does not hide the limit of the account', async () => {
	const limiter = await known(199, 300_000);
	limiter.cap = 1;
	for (const remaining of [1, 0]) {
		limiter.release(await limiter.acquire(), told(remaining, 300_000 - time.now()));
		await time.advance(60_000);
	}
	expect((await ask(limiter, 1)).granted).toHaveLength(0);
});

it('however many wait, one timer wakes them', async () => {
	const limiter = await known(0, 60_000);
	const sleep = jest.fn(clock.sleep);
	clock.sleep = sleep;
	await ask(limiter, 3_000);
	expect(sleep).toHaveBeenCalledTimes(1);
});

it('a long pause is logged once, for the run that waits, with its length and its reason', async () => {
	const limiter = await known(0, 60_000);
	const lines: string[] = [];
	await ask(limiter, 100, { flow: {}, log: (line) => lines.push(line) });
	await ask(limiter, 1, { flow: {}, log: (line) => lines.push(`second: ${line}`) });
	expect(lines).toEqual([
		'Requests to the Site Management Service pause for 60 s because the rate limit of the account is used up',
	]);
});

describe('a request that does not wait beyond a time', () => {
	it('gives up at once where there is no room until then, and patient requests continue', async () => {
		const limiter = await known(0, 30_000);
		const hasty = limiter.acquire({ giveUpAt: time.now() + 20_000 });
		const gaveUp = expect(hasty).rejects.toThrow(OutOfTime);
		const patient = await ask(limiter, 2, { giveUpAt: time.now() + 40_000 });
		await gaveUp;
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
	});
});

it('a late response of the previous window does not change the new one', async () => {
	const limiter = await known(199, 10_000);
	const slow = await ask(limiter, 1);
	await time.advance(11_000);
	const state = await ask(limiter, 2);
	expect(state.granted).toHaveLength(1);
	limiter.release(slow.granted[0]!, told(198, 0));
	await settle();
	expect(state.granted).toHaveLength(1);
	limiter.release(state.granted[0]!, told(199));
	await settle();
	expect(state.granted).toHaveLength(2);
});

it('a slow request among others does not delay the next ones', async () => {
	const limiter = await known(100);
	const slow = await ask(limiter, 1);
	expect(slow.granted).toHaveLength(1);
	await time.advance(6_000);
	const next = await ask(limiter, 1);
	expect(next.granted).toHaveLength(1);
});

it('a returned turn is free for others, and for opening a window', async () => {
	const limiter = await known(1, 30_000, 5);
	const first = await ask(limiter, 1);
	const second = await ask(limiter, 1);
	expect([first.granted.length, second.granted.length]).toEqual([1, 0]);
	limiter.giveBack(first.granted[0]!);
	await settle();
	expect(second.granted).toHaveLength(1);
	// Given back once more it changes nothing.
	limiter.giveBack(first.granted[0]!);
	limiter.release(second.granted[0]!, told(0, 30_000, 5));
	const later = await ask(limiter, 2);
	await time.run(30_000);
	expect(later.granted).toHaveLength(1);
	limiter.giveBack(later.granted[0]!);
	await settle();
	expect(later.granted).toHaveLength(2);
});

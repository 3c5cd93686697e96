import { clock } from '../../../nodes/shared/transport/clock';
import { Limiter } from '../../../nodes/shared/transport/limiter';

/** A clock that moves only when something sleeps on it. */
let time: number;
let sleepers: Array<() => void>;

beforeEach(() => {
	time = 0;
	sleepers = [];
	clock.now = () => time;
	clock.sleep = async (ms) =>
		await new Promise((resolve) =>
			sleepers.push(() => {
				time += ms;
				resolve();
			}),
		);
});

const settle = async () => {
	for (let turn = 0; turn < 20; turn++) await Promise.resolve();
};

/** Asks for `count` requests at once; tells how many may run by now. */
function ask(limiter: Limiter, count: number, signal?: AbortSignal) {
	const state = { granted: 0, refused: 0 };
	for (let index = 0; index < count; index++) {
		limiter.acquire(signal).then(
			() => (state.granted += 1),
			() => (state.refused += 1),
		);
	}
	return state;
}

const headers = (remaining: number, reset = 60) => ({
	'x-ratelimit-limit': '200',
	'x-ratelimit-remaining': String(remaining),
	'x-ratelimit-reset': String(reset),
});

it('eight requests run at the same time, and the next when one has ended', async () => {
	const limiter = new Limiter();
	const state = ask(limiter, 20);
	await settle();
	expect(state.granted).toBe(8);
	limiter.release(headers(190));
	await settle();
	expect(state.granted).toBe(9);
});

it('what is in flight counts against the room that an answer tells', async () => {
	const limiter = new Limiter();
	const state = ask(limiter, 20);
	await settle();
	// Seven are still under way and may not be counted yet: no more than these fit.
	limiter.release(headers(7));
	await settle();
	expect(state.granted).toBe(8);
	expect(sleepers).toHaveLength(1);
});

it('one sleep until the reset serves all that wait', async () => {
	const limiter = new Limiter();
	const state = ask(limiter, 9);
	await settle();
	for (let count = 0; count < 8; count++) limiter.release(headers(0, 30));
	await settle();
	expect(state.granted).toBe(8);
	expect(sleepers).toHaveLength(1);
	sleepers[0]!();
	await settle();
	expect(time).toBe(30_000);
	expect(state.granted).toBe(9);
});

it('answers that overtake each other do not give room back', async () => {
	const limiter = new Limiter();
	const state = ask(limiter, 12);
	await settle();
	limiter.release(headers(7));
	limiter.release(headers(100));
	await settle();
	expect(state.granted).toBe(8);
});

it('the own cap holds without any header', async () => {
	const limiter = new Limiter(3);
	const state = ask(limiter, 5);
	await settle();
	expect(state.granted).toBe(3);
	sleepers[0]!();
	await settle();
	expect(time).toBe(60_000);
	expect(state.granted).toBe(5);
});

it('a cancelled waiter leaves the queue at once', async () => {
	const limiter = new Limiter(1);
	const controller = new AbortController();
	ask(limiter, 1);
	const cancelled = ask(limiter, 3, controller.signal);
	const waiting = ask(limiter, 1);
	await settle();
	controller.abort();
	await settle();
	expect(cancelled).toEqual({ granted: 0, refused: 3 });
	limiter.release();
	sleepers[0]!();
	await settle();
	expect(waiting.granted).toBe(1);
});

it('a signal that has aborted before gets no turn', async () => {
	const state = ask(new Limiter(), 1, AbortSignal.abort());
	await settle();
	expect(state).toEqual({ granted: 0, refused: 1 });
});

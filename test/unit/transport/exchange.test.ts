import { clock } from '../../../nodes/shared/transport/clock';
import {
	exchange,
	type Answer,
	type Errand,
	type Outcome,
} from '../../../nodes/shared/transport/exchange';
import { Limiter } from '../../../nodes/shared/transport/limiter';

/** How often a request is sent, and what is told of that. */

let now = 0;
const slept: number[] = [];
beforeEach(() => {
	now = 0;
	slept.length = 0;
	Object.assign(clock, {
		now: () => now,
		sleep: async (ms: number) => {
			slept.push(ms);
			now += ms;
		},
	});
});

const status = (statusCode: number, headers = {}): Outcome<Answer> => ({
	answer: { statusCode, headers },
});
const nothing: Outcome<Answer> = { failure: new Error('dropped') };

async function send(method: string, outcomes: Array<Outcome<Answer>>, turn: Errand = {}) {
	const limiter = new Limiter();
	const told: string[] = [];
	limiter.log = (line) => told.push(line);
	let count = 0;
	const outcome = await exchange(limiter, method, turn, async () => outcomes[count++]!);
	return { outcome, count, told };
}

it('is sent again until it succeeds, and says why', async () => {
	const { outcome, count, told } = await send('GET', [nothing, status(503), status(200)], {
		what: 'GET /tags',
	});
	expect(outcome).toEqual(status(200));
	expect(count).toBe(3);
	expect(told).toEqual([
		expect.stringMatching(
			/^GET \/tags is sent again in 0\.\d s, since there was no answer \(try 1\)$/,
		),
		expect.stringMatching(
			/^GET \/tags is sent again in 1(\.\d)? s, since the service answered 503 \(try 2\)$/,
		),
	]);
	expect(slept.filter((ms) => ms >= 500)).toHaveLength(2);
});

it('after a refusal by the rate limit it takes its next turn at once', async () => {
	const refused = status(429, { 'x-ratelimit-reset': '0', 'x-ratelimit-remaining': '0' });
	const { count, told } = await send('POST', [refused, status(201)]);
	expect(count).toBe(2);
	expect(told).toContain('POST is sent again, since the service answered 429 (try 1)');
});

it('a change is not sent again when nobody knows whether it was made', async () => {
	expect(await send('POST', [nothing])).toMatchObject({ outcome: nothing, count: 1 });
	expect(await send('POST', [status(500)])).toMatchObject({ outcome: status(500), count: 1 });
});

it('is not sent again when nobody waits for it by then', async () => {
	expect((await send('GET', [nothing, status(200)], { until: 400 })).count).toBe(1);
	expect((await send('GET', [nothing, status(200)], { until: 1_000 })).count).toBe(2);
});

it('is not sent again after a cancellation', async () => {
	const cancel = new AbortController();
	const limiter = new Limiter();
	let count = 0;
	const outcome = await exchange(limiter, 'GET', { signal: cancel.signal }, async () => {
		count += 1;
		cancel.abort(new Error('cancelled'));
		return nothing;
	});
	expect(outcome).toBe(nothing);
	expect(count).toBe(1);
});

it('one that was refused goes before the others of its run', async () => {
	const limiter = new Limiter();
	limiter.cap = 1;
	const flow = {};
	const order: string[] = [];
	const refused = status(429, { 'x-ratelimit-reset': '1' });
	const sender = (name: string, outcomes: Array<Outcome<Answer>>) =>
		exchange(limiter, 'POST', { flow }, async () => {
			order.push(name);
			return outcomes.shift()!;
		});
	await Promise.all([
		sender('first', [refused, status(201)]),
		sender('second', [status(201)]),
		sender('third', [status(201)]),
	]);
	expect(order).toEqual(['first', 'first', 'second', 'third']);
});

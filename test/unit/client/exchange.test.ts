import {
	type AttemptOutcome,
	type ExchangeOptions,
	FRESH_MS,
	exchange,
	waitBeforeRetry,
} from '../../../nodes/shared/client/exchange';
import { Refused } from '../../../nodes/shared/access/deed';
import { clock } from '../../../nodes/shared/lib';
import { Limiter } from '../../../nodes/shared/client/limiter';
import { ModelService } from '../../support/modelService';
import { VirtualTime } from '../../support/virtualTime';

/** How often a request is sent, and what is told of that. */

const sleep = jest.fn<Promise<void>, [ms: number]>();
beforeEach(() => {
	let now = 0;
	sleep.mockReset().mockImplementation(async (ms) => void (now += ms));
	Object.assign(clock, { now: () => now, steady: () => now, sleep });
});

const status = (statusCode: number, headers = {}): AttemptOutcome => ({
	answer: { statusCode, headers, body: {} },
});
const nothing: AttemptOutcome = { failure: new Error('dropped') };

async function send(method: string, outcomes: Array<AttemptOutcome>, turn: ExchangeOptions = {}) {
	const limiter = new Limiter();
	const told: string[] = [];
	const log = (line: string) => void told.push(line);
	let count = 0;
	const outcome = await exchange(limiter, method, { ...turn, log }, async () => outcomes[count++]!);
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
			/^GET \/tags is sent again in 0\.\d s because there was no response \(attempt 1\)$/,
		),
		expect.stringMatching(
			/^GET \/tags is sent again in 1(\.\d)? s because the service responded with 503 \(attempt 2\)$/,
		),
	]);
	expect(sleep.mock.calls.filter(([ms]) => ms >= 500)).toHaveLength(2);
});

it('after a refusal by the rate limit it takes its next turn at once', async () => {
	const refused = status(429, { 'x-ratelimit-reset': '0', 'x-ratelimit-remaining': '0' });
	const { count, told } = await send('POST', [refused, status(201)]);
	expect(count).toBe(2);
	expect(told).toContain('POST is sent again because the service responded with 429 (attempt 1)');
});

it('is not sent again when nobody waits for it any more', async () => {
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

it('a refused one goes before the others of its run', async () => {
	const limiter = new Limiter();
	limiter.cap = 1;
	const flow = {};
	const order: string[] = [];
	const refused = status(429, { 'x-ratelimit-reset': '1' });
	const sender = (name: string, outcomes: Array<AttemptOutcome>) =>
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

describe('a change with a check before it', () => {
	/** A service that counts, and a limiter before it. */
	function service(limit: number) {
		const time = new VirtualTime();
		Object.assign(clock, time.clock());
		const limiter = new Limiter();
		const weather = () => ({ thereMs: 25, backMs: 25 });
		const model = new ModelService(time, { limit, windowMs: 60_000, weather });
		const send = (what: string) => async () => await model.send(what);
		const change = async (name: string, flow: object) =>
			await exchange(limiter, 'POST', { flow }, send(name), async () => {
				await exchange(limiter, 'GET', { flow }, send(`look ${name}`));
			});
		return { time, limiter, sent: model.arrivals, send, change };
	}

	it.each([2, 3, 5, 200])(
		'of several runs at once is checked directly before it is sent, within a window of %i',
		async (limit) => {
			const { time, limiter, sent, send, change } = service(limit);
			const flows = [{}, {}, {}, {}];
			const all = flows.map(async (flow, run) => {
				const ends: unknown[] = [];
				for (const turn of [1, 2, 3]) ends.push(await change(`${run}.${turn}`, flow));
				return ends;
			});
			const others = exchange(limiter, 'GET', { flow: {} }, send('other'));
			await time.run();
			expect((await Promise.all(all)).flat()).toEqual(
				Array.from({ length: 12 }, () => ({
					answer: expect.objectContaining({ statusCode: 200 }),
				})),
			);
			await others;
			expect(sent.filter((each) => each.status === 429)).toEqual([]);
			for (const { who, at } of sent.filter((each) => /^\d/.test(each.who))) {
				const look = sent.filter((each) => each.who === `look ${who}` && each.at <= at).pop()!;
				expect(at - look.at).toBeLessThanOrEqual(FRESH_MS + 50);
			}
		},
	);

	it('goes behind those of its run that came before it', async () => {
		const { time, sent, send, limiter } = service(2);
		const flow = {};
		const sender = (name: string, check?: () => Promise<void>) =>
			exchange(limiter, 'POST', { flow }, send(name), check);
		const all = [sender('1'), sender('2'), sender('3', async () => {})];
		await time.run();
		await Promise.all(all);
		expect(sent.map(({ who }) => who)).toEqual(['1', '2', '3']);
	});

	it('is not sent where there is room for one request a minute', async () => {
		const { time, sent, change } = service(1);
		const outcome = change('1', {});
		await time.run();
		expect(await outcome).toEqual({ failure: expect.any(Refused) });
		expect(new Set(sent.map(({ who }) => who))).toEqual(new Set(['look 1']));
	});
});

describe('the wait before a request is sent again', () => {
	const after = (method: string, statusCode: number, number = 1, headers = {}) =>
		waitBeforeRetry(method, number, { statusCode, headers });

	it('after a failure grows, and ends', () => {
		const waits = [1, 2, 3].map((number) => after('GET', 503, number)!);
		expect(waits).toEqual([...waits].sort((a, b) => a - b));
		expect(new Set(waits).size).toBe(3);
		expect(after('GET', 503, 4)).toBeUndefined();
	});

	it('is as long as the service asks for, up to a minute', () => {
		expect(after('GET', 503, 1, { 'retry-after': '20' })).toBe(20_000);
		expect(after('GET', 503, 1, { 'retry-after': '9999' })).toBe(60_000);
		expect(after('GET', 503, 1, { 'retry-after': 'soon' })).toBeLessThan(1_000);
	});

	it('grows up to 15 seconds where a window does not end at its reset, whatever the method', () => {
		const waits = [1, 2, 3, 4, 5, 6, 7, 9, 10].map((number) => after('POST', 429, number));
		expect(waits).toEqual([0, 0, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000, undefined]);
	});
});

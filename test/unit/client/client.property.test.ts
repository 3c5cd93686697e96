import { NodeOperationError } from 'n8n-workflow';
import { casesOf, fc, type Made, PATIENCE_MS } from '../../support/effort';
import { clock } from '../../../nodes/shared/lib';
import { exchange } from '../../../nodes/shared/client/exchange';
import { withDetails } from '../../../nodes/shared/receive/errors';
import { Run } from '../../../nodes/shared/run/run';
import { Limiter } from '../../../nodes/shared/client/limiter';
import { PRIORITY } from '../../../nodes/shared/client/queue';
import { itemsOf } from '../../support/engine/contexts';
import { ModelService, type Weather } from '../../support/modelService';
import { VirtualTime } from '../../support/virtualTime';

/** Random schedules of limits, latencies, faults, other clients and cancellations, in virtual time. */

class Refused extends Error {}

const run = fc.record(
	{
		kind: fc.constantFrom('reads', 'changes', 'changes', 'polls'),
		items: fc.integer({ min: 1, max: 30 }),
		startsAt: fc.integer({ min: 0, max: 30_000 }),
		keepsGoing: fc.boolean(),
		/** When the execution is cancelled, after its start. */
		cancelledAfter: fc.integer({ min: 0, max: 40_000 }),
		/** Whether the run is tried again when it has failed, as Retry On Fail does. */
		retried: fc.boolean(),
	},
	{ requiredKeys: ['kind', 'items', 'startsAt', 'keepsGoing', 'retried'] },
);

const weather = fc.record(
	{
		thereMs: fc.integer({ min: 0, max: 2_000 }),
		backMs: fc.integer({ min: 0, max: 2_000 }),
		fault: fc.constantFrom('error', 'droppedBefore', 'droppedAfter', 'refusedByRule'),
	},
	{ requiredKeys: ['thereMs', 'backMs'] },
) as fc.Arbitrary<Weather>;

const calm = fc.record({
	thereMs: fc.integer({ min: 0, max: 200 }),
	backMs: fc.integer({ min: 0, max: 200 }),
});

const plan = fc.record(
	{
		limit: fc.integer({ min: 1, max: 40 }),
		windowMs: fc.integer({ min: 3_000, max: 60_000 }),
		cap: fc.integer({ min: 1, max: 60 }),
		weather: fc.array(fc.oneof(weather, calm, calm), { minLength: 1, maxLength: 20 }),
		runs: fc.array(run, { minLength: 1, maxLength: 5 }),
		foreign: fc.array(fc.integer({ min: 0, max: 60_000 }), { maxLength: 30 }),
	},
	{ requiredKeys: ['limit', 'windowMs', 'weather', 'runs', 'foreign'] },
);
type Plan = Made<typeof plan>;

/** One item of a run: what it ended in. */
type Ended = 'done' | 'failed' | 'skipped';

async function play({ limit, windowMs, cap = Infinity, weather: weathers, runs, foreign }: Plan) {
	const time = new VirtualTime();
	Object.assign(clock, { now: time.now, steady: time.now, sleep: time.sleep });
	let drawn = 0;
	const service = new ModelService(time, {
		limit,
		windowMs,
		weather: () => weathers[drawn++ % weathers.length]!,
	});
	const limiter = new Limiter();
	limiter.cap = cap;
	for (const at of foreign) time.at(at, () => service.foreign());

	const ended: Array<Array<Ended[]>> = [];
	runs.forEach((planned, index) => {
		ended[index] = [];
		time.at(planned.startsAt, () => void start(planned, index));
	});

	async function start(planned: Plan['runs'][number], index: number) {
		const cancel = new AbortController();
		const { cancelledAfter } = planned;
		if (cancelledAfter !== undefined) {
			time.at(time.now() + cancelledAfter, () => cancel.abort(new Error('cancelled')));
		}
		const flow = {};
		const priority = planned.kind === 'polls' ? PRIORITY.polls : PRIORITY.items;
		const { items } = itemsOf({ count: planned.items, continuesOnFail: planned.keepsGoing });
		const tries = planned.retried && planned.kind === 'changes' ? 2 : 1;
		for (let number = 1; number <= tries; number++) {
			const outcomes = await Promise.all(
				items.map(async (context, item): Promise<Ended> => {
					const name = `${index}.${item}`;
					const change = planned.kind === 'changes';
					const send = async () => {
						const turn = { priority, flow, signal: cancel.signal };
						const outcome = await exchange(
							limiter,
							change ? 'POST' : 'GET',
							turn,
							async () => await service.send(`run ${index}`, change ? name : undefined),
						);
						if ('failure' in outcome || outcome.answer.statusCode >= 500) {
							const error = new NodeOperationError(context.getNode(), 'unsure');
							throw withDetails(error, error.message, { outcome: 'unknown', verifyAt: name });
						}
						if (outcome.answer.statusCode >= 400) throw new Refused();
						return name;
					};
					try {
						const order = Run.of(context);
						const turn = { context, progress: { isMade: true } };
						const result = await (change ? order.inOrder(turn, () => name, send) : send());
						return result === undefined ? 'skipped' : 'done';
					} catch {
						return 'failed';
					}
				}),
			);
			ended[index]!.push(outcomes);
			if (!outcomes.includes('failed')) break;
		}
	}

	await time.run();
	return { service, ended };
}

// The clock is shared: a test that goes on after its time would disturb the next one.
jest.setTimeout(PATIENCE_MS);

const RUNS = casesOf('PROPERTY_RUNS', { quick: 100, long: 20_000 });

const holds = async (arbitrary: fc.Arbitrary<Plan>, check: (plan: Plan) => Promise<void>) =>
	await fc.assert(fc.asyncProperty(arbitrary, check), { numRuns: RUNS });

it('alone, the service never sees more than its limit, and refuses nothing', async () => {
	await holds(
		// Before its first answer nobody can know the limit.
		fc.tuple(plan, calm).map(([each, first]) => ({
			...each,
			weather: [first, ...each.weather],
			foreign: [],
		})),
		async (each) => {
			const { service } = await play(each);
			const perWindow = new Map<number, number>();
			for (const { window } of service.arrivals) {
				perWindow.set(window, (perWindow.get(window) ?? 0) + 1);
			}
			expect(Math.max(0, ...perWindow.values())).toBeLessThanOrEqual(each.limit);
			expect(service.arrivals.filter(({ status }) => status === 429)).toEqual([]);
		},
	);
});

it('the own cap holds in every minute', async () => {
	await holds(
		plan.map((each) => ({ ...each, cap: each.cap ?? 10, weather: [{ thereMs: 20, backMs: 20 }] })),
		async (each) => {
			const { service } = await play(each);
			const own = service.arrivals.filter(({ who }) => who !== 'others').map(({ at }) => at);
			own.forEach((at, index) => {
				const before = own.slice(0, index + 1).filter((other) => at - other < 60_000);
				expect(before.length).toBeLessThanOrEqual(each.cap!);
			});
		},
	);
});

it('every item ends once, no change is made twice or out of order, and nothing follows a failure', async () => {
	await holds(plan, async (each) => {
		const { service, ended } = await play(each);
		expect(new Set(service.applied).size).toBe(service.applied.length);
		const arrived = service.arrivals.filter(({ change, status }) => change && status !== 429);
		const sure = arrived.filter(({ status }) => status !== 422).map(({ change }) => change);
		expect(new Set(sure).size).toBe(sure.length);
		each.runs.forEach(({ kind, items, keepsGoing, retried }, index) => {
			const order = arrived
				.filter(({ change }) => change!.startsWith(`${index}.`))
				.map(({ change }) => Number(change!.split('.')[1]));
			if (!retried) expect(order).toEqual([...order].sort((a, b) => a - b));
			expect(ended[index]!.length).toBeGreaterThan(0);
			for (const outcomes of ended[index]!) {
				expect(outcomes).toHaveLength(items);
				if (kind !== 'changes') continue;
				const first = outcomes.indexOf('failed');
				const rest = first < 0 ? [] : outcomes.slice(first + 1);
				outcomes.forEach((outcome, item) => {
					if (outcome === 'done') expect(service.applied).toContain(`${index}.${item}`);
				});
				if (keepsGoing) expect(outcomes).not.toContain('skipped');
				else expect(rest.filter((outcome) => outcome !== 'skipped')).toEqual([]);
			}
		});
	});
});

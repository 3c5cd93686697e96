import fc from 'fast-check';
import { LATE_MS } from '../../../nodes/shared/polling/cursor';
import type { TimedFeed } from '../../../nodes/shared/polling/feed';
import {
	finish,
	happen,
	happening,
	lateness,
	ModelAccount,
	ModelTrigger,
	type Happening,
} from '../../support/modelAccount';

/**
 * Random histories of tasks against the cursor: whatever happens between and during polls, every task that ends
 * after the baseline is emitted once.
 */

type Change =
	| { kind: 'start'; late: number; count?: number }
	| { kind: 'end' | 'touch'; pick: number; late: number; count?: number }
	| { kind: 'tick'; ms?: number };

/** Bursts share a time, over several pages. */
const count = fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 12 }));

const change: fc.Arbitrary<Change> = fc.oneof(
	{
		weight: 3,
		arbitrary: fc.record({ kind: fc.constant('start' as const), late: lateness, count }),
	},
	{
		weight: 3,
		arbitrary: fc.record({
			kind: fc.constant('end' as const),
			pick: fc.nat(50),
			late: lateness,
			count,
		}),
	},
	{
		weight: 1,
		arbitrary: fc.record({
			kind: fc.constant('touch' as const),
			pick: fc.nat(50),
			late: lateness,
		}),
	},
	{
		weight: 1,
		arbitrary: fc.record({
			kind: fc.constant('tick' as const),
			ms: fc.constantFrom(1_000, 200_000),
		}),
	},
);

/** The end of a task, as the list tells it by the time of its last change. */
const ends: Pick<TimedFeed, 'occurrences'> = {
	occurrences: ({ id, ended }) => (ended ? [{ key: String(id), event: 'ended' }] : []),
};

function apply(account: ModelAccount, step: Change): void {
	if (step.kind === 'tick') {
		account.now += step.ms ?? 1_000;
		return;
	}
	for (let index = 0; index < (step.count ?? 1); index++) {
		if (step.kind === 'start') {
			const id = `${account.ids().length}`;
			account.write({ id, updated_at: account.iso(), ended: false }, step.late);
			continue;
		}
		const running = account
			.ids()
			.map((id) => account.latest(id)!)
			.filter(({ ended }) => !ended);
		const row = running[step.pick % Math.max(1, running.length)];
		const ended = step.kind === 'end';
		if (row) account.write({ ...row, updated_at: account.iso(), ended }, step.late);
	}
}

const isChange = (step: Change | Happening): step is Change =>
	['start', 'end', 'touch', 'tick'].includes(step.kind);

const endedIds = (account: ModelAccount) => account.ids().filter((id) => account.latest(id)!.ended);

const start = { kind: 'start', late: 0 } as const;
const end = (pick = 0) => ({ kind: 'end', pick, late: 0 }) as const;
const touch = { kind: 'touch', pick: 0, late: 0 } as const;
const tick = { kind: 'tick' } as const;
const poll = { kind: 'poll' } as const;

/** Histories that earlier forms of the cursor lost an event of: records that join a time while it is read. */
const FOUND_BEFORE: Array<[Change[], Array<Change | Happening>, Change[][]]> = [
	[
		[start, start, start, start, start],
		[start, poll],
		[[end(), tick], [start]],
	],
	[[start, start, start], [poll], [[tick, start], [end(23), tick], [end()]]],
	[
		[start],
		[start, poll, start, poll],
		[
			[end(), end()],
			[touch, touch],
			[start, end(21)],
			[tick, end()],
		],
	],
	[
		[start, start, start, start, start],
		[end(), end(14), end(), start, poll],
		[[start, touch], [start, end(28)], [start, touch], [end(), tick], [end(15)]],
	],
];

it('emits every task that ends after the baseline, once', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(change, { maxLength: 30 }),
			fc.array(fc.oneof({ weight: 2, arbitrary: change }, { weight: 1, arbitrary: happening }), {
				maxLength: 60,
			}),
			fc.array(fc.array(change, { maxLength: 3 }), { maxLength: 10 }),
			async (before, during, meanwhile) => {
				const account = new ModelAccount('updated_at');
				for (const step of before) apply(account, step);
				account.now += LATE_MS;
				const old = endedIds(account);
				const trigger = new ModelTrigger(account.source(ends));
				await trigger.poll();
				account.meanwhile = meanwhile.map(
					(steps) => () => steps.forEach((step) => apply(account, step)),
				);
				for (const step of during) {
					if (isChange(step)) apply(account, step);
					else await happen(account, trigger, step);
				}
				await finish(account, trigger);
				const emitted = trigger.emitted.map(({ key }) => key).sort();
				expect(emitted).toEqual(
					endedIds(account)
						.filter((id) => !old.includes(id))
						.sort(),
				);
			},
		),
		{ numRuns: 1000, examples: FOUND_BEFORE },
	);
});

/** Records whose time stays while they change, such as runs: followed while they are open. */
const OPEN_MS = 86_400_000;
const runs: Pick<TimedFeed, 'occurrences' | 'isOpen' | 'openForMs'> = {
	occurrences: ends.occurrences,
	isOpen: ({ ended }) => !ended,
	openForMs: OPEN_MS,
};

it('emits the end of every record that changes without its time changing, once', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(
				fc.oneof(
					fc.record({ kind: fc.constant('start' as const), late: lateness }),
					fc.record({ kind: fc.constant('end' as const), pick: fc.nat(50) }),
					happening,
					happening,
				),
				{ maxLength: 60 },
			),
			fc.nat(30),
			async (steps, beginsAt) => {
				const account = new ModelAccount('performed_on');
				const trigger = new ModelTrigger(account.source(runs));
				const started = new Map<string, number>();
				let old: string[] = [];
				for (const [index, step] of steps.entries()) {
					if (index === beginsAt) {
						account.now += LATE_MS;
						old = endedIds(account);
						await trigger.poll();
					}
					if (step.kind === 'start') {
						const id = `${account.ids().length}`;
						started.set(id, account.now);
						account.write({ id, performed_on: account.iso(), ended: false }, step.late);
					} else if (step.kind === 'end') {
						// Those that are open for longer than they are followed are given up.
						const open = account
							.ids()
							.map((id) => account.latest(id)!)
							.filter(({ ended }) => !ended)
							.filter(({ id }) => account.now - started.get(id)! < OPEN_MS / 2);
						const row = open[step.pick % Math.max(1, open.length)];
						if (row) account.write({ ...row, ended: true }, LATE_MS);
					} else if (trigger.cursor) await happen(account, trigger, step);
					else if (step.kind === 'time') account.now += step.ms;
				}
				if (!trigger.cursor) return;
				await finish(account, trigger);
				await finish(account, trigger);
				const expected = endedIds(account).filter((id) => !old.includes(id));
				expect(trigger.emitted.map(({ key }) => key).sort()).toEqual(expected.sort());
			},
		),
		{ numRuns: 1000 },
	);
});

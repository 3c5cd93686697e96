import fc from 'fast-check';
import {
	autoUpdateEvents,
	autoUpdateFeed,
} from '../../../nodes/AutoUpdate/resources/autoUpdateEvents';
import { LATE_MS } from '../../../nodes/shared/polling/cursor';
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
 * Random histories of runs of schedules against the auto update trigger: that a run starts and how it ends is
 * emitted once, also of runs that were under way at the baseline, in states that are not known, and with gaps.
 */

const states = [
	'initializing',
	'running',
	'paused',
	'completed',
	'failed',
	'aborted',
	'cancelled',
	'no_updates',
] as const;
type State = (typeof states)[number];

type Change =
	| { kind: 'run'; state: State; late: number; count: number }
	| { kind: 'move'; pick: number; state: State; late: number };

const change: fc.Arbitrary<Change> = fc.oneof(
	fc.record({
		kind: fc.constant('run' as const),
		state: fc.constantFrom(...states),
		late: lateness,
		count: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 8 })),
	}),
	{
		weight: 2,
		arbitrary: fc.record({
			kind: fc.constant('move' as const),
			pick: fc.nat(50),
			state: fc.constantFrom(...states),
			late: lateness,
		}),
	},
);

const FOLLOWED_MS = 48 * 3_600_000;
const SCHEDULES = 8;

const isOver = (state: unknown) =>
	['completed', 'failed', 'aborted', 'cancelled', 'no_updates'].includes(String(state));

class Runs {
	readonly account = new ModelAccount('performed_on');

	readonly facts: string[] = [];

	apply(step: Change): void {
		const { account } = this;
		if (step.kind === 'move') {
			const going = account
				.ids()
				.map((id) => account.latest(id)!)
				.filter(({ status }) => !isOver(status))
				.filter(({ performed_on: at }) => {
					const age = account.now + step.late - Date.parse(String(at));
					return age < FOLLOWED_MS;
				});
			const row = going[step.pick % Math.max(1, going.length)];
			// What runs goes on to its end: a start that no later state tells of can be missed.
			const isBack =
				row?.status === 'running' &&
				!['completed', 'failed', 'aborted', 'cancelled'].includes(step.state);
			if (row && !isBack) this.write({ ...row, status: step.state }, step.late);
			return;
		}
		// The schedules take turns: each has one run at a time.
		for (let index = 0; index < Math.min(step.count, SCHEDULES); index++) {
			const schedule = `s${index}`;
			const id = `${schedule}:${account.iso()}`;
			if (account.latest(id)) continue;
			const fields = { auto_update_schedule: { id: schedule }, performed_on: account.iso() };
			this.write({ id, ...fields, status: step.state }, step.late);
		}
	}

	private write(row: { id: string; status: State }, late: number): void {
		this.account.write(row, late);
		const { id, status } = row;
		const began = status === 'running' || (isOver(status) && status !== 'no_updates');
		const ends: Partial<Record<State, string>> = {
			completed: 'completed',
			failed: 'failed',
			aborted: 'failed',
			cancelled: 'cancelled',
			no_updates: 'noUpdates',
		};
		for (const event of [began && 'started', ends[status]]) {
			const fact = `${String(event)} ${id}`;
			if (event && !this.facts.includes(fact)) this.facts.push(fact);
		}
	}
}

const isChange = (step: Change | Happening): step is Change => ['run', 'move'].includes(step.kind);

const longTime = fc.record({
	kind: fc.constant('time' as const),
	ms: fc.constantFrom(FOLLOWED_MS / 2, FOLLOWED_MS - 60_000),
});

it('emits that every run starts, and how it ends, once', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.subarray(
				autoUpdateEvents.map(({ value }) => String(value)),
				{ minLength: 1 },
			),
			fc.array(change, { maxLength: 20 }),
			fc.array(
				fc.oneof(
					{ weight: 12, arbitrary: change },
					{ weight: 10, arbitrary: happening },
					{ weight: 1, arbitrary: longTime },
				),
				{ maxLength: 60 },
			),
			fc.array(fc.array(change, { maxLength: 3 }), { maxLength: 8 }),
			async (events, before, during, meanwhile) => {
				const runs = new Runs();
				const { account } = runs;
				const trigger = new ModelTrigger(account.source(autoUpdateFeed(events, {})));
				for (const step of before) runs.apply(step);
				account.now += LATE_MS;
				await trigger.poll();
				const old = [...runs.facts];
				const begun = account.now;
				account.meanwhile = meanwhile.map(
					(steps) => () => steps.forEach((step) => runs.apply(step)),
				);
				for (const step of during) {
					if (isChange(step)) runs.apply(step);
					else await happen(account, trigger, step);
				}
				await finish(account, trigger);
				const expected = runs.facts.filter((fact) => {
					const [event, id] = fact.split(' ') as [string, string];
					const isNew = Date.parse(id.slice(id.indexOf(':') + 1)) >= begun;
					if (!events.includes(event) || old.includes(fact)) return false;
					return event !== 'started' || isNew;
				});
				const emitted = trigger.emitted.map(({ event, record }) => {
					const { auto_update_schedule: schedule, performed_on: at } = record;
					return `${event} ${String(schedule.id)}:${String(at)}`;
				});
				expect(emitted.sort()).toEqual(expected.sort());
			},
		),
		{ numRuns: 2000 },
	);
});

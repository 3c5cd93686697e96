import fc from 'fast-check';
import { LATE_MS } from '../../../nodes/shared/polling/cursor';
import { taskOccurrences, taskQuery, type TaskChoice } from '../../../nodes/Task/resources/events';
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
 * Random histories of tasks against the task trigger's own rules: whatever happens between and during polls, what
 * it emits is what has happened to the chosen tasks since the activation, each event once.
 */

const TYPES = ['restore', 'upload', 'speed'];
const SITES = ['s1', 's2'];
const ENDS = ['completed', 'failed', 'aborted', 'cancelled'];
const DAY_MS = 86_400_000;

interface Task {
	id: string;
	type: string;
	status: string;
	created_at: string;
	updated_at: string;
	progress: { percent: number };
	input: { sites?: Array<{ id: string }> };
	[key: string]: unknown;
}

type Change =
	| { kind: 'start'; type: string; sites: string[] | undefined; late: number; count: number }
	| { kind: 'go on'; pick: number; percent: number; late: number }
	| { kind: 'end'; pick: number; status: string; late: number; count: number }
	| { kind: 'touch'; pick: number; late: number }
	| { kind: 'tick'; ms: number };

const kind = <K extends Change['kind']>(name: K) => fc.constant(name);

/** Bursts share a time, over several pages. */
const count = fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 9 }));
const pick = fc.nat(50);

const change: fc.Arbitrary<Change> = fc.oneof(
	{
		weight: 3,
		arbitrary: fc.record({
			kind: kind('start'),
			type: fc.constantFrom(...TYPES),
			sites: fc.option(fc.subarray(SITES), { nil: undefined, freq: 5 }),
			late: lateness,
			count,
		}),
	},
	{
		weight: 2,
		arbitrary: fc.record({
			kind: kind('go on'),
			pick,
			percent: fc.constantFrom(0, 25, 50, 75, 100),
			late: lateness,
		}),
	},
	{
		weight: 3,
		arbitrary: fc.record({
			kind: kind('end'),
			pick,
			status: fc.constantFrom(...ENDS),
			late: lateness,
			count,
		}),
	},
	{ weight: 2, arbitrary: fc.record({ kind: kind('touch'), pick, late: lateness }) },
	{
		weight: 1,
		arbitrary: fc.record({ kind: kind('tick'), ms: fc.constantFrom(1, 300, 1_000, 200_000) }),
	},
);

const choice: fc.Arbitrary<TaskChoice> = fc.record({
	events: fc.subarray(['cancelled', 'completed', 'failed', 'progress', 'started'], {
		minLength: 1,
	}),
	types: fc.subarray(TYPES),
	siteId: fc.constantFrom(undefined, ...SITES),
});

/** The list of tasks with the filter that the trigger asks for; its clock tells whole seconds only. */
class Tasks extends ModelAccount {
	constructor(private readonly query: Record<string, unknown>) {
		super('updated_at');
	}

	override shown() {
		const type = this.query['filters[type:eq]'];
		return super.shown().filter((task) => type === undefined || task.type === type);
	}

	/** Ended so long before the activation that the trigger can not know it: the service must let it rest. */
	isOutOfReach(task: Task): boolean {
		return hasEnded(task) && Date.parse(task.updated_at) < this.reach;
	}

	/** When the trigger looks back to at its activation. */
	reach = 0;

	all(): Task[] {
		return this.ids().map((id) => this.latest(id) as Task);
	}

	override source(feed: Parameters<ModelAccount['source']>[0]) {
		const source = super.source(feed);
		const rounded = <P extends { now?: number }>(page: P): P => ({
			...page,
			now: Math.floor(page.now! / 1_000) * 1_000,
		});
		return {
			...source,
			page: async (since: string, page: number) => rounded(await source.page(since, page)),
			newest: async () => rounded(await source.newest()),
		};
	}
}

const hasEnded = ({ status }: Task) => ENDS.includes(status);

function apply(account: Tasks, step: Change): void {
	if (step.kind === 'tick') {
		account.now += step.ms;
		return;
	}
	for (let index = 0; index < ('count' in step ? step.count : 1); index++) {
		const at = account.iso();
		if (step.kind === 'start') {
			account.write(
				{
					id: `t${account.ids().length}`,
					type: step.type,
					status: 'initializing',
					created_at: at,
					updated_at: at,
					progress: { percent: 0 },
					input: step.sites ? { sites: step.sites.map((id) => ({ id })) } : {},
				},
				step.late,
			);
			continue;
		}
		const candidates = account
			.all()
			.filter((task) => (step.kind === 'touch' ? !account.isOutOfReach(task) : !hasEnded(task)));
		const task = candidates[step.pick % Math.max(1, candidates.length)];
		if (!task) continue;
		const changed =
			step.kind === 'end'
				? { status: step.status }
				: step.kind === 'go on'
					? { status: 'running', progress: { percent: step.percent } }
					: {};
		account.write({ ...task, ...changed, updated_at: at }, step.late);
	}
}

const isChange = (step: Change | Happening): step is Change =>
	['start', 'go on', 'end', 'touch', 'tick'].includes(step.kind);

/** What the reference says of a task, in words of its own. */
const isChosen = ({ types, siteId }: TaskChoice, task: Task) =>
	(types.length === 0 || types.includes(task.type)) &&
	(siteId === undefined || (task.input.sites ?? []).some(({ id }) => id === siteId));
const endEvent = ({ status }: Task) => (status === 'aborted' ? 'failed' : status);

it('emits what happens to the chosen tasks after the activation, each event once', async () => {
	await fc.assert(
		fc.asyncProperty(
			choice,
			fc.array(change, { maxLength: 30 }),
			fc.constantFrom(0, 0, 2 * DAY_MS),
			fc.array(change, { maxLength: 10 }),
			fc.array(fc.oneof({ weight: 2, arbitrary: change }, { weight: 1, arbitrary: happening }), {
				maxLength: 60,
			}),
			fc.array(fc.array(change, { maxLength: 3 }), { maxLength: 10 }),
			async (chosen, longBefore, gap, before, during, meanwhile) => {
				const account = new Tasks(taskQuery(chosen));
				for (const step of longBefore) apply(account, step);
				account.now += gap;
				for (const step of before) apply(account, step);
				account.now += LATE_MS;
				account.reach = account.now - DAY_MS;
				const old = new Map(account.all().map((task) => [task.id, task]));
				const trigger = new ModelTrigger(
					account.source({ occurrences: taskOccurrences(chosen), openForMs: DAY_MS }),
				);
				await trigger.poll();

				const wanted = (event: string) => chosen.events.includes(event);
				const emitted = () => trigger.emitted.map(({ event, record }) => `${record.id} ${event}`);
				const percents = () =>
					trigger.emitted
						.filter(({ event }) => event === 'progress')
						.map(({ record }) => `${record.id} ${record.progress.percent}`);
				const allRunning = new Set<string>();
				const noteRunning = () => {
					for (const { id, status, progress } of account.all()) {
						if (status === 'running') allRunning.add(`${id} ${progress.percent}`);
					}
				};
				const runningAtStart = [...old.values()].filter(({ status }) => status === 'running');
				const percentsOf = (tasks: Task[]) =>
					tasks.map(({ id, progress }) => `${id} ${progress.percent}`);
				const atStart = percentsOf(runningAtStart);
				const known = percentsOf(
					runningAtStart.filter(({ updated_at: at }) => Date.parse(at) >= account.reach),
				);

				const applyAll = (steps: Change[]) => {
					for (const step of steps) {
						apply(account, step);
						noteRunning();
					}
				};
				account.meanwhile = meanwhile.map((steps) => () => applyAll(steps));
				for (const step of during) {
					const undisturbed = step.kind === 'poll' && account.meanwhile.length === 0;
					if (isChange(step)) applyAll([step]);
					else await happen(account, trigger, step);
					if (!undisturbed || !wanted('progress')) continue;
					// Nothing happened during this poll: what runs now has been told.
					const running = percentsOf(
						account
							.shown()
							.map((row) => row as Task)
							.filter((task) => task.status === 'running' && isChosen(chosen, task)),
					);
					expect([...percents(), ...atStart]).toEqual(expect.arrayContaining(running));
				}
				await finish(account, trigger);

				const tasks = account.all().filter((task) => isChosen(chosen, task));
				const expected = [
					...tasks
						.filter(({ id }) => wanted('started') && !old.has(id))
						.map(({ id }) => `${id} started`),
					...tasks
						.filter((task) => hasEnded(task) && wanted(endEvent(task)))
						.filter(({ id }) => !old.has(id) || !hasEnded(old.get(id)!))
						.map((task) => `${task.id} ${endEvent(task)}`),
				];
				const apart = emitted().filter((each) => !each.endsWith(' progress'));
				expect(apart.sort()).toEqual(expected.sort());

				const told = percents();
				expect(new Set(told).size).toBe(told.length);
				if (!wanted('progress')) expect(told).toEqual([]);
				for (const each of told) {
					expect(allRunning).toContain(each);
					expect(known).not.toContain(each);
					expect(tasks.map(({ id }) => id)).toContain(each.split(' ')[0]);
				}

				const rank = (event: string) => ['started', 'progress'].indexOf(event) % 3;
				for (const { id } of tasks) {
					const ranks = trigger.emitted
						.filter(({ record }) => record.id === id)
						.map(({ event }) => (rank(event) < 0 ? 2 : rank(event)));
					expect(ranks).toEqual([...ranks].sort());
				}
			},
		),
		{ numRuns: 1000 },
	);
}, 60_000);

import { casesOf, fc } from '../effort';
import { eventsOf } from '../engine';
import { type Choice, Scenario, type Setting, type Verdict, type World } from './scenario';
import { type Trouble, troubles } from './service';
import { Chance } from './chance';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const YEAR = 365 * 24 * HOUR;

/** A step of a history; all that it leaves open follows from the history's seed. */
type Step =
	| { do: 'poll' | 'overlap'; changes: number; during: number; lag: number; wait: number }
	| { do: 'burst'; count: number; withinMs: number }
	| { do: 'upset'; kind: Trouble; count: number }
	| { do: 'slow'; ms: number }
	| { do: 'narrow'; limit: number; inPoll: boolean }
	| { do: 'second'; count: number }
	| { do: 'jump'; hours: number }
	| {
			do:
				'editEvents' | 'editFilter' | 'restart' | 'lead' | 'kill' | 'account' | 'token' | 'settle';
	  }
	| {
			do: 'upgrade' | 'upgradeInPoll' | 'reinstall' | 'rename' | 'renameAndEdit' | 'empty' | 'join';
	  }
	| { do: 'clock'; whose: 'n8n' | 'service'; minutes: number; inPoll: boolean }
	| { do: 'ahead'; ms: number; count: number }
	| { do: 'offAndOn'; settles: boolean; saves: boolean; isStopped: boolean };

export interface History {
	setting: Setting;
	steps: Step[];
}

const poll = (kind: 'poll' | 'overlap'): fc.Arbitrary<Step> =>
	fc.record({
		do: fc.constant(kind),
		changes: fc.nat(6),
		during: fc.nat(3),
		lag: fc.constantFrom(0, 0, 0, 5_000, 118_000),
		wait: fc.constantFrom(MINUTE, MINUTE, 10_000, 5 * MINUTE),
	});

/** A kind of step, and how often it comes beside the others. */
const often = <T extends { do: Step['do'] }>(
	weight: number,
	fields: { [K in keyof T]: fc.Arbitrary<T[K]> },
) => ({ weight, arbitrary: fc.record(fields) as fc.Arbitrary<unknown> as fc.Arbitrary<Step> });

/** The same of steps that leave nothing open. */
const only = <T extends Step['do']>(weight: number, ...kinds: T[]) => ({
	weight,
	arbitrary: fc.constantFrom(...kinds.map((kind) => ({ do: kind }) as Extract<Step, { do: T }>)),
});

const just = <T>(value: T) => fc.constant(value);
const one = fc.constantFrom;

const step: fc.Arbitrary<Step> = fc.oneof(
	{ weight: 12, arbitrary: poll('poll') },
	{ weight: 4, arbitrary: poll('overlap') },
	often(1, {
		do: just('burst' as const),
		count: fc.integer({ min: 5, max: 30 }),
		withinMs: one(0, 500, 30_000),
	}),
	often(2, {
		do: just('upset' as const),
		kind: one(...troubles),
		count: fc.integer({ min: 1, max: 12 }),
	}),
	often(1, { do: just('slow' as const), ms: one(3_000, 20_000) }),
	often(1, { do: just('narrow' as const), limit: one(5, 15, 200), inPoll: fc.boolean() }),
	often(1, { do: just('second' as const), count: fc.integer({ min: 5, max: 40 }) }),
	often(1, { do: just('jump' as const), hours: fc.integer({ min: 1, max: 5 }) }),
	only(4, 'editEvents', 'editFilter', 'restart', 'lead', 'kill', 'account', 'token', 'settle'),
	often(1, {
		do: just('offAndOn' as const),
		settles: fc.boolean(),
		saves: fc.boolean(),
		isStopped: one(false, false, true),
	}),
	only(3, 'upgrade', 'upgradeInPoll', 'reinstall', 'rename', 'renameAndEdit', 'empty', 'join'),
	often(1, {
		do: just('clock' as const),
		whose: just('n8n' as const),
		minutes: one(10, 60, -10, -60),
		inPoll: fc.boolean(),
	}),
	often(1, {
		do: just('clock' as const),
		whose: just('service' as const),
		minutes: one(-5, -1, 10),
		inPoll: fc.boolean(),
	}),
	often(1, {
		do: just('ahead' as const),
		ms: one(10 * MINUTE, 3 * HOUR, 2 * YEAR),
		count: one(1, 1, 5),
	}),
);

/** What is so by default where a history is written out. */
const plain: Setting = {
	seed: 1,
	isDurable: false,
	isScheduled: false,
	dateOffset: 0,
	spread: 0,
	skew: 0,
	inSeconds: false,
	times: 'iso',
	nulls: 'low',
	without: 0,
	clamps: true,
	limit: 200,
	pageSize: 4,
	shuffles: false,
	companions: 0,
};

/** Who sets off the polls of n8n, and where their state is kept. */
const modes = fc.constantFrom(
	...Array<{ isDurable: boolean; isScheduled: boolean }>(4).fill({
		isDurable: false,
		isScheduled: false,
	}),
	...Array<{ isDurable: boolean; isScheduled: boolean }>(4).fill({
		isDurable: true,
		isScheduled: false,
	}),
	{ isDurable: false, isScheduled: true },
);

/** Most services tell times as the reference has it. */
const ISO = Array<'iso'>(8).fill('iso');

/** Any history. */
export const anyHistory: fc.Arbitrary<History> = fc.record({
	setting: fc
		.record({
			mode: modes,
			seed: fc.nat(),
			dateOffset: fc.constantFrom(0, 0, 0, 10 * MINUTE, -4 * MINUTE, undefined),
			spread: fc.constantFrom(0, 0, 5_000, 60_000),
			skew: fc.constantFrom(0, 0, 3 * MINUTE, -3 * MINUTE),
			inSeconds: fc.boolean(),
			times: fc.constantFrom<Setting['times'][]>(...ISO, 'seconds', 'milliseconds'),
			nulls: fc.constantFrom<Setting['nulls'][]>('low', 'high', 'first', 'last'),
			without: fc.constantFrom(0, 0, 12),
			clamps: fc.boolean(),
			limit: fc.constantFrom(200, 200, 200, 15),
			pageSize: fc.constantFrom(100, 4, 10),
			shuffles: fc.boolean(),
			companions: fc.constantFrom(0, 0, 0, 0, 0, 1, 3),
		})
		.map(({ mode, ...setting }) => ({ ...setting, ...mode })),
	steps: fc.array(step, { minLength: 5, maxLength: 22 }),
});

/** Lives through a history. */
export async function run(world: World, { setting, steps }: History): Promise<Verdict> {
	const scenario = new Scenario(world, setting);
	await scenario.switchOn();
	for (const each of steps) await take(scenario, each);
	return await scenario.verdict();
}

async function take(scenario: Scenario, each: Step): Promise<void> {
	const { chance, timeline, service, world } = scenario;
	switch (each.do) {
		case 'poll':
		case 'overlap': {
			scenario.changes(each.changes, each.wait, each.lag);
			await timeline.advance(each.wait);
			scenario.changes(each.during, service.latency);
			if (each.do === 'poll') await scenario.poll();
			else scenario.start().catch(() => undefined);
			return;
		}
		case 'burst':
			scenario.changes(each.count, each.withinMs, 0, true);
			return await timeline.advance(each.withinMs + 1);
		case 'upset':
			return scenario.upset(each.kind, each.count);
		case 'slow':
			return void (service.latency = each.ms);
		case 'narrow':
			if (each.inPoll) scenario.inNextPoll(() => void (service.limit = each.limit));
			else service.limit = each.limit;
			return;
		case 'second':
			// Written while the next poll reads what was written in the same second.
			return scenario.inNextPoll(() => {
				scenario.changes(each.count, 0, 0, true);
				scenario.changes(each.count, 3_000, 0, true);
			});
		case 'jump':
			scenario.changes(3, each.hours * HOUR);
			return await timeline.advance(each.hours * HOUR);
		case 'editEvents':
			return await scenario.edit({ ...scenario.choice, events: world.choose(chance).events });
		case 'editFilter':
			return await scenario.edit(world.choose(chance));
		case 'restart':
			return await scenario.restart();
		case 'kill':
			// In the middle of a poll.
			scenario.start().catch(() => undefined);
			await timeline.advance(chance.below(2 * service.latency));
			return await scenario.restart();
		case 'lead':
			return await scenario.changeLeader();
		case 'token':
			return scenario.rotateToken();
		case 'account':
			return await scenario.changeAccount();
		case 'settle':
			return await scenario.settle();
		case 'upgrade':
			return scenario.installation.install();
		case 'upgradeInPoll':
			return scenario.inNextPoll(() => scenario.installation.install());
		case 'reinstall':
			scenario.installation.uninstall();
			scenario.changes(4, MINUTE);
			await timeline.advance(MINUTE);
			await scenario.poll();
			return scenario.installation.install();
		case 'rename':
			return await scenario.edit(scenario.choice, `Trigger ${chance.below(3)}`);
		case 'renameAndEdit': {
			const { events } = world.choose(chance);
			return await scenario.edit({ ...scenario.choice, events }, `Trigger ${chance.below(3)}`);
		}
		case 'empty':
			return scenario.empty();
		case 'join':
			return await scenario.join();
		case 'clock': {
			const ms = each.minutes * MINUTE;
			const set = () => scenario.clocks.step(each.whose, ms);
			return each.inPoll ? scenario.inNextPoll(set) : set();
		}
		case 'ahead': {
			const isClear = each.ms >= YEAR || scenario.clocks.keepBehind();
			for (let left = each.count; left > 0; left--) {
				scenario.change({ ahead: isClear ? each.ms : 2 * YEAR, isNew: chance.is(0.7) });
			}
			return;
		}
		case 'offAndOn':
			if (each.settles) await scenario.settle();
			await scenario.switchOff(each.saves);
			scenario.changes(4, MINUTE);
			await timeline.advance(2 * MINUTE);
			return await (each.isStopped ? scenario.switchOnAndRestart() : scenario.switchOn());
	}
}

const RUNS = casesOf('HISTORIES', { quick: 80, long: 20_000 });
const LIMIT_MS = Math.max(1_800_000, RUNS * 600);

/** What n8n keeps of a trigger stays well below the limits of databases. */
const MAX_STATE = 65_536;

/** As it should be, beside what has been found. */
export const exactly = { lost: [], twice: [], wrong: [], isSmall: true };

/** The part of a verdict that is judged. */
export const found = ({ lost, twice, wrong, largestState }: Verdict) => ({
	lost,
	twice,
	wrong,
	isSmall: largestState < MAX_STATE,
});

const isExact = ({ lost, twice, wrong, largestState }: Verdict) =>
	lost.length + twice.length + wrong.length === 0 && largestState < MAX_STATE;

/** Where a fault was found, a shorter history with the same one is looked for so long. */
const SHRINK_MS = 60_000;

/** Runs random histories of a trigger, and prints what has come of them. */
export function histories(world: World): void {
	it(
		`emits each event exactly once in any history (${world.node})`,
		async () => {
			const sum = {
				histories: 0,
				expected: 0,
				emitted: 0,
				lost: 0,
				twice: 0,
				wrong: 0,
				largest: 0,
			};
			let failedAt = Infinity;
			try {
				await fc.assert(
					fc.asyncProperty(anyHistory, async (history) => {
						if (Date.now() - failedAt > SHRINK_MS) return;
						const verdict = await run(world, history).catch((error: unknown) => {
							failedAt = Math.min(failedAt, Date.now());
							throw error;
						});
						sum.histories += 1;
						sum.expected += verdict.expected;
						sum.emitted += verdict.emitted;
						sum.lost += verdict.lost.length;
						sum.twice += verdict.twice.length;
						sum.wrong += verdict.wrong.length;
						sum.largest = Math.max(sum.largest, verdict.largestState);
						if (!isExact(verdict)) failedAt = Math.min(failedAt, Date.now());
						expect(found(verdict)).toEqual(exactly);
					}),
					{
						numRuns: RUNS,
						interruptAfterTimeLimit: LIMIT_MS,
						markInterruptAsFailure: true,
					},
				);
			} finally {
				const told = Object.entries(sum).map(([name, count]) => `${name} ${count}`);
				process.stdout.write(`${world.node}: ${told.join(', ')}\n`);
			}
		},
		LIMIT_MS + 60_000,
	);

	it(`emits every event (${world.node})`, async () => {
		const file = `test/contract/triggers/exactlyOnce/${world.node.replace('Trigger', '')}.test.ts`;
		const untold: string[] = [];
		for (const event of await eventsOf(world.node)) {
			if (!(await isTold(world, event))) untold.push(event);
		}
		expect(
			untold.map((event) => `${file}: have "${event}" chosen, and have it happen, in the world`),
		).toEqual([]);
	});
}

/** However few random histories there are: in one of these, which are always the same, each event comes about. */
const MOST_TRIES = 40;

async function isTold(world: World, event: string): Promise<boolean> {
	for (let seed = 1; seed <= MOST_TRIES; seed++) {
		const choice = world.choose(new Chance(seed));
		if (!choice.events.includes(event)) continue;
		const live = async (scenario: Scenario) => {
			for (let hours = 10; hours > 0; hours--) {
				scenario.changes(5, HOUR);
				await scenario.timeline.advance(HOUR);
				await scenario.poll();
			}
		};
		const { events } = await story(world, choice, live, { seed });
		if (events.includes(event)) return true;
	}
	return false;
}

/** A history that is written out: a setting, what is chosen, and what happens. */
export async function story(
	world: World,
	choice: Choice,
	live: (scenario: Scenario) => Promise<void>,
	setting: Partial<Setting> = {},
): Promise<Verdict> {
	const scenario = new Scenario(world, { ...plain, ...setting }, choice);
	await scenario.switchOn();
	await live(scenario);
	return await scenario.verdict();
}

/** What is lived through in a story. */
export type Live = (scenario: Scenario) => Promise<void>;

/** Tells stories of a trigger: in each of them every event comes exactly once. */
export const tellIn =
	(world: World, choice: Choice) => (name: string, setting: Partial<Setting>, live: Live) =>
		it(name, async () => expect(found(await story(world, choice, live, setting))).toEqual(exactly));

import { casesOf, fc } from '../effort';
import { eventsOf } from '../engine';
import { Chance } from './chance';
import { Scenario, type Setting, type World } from './scenario';
import { troubles } from './service';
import { runStories, story } from './stories';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const YEAR = 365 * 24 * HOUR;

/** A step of a history; all that it leaves open follows from the history's seed. */
interface Step {
	do: string;
	take: (scenario: Scenario) => unknown;
}

/** A kind of step: how often it comes beside the others, what it leaves to chance, and what happens. */
function step<T extends object>(
	weight: number,
	name: string,
	given: { [K in keyof T]: fc.Arbitrary<T[K]> },
	take: (scenario: Scenario, given: T) => unknown,
) {
	const arbitrary = fc
		.record(given)
		.map((of): Step => ({ do: name, ...of, take: (scenario) => take(scenario, of as T) }));
	return { weight, arbitrary };
}

const only = (name: string, take: Step['take']) => step(1, name, {}, take);

const one = fc.constantFrom;

const poll = (weight: number, name: string, start: Step['take']) =>
	step(
		weight,
		name,
		{
			changes: fc.nat(6),
			during: fc.nat(3),
			lag: one(0, 0, 0, 5_000, 118_000),
			wait: one(MINUTE, MINUTE, 10_000, 5 * MINUTE),
		},
		async (scenario, { changes, during, lag, wait }) => {
			scenario.changes(changes, wait, lag);
			await scenario.timeline.advance(wait);
			scenario.changes(during, scenario.service.latency);
			await start(scenario);
		},
	);

/** Does it between two polls, or in the midst of the next one. */
const atOnceOr = (scenario: Scenario, inPoll: boolean, act: () => void) =>
	inPoll ? scenario.inNextPoll(act) : act();

const clock = (whose: 'n8n' | 'service', ...minutes: number[]) =>
	step(2, 'clock', { minutes: one(...minutes), inPoll: fc.boolean() }, (scenario, of) =>
		atOnceOr(scenario, of.inPoll, () => scenario.clocks.step(whose, of.minutes * MINUTE)),
	);

const otherName = ({ chance }: Scenario) => `Trigger ${chance.below(3)}`;
const otherChoice = ({ chance, world }: Scenario) => world.choose(chance);
const otherEvents = (scenario: Scenario) => ({
	...scenario.choice,
	events: otherChoice(scenario).events,
});

const anyStep: fc.Arbitrary<Step> = fc.oneof(
	poll(24, 'poll', async (scenario) => await scenario.poll()),
	poll(8, 'overlap', (scenario) => scenario.setOff()),
	step(
		2,
		'burst',
		{ count: fc.integer({ min: 5, max: 30 }), withinMs: one(0, 500, 30_000) },
		async (scenario, { count, withinMs }) => {
			scenario.changes(count, withinMs, 0, true);
			await scenario.timeline.advance(withinMs + 1);
		},
	),
	step(
		4,
		'upset',
		{ kind: one(...troubles), count: fc.integer({ min: 1, max: 12 }) },
		(scenario, { kind, count }) => scenario.upset(kind, count),
	),
	step(2, 'slow', { ms: one(3_000, 20_000) }, ({ service }, { ms }) => (service.latency = ms)),
	step(2, 'narrow', { limit: one(5, 15, 200), inPoll: fc.boolean() }, (scenario, of) =>
		atOnceOr(scenario, of.inPoll, () => void (scenario.service.limit = of.limit)),
	),
	// Written while the next poll reads what was written in the same second.
	step(2, 'second', { count: fc.integer({ min: 5, max: 40 }) }, (scenario, { count }) =>
		scenario.inNextPoll(() => {
			scenario.changes(count, 0, 0, true);
			scenario.changes(count, 3_000, 0, true);
		}),
	),
	step(2, 'jump', { hours: fc.integer({ min: 1, max: 5 }) }, async (scenario, { hours }) => {
		scenario.changes(3, hours * HOUR);
		await scenario.timeline.advance(hours * HOUR);
	}),
	clock('n8n', 10, 60, -10, -60),
	clock('service', -5, -1, 10),
	step(
		2,
		'ahead',
		{ ms: one(10 * MINUTE, 3 * HOUR, 2 * YEAR), count: one(1, 1, 5) },
		(scenario, { ms, count }) => {
			const isClear = ms >= YEAR || scenario.clocks.keepBehind();
			for (let left = count; left > 0; left--)
				scenario.change({ ahead: isClear ? ms : 2 * YEAR, isNew: scenario.chance.is(0.7) });
		},
	),
	step(
		2,
		'offAndOn',
		{ settles: fc.boolean(), saves: fc.boolean(), isStopped: one(false, false, true) },
		async (scenario, { settles, saves, isStopped }) => {
			if (settles) await scenario.settle();
			await scenario.switchOff(saves);
			scenario.changes(4, MINUTE);
			await scenario.timeline.advance(2 * MINUTE);
			await scenario.switchOn(isStopped);
		},
	),
	only('editEvents', async (scenario) => await scenario.edit(otherEvents(scenario))),
	only('editFilter', async (scenario) => await scenario.edit(otherChoice(scenario))),
	only('rename', async (scenario) => await scenario.edit(scenario.choice, otherName(scenario))),
	only('renameAndEdit', async (scenario) => {
		await scenario.edit(otherEvents(scenario), otherName(scenario));
	}),
	only('restart', async (scenario) => await scenario.restart()),
	// In the middle of a poll.
	only('kill', async (scenario) => {
		scenario.setOff();
		await scenario.timeline.advance(scenario.chance.below(2 * scenario.service.latency));
		await scenario.restart();
	}),
	step(2, 'takeOver', {}, async (scenario) => await scenario.takeOver()),
	only('lead', async (scenario) => await scenario.changeLeader()),
	only('account', async (scenario) => await scenario.changeAccount()),
	only('token', (scenario) => scenario.rotateToken()),
	only('settle', async (scenario) => await scenario.settle()),
	only('upgrade', ({ installation }) => installation.install()),
	only('upgradeInPoll', (scenario) => scenario.inNextPoll(() => scenario.installation.install())),
	only('reinstall', async (scenario) => {
		scenario.installation.uninstall();
		await scenario.rounds(1, 4);
		scenario.installation.install();
	}),
	only('empty', (scenario) => scenario.empty()),
	only('join', async (scenario) => await scenario.join()),
);

const anyHistory = fc.record({
	setting: fc.record<Setting>({
		mode: one(
			...Array<Setting['mode']>(4).fill('default'),
			...Array<Setting['mode']>(4).fill('durable'),
			'scheduled',
		),
		seed: fc.nat(),
		dateOffset: one(0, 0, 0, 10 * MINUTE, -4 * MINUTE, undefined),
		spread: one(0, 0, 5_000, 60_000),
		skew: one(0, 0, 3 * MINUTE, -3 * MINUTE),
		inSeconds: fc.boolean(),
		// Most services tell times as the reference has it.
		times: one(...Array<Setting['times']>(8).fill('iso'), 'seconds', 'milliseconds'),
		nulls: one<Setting['nulls'][]>('low', 'high', 'first', 'last'),
		without: one(0, 0, 12),
		clamps: fc.boolean(),
		limit: one(200, 200, 200, 15),
		pageSize: one(100, 4, 10),
		shuffles: fc.boolean(),
		companions: one(0, 0, 0, 0, 0, 1, 3),
	}),
	steps: fc.array(anyStep, { minLength: 5, maxLength: 22 }),
});

const RUNS = casesOf('HISTORIES', { quick: 56, long: 20_000 });
const LIMIT_MS = Math.max(1_800_000, RUNS * 600);

/** Where a fault was found, a shorter history with the same one is looked for so long. */
const SHRINK_MS = 60_000;

/** Runs random histories of a trigger, and prints what has come of them; then those that are written out. */
export function histories(world: World): void {
	it(
		`emits each event exactly once in any history (${world.node})`,
		async () => {
			const sum = { histories: 0, expected: 0, emitted: 0, faults: 0, largest: 0 };
			let failedAt = Infinity;
			const isExact = fc.asyncProperty(anyHistory, async ({ setting, steps }) => {
				if (Date.now() - failedAt > SHRINK_MS) return;
				try {
					const scenario = new Scenario(world, setting);
					await scenario.switchOn();
					for (const { take } of steps) await take(scenario);
					const { expected, emitted, faults, largestState } = await scenario.verdict();
					sum.histories += 1;
					sum.expected += expected;
					sum.emitted += emitted;
					sum.faults += faults.length;
					sum.largest = Math.max(sum.largest, largestState);
					expect(faults).toEqual([]);
				} catch (error) {
					failedAt = Math.min(failedAt, Date.now());
					throw error;
				}
			});
			const limits = { interruptAfterTimeLimit: LIMIT_MS, markInterruptAsFailure: true };
			await fc.assert(isExact, { numRuns: RUNS, ...limits }).finally(() => {
				const told = Object.entries(sum).map(([name, count]) => `${name} ${count}`);
				process.stdout.write(`${world.node}: ${told.join(', ')}\n`);
			});
		},
		LIMIT_MS + 60_000,
	);

	it(`emits every event (${world.node})`, async () => {
		const file = `test/contract/triggers/exactlyOnce/${world.node.replace('Trigger', '')}.test.ts`;
		const untold: string[] = [];
		for (const event of await eventsOf(world.node)) {
			if (!(await isTold(world, event)))
				untold.push(`${file}: have "${event}" chosen, and have it happen, in the world`);
		}
		expect(untold).toEqual([]);
	});

	runStories(world);
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

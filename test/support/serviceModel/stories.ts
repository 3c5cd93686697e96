import { Chance } from './chance';
import { type Choice, Scenario, type Setting, type World } from './scenario';

const MINUTE = 60_000;

type Live = (scenario: Scenario) => Promise<void>;

/** What is so by default where a history is written out. */
const plain: Setting = {
	seed: 1,
	mode: 'default',
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

/** A history that is written out: a setting, what is chosen, and what happens. */
export async function story(
	world: World,
	choice: Choice,
	live: Live,
	setting: Partial<Setting> = {},
) {
	const scenario = new Scenario(world, { ...plain, ...setting }, choice);
	await scenario.switchOn();
	await live(scenario);
	return await scenario.verdict();
}

/** New records are written in this time. */
async function write(scenario: Scenario, count: number, withinMs: number): Promise<void> {
	scenario.changes(count, withinMs, 0, true);
	await scenario.timeline.advance(withinMs);
}

const firstOf = ({ choice }: Scenario) => ({ ...choice, events: choice.events.slice(0, 1) });

function otherList({ choice, world }: Scenario): Choice {
	const all = Array.from({ length: 50 }, (_, seed) => world.choose(new Chance(seed)));
	return all.find(({ filter }) => JSON.stringify(filter) !== JSON.stringify(choice.filter))!;
}

type Tell = (name: string, setting: Partial<Setting>, live: Live) => void;

/** What random histories seldom come to, in any mode of n8n. */
function inAnyMode(tell: Tell): void {
	tell('overlapping polls emit nothing twice', {}, async (scenario) => {
		scenario.service.latency = 20_000;
		for (let round = 0; round < 6; round++) {
			await write(scenario, 8, 10_000);
			scenario.setOff();
		}
	});

	tell('events are added while a poll hangs', {}, async (scenario) => {
		const { choice } = scenario;
		await scenario.edit(firstOf(scenario));
		await scenario.rounds(3, 0);
		scenario.upset('silent', 1);
		scenario.setOff();
		await scenario.edit(choice);
		await scenario.rounds(6, 8);
	});

	tell(
		"the service's clock is set back, and another list is read before anything tells of it",
		{ clamps: false, dateOffset: 600_000 },
		async (scenario) => {
			await scenario.rounds(3, 8);
			await write(scenario, 12, 2 * MINUTE);
			scenario.clocks.setService(-5 * MINUTE);
			scenario.changes(12, MINUTE, 0, true);
			await scenario.edit(otherList(scenario));
			for (let left = 6; left > 0; left--) {
				scenario.changes(12, MINUTE, 118_000, true);
				await scenario.timeline.advance(10_000);
				await scenario.poll();
			}
			await scenario.rounds(6, 8);
		},
	);

	tell('both clocks are set back between two polls', { clamps: false }, async (scenario) => {
		await scenario.rounds(3, 8);
		scenario.clocks.setN8n(-10 * MINUTE);
		scenario.clocks.setService(-5 * MINUTE);
		await write(scenario, 20, 5 * MINUTE);
		await scenario.poll();
		await scenario.rounds(4, 8);
	});

	tell('one of several triggers gets another account', { companions: 1 }, async (scenario) => {
		await scenario.join();
		scenario.rotateToken();
		await scenario.changeAccount();
		await scenario.changeAccount();
		await scenario.rounds(3, 8);
	});

	tell('the token is replaced while the service refuses the old one', {}, async (scenario) => {
		const { service, n8n } = scenario;
		await scenario.rounds(2, 8);
		service.revoked.add(n8n.options.access.token);
		await scenario.rounds(3, 8);
		expect(n8n.errors.length).toBeGreaterThan(0);
		scenario.rotateToken();
		await scenario.rounds(3, 8);
	});
}

/** Where n8n's jobs poll, which it abandons when they take too long. */
function inJobs(tell: Tell): void {
	for (const mode of ['durable', 'scheduled'] as const) {
		tell(
			`jobs with a state from before emit nothing twice (${mode})`,
			{ mode },
			async (scenario) => {
				scenario.service.latency = 3_000;
				for (let round = 0; round < 3; round++) {
					await write(scenario, 8, 70_000);
					for (let start = 0; start < 25; start++) {
						scenario.n8n.tick(0).catch(() => undefined);
						await scenario.timeline.advance(400);
					}
				}
			},
		);
	}

	tell('a poll that is cut, and one that is abandoned, lose nothing', {}, async (scenario) => {
		const { service, timeline, n8n } = scenario;
		const pollFor = async (ms: number) => {
			service.fastest = ms;
			await timeline.until(n8n.tick(0));
			await scenario.calm();
		};
		await write(scenario, 5, 10_000);
		await pollFor(20);
		// What this long ago became settled is not read again by the next pass.
		await write(scenario, 5, 5_000);
		await timeline.advance(300_000);
		await pollFor(20_000);
		// Later than n8n waits for.
		for (let polls = 3; polls > 0; polls--) await pollFor(50_000);
		await timeline.advance(70_000);
		await pollFor(20);
	});

	tell('a first poll that is abandoned loses nothing', {}, async (scenario) => {
		await scenario.timeline.advance(30_000);
		await write(scenario, 5, 20_000);
		scenario.upset('silent', 1);
		await scenario.timeline.until(scenario.n8n.tick(0));
		await scenario.changeLeader();
		await write(scenario, 5, 20_000);
		await scenario.changeLeader();
	});

	tell('a first reading is cut in a second that goes on', { inSeconds: true }, async (scenario) => {
		const { timeline, service } = scenario;
		await scenario.switchOff(false);
		scenario.n8n.cursor = undefined;
		scenario.inNextPoll(() => {
			service.limit = 5;
			service.latency = 20;
			// The job reads the list at the beginning of a second, which then goes on.
			const second = Math.ceil((timeline.now() + 1_000) / 1_000) * 1_000;
			const change = () => scenario.change({ isNew: true });
			for (let left = 12; left > 0; left--) timeline.at(second, change);
			for (let at = second; at < second + 1_000; at += 25) timeline.at(at, change);
		});
		await scenario.switchOn(true);
		await timeline.advance(60_000);
		await scenario.rounds(3, 4);
	});
}

export function runStories(world: World): void {
	const telling =
		(mode: Setting['mode']): Tell =>
		(name, setting, live) =>
			it(name, async () => {
				const { faults } = await story(world, world.usual, live, { mode, ...setting });
				expect(faults).toEqual([]);
			});
	describe.each(['default', 'durable', 'scheduled'] as const)('a story in the mode %s', (mode) =>
		inAnyMode(telling(mode)),
	);
	describe('a story of jobs', () => inJobs(telling('durable')));
}

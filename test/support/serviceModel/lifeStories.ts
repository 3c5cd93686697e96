import { Chance } from './chance';
import { exactly, found, story } from './history';
import type { Choice, Scenario, Setting, World } from './scenario';
import { rounds } from './rounds';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const YEAR = 365 * 24 * HOUR;

/** What happens to an installation in its first month, in each mode of n8n. */
export function lifeStories(world: World, choice: Choice): void {
	const holds = async (
		live: (scenario: Scenario) => Promise<void>,
		setting: Partial<Setting> = {},
	) => expect(found(await story(world, choice, live, setting))).toEqual(exactly);

	/** Something happens, and a minute later something is done before the next poll. */
	const between = async (scenario: Scenario, act: () => void | Promise<void>) => {
		scenario.changes(8, MINUTE);
		await scenario.timeline.advance(MINUTE);
		await act();
		await rounds(scenario, 2, 8);
	};

	/** A choice of another list. */
	const otherThan = ({ filter }: Choice): Choice => {
		const all = Array.from({ length: 50 }, (_, seed) => world.choose(new Chance(seed)));
		return all.find((each) => JSON.stringify(each.filter) !== JSON.stringify(filter))!;
	};

	const modes = [
		{ isDurable: false },
		{ isDurable: true },
		{ isDurable: false, isScheduled: true },
	];

	it('a first reading that a poll cuts for want of room loses nothing that is written later in the same second', async () => {
		await holds(
			async (scenario) => {
				const { timeline, service } = scenario;
				await scenario.switchOff(false);
				scenario.n8n.cursor = undefined;
				scenario.inNextPoll(() => {
					service.limit = 5;
					service.latency = 20;
					// The job reads the list at the beginning of a second, which then goes on.
					const second = Math.ceil((timeline.now() + 1_000) / 1_000) * 1_000;
					const write = () => scenario.change({ isNew: true });
					for (let left = 12; left > 0; left--) timeline.at(second, write);
					for (let at = second; at < second + 1_000; at += 25) timeline.at(at, write);
				});
				await scenario.switchOnAndRestart();
				await timeline.advance(60_000);
				await rounds(scenario, 3, 4);
			},
			{ isDurable: true, inSeconds: true },
		);
	});

	describe.each(modes)('the life of an installation, %o', (mode) => {
		it.each([0, 1])('an upgrade between two polls, after %s polls', async (polls) => {
			await holds(async (scenario) => {
				await rounds(scenario, polls, 8);
				await between(scenario, () => scenario.installation.install());
			}, mode);
		});

		it('an upgrade during a poll, with the next poll at the same time', async () => {
			await holds(async (scenario) => {
				const { service, timeline, installation } = scenario;
				await rounds(scenario, 1, 4);
				service.fastest = 10_000;
				scenario.changes(12, 5_000, 0, true);
				await timeline.advance(10_000);
				scenario.start().catch(() => undefined);
				await timeline.advance(5_000);
				installation.install();
				scenario.start().catch(() => undefined);
				await timeline.advance(20_000);
				await rounds(scenario, 1, 4);
			}, mode);
		});

		it.each([0, 1])(
			'uninstalled for some polls, and installed again, after %s polls',
			async (polls) => {
				await holds(async (scenario) => {
					await rounds(scenario, polls, 8);
					await between(scenario, async () => {
						scenario.installation.uninstall();
						await rounds(scenario, 2, 8);
						scenario.installation.install();
					});
				}, mode);
			},
		);

		it.each([0, 1, 2])('the node is renamed, after %s polls', async (polls) => {
			await holds(async (scenario) => {
				await rounds(scenario, polls, 8);
				await between(scenario, async () => await scenario.edit(scenario.choice, 'Other'));
				await between(scenario, async () => await scenario.edit(scenario.choice, 'Trigger'));
			}, mode);
		});

		it('the node is renamed, emits nothing, and gets its name back', async () => {
			await holds(async (scenario) => {
				await rounds(scenario, 2, 8);
				await scenario.edit(scenario.choice, 'Other');
				await rounds(scenario, 2, 0);
				await between(scenario, async () => await scenario.edit(scenario.choice, 'Trigger'));
			}, mode);
		});

		it('the node is renamed, and n8n restarted', async () => {
			await holds(async (scenario) => {
				await rounds(scenario, 2, 8);
				await between(scenario, async () => await scenario.edit(scenario.choice, 'Other'));
				await between(scenario, async () => await scenario.restart());
			}, mode);
		});

		it('events are added while another process leads', async () => {
			await holds(async (scenario) => {
				await scenario.edit({ ...choice, events: choice.events.slice(0, 1) });
				await rounds(scenario, 1, 8);
				await rounds(scenario, 4, 0);
				await scenario.changeLeader();
				await scenario.edit(choice);
				await between(scenario, async () => await scenario.changeLeader());
				await rounds(scenario, 1, 8);
			}, mode);
		});

		it.each(['edit', 'restart', 'nothing'] as const)(
			'the static data is emptied before: %s',
			async (then) => {
				await holds(async (scenario) => {
					await rounds(scenario, 2, 8);
					scenario.empty();
					if (then === 'edit') await scenario.edit(scenario.choice);
					else if (then === 'restart') await scenario.restart();
					await rounds(scenario, 3, 8);
				}, mode);
			},
		);

		it('the static data is emptied while another process leads than before', async () => {
			await holds(async (scenario) => {
				await rounds(scenario, 2, 8);
				await scenario.changeLeader();
				await rounds(scenario, 2, 8);
				scenario.empty();
				await rounds(scenario, 2, 0);
				await scenario.changeLeader();
				await rounds(scenario, 2, 8);
			}, mode);
		});

		it.each([10, 60, -10, -60])("n8n's clock is set by %s minutes", async (minutes) => {
			await holds(async (scenario) => {
				await rounds(scenario, 2, 4);
				for (const inPoll of [false, true]) {
					const set = () => scenario.clocks.setN8n((inPoll ? -minutes : minutes) * MINUTE);
					scenario.changes(20, 55_000);
					await scenario.timeline.advance(MINUTE);
					if (inPoll) scenario.inNextPoll(set);
					else set();
					await scenario.poll();
					await rounds(scenario, 4, 8);
				}
			}, mode);
		});

		it.each([
			{ minutes: -5, clamps: true },
			{ minutes: -5, clamps: false },
			{ minutes: 10, clamps: true },
		])("the service's clock is set: %o", async ({ minutes, clamps }) => {
			await holds(
				async (scenario) => {
					for (const inPoll of [false, true]) {
						const set = () => scenario.clocks.setService(minutes * MINUTE);
						await rounds(scenario, 8, 4);
						if (inPoll) scenario.inNextPoll(set);
						else set();
						await rounds(scenario, 4, 8);
					}
				},
				{ ...mode, clamps },
			);
		});

		it("the service's clock is set back shortly before the trigger is switched on", async () => {
			await holds(
				async (scenario) => {
					await scenario.switchOff(false);
					scenario.changes(12, MINUTE, 0, true);
					await scenario.timeline.advance(MINUTE);
					scenario.clocks.setService(-5 * MINUTE);
					await scenario.switchOn();
					await rounds(scenario, 6, 8);
				},
				{ ...mode, clamps: false },
			);
		});

		it("the service's clock is set back, and another list is read before anything tells of it", async () => {
			await holds(
				async (scenario) => {
					await rounds(scenario, 3, 8);
					scenario.changes(12, 2 * MINUTE, 0, true);
					await scenario.timeline.advance(2 * MINUTE);
					scenario.clocks.setService(-5 * MINUTE);
					scenario.changes(12, MINUTE, 0, true);
					await scenario.edit(otherThan(scenario.choice));
					for (let left = 6; left > 0; left--) {
						scenario.changes(12, MINUTE, 118_000, true);
						await scenario.timeline.advance(10_000);
						await scenario.poll();
					}
					await rounds(scenario, 6, 8);
				},
				{ ...mode, clamps: false, dateOffset: 600_000 },
			);
		});

		it('both clocks are set back between two polls', async () => {
			await holds(
				async (scenario) => {
					await rounds(scenario, 3, 8);
					scenario.clocks.setN8n(-10 * MINUTE);
					scenario.clocks.setService(-5 * MINUTE);
					scenario.changes(20, 4 * MINUTE, 0, true);
					await scenario.timeline.advance(5 * MINUTE);
					await scenario.poll();
					await rounds(scenario, 4, 8);
				},
				{ ...mode, clamps: false },
			);
		});

		it('events are added while a poll hangs', async () => {
			await holds(async (scenario) => {
				await scenario.edit({ ...choice, events: choice.events.slice(0, 1) });
				await rounds(scenario, 3, 0);
				scenario.upset('silent', 1);
				scenario.start().catch(() => undefined);
				await scenario.edit(choice);
				await rounds(scenario, 6, 8);
			}, mode);
		});

		it('one of several triggers gets another account, and its own again with a new token', async () => {
			await holds(
				async (scenario) => {
					await scenario.join();
					scenario.rotateToken();
					await scenario.changeAccount();
					await scenario.changeAccount();
					await rounds(scenario, 3, 8);
				},
				{ ...mode, companions: 1 },
			);
		});

		it('the token is replaced while the service refuses the old one', async () => {
			await holds(async (scenario) => {
				const { service, n8n } = scenario;
				await rounds(scenario, 2, 8);
				service.revoked.add(n8n.options.token);
				await rounds(scenario, 3, 8);
				expect(n8n.errors.length).toBeGreaterThan(0);
				scenario.rotateToken();
				await rounds(scenario, 3, 8);
			}, mode);
		});

		it.each([
			{ spread: 5_000, pageSize: 100 },
			{ spread: 120_000, pageSize: 100 },
			{ spread: 120_000, pageSize: 2 },
		])('servers whose clocks differ: %o', async (servers) => {
			await holds(
				async (scenario) => {
					await rounds(scenario, 12, 6);
					await scenario.switchOff(false);
					await scenario.switchOn();
					await rounds(scenario, 6, 6);
				},
				{ ...mode, ...servers, inSeconds: true },
			);
		});

		it.each([
			{ ms: 10 * MINUTE, count: 1 },
			{ ms: 3 * HOUR, count: 1 },
			{ ms: 2 * YEAR, count: 1 },
			{ ms: 2 * YEAR, count: 6 },
		])('records dated ahead hide no others: %o', async ({ ms, count }) => {
			await holds(async (scenario) => {
				await rounds(scenario, 2, 4);
				for (let left = count; left > 0; left--) scenario.change({ ahead: ms, isNew: true });
				await rounds(scenario, 8, 6);
			}, mode);
		});

		it('records dated ahead that are there when the trigger is switched on', async () => {
			await holds(async (scenario) => {
				for (let left = 6; left > 0; left--) scenario.change({ ahead: 2 * YEAR, isNew: true });
				await scenario.switchOff(false);
				await scenario.switchOn();
				await rounds(scenario, 8, 6);
			}, mode);
		});

		it.each(['first', 'last', 'low', 'high'] as const)(
			'more records without a time than a page holds, sorted %s',
			async (nulls) => {
				await holds(async (scenario) => await rounds(scenario, 6, 12), {
					...mode,
					nulls,
					without: 130,
					pageSize: 100,
				});
			},
		);

		it.each(['seconds', 'milliseconds'] as const)('times in epoch %s', async (times) => {
			await holds(async (scenario) => await rounds(scenario, 5, 8), { ...mode, times });
		});

		it('a list without one readable time is an error', async () => {
			await story(
				world,
				choice,
				async (scenario) => {
					await rounds(scenario, 2, 6);
					scenario.service.times = 'none';
					const before = scenario.n8n.errors.length;
					await rounds(scenario, 2, 6);
					expect(scenario.n8n.errors.length).toBeGreaterThan(before);
				},
				mode,
			);
		});

		it('several triggers of an account in one process', async () => {
			await holds(
				async (scenario) => {
					for (let left = 3; left > 0; left--) {
						await rounds(scenario, 2, 8);
						await scenario.join();
					}
					await rounds(scenario, 3, 8);
					await scenario.restart();
					await rounds(scenario, 3, 8);
				},
				{ ...mode, companions: 3 },
			);
		});
	});
}

import { Chance } from './chance';
import { type Live, story, tellIn } from './history';
import type { Choice, Scenario, Setting, World } from './scenario';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const YEAR = 365 * 24 * HOUR;

/** Something happens, and a minute later something is done before the next poll. */
async function between(scenario: Scenario, act: () => void | Promise<void>) {
	scenario.changes(8, MINUTE);
	await scenario.timeline.advance(MINUTE);
	await act();
	await scenario.rounds(2, 8);
}

/** What happens to an installation in its first month, in each mode of n8n. */
export function lifeStories(world: World, choice: Choice): void {
	/** A choice of another list. */
	const otherThan = ({ filter }: Choice): Choice => {
		const all = Array.from({ length: 50 }, (_, seed) => world.choose(new Chance(seed)));
		return all.find((each) => JSON.stringify(each.filter) !== JSON.stringify(filter))!;
	};
	const tellOf = tellIn(world, choice);

	tellOf(
		'a first reading that a poll cuts for want of room loses nothing that is written later in the same second',
		{ isDurable: true, inSeconds: true },
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
			await scenario.rounds(3, 4);
		},
	);

	const modes = [
		{ isDurable: false },
		{ isDurable: true },
		{ isDurable: false, isScheduled: true },
	];

	describe.each(modes)('the life of an installation, %o', (mode) => {
		const tellIf = (name: string, setting: Partial<Setting>, live: Live) =>
			tellOf(name, { ...mode, ...setting }, live);
		const tell = (name: string, live: Live) => tellIf(name, {}, live);

		for (const polls of [0, 1]) {
			tell(`an upgrade between two polls, after ${polls} polls`, async (scenario) => {
				await scenario.rounds(polls, 8);
				await between(scenario, () => scenario.installation.install());
			});

			tell(
				`uninstalled for some polls, and installed again, after ${polls} polls`,
				async (scenario) => {
					await scenario.rounds(polls, 8);
					await between(scenario, async () => {
						scenario.installation.uninstall();
						await scenario.rounds(2, 8);
						scenario.installation.install();
					});
				},
			);
		}

		tell('an upgrade during a poll, with the next poll at the same time', async (scenario) => {
			const { service, timeline, installation } = scenario;
			await scenario.rounds(1, 4);
			service.fastest = 10_000;
			scenario.changes(12, 5_000, 0, true);
			await timeline.advance(10_000);
			scenario.start().catch(() => undefined);
			await timeline.advance(5_000);
			installation.install();
			scenario.start().catch(() => undefined);
			await timeline.advance(20_000);
			await scenario.rounds(1, 4);
		});

		const renamed = async (scenario: Scenario, name: string) =>
			await between(scenario, async () => await scenario.edit(scenario.choice, name));

		for (const polls of [0, 1, 2]) {
			tell(`the node is renamed, after ${polls} polls`, async (scenario) => {
				await scenario.rounds(polls, 8);
				await renamed(scenario, 'Other');
				await renamed(scenario, 'Trigger');
			});
		}

		tell('the node is renamed, emits nothing, and gets its name back', async (scenario) => {
			await scenario.rounds(2, 8);
			await scenario.edit(scenario.choice, 'Other');
			await scenario.rounds(2, 0);
			await renamed(scenario, 'Trigger');
		});

		tell('the node is renamed, and n8n restarted', async (scenario) => {
			await scenario.rounds(2, 8);
			await renamed(scenario, 'Other');
			await between(scenario, async () => await scenario.restart());
		});

		tell('events are added while another process leads', async (scenario) => {
			await scenario.edit({ ...choice, events: choice.events.slice(0, 1) });
			await scenario.rounds(1, 8);
			await scenario.rounds(4, 0);
			await scenario.changeLeader();
			await scenario.edit(choice);
			await between(scenario, async () => await scenario.changeLeader());
			await scenario.rounds(1, 8);
		});

		for (const then of ['edit', 'restart', 'nothing']) {
			tell(`the static data is emptied before: ${then}`, async (scenario) => {
				await scenario.rounds(2, 8);
				scenario.empty();
				if (then === 'edit') await scenario.edit(scenario.choice);
				else if (then === 'restart') await scenario.restart();
				await scenario.rounds(3, 8);
			});
		}

		tell('the static data is emptied while another process leads than before', async (scenario) => {
			await scenario.rounds(2, 8);
			await scenario.changeLeader();
			await scenario.rounds(2, 8);
			scenario.empty();
			await scenario.rounds(2, 0);
			await scenario.changeLeader();
			await scenario.rounds(2, 8);
		});

		for (const minutes of [10, 60, -10, -60]) {
			tell(`n8n's clock is set by ${minutes} minutes`, async (scenario) => {
				await scenario.rounds(2, 4);
				for (const inPoll of [false, true]) {
					const set = () => scenario.clocks.setN8n((inPoll ? -minutes : minutes) * MINUTE);
					scenario.changes(20, 55_000);
					await scenario.timeline.advance(MINUTE);
					if (inPoll) scenario.inNextPoll(set);
					else set();
					await scenario.poll();
					await scenario.rounds(4, 8);
				}
			});
		}

		for (const [minutes, clamps] of [
			[-5, true],
			[-5, false],
			[10, true],
		] as const) {
			const name = `the service's clock is set by ${minutes} minutes (clamps: ${clamps})`;
			tellIf(name, { clamps }, async (scenario) => {
				for (const inPoll of [false, true]) {
					const set = () => scenario.clocks.setService(minutes * MINUTE);
					await scenario.rounds(8, 4);
					if (inPoll) scenario.inNextPoll(set);
					else set();
					await scenario.rounds(4, 8);
				}
			});
		}

		tellIf(
			"the service's clock is set back shortly before the trigger is switched on",
			{ clamps: false },
			async (scenario) => {
				await scenario.switchOff(false);
				scenario.changes(12, MINUTE, 0, true);
				await scenario.timeline.advance(MINUTE);
				scenario.clocks.setService(-5 * MINUTE);
				await scenario.switchOn();
				await scenario.rounds(6, 8);
			},
		);

		tellIf(
			"the service's clock is set back, and another list is read before anything tells of it",
			{ clamps: false, dateOffset: 600_000 },
			async (scenario) => {
				await scenario.rounds(3, 8);
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
				await scenario.rounds(6, 8);
			},
		);

		tellIf('both clocks are set back between two polls', { clamps: false }, async (scenario) => {
			await scenario.rounds(3, 8);
			scenario.clocks.setN8n(-10 * MINUTE);
			scenario.clocks.setService(-5 * MINUTE);
			scenario.changes(20, 4 * MINUTE, 0, true);
			await scenario.timeline.advance(5 * MINUTE);
			await scenario.poll();
			await scenario.rounds(4, 8);
		});

		tell('events are added while a poll hangs', async (scenario) => {
			await scenario.edit({ ...choice, events: choice.events.slice(0, 1) });
			await scenario.rounds(3, 0);
			scenario.upset('silent', 1);
			scenario.start().catch(() => undefined);
			await scenario.edit(choice);
			await scenario.rounds(6, 8);
		});

		tellIf(
			'one of several triggers gets another account, and its own again with a new token',
			{ companions: 1 },
			async (scenario) => {
				await scenario.join();
				scenario.rotateToken();
				await scenario.changeAccount();
				await scenario.changeAccount();
				await scenario.rounds(3, 8);
			},
		);

		tell('the token is replaced while the service refuses the old one', async (scenario) => {
			const { service, n8n } = scenario;
			await scenario.rounds(2, 8);
			service.revoked.add(n8n.options.token);
			await scenario.rounds(3, 8);
			expect(n8n.errors.length).toBeGreaterThan(0);
			scenario.rotateToken();
			await scenario.rounds(3, 8);
		});

		for (const [spread, pageSize] of [
			[5_000, 100],
			[120_000, 100],
			[120_000, 2],
		] as const) {
			const name = `servers whose clocks differ by ${spread} ms, with ${pageSize} records a page`;
			tellIf(name, { spread, pageSize, inSeconds: true }, async (scenario) => {
				await scenario.rounds(12, 6);
				await scenario.switchOff(false);
				await scenario.switchOn();
				await scenario.rounds(6, 6);
			});
		}

		for (const [ms, count] of [
			[10 * MINUTE, 1],
			[3 * HOUR, 1],
			[2 * YEAR, 1],
			[2 * YEAR, 6],
		] as const) {
			tell(`${count} records dated ${ms} ms ahead hide no others`, async (scenario) => {
				await scenario.rounds(2, 4);
				for (let left = count; left > 0; left--) scenario.change({ ahead: ms, isNew: true });
				await scenario.rounds(8, 6);
			});
		}

		tell('records dated ahead that are there when the trigger is switched on', async (scenario) => {
			for (let left = 6; left > 0; left--) scenario.change({ ahead: 2 * YEAR, isNew: true });
			await scenario.switchOff(false);
			await scenario.switchOn();
			await scenario.rounds(8, 6);
		});

		for (const nulls of ['first', 'last', 'low', 'high'] as const) {
			const name = `more records without a time than a page holds, sorted ${nulls}`;
			tellIf(name, { nulls, without: 130, pageSize: 100 }, async (scenario) =>
				scenario.rounds(6, 12),
			);
		}

		for (const times of ['seconds', 'milliseconds'] as const) {
			tellIf(`times in epoch ${times}`, { times }, async (scenario) => scenario.rounds(5, 8));
		}

		it('a list without one readable time is an error', async () => {
			const live = async (scenario: Scenario) => {
				await scenario.rounds(2, 6);
				scenario.service.times = 'none';
				const before = scenario.n8n.errors.length;
				await scenario.rounds(2, 6);
				expect(scenario.n8n.errors.length).toBeGreaterThan(before);
			};
			await story(world, choice, live, mode);
		});

		tellIf('several triggers of an account in one process', { companions: 3 }, async (scenario) => {
			for (let left = 3; left > 0; left--) {
				await scenario.rounds(2, 8);
				await scenario.join();
			}
			await scenario.rounds(3, 8);
			await scenario.restart();
			await scenario.rounds(3, 8);
		});
	});
}

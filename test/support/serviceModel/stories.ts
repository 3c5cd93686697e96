import { exactly, found, type Live, story, tellIn } from './history';
import { lifeStories } from './lifeStories';
import type { Choice, Scenario, World } from './scenario';

/** How many events there are that time alone does not bring about. */
const changesIn = (events: string[]) =>
	events.filter((event) => !['expiresSoon', 'backupOverdue'].includes(event)).length;

/** The histories that every trigger once got wrong, in both modes of n8n. */
export function commonStories(world: World, choice: Choice, burst: number): void {
	const tellIf = tellIn(world, choice);

	describe.each([{ isDurable: false }, { isDurable: true }])('written out, %o', (mode) => {
		const tell = (name: string, live: Live) => tellIf(name, mode, live);

		tell('overlapping polls emit nothing twice', async (scenario) => {
			scenario.service.latency = 20_000;
			for (let round = 0; round < 6; round++) {
				scenario.changes(8, 5_000, 0, true);
				await scenario.timeline.advance(10_000);
				scenario.start().catch(() => undefined);
			}
		});

		for (const kind of ['html', 'empty', 'cut', 'endless'] as const) {
			tell(`a wrong response (${kind}) does not move the cursor`, async (scenario) =>
				scenario.rounds(4, 10, (round) => scenario.upset(kind, 1 + round * 2)),
			);
		}

		for (const dateOffset of [600_000, -600_000, undefined]) {
			const name = `a Date header that is off by ${dateOffset} ms`;
			tellIf(name, { ...mode, dateOffset }, async (scenario) => scenario.rounds(8, 6));
		}

		tellIf(
			'a burst in one second',
			{ ...mode, pageSize: 100, inSeconds: true },
			async (scenario) => {
				scenario.changes(burst, 0, 0, true);
				await scenario.timeline.advance(1_000);
				await scenario.rounds(2, 5);
			},
		);

		it.each([3, 12, 25, 33])(
			'full pages of one second and others behind them, with %i s a request',
			async (seconds) => {
				let told = 0;
				const live = async (scenario: Scenario) => {
					const { service, timeline, n8n } = scenario;
					scenario.changes(20, 0, 0, true);
					await timeline.advance(1_000);
					scenario.changes(6, 5_000, 0, true);
					await timeline.advance(10_000);
					service.fastest = seconds * 1_000;
					for (let poll = 0; poll < 100; poll++) {
						await scenario.poll();
						await scenario.calm();
						await timeline.advance(60_000);
					}
					told = changesIn(n8n.executions.flat().map(({ event }) => String(event)));
				};
				const setting = { ...mode, pageSize: 10, inSeconds: true };
				const verdict = await story(world, choice, live, setting);
				expect(found(verdict)).toEqual(exactly);
				// Nothing had to wait for the service to be fast again.
				expect(changesIn(verdict.events)).toBe(told);
			},
		);

		tell('another process leads, and then the first again', async (scenario) => {
			for (let round = 0; round < 4; round++) {
				await scenario.changeLeader();
				await scenario.rounds(1, 6);
			}
		});

		tell('an edit during a poll that n8n then discards loses nothing', async (scenario) => {
			scenario.service.latency = 20_000;
			scenario.changes(40, 0, 0, true);
			await scenario.timeline.advance(1_000);
			scenario.start().catch(() => undefined);
			await scenario.edit(scenario.choice);
			await scenario.rounds(1, 5);
		});

		tell('an event that is added or removed leaves the others unchanged', async (scenario) => {
			const [first, ...rest] = choice.events;
			for (const events of [[first!], choice.events, rest.length > 0 ? rest : [first!]]) {
				scenario.changes(12, 30_000);
				await scenario.timeline.advance(60_000);
				await scenario.edit({ ...scenario.choice, events });
				await scenario.rounds(1, 12);
			}
		});
	});

	for (const mode of [{ isDurable: true }, { isScheduled: true }]) {
		const name = 'jobs with a state from before the last one was handed on emit nothing twice';
		tellIf(`${name}, ${JSON.stringify(mode)}`, mode, async (scenario) => {
			scenario.service.latency = 3_000;
			for (let round = 0; round < 3; round++) {
				scenario.changes(8, 5_000, 0, true);
				await scenario.timeline.advance(70_000);
				for (let start = 0; start < 25; start++) {
					scenario.n8n.tick(0).catch(() => undefined);
					await scenario.timeline.advance(400);
				}
			}
		});
	}

	tellIf(
		'a poll that is cut, and one that continues from there and is abandoned, lose nothing',
		{ isDurable: true },
		async (scenario) => {
			const { service, timeline, n8n } = scenario;
			const pollFor = async (ms: number) => {
				service.fastest = ms;
				await timeline.until(n8n.tick(0));
				await scenario.calm();
			};
			scenario.changes(5, 3_000, 0, true);
			await timeline.advance(10_000);
			await pollFor(20);
			scenario.changes(5, 5_000, 0, true);
			// What this long ago became settled is not read again by the next pass.
			await timeline.advance(300_000);
			await pollFor(20_000);
			// Later than n8n waits for.
			for (let polls = 3; polls > 0; polls--) await pollFor(50_000);
			await timeline.advance(70_000);
			await pollFor(20);
		},
	);

	tellIf(
		'a first durable poll that is abandoned loses nothing',
		{ isDurable: true },
		async (scenario) => {
			await scenario.timeline.advance(30_000);
			scenario.changes(5, 10_000, 0, true);
			await scenario.timeline.advance(20_000);
			scenario.upset('silent', 1);
			await scenario.timeline.until(scenario.n8n.tick(0));
			await scenario.changeLeader();
			scenario.changes(5, 10_000, 0, true);
			await scenario.timeline.advance(20_000);
			await scenario.changeLeader();
		},
	);

	lifeStories(world, choice);
}

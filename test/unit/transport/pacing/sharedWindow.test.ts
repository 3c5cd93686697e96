import { GOALS, playAll, SCENES } from '../../../bench/sharing';
import { play } from '../../../bench/simulation';
import { casesOf } from '../../../support/effort';

/** How well processes share an account that know of each other by the service's counts only; in virtual time. */

const RUNS = casesOf('RUNS', { quick: 5, long: 20 });
const even = SCENES['the same for each']!;

const all = Object.keys(GOALS).flatMap((processes) =>
	Object.keys(SCENES).map((name) => ({ processes: Number(processes), name })),
);

it.each(all)('$processes processes: $name', async ({ processes, name }) => {
	const { failed, refused, over } = await playAll(SCENES[name]!, processes, RUNS);
	const most = GOALS[processes]!;
	expect(failed).toBe(0);
	expect(refused.mean).toBeLessThanOrEqual(most.refused);
	expect(over.mean).toBeLessThanOrEqual(most.over);
});

it.each(Object.keys(SCENES))('one process alone is refused nothing: %s', async (name) => {
	const { failed, refused, over } = await playAll(SCENES[name]!, 1, RUNS);
	expect(failed).toBe(0);
	expect(refused.worst).toBeLessThanOrEqual(0.1);
	expect(over.mean).toBeLessThanOrEqual(5);
});

it.each([2, 4])('none of %s processes with as much to do gets far less', async (processes) => {
	const { firstEnd } = await playAll(even, processes, RUNS);
	expect(firstEnd).toBeGreaterThan(0.4);
});

it.each(Object.keys(GOALS).map(Number))(
	'the limit divided by Requests per Minute: %s processes are refused nothing, and use it to its end',
	async (processes) => {
		// Of 200 places only 192 can be divided by sixteen.
		const cap = Math.floor(200 / processes);
		for (const name of ['the same for each', 'answers after 5 ms to 2 s']) {
			const divided = (...of: Parameters<typeof even>) => ({ ...SCENES[name]!(...of), cap });
			const played = await playAll(divided, processes, RUNS);
			expect(played).toMatchObject({ failed: 0, refused: { worst: 0 } });
			expect(played.over.mean).toBeLessThanOrEqual(GOALS[processes]!.over);
		}
	},
);

it('what comes at once beside others that leave enough is not held back', async () => {
	const times = (count: number, from: number, apart: number) =>
		Array.from({ length: count }, (_, index) => from + index * apart);
	const burstAt = 330_000;
	const load = { at: [...times(15, 5_000, 20_000), ...times(100, burstAt, 0)] };
	for (let seed = 1; seed <= RUNS; seed++) {
		const others = times(700, 0, 600);
		const roundTrip: [number, number] = [40, 80];
		const scene = { loads: [load], windowMs: 60_000, roundTrip, others };
		const { seconds, refused } = await play(scene, seed);
		expect(refused).toBe(0);
		expect(seconds).toBeLessThan(burstAt / 1000 + 10);
	}
});

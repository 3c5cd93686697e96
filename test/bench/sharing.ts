import { Random } from '../../sandbox/service/engine/random';
import type { Row } from './lib';
import { play, type Load, type Scene } from './simulation';

/** Makes a scene for so many processes, as far as it is not as usual. */
type Make = (processes: number, random: Random) => Partial<Scene> & Pick<Scene, 'loads'>;

/** The most that may be refused, and that it may take over the least time, in percent of it. */
const GOAL = { refused: 3, over: 10 };

const REQUESTS = 2_000;
const usual: Omit<Scene, 'loads'> = { windowMs: 60_000, roundTrip: [40, 80] };

const loads = (processes: number, load: (index: number) => Load): Load[] =>
	Array.from({ length: processes }, (_, index) => load(index));
const atTime = (count: number, at = 0) => Array.from({ length: Math.ceil(count) }, () => at);

/** The same number for each, together ten full windows: not a single place may be left over. */
const even = (processes: number) => loads(processes, () => ({ at: atTime(REQUESTS / processes) }));

/** A number for each that fills no window exactly. */
const any = (processes: number, random: Random) =>
	loads(processes, () => ({ at: atTime(random.integer(1_200, 4_000) / processes) }));

/** Somebody who sends up to forty requests now and then. */
function bursts(random: Random): number[] {
	const at: number[] = [];
	for (let time = 0; time < 600_000; time += random.integer(5_000, 60_000)) {
		for (let left = random.integer(1, 40); left > 0; left--) at.push(time + left * 30);
	}
	return at;
}

const SCENES: Record<string, Make> = {
	'the same for each': (processes) => ({ loads: even(processes) }),
	'any number for each': (processes, random) => ({ loads: any(processes, random) }),
	'answers after 5 ms': (processes) => ({ roundTrip: [4, 8], loads: even(processes) }),
	'answers after 0.4 to 2 s': (processes) => ({ roundTrip: [400, 2_000], loads: even(processes) }),
	'answers after 5 ms to 2 s': (processes) => ({ roundTrip: [5, 2_000], loads: even(processes) }),
	'one with much, others with little': (processes, random) => ({
		loads: loads(processes, (index) => ({
			at: atTime(index === 0 ? random.integer(1_500, 2_500) : random.integer(10, 100)),
		})),
	}),
	'different beginnings and ends': (processes, random) => ({
		loads: loads(processes, () => ({
			at: atTime(random.integer(1_000, 3_000) / processes, random.integer(0, 300_000)),
		})),
	}),
	'one request after the other': (processes, random) => ({
		loads: any(processes, random).map((load) => ({ ...load, atOnce: 1 })),
	}),
	'every other process is restarted': (processes, random) => ({
		loads: any(processes, random).map((load, index) =>
			index % 2 ? load : { ...load, endsAt: random.integer(1_000, 300_000) },
		),
	}),
	'a person working as well': (processes, random) => ({
		loads: any(processes, random),
		others: bursts(random),
	}),
	'a hundredth without an answer': (processes, random) => ({
		lost: 0.01,
		loads: any(processes, random),
	}),
};

/** Plays scenes of a kind, one for each seed. What they come to is in percent. */
async function playAll(make: Make, processes: number) {
	const played = [];
	for (let seed = 1; seed <= RUNS; seed++) {
		played.push(await play({ ...usual, ...make(processes, new Random(seed)) }, seed));
	}
	return {
		failed: played.reduce((sum, { failed }) => sum + failed, 0),
		refused: meanAndWorst(played.map(({ refused, sent }) => (100 * refused) / sent)),
		over: meanAndWorst(played.map((each) => 100 * (each.seconds / each.leastSeconds - 1))),
	};
}

/** The mean of all runs, and the worst of them. */
const meanAndWorst = (values: number[]) => ({
	mean: values.reduce((sum, value) => sum + value, 0) / values.length,
	worst: Math.max(...values),
});

const RUNS = Number(process.env.RUNS ?? 10);

/** How well several processes share an account, in virtual time. */
export async function sharing(): Promise<Row[]> {
	const rows: Row[] = [];
	for (const processes of [2, 4]) {
		for (const [name, make] of Object.entries(SCENES)) {
			const { failed, refused, over } = await playAll(make, processes);
			rows.push({
				what: `${processes} sharing an account, ${name}`,
				here: { failed, refusedPercent: refused.mean, overPercent: over.mean },
				beside: {
					name: `the worst of ${RUNS} runs`,
					values: { refusedPercent: refused.worst, overPercent: over.worst },
				},
				goal: {
					text: `0 failed, at most ${GOAL.refused} % refused, ${GOAL.over} % over the least time`,
					met: failed === 0 && refused.mean <= GOAL.refused && over.mean <= GOAL.over,
				},
			});
		}
	}
	return rows;
}

import { clock } from '../../nodes/shared/lib';
import { exchange } from '../../nodes/shared/client/exchange';
import { Limiter, MAX_IN_FLIGHT } from '../../nodes/shared/client/limiter';
import { Random } from '../../sandbox/service/engine/random';
import { ModelService, type Weather } from '../support/modelService';
import { VirtualTime } from '../support/virtualTime';

/** Processes that share an account, each with a limiter of its own, in virtual time. */

const LIMIT = 200;

/** Until a process that has ended is there again. */
const RESTART_MS = 3_000;

export interface Load {
	/** When its requests come up, in milliseconds. */
	at: number[];
	/** How many of them it asks for at the same time; changes of a run go one by one. */
	atOnce?: number;
	/** When it ends, and another begins with what it has left. */
	endsAt?: number;
}

export interface Scene {
	loads: Load[];
	windowMs: number;
	/** The shortest and the longest time from a request to its answer, in milliseconds. */
	roundTrip: [min: number, max: number];
	/** The share of requests without an answer; some of them are counted. */
	lost?: number;
	/** When somebody else sends a request, whatever the service has answered before. */
	others?: number[];
}

/** Plays a scene; the same seed gives the same. */
export async function play(scene: Scene, seed: number) {
	const random = new Random(seed);
	const time = new VirtualTime();
	const real = { ...clock };
	const realRandom = Math.random;
	Object.assign(clock, { now: time.now, steady: time.now, sleep: time.sleep, guard: time.sleep });
	Math.random = () => random.next();
	try {
		const service = new ModelService(time, {
			limit: LIMIT,
			windowMs: scene.windowMs,
			weather: () => weather(scene, random),
		});
		for (const at of scene.others ?? []) time.at(at, () => service.foreign());
		const processes = scene.loads.map((load) => new Process(load, time, service));
		await time.run();
		const ours = service.arrivals.filter(({ who }) => who !== 'others');
		const ends = processes.map(({ endedAt }) => endedAt / 1000);
		return {
			/** Requests of the processes that the service has seen. */
			sent: ours.length,
			refused: ours.filter(({ status }) => status === 429).length,
			/** Requests that ended in an error. */
			failed: processes.reduce((sum, { failed }) => sum + failed, 0),
			seconds: Math.max(...ends),
			/** What the same would take if everybody knew everything. */
			leastSeconds: leastMs(scene) / 1000,
		};
	} finally {
		Math.random = realRandom;
		Object.assign(clock, real);
	}
}

/** Short times are as likely as long ones, and answers overtake each other. */
function weather({ roundTrip: [min, max], lost = 0 }: Scene, random: Random): Weather {
	const trip = min * (max / min) ** random.next();
	const there = trip * (0.2 + 0.6 * random.next());
	const fault = random.chance(lost) && random.pick(['droppedBefore', 'droppedAfter'] as const);
	return { thereMs: there, backMs: trip - there, ...(fault && { fault }) };
}

class Process {
	failed = 0;
	endedAt = 0;
	private limiter = new Limiter();
	private life = new AbortController();
	private readonly flow = {};
	private ready = 0;
	private busy = 0;

	constructor(
		private readonly load: Load,
		private readonly time: VirtualTime,
		private readonly service: ModelService,
	) {
		for (const at of load.at) time.at(at, () => this.come(1));
		if (load.endsAt !== undefined) time.at(load.endsAt, () => this.restart());
	}

	private come(requests: number): void {
		this.ready += requests;
		const { atOnce = Infinity } = this.load;
		while (this.ready > 0 && this.busy < atOnce) {
			this.ready -= 1;
			this.busy += 1;
			void this.send(this.life.signal);
		}
	}

	private async send(signal: AbortSignal): Promise<void> {
		const attempt = async () => await this.service.send('process');
		const turn = { flow: this.flow, signal };
		const outcome = await exchange(this.limiter, 'GET', turn, attempt).catch(() => undefined);
		if (signal.aborted) return;
		if (!outcome || !('answer' in outcome) || outcome.answer.statusCode !== 200) this.failed += 1;
		this.endedAt = this.time.now();
		this.busy -= 1;
		this.come(0);
	}

	/** What is under way is asked for once more, by a process that knows nothing. */
	private restart(): void {
		this.life.abort(new Error('The process has ended'));
		const left = this.busy;
		this.life = new AbortController();
		this.limiter = new Limiter();
		this.time.at(this.time.now() + RESTART_MS, () => {
			this.busy = 0;
			this.come(left);
		});
	}
}

/** When all could be answered at the earliest: each window is full, and the next begins at its end. */
function leastMs({ loads, windowMs, roundTrip: [min, max], others = [] }: Scene): number {
	const trip = (max - min) / Math.log(max / min);
	const own = loads.flatMap(({ at }) => at.map((when) => ({ when, waits: true })));
	const all = [...own, ...others.map((when) => ({ when, waits: false }))];
	let [start, used, last, together] = [-Infinity, 0, 0, 0];
	for (const { when, waits } of all.sort((a, b) => a.when - b.when)) {
		let now = waits ? Math.max(when, last) : when;
		if (now < start + windowMs && used >= LIMIT) {
			if (!waits) continue;
			now = start + windowMs;
		}
		if (now >= start + windowMs) [start, used] = [now, 0];
		used += 1;
		if (!waits) continue;
		together = now > last ? 1 : together + 1;
		last = now;
	}
	// No process is faster than its requests, one after the other.
	const alone = loads.map(({ at, atOnce = MAX_IN_FLIGHT }) => {
		const rounds = at.length / Math.min(atOnce, MAX_IN_FLIGHT);
		return at[0]! + rounds * trip;
	});
	return Math.max(last + Math.ceil(together / (MAX_IN_FLIGHT * loads.length)) * trip, ...alone);
}

import { setTimeout as pause } from 'node:timers/promises';
import { waitFor } from '../../sandbox/lib/wait';
import { setLiving } from '../../sandbox/service/engine/living';
import type { Faults } from '../../sandbox/service/http/faults';
import { casesOf } from '../support/effort';
import { startTestN8n, type Execution } from '../support/n8n';
import {
	begunByKey,
	endLiving,
	everythingHasCome,
	inEachMode,
	leaveConnectionsAlone,
	live,
	missing,
	modes,
	readExecutions,
	reconnect,
	scheduleUpdates,
	setFaults,
	SPEED,
	startWatch,
	stopWatch,
	switchTriggersOn,
	tasksHaveEnded,
	watched,
	workflowId,
	type Watch,
} from '../support/watchedTriggers';

/**
 * The triggers in a real n8n, on a fleet that lives sixty times as fast and a service that fails now and then, and
 * is sometimes slower than the time between two polls. n8n is killed in the middle. What the service has in the end is
 * the list of what must have been emitted. `MINUTES=10` makes it a long run, with a restart in good order as well; so
 * does `LONG=1`.
 */

const MINUTES = casesOf('MINUTES', { quick: 1, long: 10 });
const LIVING_MS = MINUTES * 60_000;
/** From here on there is time for a second restart. */
const LONG_MINUTES = 5;
const START_TIMEOUT_MS = 15 * 60_000;
/** Until all that has begun is over and has come. */
const QUIET_TIMEOUT_MS = 10 * 60_000;
const COMES_WITHIN_MS = 120_000;
/** From one thing that the test itself lets happen to the next. */
const BEAT_MS = 5_000;
/** Between two polls. */
const POLL_EVERY_S = 5;
/** Around the kill, in which n8n may hand over again what it had not yet noted as handed over. */
const KILL_MS = 10_000;
/** After a moment of polling, when most polls have handed over what they have found. */
const QUIET_MS = 3_500;

/** From the beginning on: what a poll gets over by itself. */
const lightFaults: Faults = {
	latency: { ms: 5, upTo: 150 },
	server_errors: { rate: 0.04 },
	dropped_before: { rate: 0.03 },
	dropped_after: { rate: 0.02 },
	rate_limited: { rate: 0.02 },
};

/** Once the triggers are on: polls that last longer than the time until the next one, and answers that come late. */
const slowness: Faults = {
	latency: { ms: 1_000, upTo: 8_000, rate: 0.2, method: 'GET' },
	slow_bodies: { ms: 7_000, rate: 0.03, method: 'GET' },
};

const wrongKinds = ['html', 'empty', 'truncated', 'shape'] as const;
const WRONG_RATE = 0.04;

interface Account extends Watch {
	mode: string;
	/** When the first trigger was switched on, and when all of them were, by the service's clock. */
	switchedOn: string;
	begun: string;
	killedAt: number;
	/** The same by the service's clock, and from when on a poll may have found what it was about to hand over. */
	killed: { from: string; until: string };
}

async function startAccount(mode: string): Promise<Account> {
	const n8n = await startTestN8n(`e2e-triggers-${mode}`, modes[mode]);
	return {
		...(await startWatch(n8n, { faults: lightFaults })),
		mode,
		switchedOn: '',
		begun: '',
		killedAt: 0,
		killed: { from: '', until: '' },
	};
}

/** The restarts, spread over the time. */
async function restart(account: Account) {
	const stops = MINUTES < LONG_MINUTES ? ['kill' as const] : ['kill' as const, 'stop' as const];
	const between = LIVING_MS / (stops.length + 1);
	for (const how of stops) {
		await pause(between);
		// In default mode n8n forgets with the kill what states were, unless a poll has told of a change.
		await waitFor(
			'the first connections',
			async () => (emitted(account, 'connections').byKey.size > 0 ? true : undefined),
			COMES_WITHIN_MS,
		).catch(() => undefined);
		const tickMs = POLL_EVERY_S * 1_000;
		await pause((tickMs + QUIET_MS - (Date.now() % tickMs)) % tickMs);
		if (how === 'kill') noteKill(account);
		await account.n8n[how]();
		// Its own recovery ends it when an execution was made and not begun; only the next start gets over that.
		account.n8n = await account.n8n.again().catch(async () => await account.n8n.again());
	}
	await pause(between);
}

function noteKill(account: Account) {
	const { world } = account.service;
	account.killedAt = Date.now();
	account.killed = {
		from: world.timestamp(world.now - 2 * KILL_MS * SPEED),
		until: world.timestamp(),
	};
}

interface Emitted {
	byKey: Map<string, Execution[]>;
	failed: number;
	cutOff: number;
}

const emitted = (account: Account, name: string): Emitted => {
	const all = account.executions[name] ?? [];
	const withStatus = (wanted: string) => all.filter(({ status }) => status === wanted).length;
	const byKey = begunByKey(account, name);
	return { byKey, failed: withStatus('error'), cutOff: withStatus('crashed') };
};

/**
 * What n8n may have lost itself: in default mode it saves that a poll has handed events over before it creates the
 * execution, and a kill between the two loses them.
 */
function lostByKill(account: Account, name: string): string[] {
	if (account.mode !== 'default') return [];
	const { happened } = watched[name]!;
	const after = new Set(happened(account, account.killed.until));
	return happened(account, account.killed.from).filter((key) => !after.has(key));
}

/** All of it, from switching the triggers on to when nothing more is to come. */
async function watch(account: Account) {
	const { world } = account.service;
	account.switchedOn = world.timestamp();
	await switchTriggersOn(account, { everySeconds: POLL_EVERY_S });
	account.begun = world.timestamp();
	await scheduleUpdates(account, MINUTES);
	setLiving(world, true);
	leaveConnectionsAlone(account);
	await setFaults(account, slowness);
	let isOver = false;
	const restarts = restart(account).finally(() => (isOver = true));
	// Of one kind at a time.
	const answerWrongly = async (beat: number) => {
		const kind = wrongKinds[beat % wrongKinds.length]!;
		await setFaults(account, { wrong_answers: { kind, rate: WRONG_RATE, method: 'GET' } });
	};
	await Promise.all([live(account, BEAT_MS, () => isOver, answerWrongly), restarts]);

	endLiving(account);
	await setFaults(account, undefined);
	await tasksHaveEnded(account, COMES_WITHIN_MS);
	await everythingHasCome(account, account.begun, COMES_WITHIN_MS);
	reconnect(account);
	await everythingHasCome(account, account.begun, COMES_WITHIN_MS);
	// A few polls more: none of them must find anything again.
	await pause(3.2 * POLL_EVERY_S * 1_000);
	await readExecutions(account, ...Object.keys(watched));
}

interface Figures {
	happened: number;
	twice: string[];
	missing: string[];
	madeUp: string[];
}

function figures(account: Account, name: string): Figures {
	const { byKey, failed, cutOff } = emitted(account, name);
	const happened = watched[name]!.happened(account, account.begun);
	// What happens by itself while the triggers are switched on comes, or is part of a baseline.
	const isKnown = new Set(watched[name]!.happened(account, account.switchedOn));
	const twice = [...byKey].filter(([, found]) => found.length > 1);
	// n8n itself hands over again what it had not yet noted as handed over when it was killed.
	const again = twice.filter(([, found]) =>
		found.some(({ startedAt }) => Math.abs(Date.parse(startedAt) - account.killedAt) < KILL_MS),
	);
	const missed = missing(account, name, account.begun);
	const ofKill = lostByKill(account, name);
	const lost = missed.filter((key) => ofKill.includes(key));
	const found: Figures = {
		happened: happened.length,
		twice: twice.filter((each) => !again.includes(each)).map(([key]) => key),
		missing: missed.filter((key) => !lost.includes(key)),
		madeUp: [...byKey.keys()].filter((key) => !isKnown.has(key)),
	};
	const told = [
		`${happened.length} events`,
		`${byKey.size} handed over in ${account.executions[name]!.length} executions`,
		`${failed} failed polls`,
		`${cutOff} cut off`,
		`${again.length} twice because of the kill`,
		`${lost.length} lost by it`,
		`${found.twice.length} twice`,
		`${found.missing.length} missing`,
		`${found.madeUp.length} made up`,
	];
	process.stdout.write(`${account.mode} ${name}: ${told.join(', ')}\n`);
	return found;
}

/** Why polls failed, and how often: wrong answers are the one reason that is to be expected. */
function failuresOf({ mode, executions }: Account): string[] {
	const counts = new Map<string, number>();
	for (const { status, data } of Object.values(executions).flat()) {
		if (status !== 'error') continue;
		const message = data.resultData.error?.message ?? 'no message';
		counts.set(message, (counts.get(message) ?? 0) + 1);
	}
	for (const [message, count] of counts) {
		process.stdout.write(`${mode}: ${count} polls failed with: ${message.slice(0, 100)}\n`);
	}
	return [...counts.keys()];
}

interface Outcome {
	figures: Record<string, Figures>;
	/** The workflows for which n8n keeps what the trigger has seen in a table of its own. */
	durable: string[];
	/** The different messages of failed polls. */
	failures: string[];
}

async function outcomeOf(account: Account): Promise<Outcome> {
	await watch(account);
	const durable = account.n8n.query(
		`SELECT workflowId FROM poller_state WHERE "cursor" <> '{}' ORDER BY workflowId`,
	);
	const names = Object.keys(watched);
	return {
		figures: Object.fromEntries(names.map((name) => [name, figures(account, name)])),
		durable: durable.map((row) => String(row.workflowId)),
		failures: failuresOf(account),
	};
}

/** Those that run. */
const accounts = new Set<Account>();
let outcomes: Record<string, PromiseSettledResult<Outcome>> = {};

async function stop(account: Account) {
	accounts.delete(account);
	await stopWatch(account);
}

beforeAll(
	async () => {
		outcomes = await inEachMode(async (mode) => {
			const account = await startAccount(mode);
			accounts.add(account);
			return await outcomeOf(account).finally(async () => await stop(account));
		});
	},
	START_TIMEOUT_MS + 2 * (LIVING_MS + QUIET_TIMEOUT_MS),
);

afterAll(async () => void (await Promise.all([...accounts].map(stop))), START_TIMEOUT_MS);

describe.each(Object.keys(modes))('in %s mode', (mode) => {
	const outcome = () => {
		const found = outcomes[mode];
		if (found?.status === 'fulfilled') return found.value;
		throw found?.reason ?? new Error('n8n did not start');
	};

	it('n8n stores state as this mode does', () => {
		const expected = mode === 'durable' ? Object.keys(watched).map(workflowId).sort() : [];
		expect(outcome().durable).toEqual(expected);
	});

	it('no poll spoils one that is under way', () => {
		// In default mode the end of a poll takes from the others of its node what evaluates the credential.
		const spoilt = outcome().failures.filter((each) => each.includes('No bridge acquired'));
		expect(spoilt).toEqual([]);
	});

	it.each(Object.keys(watched))(
		'every event of %s has one execution, though polls fail, are slow, and n8n is killed',
		(name) => {
			const { happened, ...wrong } = outcome().figures[name]!;
			expect(wrong).toEqual({ twice: [], missing: [], madeUp: [] });
			expect(happened).toBeGreaterThan(0);
		},
	);
});

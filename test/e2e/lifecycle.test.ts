import { setTimeout as pause } from 'node:timers/promises';
import { setLiving } from '../../sandbox/service/engine/living';
import type { Faults } from '../../sandbox/service/http/faults';
import { ends } from '../support/ending';
import { activate, startTestN8n, type Execution } from '../support/n8n';
import { PACKAGE, publishVersions, startRegistry } from '../support/registry';
import type { Registry, Versions } from '../support/registry';
import {
	begunByKey,
	editWorkflows,
	endLiving,
	everythingHasCome,
	forEachWorkflow,
	inEachMode,
	leaveConnectionsAlone,
	live,
	missing,
	modes,
	readExecutions,
	reconnect,
	RENAMED,
	scheduleUpdates,
	SPEED,
	startWatch,
	stopWatch,
	switchTriggersOn,
	tasksHaveEnded,
	TRIGGER,
	watched,
	workflowId,
	type Watch,
} from '../support/watchedTriggers';

/**
 * The first month of an installation, in a real n8n that installs the package from a registry as its editor does: with
 * all triggers on and events all the time it is upgraded, a trigger renamed, switched off and on, the package
 * uninstalled and installed again, and n8n restarted and killed.
 */

const START_TIMEOUT_MS = 15 * 60_000;
const COMES_WITHIN_MS = 60_000;
const TIMEOUT_MS = 20 * 60_000;
const BEAT_MS = 2_000;
const POLL_EVERY_S = 15;
const POLL_MS = POLL_EVERY_S * 1_000;
/** After a moment of polling: it has found what there was, and something has happened since. */
const AFTER_POLL_MS = 5_000;
/** Before the next one: what is saved while a poll hands events on, n8n takes up without them, and tells them again. */
const BEFORE_POLL_MS = 5_000;
/**
 * With durable cursors n8n refuses what a poll finds that is under way while the workflow is published, and the trigger
 * tells it a minute later; on a busy machine polls come late.
 */
const MOST_POLLS = 16;
const MINUTES = 3;

/** What a poll gets over by itself. */
const faults: Faults = {
	latency: { ms: 5, upTo: 150 },
	server_errors: { rate: 0.04 },
	dropped_before: { rate: 0.03 },
	dropped_after: { rate: 0.02 },
	rate_limited: { rate: 0.02 },
};

/** What is done to the installation, and what happened from one to the next. */
interface Phase {
	name: string;
	/** When the last poll before was, by the service's clock. */
	from: string;
	/** In epoch milliseconds. */
	at: number;
	/** When it was done, by the service's clock. */
	done: string;
	/** While the triggers are switched off. */
	off?: { from: string; until: string };
}

interface Account extends Watch {
	mode: string;
	/** When all triggers were on, by the service's clock. */
	begun: string;
	phases: Phase[];
}

let versions: Versions;
let registry: Registry;

const timestamp = ({ service: { world } }: Watch, at = Date.now()) =>
	world.timestamp(world.now - (Date.now() - at) * SPEED);

const lastPoll = (now = Date.now()) => now - (now % POLL_MS);

const names = Object.keys(watched);

/** Each of them as the editor does it. */
const doings: Record<string, (account: Account, phase: Phase) => Promise<void>> = {
	'upgrading the package': async ({ n8n }) => {
		await n8n.rest.patch('/community-packages', { name: PACKAGE, version: versions.next });
	},
	'renaming the trigger': async (account) =>
		await editWorkflows(account, TRIGGER, RENAMED, untilBetweenPolls),
	'switching it off and on': async (account, phase) => {
		const { rest } = account.n8n;
		await forEachWorkflow(async (id) => await rest.post(`/workflows/${id}/deactivate`, {}));
		await pause(POLL_MS / 2);
		await forEachWorkflow(async (id) => await activate(rest, id));
		phase.off = { from: phase.from, until: timestamp(account) };
	},
	'uninstalling and installing the package': async ({ n8n }) => {
		await n8n.rest.delete('/community-packages', { params: { name: PACKAGE } });
		// A poll meets that it is not there.
		await pause(POLL_MS);
		await n8n.rest.post('/community-packages', { name: PACKAGE, version: versions.next });
	},
	'restarting n8n': async (account) => {
		await account.n8n.stop();
		account.n8n = await account.n8n.again();
	},
	'killing n8n': async (account) => {
		await account.n8n.kill();
		// Its own recovery ends it when an execution was made and not begun; only the next start gets over that.
		account.n8n = await account.n8n.again().catch(async () => await account.n8n.again());
	},
};

async function startAccount(mode: string): Promise<Account> {
	const settings = { ...modes[mode], ...registry.settings };
	const n8n = await startTestN8n(`e2e-lifecycle-${mode}`, settings, undefined, false);
	await n8n.rest.post('/community-packages', { name: PACKAGE, version: versions.first });
	return { ...(await startWatch(n8n, { faults })), mode, begun: '', phases: [] };
}

const untilAfterPoll = async () => await pause(POLL_MS - (Date.now() % POLL_MS) + AFTER_POLL_MS);

/** Waits only where a poll may be under way, or comes soon: on a busy machine each change takes its time. */
async function untilBetweenPolls() {
	const since = Date.now() % POLL_MS;
	if (since < AFTER_POLL_MS || since > POLL_MS - BEFORE_POLL_MS) await untilAfterPoll();
}

/** What happened in a time, by the service's clock. */
function happened(account: Account, name: string, from: string, until?: string): string[] {
	const since = (time: string) => watched[name]!.happened(account, time);
	const after = new Set(until && since(until));
	return since(from).filter((key) => !after.has(key));
}

/**
 * Goes on between two polls, when what happened since the last thing was done has come.
 * @returns when the last poll was, of which nothing is under way any more
 */
async function untilPolled(account: Account): Promise<number> {
	for (let poll = 1; ; poll++) {
		await untilAfterPoll();
		const last = lastPoll();
		const { done } = account.phases.at(-1)!;
		await readExecutions(account, ...names);
		const until = timestamp(account, last);
		const known = names.map((name) => begunByKey(account, name));
		const before = names.map((name) => happened(account, name, done, until));
		const hasCome = before.every((keys, at) => keys.every((key) => known[at]!.has(key)));
		const isEarly = lastPoll(Date.now() + BEFORE_POLL_MS) === last;
		const isCalm = before.flat().length > 0 && hasCome && isEarly;
		if (isCalm || poll >= MOST_POLLS) return last;
	}
}

async function goThrough(account: Account) {
	for (const [name, act] of Object.entries(doings)) {
		const last = await untilPolled(account);
		const phase = { name, from: timestamp(account, last), at: Date.now(), done: '' };
		account.phases.push(phase);
		await act(account, phase);
		phase.done = timestamp(account);
	}
	await untilPolled(account);
}

/** All of it, from switching the triggers on to when nothing more is to come. */
async function watch(account: Account) {
	const { world } = account.service;
	await switchTriggersOn(account, { everySeconds: POLL_EVERY_S });
	account.begun = timestamp(account);
	const { begun } = account;
	account.phases.push({ name: 'nothing', from: begun, at: Date.now(), done: begun });
	await scheduleUpdates(account, MINUTES);
	setLiving(world, true);
	leaveConnectionsAlone(account);
	let isOver = false;
	const through = goThrough(account).finally(() => (isOver = true));
	await Promise.all([live(account, BEAT_MS, () => isOver), through]);

	endLiving(account);
	await tasksHaveEnded(account, COMES_WITHIN_MS);
	await everythingHasCome(account, account.begun, COMES_WITHIN_MS);
	reconnect(account);
	await everythingHasCome(account, account.begun, COMES_WITHIN_MS);
	// A poll more, which must not find anything again.
	await untilAfterPoll();
	await readExecutions(account, ...names);
}

function figures(account: Account, index: number) {
	const phase = account.phases[index]!;
	const next = account.phases[index + 1];
	const found = { happened: 0, lost: [] as string[], twice: [] as string[] };
	let off = 0;
	for (const name of names) {
		const wereOff = new Set(
			account.phases.flatMap((each) =>
				each.off ? happened(account, name, each.off.from, each.off.until) : [],
			),
		);
		const isMissing = new Set(missing(account, name, account.begun));
		const all = happened(account, name, phase.from, next?.from);
		const expected = all.filter((key) => !wereOff.has(key));
		off += all.length - expected.length;
		found.happened += expected.length;
		found.lost.push(...expected.filter((key) => isMissing.has(key)).map((key) => `${name} ${key}`));
		const isHere = ({ startedAt }: Execution) =>
			Date.parse(startedAt) >= phase.at && !(next && Date.parse(startedAt) >= next.at);
		for (const [key, [, ...again]] of begunByKey(account, name)) {
			if (again.some(isHere)) found.twice.push(`${name} ${key}`);
		}
	}
	const told = [
		`${found.happened} events`,
		...(phase.off ? [`${off} while it was off`] : []),
		`${found.lost.length} lost`,
		`${found.twice.length} twice`,
	];
	process.stdout.write(`${account.mode}, ${phase.name}: ${told.join(', ')}\n`);
	return found;
}

beforeAll(async () => {
	registry = ends(await startRegistry('e2e-lifecycle-registry'));
	versions = await publishVersions(registry, 'e2e-lifecycle-package');
}, START_TIMEOUT_MS);

const outcomeIn = inEachMode(START_TIMEOUT_MS + TIMEOUT_MS, async (mode) => {
	const account = await startAccount(mode);
	try {
		await watch(account);
		const phases = account.phases.map(({ name }, index) => [name, figures(account, index)]);
		const found: Record<string, ReturnType<typeof figures>> = Object.fromEntries(phases);
		const stored = account.n8n.query(
			`SELECT workflowId FROM poller_state WHERE "cursor" <> '{}' ORDER BY workflowId`,
		);
		return { found, durable: stored.map((row) => row.workflowId) };
	} finally {
		await stopWatch(account);
	}
});

describe.each(Object.keys(modes))('in %s mode', (mode) => {
	it('n8n stores state as this mode does', () => {
		const expected = mode === 'durable' ? names.map(workflowId).sort() : [];
		expect(outcomeIn(mode).durable).toEqual(expected);
	});

	it.each(['nothing', ...Object.keys(doings)])('%s loses no event and repeats none', (name) => {
		const { happened, ...wrong } = outcomeIn(mode).found[name]!;
		expect(wrong).toEqual({ lost: [], twice: [] });
		expect(happened).toBeGreaterThan(0);
	});
});

import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { clock } from '../client/clock';
import { MAX_IN_FLIGHT } from '../client/limiter';
import { accountOf } from '../client/request';
import { CREDENTIAL, deadlineOf, endBy } from '../n8n/context';
import { orTimedOut, TIMED_OUT } from './chunk';
import type { ReadLimits } from './cursor';
import { advance, baseline } from './cursor';
import { readDue } from './due';
import type { Feed, Polled } from './feed';
import type { Event } from './items';
import { allowedOf, hasDetails, inForm, itemsOf, plainItems, samples, toWaiting } from './items';
import { changedMembers } from './members';
import { hash } from './seenStore';
import { Sources } from './sources';
import type { FeedMemory, State } from './state';
import { activationOf, currentState, isBeginning, keepState, withPollLock } from './state';

/** Maximum number of events whose details a poll reads; more take several polls, so that none takes too long. */
const DETAILED = 100;

/** Time for a poll if n8n does not state it, in milliseconds. */
const BUDGET_MS = 300_000;

/** Shares of the budget after which a poll starts no more reads, and after which it no longer waits. */
const BEGIN_SHARE = 0.5;
const WAIT_SHARE = 0.8;

/** A poll that exceeds its time by this counts as lost, and the next one replaces it; in milliseconds. */
const LOST_MS = 300_000;

/**
 * One poll: the events since the last one, or null. The first poll after activation sets the baseline.
 * A test run in the editor returns the newest matching records and does not change the state.
 * The state is stored after all reads, so the next poll repeats a failed one.
 * @param describe returns the feeds; it may send requests
 */
export async function poll(
	context: IPollFunctions,
	describe: () => Promise<Polled>,
): Promise<INodeExecutionData[][] | null> {
	if (context.getMode() === 'manual') {
		return [await samples(context, new Sources(context), await describe())];
	}
	const times = timesOf(context);
	const isFirst = isBeginning(context);
	const polling = withPollLock(context, times.waitUntil + LOST_MS, async (counts) => {
		// An activation waits for the rate limit: events before a later start would be lost.
		endBy(context, isFirst ? Infinity : times.waitUntil);
		const pollNow = async () => await pollOnce(context, await describe(), times, counts);
		const items = await orTimedOut(pollNow());
		// The limiter has logged the pause; the next poll continues from here.
		return items === TIMED_OUT ? null : items;
	});
	return await polling.finally(() => (activationOf(context).hasPolled = true));
}

/** In epoch milliseconds. */
interface Times {
	began: number;
	beginUntil: number;
	waitUntil: number;
}

function timesOf(context: IPollFunctions): Times {
	// Older versions of n8n do not state the budget.
	const { getPollBudgetMs } = context as { getPollBudgetMs?: () => number };
	const budget = getPollBudgetMs?.call(context) ?? BUDGET_MS;
	const now = clock.now();
	const [beginUntil, waitUntil] = [now + budget * BEGIN_SHARE, now + budget * WAIT_SHARE];
	return { began: now, beginUntil, waitUntil };
}

/**
 * Number of events whose details fit into the rest of the time, if an answer takes as long as this poll so far.
 * At least one, so that each poll progresses.
 */
function detailsIn({ began, beginUntil }: Times, room: number): number {
	const now = clock.now();
	const rounds = Math.floor((beginUntil - now) / Math.max(1, now - began));
	return Math.max(1, Math.min(DETAILED, rounds * MAX_IN_FLIGHT, room));
}

async function pollOnce(
	context: IPollFunctions,
	polled: Polled,
	times: Times,
	counts: () => boolean,
): Promise<INodeExecutionData[][] | null> {
	const { baseURL, apiToken, limiter } = await accountOf(context);
	// A new token in the same credential counts as one of the same account.
	const credential = context.getNode().credentials?.[CREDENTIAL]?.id ?? apiToken;
	const account = hash(`${baseURL} ${credential}`, 10);
	const known = currentState(context);
	if (!known) return null;
	// The state of another account does not apply.
	const before = known.account === account ? known : { epoch: known.epoch, step: known.step };
	const isOver = () => clock.now() > times.beginUntil;
	const { feeds, events, plain, turn } = await readAll(context, polled, before, {
		isOver,
		isFull: (found) => found >= detailsIn(times, limiter.free),
		// Give a baseline more time, because events before its end may not be reported.
		isBaselineOver: () => clock.now() > times.waitUntil,
	});
	const isChosen = chosenBy(polled.events);
	const earlier = (before.awaited ?? []).filter(({ json }) => isChosen(String(json.event)));
	const waiting = [...earlier, ...(await toWaiting(context, events))];
	// Details can take several requests each. None may start late, because n8n drops a poll that takes too long.
	const until = deadlineOf(context);
	endBy(context, times.beginUntil);
	const detailed = await itemsOf(context, polled, waiting, isOver).finally(() =>
		endBy(context, until),
	);
	const items = await inForm(polled, [...plainItems(plain), ...detailed.items]);
	if (!counts()) return null;
	const { awaited } = detailed;
	const next = { account, feeds, turn, ...(awaited.length > 0 && { awaited }) };
	keepState(context, before, next, items.length > 0);
	return items.length > 0 ? [items] : null;
}

interface PollLimits extends ReadLimits {
	isBaselineOver: () => boolean;
}

/**
 * Reads each feed from its state, or for its baseline without one. When the time is over, the next poll begins with
 * the rest; each poll reads at least a part of one feed.
 */
async function readAll(
	context: IPollFunctions,
	polled: Polled,
	before: State,
	{ isOver, isFull, isBaselineOver }: PollLimits,
) {
	const sources = new Sources(context);
	const { feeds } = polled;
	const next: Record<string, FeedMemory> = {};
	/** Events with details to read, and events without details. */
	const [events, plain]: [Event[], Event[]] = [[], []];
	const names = Object.keys(feeds);
	const first = Math.max(0, names.indexOf(before.turn ?? ''));
	const inTurn = [...names.slice(first), ...names.slice(0, first)];
	let hasRead = false;
	let turn: string | undefined;
	for (const [index, name] of inTurn.entries()) {
		const feed = feeds[name]!;
		const isDetailed = hasDetails(polled, name);
		const of = fingerprint(feed);
		const kept = before.feeds?.[name];
		const memory = kept?.of === of ? kept : undefined;
		const limits = memory
			? { isOver, isFull: (found: number) => isDetailed && isFull(events.length + found) }
			: { isOver: isBaselineOver, isFull: () => false };
		const isLeft = memory && hasRead && (isOver() || limits.isFull(0));
		const isChosen = chosenBy(polled.events, memory?.events);
		const read = isLeft
			? TIMED_OUT
			: await orTimedOut(readFeed(sources, feed, memory, limits, isChosen));
		if (read === TIMED_OUT) {
			if (memory) next[name] = memory;
			turn ??= name;
			continue;
		}
		hasRead = true;
		const node = context.getNode().name;
		for (const warning of warningsOf(name, read)) context.logger.warn(warning, { node });
		const told = read.events.filter(({ event }) => isChosen(event));
		(isDetailed ? events : plain).push(...(await allowedOf(context, feed, told)));
		next[name] = { of, ...(polled.events && { events: polled.events }), ...read.memory };
		if (!read.isComplete) turn ??= inTurn[(index + 1) % inTurn.length];
	}
	return { feeds: next, events, plain, turn };
}

/** Selects the events to report: those chosen now and at the last reading. */
const chosenBy =
	(...choices: Array<Polled['events']>) =>
	(event: string) =>
		choices.every((events) => events?.includes(event) ?? true);

interface FeedRead {
	events: Event[];
	memory: Omit<FeedMemory, 'of'>;
	isComplete: boolean;
	/** See `Advance`. */
	forgotten?: number;
	ahead?: number;
}

function warningsOf(name: string, { forgotten = 0, ahead = 0 }: FeedRead): string[] {
	return [
		forgotten > 0 &&
			`The trigger has reached the limit of what n8n can store: ${forgotten} records of the list "${name}" are no longer followed`,
		ahead > 0 &&
			`Of "${name}", ${ahead} records have times in the future. The trigger ignores these times when it decides where to continue reading.`,
	].filter((warning) => warning !== false);
}

/** Reads a feed from its state, or for its baseline, which has no events. */
async function readFeed(
	sources: Sources,
	feed: Feed,
	memory: FeedMemory | undefined,
	limits: ReadLimits,
	isChosen: (event: string) => boolean,
): Promise<FeedRead> {
	if ('timed' in feed) {
		const source = sources.timed(feed.timed);
		const { found, cursor, ...read } = memory?.cursor
			? await advance(source, memory.cursor, limits)
			: await baseline(source, limits);
		return { ...read, events: found, memory: { cursor } };
	}
	if ('due' in feed) {
		const source = sources.due(feed.due);
		const { memory: due, ...read } = await readDue(source, memory?.due, limits, isChosen);
		return { ...read, memory: { due } };
	}
	const { entered, left = '', concerns = () => true } = feed.state;
	const source = sources.state(feed.state);
	const read = await changedMembers(source, memory?.members, limits.isOver);
	const events = read.changes
		.filter(({ record }) => concerns(record))
		.map(({ kind, record }) => ({ event: kind === 'entered' ? entered : left, record }));
	return { events, memory: { members: read.members }, isComplete: read.isComplete };
}

/** Version of the form of the state: another one is a new start. */
const FORM = 3;

/** Identifies what a feed reads: a state with another fingerprint does not apply. */
function fingerprint(feed: Feed): string {
	const { url, query, choice } =
		'timed' in feed ? feed.timed : 'due' in feed ? feed.due : feed.state;
	const timeField = 'timed' in feed ? feed.timed.timeField : undefined;
	return hash(JSON.stringify([FORM, url, timeField, query, choice]));
}

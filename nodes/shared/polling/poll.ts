import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { clock, hash } from '../lib';
import { MAX_IN_FLIGHT } from '../client/limiter';
import { accountOf } from '../client/request';
import { CREDENTIAL, deadlineOf, endBy } from '../n8n/context';
import { orTimedOut } from './chunk';
import { advance } from './cursor';
import { readDue } from './due';
import type { Feed, FeedRead, Polled, ReadLimits } from './feed';
import { chosenBy, chosenFeeds, detailedItems, detailsOf, inForm, itemsFor, sample } from './items';
import { changedMembers } from './members';
import { Sources } from './sources';
import type { AwaitedEvent, FeedMemory, State } from './state';
import { activationOf, currentState, isBeginning, keepState, withPollLock } from './state';

/** Maximum number of events whose details a poll reads; more take several polls, so that none takes too long. */
const DETAILED = 100;

/**
 * One poll: the events since the last one, or null. The first poll after activation sets the baseline.
 * The state is stored after all reads, so the next poll repeats a failed one.
 */
export async function poll(context: IPollFunctions, describe: () => Promise<Polled>) {
	if (context.getMode() === 'manual') {
		return [await sample(context, new Sources(context), await describe())];
	}
	const times = timesOf(context);
	const polling = withPollLock(context, times.lostAt, async (counts) => {
		// An activation waits for the rate limit: events before a later start would be lost.
		endBy(context, isBeginning(context) ? Infinity : times.waitUntil);
		// If it has timed out, the next poll continues from here.
		return (await orTimedOut(pollOnce(context, describe, times, counts))) ?? null;
	});
	return await polling.finally(() => (activationOf(context).hasPolled = true));
}

type Times = ReturnType<typeof timesOf>;

/** When a poll began, starts no more reads, no longer waits, and is replaced by the next; in epoch milliseconds. */
function timesOf(context: IPollFunctions) {
	// Older versions of n8n do not state the budget.
	const { getPollBudgetMs } = context as { getPollBudgetMs?: () => number };
	const budget = getPollBudgetMs?.call(context) ?? 300_000;
	const began = clock.now();
	const [beginUntil, waitUntil] = [began + budget * 0.5, began + budget * 0.8];
	const isOver = () => clock.now() > beginUntil;
	return { began, beginUntil, waitUntil, lostAt: waitUntil + 300_000, isOver };
}

/** Number of events whose details fit into the rest of the time, if an answer takes as long as this poll so far. */
function detailsIn({ began, beginUntil }: Times, room: number): number {
	const now = clock.now();
	const rounds = Math.floor((beginUntil - now) / Math.max(1, now - began));
	// At least one, so that each poll progresses.
	return Math.max(1, Math.min(DETAILED, rounds * MAX_IN_FLIGHT, room));
}

async function pollOnce(
	context: IPollFunctions,
	describe: () => Promise<Polled>,
	times: Times,
	counts: () => boolean,
): Promise<INodeExecutionData[][] | null> {
	const polled = await describe();
	const { baseURL, apiToken, limiter } = await accountOf(context);
	// A new token in the same credential counts as one of the same account.
	const credential = context.getNode().credentials?.[CREDENTIAL]?.id ?? apiToken;
	const account = hash(`${baseURL} ${credential}`, 10);
	const known = currentState(context);
	if (!known) return null;
	// The state of another account does not apply.
	const before = known.account === account ? known : { epoch: known.epoch, step: known.step };
	const isChosen = chosenBy(polled.events);
	const earlier = (before.awaited ?? []).filter(({ json }) => isChosen(String(json.event)));
	// Details can take several requests each. None may start late, because n8n drops a poll that takes too long.
	const detailed = async (waiting: AwaitedEvent[], length = 0) => {
		const until = deadlineOf(context);
		endBy(context, times.beginUntil);
		const reading = detailedItems(context, polled, waiting, times.isOver, length);
		return await reading.finally(() => endBy(context, until));
	};
	// Details come first in every other poll, so that neither they nor the lists take all of a slow service's time.
	const isTurnOfDetails = earlier.length > 0 && !before.hasRested;
	const waited = isTurnOfDetails ? await detailed(earlier) : { items: [], awaited: [] };
	const read = await readAll(context, polled, before, times, isTurnOfDetails);
	const { feeds, events, plain, turn, hasRead } = read;
	const since = limiter.now();
	const fresh = events.map(({ json }) => ({ json, since }));
	const rest = await detailed(
		isTurnOfDetails ? fresh : [...earlier, ...fresh],
		JSON.stringify(waited.awaited).length,
	);
	const items = await inForm(polled, [...waited.items, ...plain, ...rest.items]);
	if (!counts()) return null;
	const awaited = [...waited.awaited, ...rest.awaited];
	const next = {
		...{ account, feeds, turn },
		...(awaited.length > 0 && { awaited }),
		...(!hasRead && { hasRested: true as const }),
	};
	keepState(context, before, next, items.length > 0);
	return items.length > 0 ? [items] : null;
}

/**
 * Reads at least a part of one feed, unless it may rest. When the time is over, the next poll begins with the rest.
 * @param mayRest whether the poll may read no feed, because it has read details
 */
async function readAll(
	context: IPollFunctions,
	polled: Polled,
	before: State,
	times: Times,
	mayRest: boolean,
) {
	const { isOver, waitUntil } = times;
	const { limiter } = await accountOf(context);
	const isFull = (found: number) => found >= detailsIn(times, limiter.free);
	const sources = new Sources(context);
	const next: Record<string, FeedMemory> = {};
	/** With details to read, and without. */
	const [events, plain]: [INodeExecutionData[], INodeExecutionData[]] = [[], []];
	const feeds = chosenFeeds(polled);
	const first = Math.max(0, feeds.map(([name]) => name).indexOf(before.turn ?? ''));
	const inTurn = [...feeds.slice(first), ...feeds.slice(0, first)];
	let hasRead = false;
	let turn: string | undefined;
	for (const [index, [name, feed]] of inTurn.entries()) {
		const isDetailed = detailsOf(polled, name) !== undefined;
		const of = fingerprint(feed);
		const kept = before.feeds?.[name];
		const memory = kept?.of === of ? kept : undefined;
		// A baseline has more time, because events before its end may not be reported.
		const limits = memory
			? { isOver, isFull: (found: number) => isDetailed && isFull(events.length + found) }
			: { isOver: () => clock.now() > waitUntil, isFull: () => false };
		const isLeft = memory && (hasRead || mayRest) && (isOver() || limits.isFull(0));
		const isChosen = chosenBy(polled.events, memory?.events);
		const read = isLeft
			? undefined
			: await orTimedOut(readFeed(sources, feed, memory, limits, isChosen));
		if (!read) {
			if (memory) next[name] = memory;
			turn ??= name;
			continue;
		}
		hasRead = true;
		warn(context, name, read);
		const chosen = read.events.filter(({ event }) => isChosen(event));
		(isDetailed ? events : plain).push(...(await itemsFor(context, feed, chosen)));
		next[name] = { of, ...(polled.events && { events: polled.events }), ...read.memory };
		if (!read.isComplete) turn ??= inTurn[(index + 1) % inTurn.length]?.[0];
	}
	return { feeds: next, events, plain, turn, hasRead };
}

function warn(
	context: IPollFunctions,
	name: string,
	{ forgotten = 0, ahead = 0 }: FeedRead<unknown>,
): void {
	const node = context.getNode().name;
	if (forgotten > 0) {
		const message = `The trigger has reached the limit of what n8n can store: ${forgotten} records of the list "${name}" are no longer followed`;
		context.logger.warn(message, { node });
	}
	if (ahead > 0) {
		const message = `Of "${name}", ${ahead} records have times in the future. The trigger ignores these times when it decides where to continue reading.`;
		context.logger.warn(message, { node });
	}
}

/** Reads a feed from its state, or for its baseline, which has no events. */
async function readFeed(
	sources: Sources,
	feed: Feed,
	before: FeedMemory | undefined,
	limits: ReadLimits,
	isChosen: (event: string) => boolean,
): Promise<FeedRead<Omit<FeedMemory, 'of'>>> {
	if (feed.kind === 'timed') {
		const read = await advance(sources.timed(feed), before?.cursor, limits);
		return { ...read, memory: { cursor: read.memory } };
	}
	if (feed.kind === 'due') {
		const read = await readDue(sources.due(feed), before?.due, limits, isChosen);
		return { ...read, memory: { due: read.memory } };
	}
	const read = await changedMembers(sources.state(feed), before?.members, limits.isOver);
	return { ...read, memory: { members: read.memory } };
}

/** Version of the form of the state: another one is a new start. */
const FORM = 3;

/** Identifies what a feed reads: a state with another fingerprint does not apply. */
function fingerprint(feed: Feed): string {
	const { url, query, choice } = feed;
	const timeField = feed.kind === 'timed' ? feed.timeField : undefined;
	return hash(JSON.stringify([FORM, url, timeField, query, choice]), 6);
}

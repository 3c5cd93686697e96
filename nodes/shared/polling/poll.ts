import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { clock } from '../client/clock';
import { CREDENTIAL, deadlineOf, endBy } from '../n8n/context';
import { MAX_IN_FLIGHT } from '../client/limiter';
import { Service } from '../client/service';
import type { Heard, ReadLimits } from './cursor';
import { advance, baseline } from './cursor';
import { fromStart, readDue } from './due';
import type { Feed, Polled } from './feed';
import { withPollLock } from './pollLock';
import { orTimedOut, TIMED_OUT } from './orTimedOut';
import type { Event, Reach } from './items';
import { allowedOf, hasDetails, inForm, itemsOf, plainItems, samples, toWaiting } from './items';
import { hash, hashesIn } from './seenStore';
import { activationOf, memoryOf } from './memory';
import { changedMembers } from './members';
import type { Sources } from './sources';
import { sourcesOf } from './sources';
import type { Added, AwaitedEvent, FeedMemory, Remembered, State } from './remembered';
import { currentState, isBeginning, keepState, keyOf, sharesWorkflow } from './state';

/** Events of a poll that are read in full: a burst of more takes several polls, so that none takes too long. */
const DETAILED = 100;

/** What n8n allows for a poll where it does not tell. */
const BUDGET_MS = 300_000;

/** After this part of the budget nothing more is begun; after that one, nothing waits any more. */
const BEGIN_SHARE = 0.5;
const WAIT_SHARE = 0.8;

/** A poll that takes so much longer is lost, and another one takes its place. */
const LOST_MS = 300_000;

/**
 * One poll: the events since the last one, or null. The first poll after activation sets the baseline.
 * A test run in the editor returns the newest matching records and leaves the state alone.
 * Nothing is remembered before everything has been read, so a poll that fails is repeated as a whole.
 * @param describe what is polled; it may send requests
 */
export async function poll(
	context: IPollFunctions,
	describe: () => Promise<Polled>,
): Promise<INodeExecutionData[][] | null> {
	const service = new Service(context);
	const reach = { service, sources: sourcesOf(context, service) };
	if (context.getMode() === 'manual') {
		return [await samples(context.getNode(), reach, await describe())];
	}

	const times = timesOf(context);
	const isFirst = isBeginning(context);
	const { name, parameters, credentials } = context.getNode();
	const turn = {
		underWay: memoryOf(context).underWay,
		until: times.waitUntil + LOST_MS,
		isFirst,
		settings: JSON.stringify([name, parameters, credentials]),
		waits: sharesWorkflow(context),
	};
	const polling = withPollLock(keyOf(context), turn, async (counts) => {
		// An activation waits for room: what happened until a later beginning would be lost.
		endBy(context, isFirst ? Infinity : times.waitUntil);
		const items = await orTimedOut(
			async () => await pollOnce(context, reach, await describe(), { times, counts }),
		);
		// The limiter has told of the pause; the next poll reads on where this one stood.
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
	// Older versions of n8n do not tell.
	const { getPollBudgetMs } = context as { getPollBudgetMs?: () => number };
	const budget = getPollBudgetMs?.call(context) ?? BUDGET_MS;
	const now = clock.now();
	const [beginUntil, waitUntil] = [now + budget * BEGIN_SHARE, now + budget * WAIT_SHARE];
	return { began: now, beginUntil, waitUntil };
}

/**
 * For how many events there are details to be read in the rest of the time, when an answer takes as long as what was
 * read until now: one at least, so that each poll gets on.
 */
function detailsIn({ began, beginUntil }: Times, room: number): number {
	const now = clock.now();
	const rounds = Math.floor((beginUntil - now) / Math.max(1, now - began));
	return Math.max(1, Math.min(DETAILED, rounds * MAX_IN_FLIGHT, room));
}

async function pollOnce(
	context: IPollFunctions,
	{ service, sources }: Reach,
	polled: Polled,
	{ times, counts }: { times: Times; counts: () => boolean },
): Promise<INodeExecutionData[][] | null> {
	const isOver = () => clock.now() > times.beginUntil;
	// What happens before a baseline is complete may not be told.
	const isBaselineOver = () => clock.now() > times.waitUntil;
	const { baseURL, apiToken, limiter } = await service.account();
	// A token that replaces another one in the same credential is one of the same account.
	const credential = context.getNode().credentials?.[CREDENTIAL]?.id ?? apiToken;
	const account = hash(`${baseURL} ${credential}`, 10);
	const known = currentState(context);
	if (!known) return null;
	// Nothing that was remembered of another account says anything of this one.
	const before = known.account === account ? known : { epoch: known.epoch, step: known.step };
	const isFull = (found: number) => found >= detailsIn(times, limiter.free);
	const limits = { isOver, isFull, isBaselineOver };
	const earlier = before.awaited ?? [];
	const isFirst = earlier.length > 0 && !before.hasRested;
	// Details can take several requests each, of which none may begin late: n8n drops a poll that takes too long.
	const detailed = async (awaiting: AwaitedEvent[], length = 0) => {
		const until = deadlineOf(context);
		endBy(context, times.beginUntil);
		return await itemsOf(service, polled, awaiting, isOver, length).finally(() =>
			endBy(context, until),
		);
	};
	const waited = isFirst ? await detailed(earlier) : undefined;
	const { feeds, events, plain, turn, hasRead } = await readAll(sources, polled, before, {
		...limits,
		mayRest: waited !== undefined,
		allowed: async (feed, of) => await allowedOf(service, feed, of),
		warn: (message) => context.logger.warn(message, { node: context.getNode().name }),
	});
	const fresh = await toWaiting(service, events);
	const rest = [...(waited ? [] : earlier), ...fresh];
	const taken = waited ? JSON.stringify(waited.awaited).length : 0;
	const found = await detailed(rest, taken);
	const all = [...(waited?.items ?? []), ...plainItems(plain), ...found.items];
	const items = await inForm(polled, all);
	const awaited = [...(waited?.awaited ?? []), ...found.awaited];

	if (!counts()) return null;
	const next = {
		account,
		feeds,
		...(turn && { turn }),
		...(awaited.length > 0 && { awaited }),
		...(!hasRead && { hasRested: true as const }),
	};
	keepState(context, before, next, items.length > 0);
	return items.length > 0 ? [items] : null;
}

interface PollLimits extends ReadLimits {
	isBaselineOver: () => boolean;
	/** Whether it may read no feed, because something else has been read. */
	mayRest: boolean;
	warn: (message: string) => void;
	allowed: (feed: Feed, events: Event[]) => Promise<Event[]>;
}

/**
 * Reads every feed: on from what is remembered of it, or for its baseline where nothing is. When the time is over, the
 * rest has its turn with the next poll; each poll reads at least a part of one feed.
 */
async function readAll(
	sources: Sources,
	polled: Polled,
	before: State,
	{ isOver, isFull, isBaselineOver, mayRest, warn, allowed }: PollLimits,
) {
	const { feeds, events: chosen } = polled;
	const next: Record<string, FeedMemory> = {};
	/** Those whose details are to be read, and those that have none. */
	const [events, plain]: [Event[], Event[]] = [[], []];
	const names = Object.keys(feeds);
	const first = Math.max(0, names.indexOf(before.turn ?? ''));
	const inTurn = [...names.slice(first), ...names.slice(0, first)];
	let hasRead = false;
	let turn: string | undefined;
	const ofBaseline = { isOver: isBaselineOver, isFull: () => false };
	const heard = heardIn(before.feeds);
	for (const [index, name] of inTurn.entries()) {
		const feed = feeds[name]!;
		const isDetailed = hasDetails(polled, name);
		const ofEvents = {
			isOver,
			isFull: (found: number) => isDetailed && isFull(events.length + found),
		};
		const ofBeginning = { ...ofEvents, isOver: isBaselineOver };
		const of = fingerprint(feed);
		const kept = before.feeds?.[name];
		const memory = kept?.of === of ? kept : undefined;
		if (memory && (hasRead || mayRest) && (isOver() || ofEvents.isFull(0))) {
			next[name] = memory;
			turn ??= name;
			continue;
		}
		const later = memory ? addedTo(memory, chosen) : [];
		// What comes due while the list is read for the first time since may not be told.
		const isBeginning = memory && 'due' in memory && !isNoticed(memory, later);
		const limits = !memory ? ofBaseline : isBeginning ? ofBeginning : ofEvents;
		const isTold = (event: string) => (chosen?.includes(event) ?? true) && !later.includes(event);
		const readOn = async (from: FeedMemory | undefined) =>
			await orTimedOut(async () => await readFeed(sources, feed, from, limits, { isTold, heard }));
		// On a copy: what is only looked at has still to be read.
		const lookOn = async (from: FeedMemory) =>
			await orTimedOut(
				async () => await readFeed(sources, feed, copyOf(from), ofBaseline, { isTold }),
			);
		let read = await readOn(isBeginning ? { ...memory, due: fromStart(memory.due) } : memory);
		if (read === TIMED_OUT) {
			if (memory) next[name] = memory;
			turn ??= name;
			continue;
		}
		let isLate = beganBefore(memory, chosen);
		if (isLate && memory && read.isComplete) {
			const again = await readOn({ ...memory, ...read.memory });
			if (again !== TIMED_OUT) {
				read = { ...again, events: [...read.events, ...again.events] };
				isLate = false;
			}
		}
		hasRead = true;
		const { forgotten, ahead } = read;
		if (forgotten > 0) {
			warn(
				`The trigger has reached the limit of what n8n can store: ${forgotten} records of the list "${name}" are no longer followed`,
			);
		}
		if (ahead > 0) {
			warn(
				`Of "${name}", ${ahead} records have times in the future. The trigger ignores these times when it decides where to continue reading.`,
			);
		}
		const isComplete = read.isComplete && !isLate;
		const isCut = !isComplete && memory && 'cursor' in memory && !isNoticed(memory, later);
		const rest = isCut ? await lookOn({ ...memory, ...read.memory }) : TIMED_OUT;
		const met = metBy(read, rest, later, isLate);
		const told = toldOf(memory, chosen, { met, isComplete, isLate });
		const those = isDetailed ? events : plain;
		those.push(...(await allowed(feed, read.events.filter(told.has))));
		next[name] = { of, ...told.after, ...read.memory };
		if (!read.isComplete) turn ??= inTurn[(index + 1) % inTurn.length];
	}
	return { feeds: next, events, plain, turn, hasRead };
}

const copyOf = (memory: FeedMemory) => JSON.parse(JSON.stringify(memory)) as FeedMemory;

/** No earlier than it is by the service's clock, or than the newest record of a list, in epoch milliseconds. */
function newestOf(memory: Remembered): number {
	if (!('cursor' in memory)) return -Infinity;
	const { newest, heard } = memory.cursor;
	return Math.max(heard?.service ?? heard?.local ?? -Infinity, newest?.time ?? -Infinity);
}

/** The events that were chosen since the feed was read last. */
const addedTo = ({ events }: FeedMemory, chosen: readonly string[] = []) =>
	chosen.filter((event) => events && !events.includes(event));

/** Whether an earlier poll has met the events that were chosen since. */
const isNoticed = ({ added }: FeedMemory, later: readonly string[]) =>
	later.every((event) => added?.events.includes(event));

/** Whether a reading that is under way has passed records by before events of them were chosen. */
function beganBefore(memory: FeedMemory | undefined, chosen: Polled['events']): boolean {
	if (!memory || !chosen || !('cursor' in memory) || !memory.cursor.pass) return false;
	const later = addedTo(memory, chosen);
	return later.length > 0 && (!isNoticed(memory, later) || memory.added?.isLate === true);
}

/** So many hashes are kept of what has happened before an event was chosen. */
const MOST_MET = 1_000;

/**
 * What has happened before events were chosen, where the reading that notices them is cut.
 * @param rest what it has not read, as it is now; all that is not there is younger
 */
function metBy(
	read: FeedRead,
	rest: FeedRead | typeof TIMED_OUT,
	later: readonly string[],
	isLate: boolean,
): Pick<Added, 'since' | 'met'> {
	const since = newestOf(read.memory);
	if (rest === TIMED_OUT) return { since };
	const names = rest.events.filter(({ event }) => later.includes(event)).map(nameOf);
	const isWhole = rest.isComplete && !isLate && names.length <= MOST_MET;
	return isWhole
		? { since: 0, met: names.join('') }
		: { since: Math.max(since, newestOf(rest.memory)) };
}

const nameOf = ({ name = '' }: Happened) => hash(name);

interface ToldEvents {
	has: (event: Happened) => boolean;
	/** What to remember of it. */
	after: Pick<FeedMemory, 'events' | 'added'>;
}

/**
 * Which events of a feed are told. What was chosen later begins with the poll that notices it: what has happened until
 * then is not told, also where it is read by later polls.
 * @param read whether that has come to its end, and what it has not read
 */
function toldOf(
	memory: FeedMemory | undefined,
	chosen: Polled['events'],
	read: { met: Pick<Added, 'since' | 'met'>; isComplete: boolean; isLate: boolean },
): ToldEvents {
	if (!chosen) return { has: () => true, after: {} };
	const { isComplete, isLate } = read;
	const later = memory ? addedTo(memory, chosen) : [];
	const before = chosen.filter((event) => !later.includes(event));
	const known = memory && isNoticed(memory, later) ? memory.added : undefined;
	const { since, met } = known ?? read.met;
	const hashes = new Set(hashesIn(met));
	const isYounger = (each: Happened) =>
		known !== undefined && (each.time ?? -Infinity) > since && !hashes.has(nameOf(each));
	return {
		has: (each) => before.includes(each.event) || (later.includes(each.event) && isYounger(each)),
		after:
			isComplete || later.length === 0
				? { events: chosen }
				: {
						events: before,
						added: { events: later, since, ...(met && { met }), ...(isLate && { isLate: true }) },
					},
	};
}

/** What a feed tells, and when it was, in epoch milliseconds. */
interface Happened extends Event {
	time?: number;
	/** Tells it from all others of the feed. */
	name?: string;
}

interface FeedRead {
	events: Happened[];
	memory: Remembered;
	isComplete: boolean;
	forgotten: number;
	ahead: number;
}

interface Before {
	/** Whether an event was chosen, and before the feed was read to its end last. */
	isTold: (event: string) => boolean;
	/** What the lists of the account have told of the clocks. */
	heard?: Heard;
}

/** What was heard last of the clocks, in whatever list. */
function heardIn(feeds: State['feeds'] = {}): Heard | undefined {
	const cursors = Object.values(feeds).flatMap((each) => ('cursor' in each ? [each.cursor] : []));
	const at = ({ heard }: Heard) => heard?.local ?? -Infinity;
	return cursors.sort((a, b) => at(b) - at(a))[0];
}

/**
 * Reads a feed on, or for its baseline, which gives no events.
 */
async function readFeed(
	sources: Sources,
	feed: Feed,
	memory: FeedMemory | undefined,
	limits: ReadLimits,
	{ isTold, heard }: Before,
): Promise<FeedRead> {
	if ('timed' in feed) {
		const source = sources.timed(feed.timed);
		if (!memory || !('cursor' in memory)) {
			const { cursor, ahead } = await baseline(source, limits, heard);
			return { events: [], memory: { cursor }, isComplete: true, forgotten: 0, ahead };
		}
		const { found, cursor, ...read } = await advance(source, memory.cursor, limits);
		const events = found.map((each) => ({
			...each,
			name: `${source.id(each.record)} ${each.key}`,
		}));
		return { events, memory: { cursor }, ...read };
	}
	if ('due' in feed) {
		const known = memory && 'due' in memory ? memory.due : undefined;
		const source = sources.due(feed.due);
		const { memory: due, ...read } = await readDue(source, known, limits, isTold);
		return { ...read, memory: { due }, forgotten: 0, ahead: 0 };
	}
	const { entered, left, concerns = () => true } = feed.state;
	const known = memory && 'members' in memory ? memory.members : undefined;
	const source = sources.state(feed.state);
	const { changes, members, isComplete } = await changedMembers(source, known, limits.isOver);
	const events = changes
		.filter(({ record }) => concerns(record))
		.map(({ kind, record }) => ({ event: (kind === 'entered' ? entered : left) ?? '', record }));
	return { events, memory: { members }, isComplete, forgotten: 0, ahead: 0 };
}

/** What a feed reads: when that changes, what is remembered belongs to something else. */
function fingerprint(feed: Feed): string {
	if ('timed' in feed) {
		const { url, timeField, query, choice } = feed.timed;
		return hash(JSON.stringify([url, timeField, query, choice]));
	}
	if ('due' in feed) {
		const { url, query, choice } = feed.due;
		return hash(JSON.stringify([url, query, choice]));
	}
	const { url, query, choice } = feed.state;
	return hash(JSON.stringify([url, query(new Date(0)), choice]));
}

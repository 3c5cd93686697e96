import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { clock } from '../transport/clock';
import { listAll, listPage, MAX_PER_PAGE } from '../transport/paging';
import { recordAt } from '../transport/record';
import { serviceTime } from '../transport/request';
import type { Cursor, Page, Source } from './cursor';
import { advance, baseline } from './cursor';
import type { Feed, Polled, StateFeed, TimedFeed } from './feed';
import type { Members, StateSource } from './members';
import { changedMembers, firstMembers } from './members';

/** What is remembered of a feed, and of which list: a trigger that was changed begins anew with it. */
type Memory = { of: string } & ({ cursor: Cursor } | { members: Members });

/** What n8n keeps of a trigger between polls. */
interface State {
	feeds?: Record<string, Memory>;
}

interface Event {
	event: string;
	record: IDataObject;
	/** What comes out, where that is not the record. */
	json?: IDataObject;
}

/** Sample records that a test run in the editor returns at most. */
const SAMPLES = 5;

/** Events that all feeds of a trigger together remember: n8n keeps them as text, which stays below 64 KB. */
const CAPACITY = 3_000;

/** Events of a poll that are read in full: a burst of more takes several polls, so that none takes too long. */
const DETAILED = 100;

/** Part of the time that n8n allows for a poll; the rest is for what is under way. */
const BUDGET_SHARE = 0.5;

/**
 * Baselines that n8n may not have saved: where it commits a trigger's state together with its events only,
 * the poll at activation would be forgotten, and what happens until the next poll be lost.
 */
const unsaved = new Map<string, State>();

/** Activations by the user whose first poll has been made. */
const activated = new WeakSet<IPollFunctions>();

/** A start of n8n or an edit of the workflow goes on where it was; switching it on begins anew. */
export const isBeginning = (context: IPollFunctions) =>
	context.getActivationMode() === 'activate' && !activated.has(context);

/**
 * One poll: the events since the last one, or null. The first poll after activation sets the baseline.
 * A test run in the editor returns the newest matching records and leaves the state alone.
 * Nothing is remembered before everything has been read, so a poll that fails is repeated as a whole.
 */
export async function poll(
	context: IPollFunctions,
	polled: Polled,
): Promise<INodeExecutionData[][] | null> {
	if (context.getMode() === 'manual') return [await samples(context, polled)];

	const state = context.getWorkflowStaticData('node') as State;
	const key = `${context.getWorkflow().id}/${context.getNode().id}`;
	const saved = unsaved.get(key)?.feeds ?? state.feeds;
	const begins = isBeginning(context);
	const { feeds, events } = await readAll(context, polled, begins ? {} : saved);
	const items = await Promise.all(events.map(async (each) => await itemOf(context, polled, each)));

	state.feeds = feeds;
	if (begins || !saved) {
		unsaved.set(key, { feeds });
		activated.add(context);
		return null;
	}
	unsaved.delete(key);
	return items.length > 0 ? [items] : null;
}

/** Reads every feed: on from what is remembered of it, or for its baseline where nothing is. */
async function readAll(
	context: IPollFunctions,
	{ feeds, toItem }: Polled,
	saved: Record<string, Memory> = {},
) {
	const isOver = overdueAfter(context);
	const entries = Object.entries(feeds);
	const capacity = Math.floor(CAPACITY / entries.length);
	const limits = { capacity, isOver, most: toItem && DETAILED };
	const next: Record<string, Memory> = {};
	const events: Event[] = [];
	for (const [name, feed] of entries) {
		const of = fingerprint(feed);
		const memory = saved[name]?.of === of ? saved[name] : undefined;
		if (memory && isOver()) {
			next[name] = memory;
		} else if ('timed' in feed) {
			const source = timedSource(context, feed.timed);
			const cursor = memory && 'cursor' in memory ? memory.cursor : undefined;
			const read = cursor
				? await advance(source, cursor, limits)
				: { events: [], cursor: await baseline(source, capacity) };
			next[name] = { of, cursor: read.cursor };
			events.push(...read.events);
		} else {
			const source = stateSource(context, feed.state);
			const members = memory && 'members' in memory ? memory.members : undefined;
			const read = members
				? await changedMembers(source, members)
				: { events: [], members: await firstMembers(source) };
			next[name] = { of, members: read.members };
			events.push(...read.events);
		}
	}
	return { feeds: next, events };
}

/** What a feed reads: when that changes, what is remembered belongs to something else. */
function fingerprint(feed: Feed): string {
	if ('timed' in feed) {
		const { url, timeField, query } = feed.timed;
		return JSON.stringify([url, timeField, query]);
	}
	return JSON.stringify([feed.state.url, feed.state.query(new Date(0))]);
}

function overdueAfter(context: IPollFunctions): () => boolean {
	// Older versions of n8n do not tell.
	const { getPollBudgetMs } = context as { getPollBudgetMs?: () => number };
	const budget = getPollBudgetMs?.call(context);
	const end = budget === undefined ? Infinity : clock.now() + budget * BUDGET_SHARE;
	return () => clock.now() > end;
}

async function itemOf(
	context: IPollFunctions,
	{ toItem }: Polled,
	{ event, record, json }: Event,
): Promise<INodeExecutionData> {
	if (toItem) return await toItem(context, json ?? record, event);
	return { json: { event, ...(json ?? record) } };
}

function timedSource(context: IPollFunctions, feed: TimedFeed): Source<IDataObject> {
	const { url, timeField, query = {} } = feed;
	const { id = (record) => String(record.id), time = (record) => String(record[timeField]) } = feed;
	const read = async (page: number, qs: IDataObject): Promise<Page<IDataObject>> => {
		const list = { method: 'GET' as const, url, qs: { ...query, ...qs } };
		const { records, totalPages } = await listPage(context, list, page, MAX_PER_PAGE);
		const now = await serviceTime(context);
		return { records, last: page >= totalPages, now };
	};
	return {
		page: async (since, page) =>
			await read(page, {
				...(since && { [`filters[${timeField}:gte]`]: since }),
				sort: `${timeField},asc`,
			}),
		newest: async () => await read(1, { sort: `${timeField},desc` }),
		time,
		id,
		occurrences: feed.occurrences,
		isOpen: feed.isOpen,
		openForMs: feed.openForMs,
	};
}

function stateSource(context: IPollFunctions, feed: StateFeed): StateSource {
	const { counts = () => true, entered, left, url, newestFirst = 'updated_at,desc' } = feed;
	let now = new Date(0);
	return {
		entered,
		left,
		counts,
		hasLeft: (record) => feed.hasLeft(record, now),
		newest: async () => {
			now = new Date((await serviceTime(context, url)) ?? clock.now());
			const list = { method: 'GET' as const, url, qs: { ...feed.query(now), sort: newestFirst } };
			const { records, totalItems: total } = await listPage(context, list, 1, MAX_PER_PAGE);
			return { records, total, now: now.getTime() };
		},
		all: async () => await listAll(context, { method: 'GET', url, qs: feed.query(now) }),
		one: async (id) => await recordAt(context, feed.recordUrl(encodeURIComponent(id))),
	};
}

/** The newest records with one of the chosen events, each with its latest event. */
async function samples(context: IPollFunctions, polled: Polled): Promise<INodeExecutionData[]> {
	const found: Event[] = [];
	for (const feed of Object.values(polled.feeds)) {
		if (found.length >= SAMPLES) break;
		if ('timed' in feed) {
			const source = timedSource(context, feed.timed);
			const { records } = await source.newest();
			for (const record of records) {
				const latest = source.occurrences(record, '').at(-1);
				if (latest) found.push({ ...latest, record });
			}
		} else {
			const { entered, left } = feed.state;
			const source = stateSource(context, feed.state);
			const records = (await source.newest()).records.filter(source.counts);
			const event = entered ?? left;
			if (event) found.push(...records.map((record) => ({ event, record })));
		}
	}
	if (found.length === 0) {
		const { message, description } = polled.nothingToShow;
		throw new NodeOperationError(context.getNode(), message, { description });
	}
	const shown = found.slice(0, SAMPLES);
	return await Promise.all(shown.map(async (each) => await itemOf(context, polled, each)));
}

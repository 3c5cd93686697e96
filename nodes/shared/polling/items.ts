import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { mapParallel, OutOfTime } from '../client/limiter';
import { operationError } from '../n8n/context';
import { isOfRecord } from '../receive/errors';
import { shownAt } from '../client/allowed';
import { accountOf } from '../client/request';
import { dueNow } from './due';
import type { Event, EventDetails, Feed, Occurrence, Polled } from './feed';
import type { Sources } from './sources';
import type { AwaitedEvent } from './state';

/** Selects the events to report: those of all choices. */
export const chosenBy =
	(...choices: Array<Polled['events']>) =>
	(event: string) =>
		choices.every((events) => events?.includes(event) ?? true);

/** The feeds that the chosen events need, by name. */
export const chosenFeeds = ({ feeds, events }: Polled) =>
	Object.entries(feeds).filter(([, feed]) => feed.events?.some(chosenBy(events)) ?? true);

/** The items, before their details, for events of records that the feed and the sites of the credential allow. */
export async function itemsFor(context: IPollFunctions, feed: Feed, events: Event[]) {
	const { url, concerns = () => true } = feed;
	const meant = events.filter(({ record }) => concerns(record));
	const isShown = meant.length > 0 ? await shownAt(context, url) : undefined;
	return meant
		.filter(({ record }) => isShown?.(record) ?? true)
		.map(({ event, record, json }) => ({ json: { event, ...(json ?? record) } }));
}

export async function inForm(
	{ shape = (json) => json, complete = async (jsons) => jsons }: Polled,
	items: INodeExecutionData[],
): Promise<INodeExecutionData[]> {
	const jsons = items.length > 0 ? await complete(items.map(({ json }) => json)) : [];
	return items.flatMap((item, index) =>
		[shape(jsons[index]!)].flat().map((json) => ({ ...item, json })),
	);
}

/** The details that the events of a feed have. */
export const detailsOf = ({ details }: Polled, feed: string): EventDetails | undefined =>
	(details?.feeds?.includes(feed) ?? true) ? details : undefined;

/** Maximum length of the waiting events as JSON, which n8n stores between polls; others do not wait. */
const MAX_WAITING = 24_000;

/**
 * The items for events with their details, and the events that wait: all others when the time is over.
 * @param taken characters of the events that wait already, as JSON
 */
export async function detailedItems(
	context: IPollFunctions,
	{ details }: Polled,
	events: AwaitedEvent[],
	isOver: () => boolean,
	taken: number,
) {
	const items: INodeExecutionData[] = [];
	const awaited: AwaitedEvent[] = [];
	if (!details || events.length === 0)
		return { items: events.map(({ json }) => ({ json })), awaited };
	const read = await mapParallel(events, async (event) => {
		const item = isOver() ? LATER : await detailed(context, details, event.json);
		return { ...event, item };
	});
	const now = (await accountOf(context)).limiter.now();
	const { waitMs = 300_000, tries: least = 5 } = details;
	let length = taken;
	for (const { item, json, since, tries = 0 } of read) {
		if (item === null) continue;
		const hasItem = typeof item === 'object';
		// Five polls without time for an event count as a try, so that none waits forever.
		const tried = tries + (item === LATER ? 0.2 : 1);
		const isLate = tried >= least && now - since >= waitMs;
		length += hasItem ? 0 : JSON.stringify(json).length;
		if (hasItem || isLate || length > MAX_WAITING)
			items.push(hasItem ? item : { json: { ...json, ...details.without } });
		else awaited.push({ json, since, tries: tried });
	}
	return { items, awaited };
}

/** Returned if this poll has no time to read the details. */
const LATER = Symbol('later');

/** Undefined if the details cannot be read now, null to leave out the event. */
async function detailed(context: IPollFunctions, { read }: EventDetails, json: IDataObject) {
	return await read(context, json).catch((error: unknown) => {
		if (error instanceof OutOfTime) return LATER;
		// An unreadable record does not stop all others.
		if (isOfRecord(error)) return undefined;
		throw error;
	});
}

/** Maximum number of events of a feed that a test run looks at. */
const MAX_CHECKED = 25;

/** A sample for a test run in the editor: one item, as n8n's own triggers have. The first feed with one is shown. */
export async function sample(context: IPollFunctions, sources: Sources, polled: Polled) {
	const isChosen = chosenBy(polled.events);
	for (const [name, feed] of chosenFeeds(polled)) {
		const found = await itemsFor(context, feed, await newestEvents(sources, feed, isChosen));
		const details = detailsOf(polled, name);
		for (const { json } of found.slice(0, MAX_CHECKED)) {
			const item = details && (await detailed(context, details, json));
			if (item === null) continue;
			const shown = typeof item === 'object' ? item : { json: { ...json, ...details?.without } };
			return (await inForm(polled, [shown])).slice(0, 1);
		}
	}
	const { what, nothingToShow: description } = polled;
	throw operationError(context, `No ${what} to show yet`, description);
}

async function newestEvents(sources: Sources, feed: Feed, isChosen: (event: string) => boolean) {
	if (feed.kind === 'timed') {
		const source = sources.timed(feed);
		const { records } = await source.newest();
		const isShown = ({ event, isUnsure }: Occurrence) => isChosen(event) && !isUnsure;
		return records.flatMap((record) => {
			const latest = source.occurrences(record).filter(isShown).at(-1);
			return latest ? [{ ...latest, record }] : [];
		});
	}
	if (feed.kind === 'due') return await dueNow(sources.due(feed), isChosen);
	const { entered, left, isIn, hasLeft } = feed;
	const source = sources.state(feed);
	const [event, isShown, page] = isChosen(entered)
		? [entered, isIn, await source.newest()]
		: [left, hasLeft, await source.lastLeft(1)];
	return page.records.filter(isShown).map((record) => ({ event, record }));
}

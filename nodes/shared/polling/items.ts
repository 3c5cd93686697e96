import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { clock } from '../client/clock';
import { Semaphore } from '../client/queue';
import { MAX_IN_FLIGHT, OutOfTime } from '../client/limiter';
import { isOfRecord } from '../receive/errors';
import { shownAt } from '../client/allowed';
import { serviceTime } from '../client/request';
import { dueNow } from './due';
import type { EventDetails, Feed, Occurrence, Polled } from './feed';
import type { Sources } from './sources';
import type { AwaitedEvent } from './state';

/** The items in their output form. */
export async function inForm(
	{ shape = (json) => json, complete = async (jsons) => jsons }: Polled,
	items: INodeExecutionData[],
): Promise<INodeExecutionData[]> {
	const jsons = items.length > 0 ? await complete(items.map(({ json }) => json)) : [];
	return items.map((item, index) => ({ ...item, json: shape(jsons[index]!) }));
}

/** An event that a feed reports. */
export interface Event {
	event: string;
	record: IDataObject;
	/** The output. @default the record */
	json?: IDataObject;
}

const urlOf = (feed: Feed) =>
	'timed' in feed ? feed.timed.url : 'state' in feed ? feed.state.url : feed.due.url;

/** The events of records that the sites of the credential allow. */
export async function allowedOf<E extends Event>(
	context: IPollFunctions,
	feed: Feed,
	events: E[],
): Promise<E[]> {
	const isShown = events.length > 0 ? await shownAt(context, urlOf(feed)) : undefined;
	return isShown ? events.filter(({ record }) => isShown(record)) : events;
}

/** Maximum number of samples of a test run in the editor. */
const SAMPLES = 5;

/** Maximum number of events whose details it reads to find the samples. */
const MAX_CHECKED = 25;

/** Maximum length of the waiting events as JSON, which n8n stores between polls; others do not wait. */
const MAX_WAITING = 24_000;

const jsonOf = ({ event, record, json }: Event): IDataObject => ({ event, ...(json ?? record) });

/** New events, before their details are read. */
export async function toWaiting(context: IPollFunctions, events: Event[]): Promise<AwaitedEvent[]> {
	if (events.length === 0) return [];
	const since = (await serviceTime(context)) ?? clock.now();
	return events.map((event) => ({ json: jsonOf(event), since }));
}

/**
 * The items for events with their details, and the events that wait for them.
 * @param isOver whether the time for this poll is over: then the rest waits without another read
 */
export async function itemsOf(
	context: IPollFunctions,
	{ details }: Polled,
	events: AwaitedEvent[],
	isOver: () => boolean,
) {
	const items: INodeExecutionData[] = [];
	const awaited: AwaitedEvent[] = [];
	if (!details) return { items: events.map(({ json }) => ({ json })), awaited };
	const few = new Semaphore(MAX_IN_FLIGHT);
	const read = await Promise.all(
		events.map(async (event) => {
			const item = await few.run(async () =>
				isOver() ? LATER : await detailed(context, details, event.json),
			);
			return { ...event, item };
		}),
	);
	const now = (await serviceTime(context)) ?? clock.now();
	let length = 0;
	for (const { item, json, since, tries = 0 } of read) {
		if (item === null) continue;
		const hasItem = typeof item === 'object';
		// Five polls without time for an event count as a try, so that none waits forever.
		const tried = tries + (item === LATER ? 0.2 : 1);
		const isLate = tried >= details.tries && now - since >= details.waitMs;
		length += hasItem ? 0 : JSON.stringify(json).length;
		if (hasItem || isLate || length > MAX_WAITING)
			items.push(hasItem ? item : details.without(json));
		else awaited.push({ json, since, ...(tried > 0 && { tries: tried }) });
	}
	return { items, awaited };
}

/** Returned if this poll has no time to read the details. */
const LATER = Symbol('later');

/** The items for events without details. */
export const plainItems = (events: Event[]): INodeExecutionData[] =>
	events.map((event) => ({ json: jsonOf(event) }));

/** Whether the events of a feed have details. */
export const hasDetails = ({ details }: Polled, feed: string): boolean =>
	details !== undefined && (details.feeds?.includes(feed) ?? true);

/** Undefined if the details cannot be read now, null to leave out the event. */
async function detailed(
	context: IPollFunctions,
	{ read }: EventDetails,
	json: IDataObject,
): Promise<INodeExecutionData | typeof LATER | null | undefined> {
	return await read(context, json).catch((error: unknown) => {
		if (error instanceof OutOfTime) return LATER;
		// An unreadable record does not stop all others.
		if (isOfRecord(error)) return undefined;
		throw error;
	});
}

/**
 * Samples for a test run in the editor: the newest records with a chosen event, each with its latest one.
 * @throws NodeOperationError when there is none
 */
export async function samples(
	context: IPollFunctions,
	sources: Sources,
	polled: Polled,
): Promise<INodeExecutionData[]> {
	const shown: INodeExecutionData[] = [];
	for (const [name, feed] of Object.entries(polled.feeds)) {
		if (shown.length === SAMPLES) break;
		const found = await allowedOf(context, feed, await samplesOf(sources, feed, polled.events));
		const most = SAMPLES - shown.length;
		shown.push(
			...(hasDetails(polled, name)
				? await wantedOf(context, polled.details!, found, most)
				: plainItems(found.slice(0, most))),
		);
	}
	if (shown.length === 0) {
		const { message, description } = polled.nothingToShow;
		throw new NodeOperationError(context.getNode(), message, { description });
	}
	return await inForm(polled, shown);
}

/** The first events that their details do not leave out. */
async function wantedOf(
	context: IPollFunctions,
	details: EventDetails,
	found: Event[],
	most: number,
): Promise<INodeExecutionData[]> {
	const wanted: INodeExecutionData[] = [];
	const left = found.slice(0, MAX_CHECKED).map((event) => jsonOf(event));
	while (wanted.length < most && left.length > 0) {
		const items = left.splice(0, most - wanted.length).map(async (json) => {
			const item = await detailed(context, details, json);
			return typeof item === 'object' ? item : details.without(json);
		});
		wanted.push(...(await Promise.all(items)).filter((item) => item !== null));
	}
	return wanted;
}

async function samplesOf(
	sources: Sources,
	feed: Feed,
	chosen: readonly string[] | undefined,
): Promise<Event[]> {
	const isChosen = ({ event }: { event: string }) => !chosen || chosen.includes(event);
	if ('timed' in feed) {
		const source = sources.timed(feed.timed);
		const { records } = await source.newest();
		const isShown = (each: Occurrence) => isChosen(each) && !each.isUnsure;
		return records.flatMap((record) => {
			const latest = source.occurrences(record).filter(isShown).at(-1);
			return latest ? [{ ...latest, record }] : [];
		});
	}
	if ('due' in feed) return await dueNow(sources.due(feed.due), isChosen, SAMPLES);
	const { entered, left, concerns = () => true } = feed.state;
	const source = sources.state(feed.state);
	const isIn = isChosen({ event: entered });
	const { records } = isIn ? await source.newest() : await source.left(1);
	return records
		.filter((record) => (isIn ? source.isIn(record) : source.hasLeft(record)) && concerns(record))
		.map((record) => ({ event: isIn ? entered : (left ?? ''), record }));
}

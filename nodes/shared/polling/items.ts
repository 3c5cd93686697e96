import type { IDataObject, INode, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { clock } from '../client/clock';
import { Semaphore } from '../client/queue';
import { MAX_IN_FLIGHT, OutOfTime } from '../client/limiter';
import { isOfRecord } from '../receive/errors';
import type { Service } from '../client/service';
import { dueNow } from './due';
import type { EventDetails, Feed, Occurrence, Polled } from './feed';
import type { Sources } from './sources';
import type { AwaitedEvent } from './state';

/** The items in the form in which they come out. */
export async function inForm(
	{ shape = (json) => json, complete = async (jsons) => jsons }: Polled,
	items: INodeExecutionData[],
): Promise<INodeExecutionData[]> {
	const jsons = items.length > 0 ? await complete(items.map(({ json }) => json)) : [];
	return items.map((item, index) => ({ ...item, json: shape(jsons[index]!) }));
}

/** Something that has happened, as a feed tells it. */
export interface Event {
	event: string;
	record: IDataObject;
	/** What comes out, where that is not the record. */
	json?: IDataObject;
}

const urlOf = (feed: Feed) =>
	'timed' in feed ? feed.timed.url : 'state' in feed ? feed.state.url : feed.due.url;

/** The events of records that the sites of the credential allow. */
export async function allowedOf<E extends Event>(
	service: Service,
	feed: Feed,
	events: E[],
): Promise<E[]> {
	const isShown = events.length > 0 ? await service.shownAt(urlOf(feed)) : undefined;
	return isShown ? events.filter(({ record }) => isShown(record)) : events;
}

/** What a poll reaches of the account. */
export interface Reach {
	service: Service;
	sources: Sources;
}

/** Sample records that a test run in the editor returns at most. */
const SAMPLES = 5;

/** Events whose details it reads at most, until there are as many samples. */
const LOOKED_AT = 25;

/** Length of the waiting events as JSON, which n8n keeps between polls; what is too much does not wait. */
const MAX_WAITING = 24_000;

const jsonOf = ({ event, record, json }: Event): IDataObject => ({ event, ...(json ?? record) });

/** The items for events, and the events that wait for their details. */
export interface Items {
	items: INodeExecutionData[];
	awaited: AwaitedEvent[];
}

/** What has happened now, before its details are read. */
export async function toWaiting(service: Service, events: Event[]): Promise<AwaitedEvent[]> {
	if (events.length === 0) return [];
	const since = (await service.time()) ?? clock.now();
	return events.map((event) => ({ json: jsonOf(event), since }));
}

/**
 * The items for events, with their details where they are wanted.
 * @param isOver whether the time for this poll is over: then nothing more is read, and the rest waits
 * @param taken length of what waits already
 */
export async function itemsOf(
	service: Service,
	{ details }: Polled,
	events: AwaitedEvent[],
	isOver: () => boolean,
	taken = 0,
): Promise<Items> {
	if (!details || events.length === 0) {
		return { items: events.map(({ json }) => toItem(json)), awaited: [] };
	}
	const few = new Semaphore(MAX_IN_FLIGHT);
	const read = await Promise.all(
		events.map(async (event) => {
			const item = await few.run(async () =>
				isOver() ? LATER : await detailed(service, details, event.json),
			);
			return { ...event, item };
		}),
	);
	const now = (await service.time()) ?? clock.now();
	const items: INodeExecutionData[] = [];
	const awaited: AwaitedEvent[] = [];
	let length = taken;
	for (const { item, json, since, tries = 0 } of read) {
		if (item === null) continue;
		const isGiven = typeof item === 'object';
		// No event waits for ever: five polls without time for it are a try.
		const tried = tries + (item === LATER ? 0.2 : 1);
		const isLate = tried >= details.tries && now - since >= details.waitMs;
		length += isGiven ? 0 : JSON.stringify(json).length;
		if (isGiven || isLate || length > MAX_WAITING)
			items.push(isGiven ? item : details.without(json));
		else awaited.push({ json, since, ...(tried > 0 && { tries: tried }) });
	}
	return { items, awaited };
}

/** Given for details that this poll has no time to read. */
const LATER = Symbol('later');

const toItem = (json: IDataObject): INodeExecutionData => ({ json });

/** The items for events without details. */
export const plainItems = (events: Event[]): INodeExecutionData[] =>
	events.map((event) => toItem(jsonOf(event)));

/** Whether the events of a feed have details. */
export const hasDetails = ({ details }: Polled, feed: string): boolean =>
	details !== undefined && (details.feeds?.includes(feed) ?? true);

/** Undefined where the details are not to be had now, null where the event is not wanted. */
async function detailed(
	service: Service,
	{ read }: EventDetails,
	json: IDataObject,
): Promise<INodeExecutionData | typeof LATER | null | undefined> {
	try {
		return await read(service, json);
	} catch (error) {
		return unlessOfAccount(error);
	}
}

/** One record that can not be read must not stop all others. */
function unlessOfAccount(error: unknown): typeof LATER | undefined {
	if (error instanceof OutOfTime) return LATER;
	if (isOfRecord(error)) return undefined;
	throw error;
}

/**
 * What a test run in the editor shows: the newest records with one of the chosen events, each with its latest one.
 * @throws NodeOperationError when there is none
 */
export async function samples(
	node: INode,
	{ service, sources }: Reach,
	polled: Polled,
): Promise<INodeExecutionData[]> {
	const shown: INodeExecutionData[] = [];
	for (const [name, feed] of Object.entries(polled.feeds)) {
		if (shown.length === SAMPLES) break;
		const found = await allowedOf(service, feed, await samplesOf(sources, feed, polled.events));
		const most = SAMPLES - shown.length;
		shown.push(
			...(hasDetails(polled, name)
				? await wantedOf(service, polled.details!, found, most)
				: plainItems(found.slice(0, most))),
		);
	}
	if (shown.length === 0) {
		const { message, description } = polled.nothingToShow;
		throw new NodeOperationError(node, message, { description });
	}
	return await inForm(polled, shown);
}

/** The first events that their details show to be wanted, of those that are looked at. */
async function wantedOf(
	service: Service,
	details: EventDetails,
	found: Event[],
	most: number,
): Promise<INodeExecutionData[]> {
	const wanted: INodeExecutionData[] = [];
	const left = found.slice(0, LOOKED_AT).map((event) => jsonOf(event));
	while (wanted.length < most && left.length > 0) {
		const items = left.splice(0, most - wanted.length).map(async (json) => {
			const item = await detailed(service, details, json);
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

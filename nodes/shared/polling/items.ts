import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { clock } from '../transport/clock';
import { FewAtATime } from '../transport/fewAtATime';
import { MAX_IN_FLIGHT, OutOfTime } from '../transport/limiter';
import { serviceTime } from '../transport/request';
import type { Details, Feed, Polled } from './feed';
import { stateSource, timedSource } from './sources';
import type { Waiting } from './state';

/** Something that has happened, as a feed tells it. */
export interface Event {
	event: string;
	record: IDataObject;
	/** What comes out, where that is not the record. */
	json?: IDataObject;
}

/** Sample records that a test run in the editor returns at most. */
const SAMPLES = 5;

/** Length of the waiting events as JSON, which n8n keeps between polls; what is too much does not wait. */
const MAX_WAITING = 24_000;

const jsonOf = ({ toJson }: Polled, { event, record, json }: Event): IDataObject =>
	toJson ? toJson(json ?? record, event) : { event, ...(json ?? record) };

/**
 * The items for the events, after those of earlier events that have waited for their details; and what waits on.
 * @param isOver whether the time for this poll is over: then nothing more is read
 */
export async function itemsOf(
	context: IPollFunctions,
	polled: Polled,
	events: Event[],
	waiting: Waiting[] = [],
	isOver: () => boolean,
): Promise<{ items: INodeExecutionData[]; awaited: Waiting[] }> {
	const { details } = polled;
	const fresh = events.map((event) => jsonOf(polled, event));
	if (!details) {
		return { items: [...waiting.map(({ json }) => json), ...fresh].map(toItem), awaited: [] };
	}
	const now = (await serviceTime(context)) ?? clock.now();
	const all = [...waiting, ...fresh.map((json) => ({ json, since: now }))];
	const few = new FewAtATime(MAX_IN_FLIGHT);
	const read = await Promise.all(
		all.map(async ({ json, since }) => {
			const item = await few.run(async () =>
				isOver() ? undefined : await detailed(context, details, json),
			);
			return { item, json, since };
		}),
	);
	const items: INodeExecutionData[] = [];
	const awaited: Waiting[] = [];
	let length = 0;
	for (const { item, json, since } of read) {
		length += item ? 0 : JSON.stringify(json).length;
		const waits = !item && now - since < details.waitMs && length <= MAX_WAITING;
		if (waits) awaited.push({ json, since });
		else items.push(item ?? details.without(json));
	}
	return { items, awaited };
}

const toItem = (json: IDataObject): INodeExecutionData => ({ json });

/** Problems of the account or its limit rather than of one record: the whole poll is repeated. */
const OF_ACCOUNT = ['401', '403', '429'];

async function detailed(
	context: IPollFunctions,
	{ read }: Details,
	json: IDataObject,
): Promise<INodeExecutionData | undefined> {
	try {
		return await read(context, json);
	} catch (error) {
		return unlessOfAccount(error);
	}
}

/** One record that can not be read must not stop all others. */
function unlessOfAccount(error: unknown): undefined {
	const isOfRecord =
		error instanceof OutOfTime ||
		(error instanceof NodeApiError && !OF_ACCOUNT.includes(String(error.httpCode)));
	if (!isOfRecord) throw error;
}

/**
 * What a test run in the editor shows: the newest records with one of the chosen events, each with its latest one.
 * @throws NodeOperationError when there is none
 */
export async function samples(
	context: IPollFunctions,
	polled: Polled,
): Promise<INodeExecutionData[]> {
	const found: Event[] = [];
	for (const feed of Object.values(polled.feeds)) {
		if (found.length < SAMPLES) found.push(...(await samplesOf(context, feed, polled.events)));
	}
	if (found.length === 0) {
		const { message, description } = polled.nothingToShow;
		throw new NodeOperationError(context.getNode(), message, { description });
	}
	const shown = found.slice(0, SAMPLES).map((event) => jsonOf(polled, event));
	const { details } = polled;
	if (!details) return shown.map(toItem);
	return await Promise.all(
		shown.map(async (json) => (await detailed(context, details, json)) ?? details.without(json)),
	);
}

async function samplesOf(
	context: IPollFunctions,
	feed: Feed,
	chosen: readonly string[] | undefined,
): Promise<Event[]> {
	const isChosen = ({ event }: { event: string }) => !chosen || chosen.includes(event);
	if ('timed' in feed) {
		const source = timedSource(context, feed.timed);
		const { records } = await source.newest();
		return records.flatMap((record) => {
			const latest = source.occurrences(record).filter(isChosen).at(-1);
			return latest ? [{ ...latest, record }] : [];
		});
	}
	const { entered, left, concerns = () => true } = feed.state;
	const source = stateSource(context, feed.state);
	const isIn = isChosen({ event: entered });
	const { records } = isIn ? await source.newest() : await source.left(1);
	return records
		.filter((record) => (isIn ? source.isIn(record) : source.hasLeft(record)) && concerns(record))
		.map((record) => ({ event: isIn ? entered : (left ?? ''), record }));
}

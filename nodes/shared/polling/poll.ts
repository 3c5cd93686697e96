import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { recordsOf } from '../receive/records';
import { MAX_PER_PAGE } from '../transport/paging';
import { request } from '../transport/request';
import type { Cursor, Page, Source } from './cursor';
import { advance, baseline } from './cursor';

/** How a trigger reads its events from a list of the service. */
export interface PolledList {
	url: string;
	/** The field that the list is read by; it has `gte` as a filter and can be sorted by. */
	timeField: string;
	/** See `Source.key`. */
	key: (record: IDataObject) => string | undefined;
	/** What to say when a test run finds nothing to show. */
	nothingToShow: { message: string; description: string };
}

/** Sample records that a test run in the editor returns at most. */
const SAMPLES = 5;

/**
 * Baselines that n8n may not have saved: where it commits a trigger's state together with its events only,
 * the poll at activation would be forgotten, and what happens until the next poll be lost.
 */
const unsaved = new Map<string, Cursor>();

/** Activations by the user whose first poll has been made. */
const activated = new WeakSet<IPollFunctions>();

/**
 * One poll: the events since the last one, or null. The first poll after activation sets the baseline.
 * A test run in the editor returns the newest matching records and leaves the state alone.
 */
export async function poll(
	context: IPollFunctions,
	list: PolledList,
): Promise<INodeExecutionData[][] | null> {
	const source = sourceOf(context, list);
	if (context.getMode() === 'manual') return [(await samples(context, source, list)).map(toItem)];

	const state = context.getWorkflowStaticData('node') as { cursor?: Cursor };
	const key = `${context.getWorkflow().id}/${context.getNode().id}`;
	const cursor = unsaved.get(key) ?? state.cursor;
	// A start of n8n or an edit of the workflow goes on where it was; switching it on begins anew.
	const begins = context.getActivationMode() === 'activate' && !activated.has(context);
	if (begins || !cursor) {
		state.cursor = await baseline(source);
		unsaved.set(key, state.cursor);
		activated.add(context);
		return null;
	}
	const next = await advance(source, cursor);
	state.cursor = next.cursor;
	unsaved.delete(key);
	return next.events.length > 0 ? [next.events.map(toItem)] : null;
}

const toItem = (json: IDataObject): INodeExecutionData => ({ json });

function sourceOf(context: IPollFunctions, list: PolledList): Source<IDataObject> {
	const read = async (qs: IDataObject): Promise<Page<IDataObject>> => {
		const { body } = await request(context, {
			method: 'GET',
			url: list.url,
			qs: { ...qs, perPage: MAX_PER_PAGE },
		});
		const records = recordsOf(body);
		return { records, last: records.length < MAX_PER_PAGE };
	};
	return {
		page: async (since, page) =>
			await read({
				...(since && { [`filters[${list.timeField}:gte]`]: since }),
				sort: `${list.timeField},asc`,
				page,
			}),
		newest: async () => await read({ sort: `${list.timeField},desc`, page: 1 }),
		time: (record) => String(record[list.timeField]),
		id: ({ id }) => String(id),
		key: list.key,
	};
}

async function samples(
	context: IPollFunctions,
	source: Source<IDataObject>,
	{ nothingToShow }: PolledList,
): Promise<IDataObject[]> {
	const { records } = await source.newest();
	const found = records.filter((record) => source.key(record) !== undefined).slice(0, SAMPLES);
	if (found.length > 0) return found;
	throw new NodeOperationError(context.getNode(), nothingToShow.message, {
		description: nothingToShow.description,
	});
}

import type { IBinaryData, IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import type { Polled } from '../../shared/polling/feed';
import { isBeginning, poll } from '../../shared/polling/poll';
import { fallbackName, toBinary } from '../../shared/receive/file';
import { clock } from '../../shared/transport/clock';
import { download } from '../../shared/transport/download';
import { FewAtATime } from '../../shared/transport/fewAtATime';
import { serviceTime } from '../../shared/transport/request';
import { MAX_DOWNLOADS } from '../../shared/transport/run';
import { reportFile } from './report';

/** An event whose PDF the service did not have yet. */
interface Awaited {
	json: IDataObject;
	/** When it happened, by the service's clock, in epoch milliseconds. */
	since: number;
}

/** How long an event may wait for its PDF; then it is emitted without. */
const WAIT_MS = 3_600_000;

/** Length of the waiting events as JSON, which n8n keeps between polls; what is too much is emitted without a PDF. */
const MAX_WAITING = 32_000;

/** Problems of the account or its limit rather than of one report: the whole poll is repeated. */
const OF_ACCOUNT = ['401', '403', '429'];

/**
 * A poll whose items carry the PDF of their report in the binary field `data`. A report that is not complete has
 * none yet: its event waits then, but not for ever, and no other event waits for it.
 * @param attach whether PDFs are wanted; what still waits for one is emitted when they are no longer
 */
export async function pollWithPdfs(
	context: IPollFunctions,
	polled: Polled,
	attach: boolean,
): Promise<INodeExecutionData[][] | null> {
	const itemOf = attach ? pdfAttacher(context) : async (json: IDataObject) => ({ json });
	const withoutPdf = new Map<INodeExecutionData, number>();
	const toItem: Polled['toItem'] = async (_context, record, event) => {
		const item: INodeExecutionData = await itemOf({ event, ...record });
		if (attach && !item.binary) withoutPdf.set(item, await timeOf(context));
		return item;
	};
	if (context.getMode() === 'manual') return await poll(context, { ...polled, toItem });

	const state = context.getWorkflowStaticData('node') as { awaited?: Awaited[] };
	const begins = isBeginning(context);
	const items: INodeExecutionData[] = [];
	const awaited: Awaited[] = [];
	// First, because nothing may fail any more once the poll has moved on.
	for (const { json, since } of begins ? [] : (state.awaited ?? [])) {
		const item: INodeExecutionData = await itemOf(json);
		const waitsOn = attach && !item.binary && (await timeOf(context)) - since < WAIT_MS;
		if (waitsOn) awaited.push({ json, since });
		else items.push(item);
	}
	const output = await poll(context, attach ? { ...polled, toItem } : polled);
	for (const item of output?.[0] ?? []) {
		const since = withoutPdf.get(item);
		const waiting = since === undefined ? [] : [{ json: item.json, since }];
		const isRoom = JSON.stringify([...awaited, ...waiting]).length <= MAX_WAITING;
		if (waiting.length > 0 && isRoom) awaited.push(...waiting);
		else items.push(item);
	}
	if (awaited.length > 0) state.awaited = awaited;
	else delete state.awaited;
	return items.length > 0 ? [items] : null;
}

const timeOf = async (context: IPollFunctions) => (await serviceTime(context)) ?? clock.now();

/** Gives items the PDF of their report; each is read once in a poll, and a few at a time. */
function pdfAttacher(context: IPollFunctions): (json: IDataObject) => Promise<INodeExecutionData> {
	const files = new Map<string, Promise<IBinaryData | undefined>>();
	const downloads = new FewAtATime(MAX_DOWNLOADS);
	return async (json) => {
		const id = String(json.id);
		let file = files.get(id);
		if (!file) {
			file = downloads.run(async () => await pdfOf(context, id));
			files.set(id, file);
		}
		const data = await file;
		return {
			json: { ...json, pdfAttached: data !== undefined },
			...(data && { binary: { data } }),
		};
	};
}

/** The PDF of a report, or undefined when there is none to be had now. */
async function pdfOf(context: IPollFunctions, id: string): Promise<IBinaryData | undefined> {
	const url = `/reports/${encodeURIComponent(id)}/download`;
	try {
		const answer = await download(context, { method: 'GET', url }, reportFile);
		return await toBinary(context, answer, fallbackName(reportFile, id));
	} catch (error) {
		return unlessOfAccount(error);
	}
}

/** One report whose file cannot be read must not stop all others. */
function unlessOfAccount(error: unknown): undefined {
	if (error instanceof NodeApiError && OF_ACCOUNT.includes(String(error.httpCode))) throw error;
}

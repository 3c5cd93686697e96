import type { IBinaryData, IDataObject, IPollFunctions } from 'n8n-workflow';
import type { EventDetails } from '../../shared/polling/feed';
import { fallbackName, toBinary } from '../../shared/receive/file';
import type { ApiResponse, CallContext } from '../../shared/n8n/context';
import { Semaphore } from '../../shared/client/queue';
import { download } from '../../shared/client/request';
import { MAX_DOWNLOADS } from '../../shared/run/run';
import { reportFile } from './report';

/** How long an event waits for its PDF before it is emitted without. */
const WAIT_MS = 3_600_000;

/** Adds the PDF of the report in the binary field `data`. Each is read once per poll, a few at a time. */
export function pdfs(context: IPollFunctions): EventDetails {
	const files = new Map<string, Promise<IBinaryData>>();
	const downloads = new Semaphore(MAX_DOWNLOADS);
	const without = (json: IDataObject) => ({ json: { ...json, pdf_attached: false } });
	return {
		read: async (_context, json) => {
			const id = String(json.id);
			const file =
				files.get(id) ??
				downloads.run(
					async () =>
						await toBinary(context, await pdfOf(context, id), fallbackName(reportFile, id)),
				);
			files.set(id, file);
			const data = await file;
			return { json: { ...json, pdf_attached: true }, binary: { data } };
		},
		without,
		waitMs: WAIT_MS,
		tries: 1,
	};
}

/** The PDF of a report. @throws NodeApiError if there is none yet */
async function pdfOf(context: CallContext, id: string): Promise<ApiResponse> {
	const url = `/reports/${encodeURIComponent(id)}/download`;
	return await download(context, { method: 'GET', url }, reportFile.mediaType);
}

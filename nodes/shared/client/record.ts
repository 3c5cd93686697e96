import type { IDataObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import { collectionOf, singular } from '../vocabulary/collections';
import { single } from '../receive/answer';
import { idIn, proveRecord } from '../receive/proof';
import type { CallContext } from '../n8n/context';
import type { Priority } from './queue';
import { read } from './request';

interface About {
	priority?: Priority;
	until?: number;
	/** Another field that the path can use instead of the ID. */
	alsoBy?: string;
}

/**
 * Reads a single record and checks that it is the one in the path.
 * @param url path such as `/tasks/9b1f6c2e70`
 */
export async function recordOf(
	context: CallContext,
	url: string,
	{ priority, until, alsoBy }: About = {},
): Promise<IDataObject> {
	const wrapper = singular(collectionOf(url.replace(/\/[^/]*$/, '')));
	const lastId = idIn(url);
	return await read(
		context,
		{ method: 'GET', url, until },
		(answer) => {
			const record = single({ wrapper }, answer, { lastId, isRead: true });
			proveRecord(record, lastId, { alsoBy });
			return record;
		},
		priority,
	);
}

/** As `recordOf`, but undefined if the record does not exist. */
export async function recordAt(
	context: CallContext,
	url: string,
): Promise<IDataObject | undefined> {
	return await recordOf(context, url).catch((error: unknown) => {
		if (error instanceof NodeApiError && error.httpCode === '404') return undefined;
		throw error;
	});
}

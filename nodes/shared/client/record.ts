import type { IDataObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import { collectionOf, singular } from '../vocabulary/words';
import { single } from '../receive/answer';
import { idIn, proveRecord } from '../receive/proof';
import type { CallContext } from '../n8n/context';
import type { Priority } from './queue';
import { read } from './request';

interface About {
	priority?: Priority;
	until?: number;
	/** A field that the path can name in the place of the id. */
	alsoBy?: string;
}

/**
 * A single record, which is the one that the path names.
 * @param url its path, such as `/tasks/9b1f6c2e70`
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

/** As `recordOf`, or undefined when it is gone. */
export async function recordAt(
	context: CallContext,
	url: string,
): Promise<IDataObject | undefined> {
	return await recordOf(context, url).catch((error: unknown) => {
		if (error instanceof NodeApiError && error.httpCode === '404') return undefined;
		throw error;
	});
}

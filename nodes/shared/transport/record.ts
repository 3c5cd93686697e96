import type { IDataObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import { collectionOf, singular } from '../operation';
import { single } from '../receive/answer';
import type { Context } from './context';
import type { Priority } from './queue';
import { read } from './request';

/** A single record. @param url its path, such as `/tasks/9b1f6c2e70` */
export async function recordOf(
	context: Context,
	url: string,
	{ priority, until }: { priority?: Priority; until?: number } = {},
): Promise<IDataObject> {
	const wrapper = singular(collectionOf(url.replace(/\/[^/]*$/, '')));
	const lastId = decodeURIComponent(url.slice(url.lastIndexOf('/') + 1));
	return await read(
		context,
		{ method: 'GET', url, until },
		({ body }, form) => single({ wrapper }, body, { lastId, isRead: true }, form),
		priority,
	);
}

/** As `recordOf`, or undefined when it is gone. */
export async function recordAt(context: Context, url: string): Promise<IDataObject | undefined> {
	return await recordOf(context, url).catch((error: unknown) => {
		if (error instanceof NodeApiError && error.httpCode === '404') return undefined;
		throw error;
	});
}

import type { IDataObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import { recordsOf } from '../receive/records';
import type { Context } from './context';
import { request } from './request';

/** A single record, or undefined when it is gone. @param url its path, such as `/tasks/9b1f6c2e70` */
export async function recordAt(context: Context, url: string): Promise<IDataObject | undefined> {
	try {
		const { body } = await request(context, { method: 'GET', url });
		return recordsOf(body)[0];
	} catch (error) {
		return unlessGone(error);
	}
}

function unlessGone(error: unknown): undefined {
	if (error instanceof NodeApiError && error.httpCode === '404') return undefined;
	throw error;
}

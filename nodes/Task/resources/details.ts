import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import { isRecord, unwrap } from '../../shared/receive/records';
import { request } from '../../shared/transport/request';

/** The task as it was when the event was seen, with the steps of its sites. Source: Part A, 2.9 and 4.8. */
export async function withSteps(
	context: IPollFunctions,
	task: IDataObject,
	event: string,
): Promise<INodeExecutionData> {
	const details = await detailsOf(context, String(task.id));
	return { json: { event, ...task, ...(details !== undefined && { details }) } };
}

async function detailsOf(context: IPollFunctions, id: string): Promise<IDataObject | undefined> {
	const url = `/tasks/${encodeURIComponent(id)}`;
	try {
		const { body } = await request(context, { method: 'GET', url });
		const task = unwrap(body);
		return isRecord(task) ? (task.details as IDataObject) : undefined;
	} catch (error) {
		return unlessGone(error);
	}
}

/** A task that is gone by now must not keep the events of all others back. */
function unlessGone(error: unknown): undefined {
	if (error instanceof NodeApiError && error.httpCode === '404') return undefined;
	throw error;
}

import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { recordAt } from '../../shared/transport/record';

/** The task as it was when the event was seen, with the steps of its sites. Source: Part A, 2.9 and 4.8. */
export async function withSteps(
	context: IPollFunctions,
	task: IDataObject,
	event: string,
): Promise<INodeExecutionData> {
	// A task that is gone by now must not keep the events of all others back.
	const { details } =
		(await recordAt(context, `/tasks/${encodeURIComponent(String(task.id))}`)) ?? {};
	return { json: { event, ...task, ...(details !== undefined && { details }) } };
}

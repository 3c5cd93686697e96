import type { IDataObject, IExecuteSingleFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import type { ErrorDetails } from '../receive/errors';
import { withDetails } from '../receive/errors';
import type { Trace } from '../n8n/trace';
import { TRACES } from '../n8n/trace';

/** Work at the service that was started. */
export interface AwaitedWork extends Pick<Trace, 'key' | 'value'> {
	/** As it stands in a sentence: `task 9b1f6c2e70`. */
	name: string;
	details: ErrorDetails;
}

/** The work of a task. */
export function taskWork({ id: given }: IDataObject): AwaitedWork {
	const id = String(given);
	return {
		name: `task ${id}`,
		key: TRACES.tasks,
		value: id,
		details: {
			outcome: 'started',
			taskId: id,
			verifyAt: `/tasks/${encodeURIComponent(id)} (Task: Get)`,
		},
	};
}

/** The error of work that was started, and must not be started again for it. */
export function endedBadly(
	context: IExecuteSingleFunctions,
	{ details }: Pick<AwaitedWork, 'details'>,
	message: string,
	description: string,
) {
	const error = new NodeOperationError(context.getNode(), message, { description });
	return withDetails(error, details);
}

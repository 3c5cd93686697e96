import type { Form } from '../receive/origin';
import { isOfService } from '../receive/origin';
import type { ApiRequest, ApiResponse, CallContext } from '../n8n/context';
import { isFirst } from './onceARun';

/** In which form an answer may come; each difference is logged once a run of a node. */
export function formFor(
	context: CallContext,
	{ method = 'GET', url }: ApiRequest,
	answer: ApiResponse,
): Form {
	return {
		isOfService: isOfService(answer),
		note: (difference) => {
			if (!isFirst(context, `${method} ${difference}`)) return;
			context.logger?.warn(
				`The response to ${method} ${url} differs from the API reference and was accepted: ${difference}`,
				{ node: context.getNode().name },
			);
		},
	};
}

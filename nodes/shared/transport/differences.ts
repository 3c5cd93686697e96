import type { Form } from '../receive/origin';
import { isOfService } from '../receive/origin';
import type { ApiRequest, ApiResponse, Context } from './context';
import { flowOf } from './context';

/** What has been said of the answers of a run. */
const said = new WeakMap<object, Set<string>>();

/** In which form an answer may come; each difference is logged once a run of a node. */
export function formFor(
	context: Context,
	{ method = 'GET', url }: ApiRequest,
	answer: ApiResponse,
): Form {
	const flow = flowOf(context);
	const run = typeof flow === 'object' ? flow : context;
	return {
		isOfService: isOfService(answer),
		note: (difference) => {
			const known = said.get(run) ?? new Set();
			said.set(run, known);
			const what = `${method} ${difference}`;
			if (known.has(what)) return;
			known.add(what);
			context.logger?.warn(
				`The service answered ${method} ${url} in another form than its API reference, which was taken: ${difference}`,
				{ node: context.getNode().name },
			);
		},
	};
}

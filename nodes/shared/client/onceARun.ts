import type { CallContext } from '../n8n/context';
import { flowOf } from './queue';

/** What has been said of the runs of nodes, and of polls. */
const said = new WeakMap<object, Set<string>>();

/** Whether something has not been said before in a run of a node. */
export function isFirst(context: CallContext, what: string): boolean {
	const flow = flowOf(context);
	const run = typeof flow === 'object' ? flow : context;
	const known = said.get(run) ?? new Set();
	said.set(run, known);
	const isNew = !known.has(what);
	known.add(what);
	return isNew;
}

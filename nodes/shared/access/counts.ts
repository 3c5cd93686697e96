import type { Deed, Vouched } from './check';
import { ACCESS_TODO, weightOf } from './check';
import type { Limits } from './limits';
import { Refused } from './target';

interface MadeChanges {
	changes: number;
	harmful: number;
}

/** What executions have changed, the latest last. An upgrade begins to count anew, for those under way then. */
const executions = new Map<string, MadeChanges>();

/** More are not under way in one process. */
const MAX_EXECUTIONS = 10_000;

/**
 * Counts what a request changes for its execution.
 * @throws Refused when that is more than the credential allows
 */
export function countChange(
	limits: Limits,
	deed: Deed,
	what: string,
	vouched: Vouched,
	execution: unknown,
): void {
	const { changes, harmful } = weightOf(deed, vouched);
	if (changes === 0 || (limits.maxChanges === Infinity && limits.maxHarmful === Infinity)) return;
	const refuse = (why: string): never => {
		throw new Refused(`${what} is not allowed by ${limits.by}: ${why}`, ACCESS_TODO);
	};
	if (typeof execution !== 'string' || execution.trim() === '') {
		return refuse('it limits the changes per execution, and n8n does not report an execution here');
	}
	const made = executions.get(execution) ?? { changes: 0, harmful: 0 };
	const over = (most: number, before: number, more: number, name: string) => {
		if (more === 0 || before + more <= most) return;
		const asked = more === Infinity ? 'all sites' : String(more);
		refuse(
			`${name} is ${most}. This execution has already made ${before}, and this request would make ${asked} more`,
		);
	};
	over(limits.maxChanges, made.changes, changes, 'Changes per Execution');
	over(limits.maxHarmful, made.harmful, harmful, 'Harmful Changes per Execution');
	executions.delete(execution);
	executions.set(execution, { changes: made.changes + changes, harmful: made.harmful + harmful });
	const [oldest] = executions.keys();
	if (executions.size > MAX_EXECUTIONS) executions.delete(oldest!);
}

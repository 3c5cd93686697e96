import type { Deed } from './deed';
import { ACCESS_TODO, Refused } from './deed';
import type { Limits } from './limits';

/**
 * The changes of each execution with a credential, the latest execution last. An upgrade begins to count anew, for
 * those under way then.
 */
const counted = new Map<string, Set<Deed>>();

/** More are not under way in one process. */
const MAX_EXECUTIONS = 10_000;

/** What counts together where n8n knows no execution. */
const WINDOW_MS = 600_000;

const keyOf = ({ credential, execution }: Deed) => JSON.stringify([credential, execution]);

/** What else counts for a change: that of its execution, or that of the last ten minutes. */
function othersOf(deed: Deed): Set<Deed> {
	const key = keyOf(deed);
	const deeds = counted.get(key) ?? new Set();
	counted.delete(key);
	counted.set(key, deeds);
	const [oldest] = counted.keys();
	if (counted.size > MAX_EXECUTIONS) counted.delete(oldest!);
	if (deed.execution === undefined) {
		for (const each of deeds) if (each.at <= deed.at - WINDOW_MS) deeds.delete(each);
	}
	return deeds;
}

/**
 * Counts what a request changes, once however often it is signed.
 * @throws Refused when that is more than the credential allows
 */
export function countChange({ maxChanges, maxHarmful }: Limits, deed: Deed): void {
	if (deed.changes === 0 || (maxChanges === Infinity && maxHarmful === Infinity)) return;
	const deeds = othersOf(deed);
	if (deeds.has(deed)) return;
	const made = (what: 'changes' | 'harmful') =>
		[...deeds].reduce((sum, { [what]: count }) => sum + count, 0);
	const check = (what: 'changes' | 'harmful', most: number, name: string) => {
		const before = made(what);
		if (deed[what] === 0 || before + deed[what] <= most) return;
		const asked = deed[what] === Infinity ? 'all sites' : String(deed[what]);
		const others =
			deed.execution === undefined
				? `, here for any ten minutes. In the last ten minutes ${before} were made`
				: `. This execution has already made ${before}`;
		throw new Refused(
			`${deed.method} ${deed.path} is not allowed by ${deed.by}: ${name} is ${most}${others}, and this request would make ${asked} more`,
			ACCESS_TODO,
		);
	};
	check('changes', maxChanges, 'Changes per Execution');
	check('harmful', maxHarmful, 'Harmful Changes per Execution');
	deeds.add(deed);
}

/** Takes back the count of a change that the service has refused. */
export const uncount = (deed: Deed): void => void counted.get(keyOf(deed))?.delete(deed);

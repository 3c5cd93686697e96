import { ACCESS_TODO, type Deed, Refused } from './deed';
import { countsChanges, type Limits } from './credential';
import { MINUTE_MS, perRecord } from '../lib';

type Count = Pick<Deed, 'changes' | 'harmful' | 'at'>;

/** Changes by execution and credential, the latest execution last. An upgrade of the package resets the counts. */
const counted = new Map<string, Set<Count>>();

/** A deed has long lists of sites; only its count is kept. */
const countOf = perRecord(({ changes, harmful, at }: Deed): Count => ({ changes, harmful, at }));

const MAX_EXECUTIONS = 10_000;

const keyOf = ({ credential, execution }: Deed) => JSON.stringify([credential, execution]);

/** Earlier changes of the same execution, or of the last ten minutes without one. */
function earlierChanges(deed: Deed): Set<Count> {
	const key = keyOf(deed);
	const counts = counted.get(key) ?? new Set();
	counted.delete(key);
	counted.set(key, counts);
	const [oldest] = counted.keys();
	if (counted.size > MAX_EXECUTIONS) counted.delete(oldest!);
	if (deed.execution === undefined) {
		for (const each of counts) if (each.at <= deed.at - 10 * MINUTE_MS) counts.delete(each);
	}
	return counts;
}

/** Counts the changes of a request once, even if it is signed several times. @throws Refused if they are too many */
export function countChange(limits: Limits, deed: Deed): void {
	if (deed.changes === 0 || !countsChanges(limits)) return;
	const counts = earlierChanges(deed);
	if (counts.has(countOf(deed))) return;
	const check = (what: 'changes' | 'harmful', most: number, name: string) => {
		const before = [...counts].reduce((sum, each) => sum + each[what], 0);
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
	check('changes', limits.maxChanges, 'Changes per Execution');
	check('harmful', limits.maxHarmful, 'Harmful Changes per Execution');
	counts.add(countOf(deed));
}

/** Removes a change that the service has rejected or never received from the count. */
export const uncount = (deed: Deed): void => void counted.get(keyOf(deed))?.delete(countOf(deed));

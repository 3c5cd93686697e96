import { clock } from '../transport/clock';

/**
 * The polls under way, one for each trigger of this process. n8n does not wait for the last poll: two that read from
 * the same state would give everything twice.
 */
const underWay = new Map<string, { until: number }>();

/**
 * Runs a poll, unless one is under way.
 * @param until when a poll that has not ended counts as lost, in epoch milliseconds
 * @param isFirst whether it takes the place of one that is under way, because it begins anew
 * @param work its argument tells whether the poll still counts, or another one has taken its place
 * @returns null when one is under way
 */
export async function oneAtATime<T>(
	key: string,
	{ until, isFirst }: { until: number; isFirst: boolean },
	work: (counts: () => boolean) => Promise<T>,
): Promise<T | null> {
	const other = underWay.get(key);
	if (other && !isFirst && clock.now() < other.until) return null;
	const turn = { until };
	underWay.set(key, turn);
	const counts = () => underWay.get(key) === turn;
	try {
		return await work(counts);
	} finally {
		if (counts()) underWay.delete(key);
	}
}

import { clock } from '../client/clock';

/** A poll that is under way. */
export interface UnderWay {
	/** When it counts as lost, in epoch milliseconds. */
	until: number;
	/** What the trigger was set to when it began. */
	settings: string;
	ended: Promise<void>;
}

interface PollLock {
	/** The polls under way, one for each trigger of this process. */
	underWay: Map<string, UnderWay>;
	/** When a poll that has not ended counts as lost, in epoch milliseconds. */
	until: number;
	/** Whether it takes the place of one that is under way, because it begins anew. */
	isFirst: boolean;
	/** What the trigger is set to: after an edit a poll takes the place of one that began before. */
	settings: string;
	/**
	 * Whether it waits for the one under way before it gives up: the end of a poll takes n8n's expressions away from
	 * all others of the same workflow, and the one under way needs them for the header with the token.
	 */
	waits: boolean;
}

/**
 * Runs a poll, unless one is under way: n8n does not wait for the last one, and two that read from the same state would
 * give everything twice.
 * @param work its argument tells whether the poll still counts, or another one has taken its place
 * @returns null when one is under way
 */
export async function withPollLock<T>(
	key: string,
	{ underWay, until, isFirst, settings, waits }: PollLock,
	work: (counts: () => boolean) => Promise<T>,
): Promise<T | null> {
	const other = underWay.get(key);
	const isNew = isFirst || other?.settings !== settings;
	if (other && !isNew && clock.now() < other.until) {
		if (waits) await other.ended;
		return null;
	}
	let end = () => {};
	const turn = { until, settings, ended: new Promise<void>((resolve) => (end = resolve)) };
	underWay.set(key, turn);
	const counts = () => underWay.get(key) === turn;
	try {
		return await work(counts);
	} finally {
		end();
		if (counts()) underWay.delete(key);
	}
}

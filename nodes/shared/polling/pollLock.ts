import { clock } from '../client/clock';

/** A running poll. */
export interface UnderWay {
	/** When it counts as lost, in epoch milliseconds. */
	until: number;
	/** The settings of the trigger when the poll started, as JSON. */
	settings: string;
	ended: Promise<void>;
}

interface PollLock {
	/** The running polls, one for each trigger of this process. */
	underWay: Map<string, UnderWay>;
	/** When the poll counts as lost, in epoch milliseconds. */
	until: number;
	/** Whether it replaces a running poll, because the trigger starts. */
	isFirst: boolean;
	/** The settings of the trigger as JSON: after an edit, a poll replaces one that started before. */
	settings: string;
	/**
	 * Whether it waits for the running poll before it returns null. The end of a poll disables n8n's expressions for
	 * all polls of the workflow, and the running one needs them for the header with the token.
	 */
	waits: boolean;
}

/**
 * Runs a poll, unless one is running. n8n does not wait for the last one, and two polls with the same state would
 * report all events twice.
 * @param work its argument returns whether the poll still counts; false after another one has replaced it
 * @returns null if one is running
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

import type { IPollFunctions } from 'n8n-workflow';

/**
 * What has to be known of a poll context whichever version of the package reads it: an upgrade in the editor loads
 * all modules anew, while active workflows keep their contexts. Plain values, since another version may read them.
 */
export interface Mark {
	/** Whether the first poll of an activation by the user has been made. */
	isActivated?: boolean;
	/** The poll that is under way. */
	poll?: UnderWay;
}

export interface UnderWay {
	/** When it counts as lost, in epoch milliseconds. */
	until: number;
	ended: Promise<void>;
}

const MARK = Symbol.for('n8n-nodes-site-management.poll');

/** The mark of a context, which it keeps as long as it lives. */
export function markOf(context: IPollFunctions): Mark {
	const marked = context as IPollFunctions & { [MARK]?: Mark };
	// Not enumerable: n8n copies and logs contexts.
	if (!marked[MARK]) Object.defineProperty(marked, MARK, { value: {} });
	return marked[MARK]!;
}

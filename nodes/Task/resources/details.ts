import type { Details } from '../../shared/polling/feed';
import { recordAt } from '../../shared/transport/http/record';

/** The task as it was when the event was seen, with the steps of its sites. Source: Part A, 2.9 and 4.8. */
export const steps: Details = {
	read: async (context, json) => {
		const task = await recordAt(context, `/tasks/${encodeURIComponent(String(json.id))}`);
		const { details } = task ?? {};
		return { json: { ...json, ...(details !== undefined && { details }) } };
	},
	without: (json) => ({ json }),
	waitMs: 300_000,
	tries: 5,
};

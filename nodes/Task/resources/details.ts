import type { EventDetails } from '../../shared/polling/feed';

/** The task as it was when the event was seen, with the steps of its sites. Source: Part A, 2.9 and 4.8. */
export const steps: EventDetails = {
	read: async (service, json) => {
		const task = await service.record(`/tasks/${encodeURIComponent(String(json.id))}`);
		const { details } = task ?? {};
		return { json: { ...json, ...(details !== undefined && { details }) } };
	},
	without: (json) => ({ json }),
	waitMs: 300_000,
	tries: 5,
};

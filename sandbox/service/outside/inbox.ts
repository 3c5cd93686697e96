import type { Row } from '../engine/store';
import { Collection } from '../engine/store';
import type { World } from '../engine/world';
import { control } from '../http/module';
import type { Module } from '../http/module';
import { open } from '../http/schema';

/*
 * A chat and a ticket system, so that workflows can be run to their end: both take any JSON by a webhook, as the real
 * ones do, and show what has come.
 */

interface MessageRow extends Row {
	received_at: string;
	body: Record<string, unknown>;
}

declare module '../engine/store' {
	interface Collections {
		chatMessages: Collection<MessageRow>;
		tickets: Collection<MessageRow>;
	}
}

/** Older ones are forgotten. */
const MAX_KEPT = 200;

/** Two controls: one takes a message, the other tells of all. */
function inbox<Name extends 'messages' | 'tickets'>(
	name: Name,
	path: string,
	does: string,
	{ rows, prefix }: { rows: (world: World) => Collection<MessageRow>; prefix: string },
) {
	return [
		control({
			method: 'POST',
			path,
			does,
			body: open,
			handle({ world, body }) {
				const kept = rows(world);
				const newest = kept.peek().at(-1)?.id ?? `${prefix}0`;
				const id = `${prefix}${Number(newest.slice(prefix.length)) + 1}`;
				const row = kept.insert({ id, received_at: world.timestamp(), body });
				for (const { id: old } of kept.peek().slice(0, -MAX_KEPT)) kept.delete(old);
				return row;
			},
		}),
		control({
			method: 'GET',
			path,
			does: `The newest ${MAX_KEPT} ${name}, oldest first`,
			handle: ({ world }) => ({ [name]: rows(world).peek() }),
		}),
	];
}

export const inboxes: Module = {
	routes: [],
	collections: () => ({ chatMessages: new Collection(), tickets: new Collection() }),
	controls: [
		...inbox('messages', '/chat', 'Sends a message to the chat: any JSON, such as {"text": "…"}', {
			rows: ({ store }) => store.chatMessages,
			prefix: '',
		}),
		...inbox(
			'tickets',
			'/tickets',
			'Opens a ticket: any JSON, such as {"title": "…", "description": "…"}',
			{ rows: ({ store }) => store.tickets, prefix: 'T-' },
		),
	],
};

import { Collection } from '../../engine/store';
import type { Module } from '../../http/module';
import { senderEmailRoutes } from './routes';
import { senderHandlers } from './rules';
import { seed } from './seed';

export const senderEmails: Module = {
	routes: senderEmailRoutes,
	collections: () => ({ senderEmails: new Collection() }),
	settings: { ownershipConfirmationMs: 60_000, dnsPublicationMs: 300_000 },
	handlers: senderHandlers,
	seed,
};

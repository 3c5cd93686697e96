import { startService, type ServiceOptions } from '../../../sandbox/service';

/** A service in a process of its own: gets its options, tells where it is. */
async function start(options: ServiceOptions): Promise<void> {
	const { baseUrl, token, world } = await startService(options);
	const siteIds = world.store.sites.all().map(({ id }) => id);
	const tagIds = world.store.tags.all().map(({ id }) => id);
	process.send!({ baseUrl, token, siteIds, tagIds });
}

process.once('message', (options: ServiceOptions) => void start(options));
process.once('disconnect', () => process.exit());

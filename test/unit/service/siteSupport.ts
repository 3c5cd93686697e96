import type { SiteRow } from '../../../sandbox/service/domain/sites/rows';
import { start, type TestService } from './support';

export const at = (time: string) => `2025-03-${time}.000Z`;
export const minute = 60_000;
export const day = 24 * 60 * minute;

/** A service whose only site is `site`; `path` is that of the site. */
export interface SiteService extends TestService {
	site: SiteRow;
	path: string;
}

/** Starts a service with one new site; what the site is besides is set with `fields`. */
export async function startSite(
	fields: Partial<SiteRow> = {},
	options: Parameters<typeof start>[0] = {},
): Promise<SiteService> {
	const service = await start({ sites: 0, ...options });
	const site = await addSite(service, 'https://one.example.com');
	Object.assign(site, fields);
	return { ...service, site, path: `/sites/${site.id}` };
}

export async function addSite({ api, world }: TestService, url: string): Promise<SiteRow> {
	const { data } = await api.post('/sites', { site: { url } });
	return world.store.sites.get(data.site.id)!;
}

/** Syncs a site and returns the id of the snapshot, which is completed then. */
export async function sync(service: TestService, siteId: string): Promise<string> {
	const { data } = await service.api.post(`/sites/${siteId}/sync`);
	service.clock.advance(minute);
	service.world.settle();
	return data.sync.snapshot_id;
}

/** The same as `startSite`, with a completed snapshot. */
export async function startSnapshot(
	fields: Partial<SiteRow> = {},
	options: Parameters<typeof start>[0] = {},
): Promise<SiteService & { snapshotId: string }> {
	const service = await startSite(fields, options);
	return { ...service, snapshotId: await sync(service, service.site.id) };
}

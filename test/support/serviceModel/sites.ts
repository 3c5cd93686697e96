import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { locator } from '../locator';
import type { Choice, Moment } from './world';
import type { Chance } from './chance';

/** The sites of an account, and which of them the triggers of sites and backups watch. */

export interface Snapshot extends IDataObject {
	id: string;
	created_at: string;
	status: string;
}

export interface Site extends IDataObject {
	id: string;
	created_at: string;
	updated_at: string;
	connection: { status: string };
	security: { enabled: boolean; scanner: { status: string } };
	uptime: { enabled: boolean; status: string };
	backups: { enabled: boolean; available_snapshots: number; latest_snapshot: Snapshot | null };
	sync: { last_sync_at: string | null; last_sync_status: string | null; in_progress: boolean };
	tags: Array<{ id: string; name: string }>;
	client: { id: string } | null;
}

const TAG = '41';
const CLIENT = 'c10e47a000';

export const sitesOf = ({ account }: Moment) => (account['/sites'] ??= []) as Site[];

export const chooseScope = (chance: Chance) =>
	chance.pick<IDataObject>([{}, {}, { tagId: TAG }, { clientId: CLIENT }]);

export const scopeParameters = ({ tagId, clientId }: IDataObject): INodeParameters => ({
	...(tagId !== undefined && { tagId: locator(tagId) }),
	...(clientId !== undefined && { clientId: locator(clientId) }),
});

export function isIn({ filter }: Choice, { tags, client }: Pick<Site, 'tags' | 'client'>): boolean {
	if (filter.tagId !== undefined) return tags.some(({ id }) => id === filter.tagId);
	return filter.clientId === undefined || client?.id === filter.clientId;
}

export function createSite(moment: Moment): Site {
	const { chance } = moment;
	const time = moment.stamp();
	const site: Site = {
		id: moment.id(),
		title: 'Site',
		url: 'https://example.com',
		created_at: time,
		updated_at: time,
		connection: { status: chance.pick(['connected', 'connected', 'disconnected']) },
		security: { enabled: true, scanner: { status: chance.pick(['clean', 'clean', 'hacked']) } },
		uptime: { enabled: true, status: chance.pick(['up', 'up', 'down']) },
		backups: { enabled: chance.is(0.8), available_snapshots: 0, latest_snapshot: null },
		sync: { last_sync_at: null, last_sync_status: null, in_progress: false },
		tags: chance.is(0.5) ? [{ id: TAG, name: 'Tag' }] : [],
		client: chance.is(0.5) ? { id: CLIENT } : null,
	};
	sitesOf(moment).push(site);
	return site;
}

/** Sites of which something may count or not, since it has changed what counts. */
const moved = new Set<Site>();

/** What happened to them cannot be judged: a poll may not see it before a site changes again. */
export function takeMoved(): Site[] {
	const sites = [...moved];
	moved.clear();
	return sites;
}

/** Gives a site the tag or client, or takes it; or switches its backups. */
export function moveSite(site: Site, what: 'tag' | 'client' | 'backups'): void {
	if (what === 'tag') site.tags = site.tags.length > 0 ? [] : [{ id: TAG, name: 'Tag' }];
	else if (what === 'client') site.client = site.client ? null : { id: CLIENT };
	else site.backups.enabled = !site.backups.enabled;
	moved.add(site);
}

export function notes<K extends object, T>(make: () => T): (of: K) => T {
	const all = new WeakMap<K, T>();
	return (of) => {
		if (!all.has(of)) all.set(of, make());
		return all.get(of)!;
	};
}

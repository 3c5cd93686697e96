import { unprocessable } from '../../engine/errors';
import type { World } from '../../engine/world';
import { textFilters, timestampFilters } from '../../http/filters';
import { bulk, failing, resource } from '../../http/kit';
import { fields } from '../../http/paging';
import {
	emailAddress,
	ids,
	string,
	timestamp,
	object,
	changesOf,
	optionals,
} from '../../http/schema';
import { requireSites, siteIdsBy } from '../sites/rules';
import type { ClientRow } from './rows';

const sitesOf = (client: ClientRow, world: World) =>
	world
		.derive('client sites', () =>
			siteIdsBy(world, ({ internal }) => (internal.client_id === null ? [] : [internal.client_id])),
		)
		.get(client.id) ?? [];

/** Part A 2.1 and 4.2. */
const clients = resource<ClientRow>({
	name: 'client',
	plural: 'clients',
	path: '/clients',
	kind: (store) => store.clients,
	view: (client, world) => ({ ...client, site_ids: sitesOf(client, world) }),
	schema: object({
		id: string,
		first_name: string,
		last_name: string,
		email: string,
		company_name: string,
		address: string,
		note: string,
		site_ids: ids,
		created_at: timestamp,
		updated_at: timestamp,
	}),
});

const clientFields = {
	first_name: string,
	last_name: string,
	email: emailAddress,
	company_name: string,
	address: string,
	note: string,
	site_ids: ids,
};

export const clientRoutes = [
	clients.list('listClients', {
		filters: {
			search: {
				type: 'string',
				operators: ['contains'],
				value: (client) => [client.first_name, client.last_name, client.email, client.company_name],
			},
			...textFilters('first_name', 'last_name', 'email', 'company_name'),
			...timestampFilters('created_at', 'updated_at'),
		},
		sort: fields('created_at', 'updated_at', 'first_name', 'last_name', 'email', 'company_name'),
		defaultSort: 'created_at,desc',
	}),
	// Which fields a new client must have is not shown.
	clients.create(
		'createClient',
		object(optionals(clientFields)),
		({ world }, { site_ids: siteIds = [], ...sent }) => {
			requireFreeSites(world, siteIds, null);
			const client = world.store.clients.insert({
				id: world.random.hex(24),
				first_name: '',
				last_name: '',
				email: '',
				company_name: '',
				address: '',
				note: '',
				...sent,
				created_at: world.timestamp(),
				updated_at: world.timestamp(),
			});
			setSites(world, client.id, siteIds);
			return client;
		},
	),
	failing(
		[],
		bulk('deleteClients', '/clients/delete', 'ids', ({ world }) => (id) => {
			if (!world.store.clients.get(id)) {
				return { code: 'not_found', message: 'Client was not found' };
			}
			setSites(world, id, []);
			world.store.clients.delete(id);
			return undefined;
		}),
	),
	clients.show('showClient'),
	clients.update(
		'updateClient',
		changesOf(clientFields),
		(client, { site_ids: siteIds, ...changes }, { world }) => {
			if (siteIds) {
				requireFreeSites(world, siteIds, client.id);
				setSites(world, client.id, siteIds);
			}
			Object.assign(client, changes, { updated_at: world.timestamp() });
		},
	),
];

/** Fails with 422 unless the sites exist and none of them belongs to a client but this one. */
function requireFreeSites(world: World, siteIds: string[], clientId: string | null): void {
	requireSites(world, siteIds, 'client.site_ids');
	const taken = siteIds.filter((id) => {
		const owner = world.store.sites.get(id)?.internal.client_id ?? null;
		return owner !== null && owner !== clientId;
	});
	if (taken.length > 0) {
		const message = `has sites that belong to another client: ${taken.join(', ')}`;
		throw unprocessable('taken', 'client.site_ids', message);
	}
}

/** Makes these sites, and no others, those of the client. */
function setSites(world: World, clientId: string, siteIds: string[]): void {
	const { sites } = world.store;
	for (const { id, internal } of sites.peek()) {
		if (internal.client_id === clientId) sites.get(id)!.internal.client_id = null;
	}
	for (const id of siteIds) sites.get(id)!.internal.client_id = clientId;
}

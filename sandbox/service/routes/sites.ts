import { resource } from '../kit';
import { fields } from '../paging';
import { connectionStatuses, scannerStatuses, uptimeStatuses, type SiteRow } from '../records';
import { httpUrl, notBlank, nullable, object, string } from '../schema';
import { createSite, nextDaily, requireNewUrl, startSync } from '../sites';
import type { World } from '../world';

/** Part B 2.1, without what belongs to the detail view only. */
function listView(site: SiteRow, world: World) {
	const { internal, connection, security, backups, wp, ...rest } = site;
	const { files: _files, database: _database, ...scanner } = security.scanner;
	const { files: _backupFiles, database: _backupDatabase, ...backupSummary } = backups;
	const { vulnerable: _vulnerable, ...core } = wp.core;
	return {
		...rest,
		client: clientOf(site, world),
		tags: internal.tag_ids.flatMap((id) => {
			const tag = world.store.tags.get(id);
			return tag ? [{ id, name: tag.name }] : [];
		}),
		connection: { status: connection.status },
		security: { ...security, scanner },
		backups: backupSummary,
		wp: { ...wp, core },
	};
}

function detailView(site: SiteRow, world: World) {
	const { status, sticky_ip: stickyIp, http_auth: httpAuth } = site.connection;
	return {
		...listView(site, world),
		connection: {
			status,
			...(stickyIp !== null && { sticky_ip: stickyIp }),
			...(httpAuth !== null && { http_auth: httpAuth }),
		},
		security: site.security,
		backups: site.backups,
		wp: site.wp,
	};
}

function clientOf(site: SiteRow, world: World) {
	const client = world.store.clients.get(site.internal.client_id ?? '');
	if (!client) return null;
	const { id, first_name, last_name, email, company_name } = client;
	return { id, first_name, last_name, email, company_name };
}

const sites = resource<SiteRow>({
	name: 'site',
	plural: 'sites',
	path: '/sites',
	rows: ({ world }) => world.store.sites.all(),
	view: detailView,
	listView,
});

const connectionFields = object({
	sticky_ip: nullable(notBlank),
	http_auth: nullable(object({ username: string, password: string }, ['username', 'password'])),
});
const timeOfDay = { type: 'string', pattern: '^([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\dZ$' };

/** Part B 4.1. */
export const siteRoutes = [
	sites.list('listSites', {
		filters: {
			id: { type: 'string', operators: ['eq'], value: (site) => site.id },
			paused: { type: 'boolean', operators: ['eq'], value: (site) => site.sync.paused },
			security: { type: 'boolean', operators: ['eq'], value: (site) => site.security.enabled },
			backups: { type: 'boolean', operators: ['eq'], value: (site) => site.backups.enabled },
			performance: {
				type: 'boolean',
				operators: ['eq'],
				value: (site) => site.performance.enabled,
			},
			connection_status: {
				type: connectionStatuses,
				operators: ['eq'],
				value: (site) => site.connection.status,
			},
			client_id: {
				type: 'string',
				operators: ['eq'],
				value: (site) => site.internal.client_id,
			},
			// The reference does not say whether uptime is switched on or up is meant: both are answered.
			uptime: {
				type: ['true', 'false', ...uptimeStatuses],
				operators: ['eq'],
				value: ({ uptime }) => [uptime.enabled, uptime.status],
			},
			scanner_status: {
				type: scannerStatuses,
				operators: ['eq'],
				value: (site) => site.security.scanner.status,
			},
			locked: { type: 'boolean', operators: ['eq'], value: (site) => site.locked },
			php_version: {
				type: 'version',
				operators: ['eq', 'gt', 'lt'],
				value: (site) => site.server.php_version,
			},
			url: { type: 'string', operators: ['contains'], value: (site) => site.url },
			created_at: {
				type: 'timestamp',
				operators: ['gte', 'lte'],
				value: (site) => site.created_at,
			},
			updated_at: {
				type: 'timestamp',
				operators: ['gte', 'lte'],
				value: (site) => site.updated_at,
			},
			last_sync_at: {
				type: 'timestamp',
				operators: ['gte', 'lte'],
				value: (site) => site.sync.last_sync_at,
			},
			tags: { type: 'string', operators: ['in'], value: (site) => site.internal.tag_ids },
		},
		sort: {
			...fields('created_at', 'updated_at', 'url'),
			last_sync_at: (site) => site.sync.last_sync_at,
		},
		defaultSort: 'created_at,desc',
	}),
	sites.create(
		'createSite',
		object({ url: httpUrl, connection: connectionFields }, ['url']),
		({ world }, { url, connection }) => {
			requireNewUrl(world, url);
			return createSite(world, { url, ...connection });
		},
		({ id, url, connection, created_at, updated_at }) => ({
			id,
			url,
			connection: { status: connection.status },
			created_at,
			updated_at,
		}),
	),
	sites.show('showSite'),
	sites.delete('deleteSite', (site, { world }) => world.store.sites.delete(site.id)),
	sites.update(
		'updateSite',
		object({
			url: httpUrl,
			connection: connectionFields,
			sync: object({ daily_sync_time: timeOfDay }),
		}),
		(site, { url, connection, sync }, { world }) => {
			if (url !== undefined) {
				requireNewUrl(world, url, site);
				site.url = url;
			}
			Object.assign(site.connection, connection);
			if (sync?.daily_sync_time !== undefined) {
				site.sync.daily_sync_time = sync.daily_sync_time;
				site.sync.next_sync_at = nextDaily(world, sync.daily_sync_time);
			}
			site.updated_at = world.timestamp();
		},
		({ id, url, connection, sync, updated_at }) => ({
			id,
			url,
			connection: { status: connection.status },
			sync: { daily_sync_time: sync.daily_sync_time },
			updated_at,
		}),
	),
	sites.action(
		'syncSite',
		'sync',
		(site, { world }) => ({ sync: { snapshot_id: startSync(world, site), in_progress: true } }),
		nullable(object({ sync: object({ message: string }) })),
	),
];

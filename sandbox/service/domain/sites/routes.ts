import { hour } from '../../engine/clock';
import type { World } from '../../engine/world';
import { timestampFilters } from '../../http/filters';
import { failing, resource, type ResourceOptions } from '../../http/kit';
import { fields, type ListRules } from '../../http/paging';
import {
	arrayOf,
	beyond,
	boolean,
	httpUrl,
	integer,
	notBlank,
	nullable,
	number,
	oneOf,
	string,
	timestamp,
	object,
	optional,
	matching,
} from '../../http/schema';
import { lastGood } from '../snapshots/rules';
import { connectionStatuses, scannerStatuses, type SiteRow, uptimeStatuses } from './rows';
import { createSite, deleteSite, nextDaily, requireNewUrl, startSync } from './rules';

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
		health: healthOf(site),
	};
}

/** Part C: where uptime is off, a site looks as if it was always down. */
const healthOf = ({ uptime }: SiteRow) =>
	uptime.enabled ? { uptime_percentage: 99.9 } : { uptime_percentage: 0, status: 'critical' };

function clientOf(site: SiteRow, world: World) {
	const client = world.store.clients.get(site.internal.client_id ?? '');
	if (!client) return null;
	const { id, first_name, last_name, email, company_name } = client;
	return { id, first_name, last_name, email, company_name };
}

const enabled = object({ enabled: boolean });
const httpAuth = object({ username: string, password: string });
const status = oneOf(...connectionStatuses);
const amounts = object({ total: integer, synced: integer, ignored: integer });
const backedUp = object({ count: amounts, size: amounts });
const scanned = object({ total: integer, scanned: integer });
const coreFields = {
	current_version: string,
	latest_version: string,
	update_available: boolean,
	locked: boolean,
};
const backupFields = {
	enabled: boolean,
	real_time: boolean,
	available_snapshots: integer,
	retention_days: integer,
	latest_snapshot: nullable(object({ id: string, created_at: timestamp, status: string })),
};
const scannerFields = {
	status: oneOf(...scannerStatuses),
	malware_detected_at: nullable(timestamp),
	interval: string,
	last_check_at: nullable(timestamp),
	next_check_at: nullable(timestamp),
	detections: object({ files: integer, scripts: integer, cron_jobs: integer }),
};
const securityFields = {
	enabled: boolean,
	firewall: object({ enabled: boolean, mode: string, advanced: boolean, bot_protection: enabled }),
};
const clientSchema = object({
	id: string,
	first_name: string,
	last_name: string,
	email: string,
	company_name: string,
});

/** What both views of a site have (Part B 2.1). */
const commonFields = {
	id: string,
	title: string,
	url: string,
	home_url: string,
	created_at: timestamp,
	updated_at: timestamp,
	client: nullable(clientSchema),
	tags: arrayOf(object({ id: string, name: string })),
	server: object({ hosting: string, mysql_version: string, php_version: string }),
	sync: object({
		last_sync_at: nullable(timestamp),
		next_sync_at: nullable(timestamp),
		last_sync_status: nullable(string),
		last_sync_error: nullable(string),
		interval: string,
		daily_sync_time: string,
		paused: boolean,
		in_progress: boolean,
	}),
	performance: enabled,
	analytics: enabled,
	activity_logs: enabled,
	uptime: object({ enabled: boolean, status: oneOf(...uptimeStatuses) }),
	screenshot: object({ thumbnail_url: string, updated_at: timestamp }),
	locked: boolean,
	multisite: boolean,
};
const listSchema = object({
	...commonFields,
	connection: object({ status }),
	security: object({ ...securityFields, scanner: object(scannerFields) }),
	backups: object(backupFields),
	wp: object({ core: object(coreFields), default_wp_object_id: integer }),
});
const describedDetail = object({
	...commonFields,
	connection: object({ status, sticky_ip: optional(string), http_auth: optional(httpAuth) }),
	security: object({
		...securityFields,
		scanner: object({ ...scannerFields, files: scanned, database: scanned }),
	}),
	backups: object({ ...backupFields, files: backedUp, database: backedUp }),
	wp: object({
		core: object({ ...coreFields, vulnerable: boolean }),
		default_wp_object_id: integer,
	}),
});

const detailSchema = beyond(describedDetail, {
	health: object({ uptime_percentage: number, status: optional(string) }),
});

/** The few fields that creating and updating a site answer with. */
const briefFields = {
	id: string,
	url: string,
	connection: object({ status }),
	updated_at: timestamp,
};

const options: ResourceOptions<SiteRow> = {
	name: 'site',
	plural: 'sites',
	path: '/sites',
	kind: (store) => store.sites,
	view: detailView,
	listView,
	schema: detailSchema,
	listSchema,
};
const sites = resource(options);

const connectionFields = object({
	sticky_ip: optional(nullable(notBlank)),
	http_auth: optional(nullable(object({ username: string, password: string }))),
});
const timeOfDay = matching('^([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\dZ$');

const rules = {
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
		...timestampFilters('created_at', 'updated_at'),
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
} satisfies ListRules<SiteRow>;

/** Part B 4.1. */
export const siteRoutes = [
	sites.list('listSites', rules),
	sites.create(
		'createSite',
		object({ url: httpUrl, connection: optional(connectionFields) }),
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
		object({ ...briefFields, created_at: timestamp }),
	),
	sites.show('showSite'),
	sites.delete('deleteSite', (site, { world }) => deleteSite(world, site)),
	sites.update(
		'updateSite',
		object({
			url: optional(httpUrl),
			connection: optional(connectionFields),
			sync: optional(object({ daily_sync_time: optional(timeOfDay) })),
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
		object({ ...briefFields, sync: object({ daily_sync_time: string }) }),
	),
	failing(
		[409, 422],
		sites.action(
			'syncSite',
			'sync',
			(site, { world, body }) => {
				const note = body?.sync?.message || null;
				return { sync: { snapshot_id: startSync(world, site, note), in_progress: true } };
			},
			nullable(object({ sync: optional(object({ message: optional(string) })) })),
			object({ sync: object({ snapshot_id: string, in_progress: boolean }) }),
		),
	),
];

/** A good backup that is older does not count. */
const goodForMs = 36 * hour;

const isRecent = (good: ReturnType<typeof lastGood>, world: World) =>
	Date.parse(good?.created_at ?? '') >= world.now - goodForMs;

/** The list as the page reads it, with what the API does not have. */
export const fleetList = resource({
	...options,
	listView(site, world) {
		const good = lastGood(world, site.id);
		const last = good && { created_at: good.created_at, scanned: good.security.enabled };
		return {
			...listView(site, world),
			last_backup: last ?? null,
			good_backup: isRecent(good, world),
		};
	},
}).list('listFleet', {
	...rules,
	filters: {
		...rules.filters,
		text: { type: 'string', operators: ['contains'], value: ({ title, url }) => [title, url] },
		good_backup: {
			type: 'boolean',
			operators: ['eq'],
			value: ({ id }, world) => isRecent(lastGood(world, id), world),
		},
	},
	sort: {
		...rules.sort,
		last_backup_at: ({ id }, world) => lastGood(world, id)?.created_at ?? '',
	},
});

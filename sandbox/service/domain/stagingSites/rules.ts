import { day } from '../../engine/clock';
import { notFound, unprocessable } from '../../engine/errors';
import type { TaskRow } from '../../engine/taskRows';
import { startTask } from '../../engine/tasks';
import type { Handler, TaskEffects, World } from '../../engine/world';
import type { SiteRow } from '../sites/rows';
import { completedSnapshot } from '../snapshots/rules';
import type { StagingSiteRow } from './rows';

declare module '../../engine/settings' {
	interface Settings {
		/** Days after which a new staging site expires (Part A 8: numeric value not shown). */
		stagingDays: number;
		/** Most days from its creation that a staging site can be kept (Part A 8: not shown). */
		stagingMaxDays: number;
	}
}

export interface StagingFields {
	site_id: string;
	snapshot_id: string;
	php_version?: string;
	options?: { real_time_events?: { enabled?: boolean; until?: string } };
}

/** What a new staging site is made of; plain data, so that a task can carry it. */
export interface StagingOrder extends Record<string, unknown> {
	site_id: string;
	php_version: string;
	snapshot: StagingSiteRow['snapshot'];
}

/** Starts the task that makes a staging site of a snapshot (Part A 4.14). */
export function startStaging(world: World, fields: StagingFields): TaskRow {
	const site = world.store.sites.get(fields.site_id);
	if (!site) throw notFound(`The site ${fields.site_id}`);
	const snapshot = completedSnapshot(world, site.id, fields.snapshot_id);
	if (!snapshot) {
		const message = 'is not a completed snapshot of the site';
		throw unprocessable('not_completed', 'staging_site.snapshot_id', message);
	}

	const { id, created_at } = snapshot;
	const phpVersion = fields.php_version ?? site.server.php_version;
	const staging: StagingOrder = {
		site_id: site.id,
		php_version: phpVersion,
		snapshot: { id, created_at },
	};
	return startTask(world, {
		type: 'staging',
		siteIds: [site.id],
		input: {
			sites: [
				{
					id: site.id,
					site_url: site.url,
					user_configuration: {
						site_name: site.title,
						php_version: phpVersion,
						category: 'staging',
					},
					snapshot_id: id,
					snapshot_timestamp: created_at,
				},
			],
		},
		payload: { staging },
	});
}

export function stagingInput(world: World, id: string): object {
	const site = world.store.sites.get(id);
	return {
		id,
		site_url: site?.url,
		user_configuration: {
			site_name: site?.title,
			php_version: site?.server.php_version,
			category: 'staging',
		},
		snapshot_id: site?.backups.latest_snapshot?.id,
		snapshot_timestamp: site?.backups.latest_snapshot?.created_at,
	};
}

/** Adds an active staging site, which expires by the timeline. */
export function addStagingSite(
	world: World,
	{ site_id: siteId, php_version: phpVersion, snapshot }: StagingOrder,
	createdAt = world.now,
): StagingSiteRow {
	const { random, settings } = world;
	const id = random.hex(24);
	const name = `staging-${id.slice(0, 8)}`;
	const host = `${name}.staging.example.com`;
	const password = () => random.hex(16);
	const staging = world.store.stagingSites.insert({
		id,
		site_id: siteId,
		status: 'active',
		url: `https://${host}`,
		created_at: world.timestamp(createdAt),
		updated_at: world.timestamp(createdAt),
		expires_at: world.timestamp(createdAt + settings.stagingDays * day),
		php_version: phpVersion,
		user: settings.currentUser,
		snapshot,
		credentials: {
			http_auth: { username: name, password: password() },
			server: { protocol: 'sftp', host, port: 22, username: name, password: password() },
			database: {
				host: `db.${host}`,
				port: 3306,
				name: name.replace('-', '_'),
				username: name,
				password: password(),
			},
		},
	});
	scheduleExpiry(world, staging);
	return staging;
}

/** Fails with 422 beyond the account's limit, which counts from the creation. */
export function extendExpiry(world: World, staging: StagingSiteRow, days: number): void {
	if (staging.status === 'suspended') throw wrongStatus(staging);
	const expiresAt = Date.parse(staging.expires_at) + days * day;
	const { stagingMaxDays: limit } = world.settings;
	if (expiresAt > Date.parse(staging.created_at) + limit * day) {
		throw unprocessable('expiry_limit', 'days', `keeps the site for more than ${limit} days`);
	}
	staging.expires_at = world.timestamp(expiresAt);
	staging.updated_at = world.timestamp();
	scheduleExpiry(world, staging);
}

export function resumeStaging(world: World, staging: StagingSiteRow): void {
	requireStagingStatus(staging, 'paused');
	staging.status = 'active';
	staging.updated_at = world.timestamp();
}

export function startPhpUpdate(world: World, staging: StagingSiteRow, version: string): TaskRow {
	requireStagingStatus(staging, 'active');
	const payload = { staging_site_id: staging.id, php_version: version };
	return startTask(world, { type: 'configure_staging_site', siteIds: [staging.site_id], payload });
}

export function startStagingDownload(
	world: World,
	staging: StagingSiteRow,
	scope: { include_files?: boolean; include_database?: boolean },
): TaskRow {
	requireStagingStatus(staging, 'active');
	if (!scope.include_files && !scope.include_database) {
		throw unprocessable('empty', 'download.scope', 'includes neither files nor the database');
	}
	return startTask(world, { type: 'download_staging', siteIds: [staging.site_id] });
}

/** A temporary address that signs a user of the source site in, by default its default one. */
export function ssoLoginUrl(world: World, staging: StagingSiteRow, userId: string): string {
	requireStagingStatus(staging, 'active');
	const source: SiteRow | undefined = world.store.sites.get(staging.site_id);
	const user = userId.trim() || String(source?.wp.default_wp_object_id ?? 1);
	return `${staging.url}/wp-login.php?user_id=${user}&sso_token=${world.random.hex(32)}`;
}

export const stagingEffects: TaskEffects = {
	staging: (world, task, outcome) => {
		const order = task.internal.payload.staging as StagingOrder | undefined;
		if (outcome === 'completed' && order) addStagingSite(world, order);
	},
	configure_staging_site: (world, task, outcome) => {
		const { staging_site_id: id, php_version: version } = task.internal.payload;
		const staging = world.store.stagingSites.get(String(id));
		if (outcome !== 'completed' || !staging) return;
		staging.php_version = String(version);
		staging.updated_at = world.timestamp();
	},
};

export const stagingHandlers: Record<string, Handler> = {
	'staging.expire': (world, { staging_site_id: id, at }) => {
		const staging = world.store.stagingSites.get(String(id));
		// Another date means that the expiry was extended since.
		if (!staging || staging.expires_at !== at) return;
		staging.status = 'suspended';
		staging.updated_at = world.timestamp();
	},
};

function scheduleExpiry({ timeline }: World, { id, expires_at: at }: StagingSiteRow): void {
	const payload = { staging_site_id: id, at };
	timeline.schedule({ at: Date.parse(at), kind: 'staging.expire', payload });
}

function requireStagingStatus(staging: StagingSiteRow, wanted: StagingSiteRow['status']): void {
	if (staging.status !== wanted) throw wrongStatus(staging);
}

const wrongStatus = ({ status }: StagingSiteRow) =>
	unprocessable('wrong_status', 'staging_site_id', `is a staging site that is ${status}`);

import { conflict, unprocessable } from '../../engine/errors';
import type { TaskRow } from '../../engine/taskRows';
import { isActive } from '../../engine/tasks';
import type { TaskEffects, World } from '../../engine/world';
import { changeContent, subsiteFolder, subsitesOf, subsiteTables } from '../content/changes';
import { tablesAt } from '../content/tables';
import type { SiteRow } from '../sites/rows';
import { sameAddress } from '../sites/rules';
import type { SnapshotRow } from '../snapshots/rows';

/** Part B 4.6, besides `subsite_ids` as they are sent. */
export interface Scope {
	include_files?: boolean;
	include_database?: boolean;
	paths?: string[];
	tables?: string[];
	subsite_ids?: Array<string | number>;
}

export interface Options {
	real_time_events?: { enabled?: boolean; until?: string };
}

export interface Connection {
	method?: 'http' | 'ftp';
	credentials?: Record<string, unknown>;
}

const operations = ['download', 'upload', 'migrate', 'restore'];

/** Fails with 409 while another backup operation runs on the site. */
export function requireNoOperation(world: World, site: SiteRow): void {
	const running = world.store.tasks
		.peek()
		.some(
			(task) =>
				operations.includes(task.type) &&
				isActive(task) &&
				task.details.sites.some(({ id }) => id === site.id),
		);
	if (running) throw conflict('Another backup operation of this site is in progress');
}

/** Fails with 422 when a list is sent for a kind of content that is not included. */
export function checkScope(scope: Scope, param: string): void {
	for (const [list, switchedBy] of [
		['paths', 'include_files'],
		['tables', 'include_database'],
	] as const) {
		if (scope[list] && !scope[switchedBy]) {
			throw unprocessable('not_included', `${param}.${list}`, `needs ${switchedBy}`);
		}
	}
}

/** Fails with 422 when the events of real-time backups are wanted without the time they go to. */
export function checkOptions(options: Options | undefined, param: string): void {
	const events = options?.real_time_events;
	if (events?.enabled && events.until === undefined) {
		const until = `${param}.real_time_events.until`;
		throw unprocessable('required', until, 'is required with real-time events');
	}
}

/**
 * The paths and tables of a restore, with those of its subsites; a list that is sent overrides
 * what the subsites would bring. Fails with 422 for subsites that the site does not have.
 */
export function expandSubsites(
	world: World,
	site: SiteRow,
	snapshot: SnapshotRow,
	{ subsite_ids: sent, ...scope }: Scope,
	param: string,
): Scope {
	if (!sent) return scope;
	const refuse = (code: string, message: string) =>
		unprocessable(code, `${param}.subsite_ids`, message);
	if (!site.multisite) throw refuse('not_multisite', 'is only for multisites');
	const subsites = sent.map(String);
	const unknown = subsites.find((id) => !subsitesOf(site).includes(id));
	if (unknown !== undefined) throw refuse('not_found', `has no subsite ${unknown}`);

	const names = tablesAt(world, site, Date.parse(snapshot.created_at)).map(({ name }) => name);
	return {
		...scope,
		...(scope.include_files && { paths: scope.paths ?? subsites.map(subsiteFolder) }),
		...(scope.include_database && {
			tables:
				scope.tables ??
				names.filter((name) => subsites.some((id) => name.startsWith(subsiteTables(id)))),
		}),
	};
}

/** Fails with 422 unless the destination is the provider alone, or its connected saved one. */
export function checkDestination(
	world: World,
	{ provider, id }: { provider: string; id?: string },
	param: string,
): void {
	if (provider === 'cloudstore_a') {
		if (id !== undefined)
			throw unprocessable('unexpected', `${param}.id`, 'is not for this provider');
		return;
	}
	const saved = world.store.backupDestinations.get(id ?? '');
	if (saved?.provider !== provider || !saved.connected) {
		const message = 'must be the connected saved destination of the provider';
		throw unprocessable('not_connected', `${param}.id`, message);
	}
}

/** Fails with 422 when credentials are sent that HTTP does not take. */
export function checkHttp({ credentials = {} }: Connection, param: string): void {
	const other = Object.keys(credentials).find((name) => name !== 'http_auth');
	if (other !== undefined) {
		throw unprocessable('unexpected', `${param}.credentials.${other}`, 'needs the method ftp');
	}
}

/** Fails with 422 unless both credentials that FTP needs are sent, whatever is in them. */
export function checkFtp({ credentials = {} }: Connection, param: string): void {
	for (const name of ['server', 'database']) {
		const given = credentials[name];
		if (typeof given !== 'object' || given === null || Object.keys(given).length === 0) {
			throw unprocessable('required', `${param}.credentials.${name}`, 'is required with ftp');
		}
	}
}

/** Fails with 422 unless the address is the one of another site of the account. */
export function requireOtherSite(world: World, site: SiteRow, url: string, param: string): void {
	const found = world.store.sites
		.peek()
		.some((other) => other !== site && sameAddress(other.url, url));
	if (!found) throw unprocessable('not_a_site', param, 'must be another site of the account');
}

/** A site goes back to its snapshot when it was restored. */
export const backupEffects: TaskEffects = {
	restore(world: World, task: TaskRow, outcome) {
		const {
			site_id: siteId,
			from,
			scope,
		} = task.internal.payload as {
			site_id?: string;
			from: string;
			scope: Scope;
		};
		if (outcome !== 'completed' || !siteId || !world.store.sites.get(siteId)) return;
		changeContent(world, siteId).restores.push({
			at: world.timestamp(),
			from,
			files: scope.include_files === true,
			paths: scope.paths ?? null,
			database: scope.include_database === true,
			tables: scope.tables ?? null,
		});
	},
};

import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { unprocessable } from '../../engine/errors';
import type { TaskType } from '../../engine/taskRows';
import { startTask } from '../../engine/tasks';
import type { World } from '../../engine/world';
import type { Context } from '../../http/context';
import type { Route } from '../../http/kit';
import {
	arrayOf,
	boolean,
	httpUrl,
	ids,
	oneOf,
	open,
	string,
	timestamp,
	partial,
	optional,
	object,
	limited,
	optionals,
} from '../../http/schema';
import { taskStart, taskStartSchema } from '../../http/taskStart';
import { storageProviders } from '../backupDestinations/rows';
import { needingOfSite } from '../account/needs';
import type { SiteRow } from '../sites/rows';
import { siteOf } from '../sites/rules';
import { siteSwitches } from '../sites/switches';
import type { SnapshotRow } from '../snapshots/rows';
import { requireCompletedSnapshot } from '../snapshots/rules';
import {
	checkDestination,
	checkFtp,
	checkHttp,
	checkOptions,
	checkScope,
	expandSubsites,
	type Options,
	requireNoOperation,
	requireOtherSite,
	type Scope,
} from './rules';

const scopeFields = {
	include_files: boolean,
	include_database: boolean,
	paths: ids,
	tables: ids,
};
const scope = partial(scopeFields);
const options = object({
	real_time_events: optional(object({ enabled: optional(boolean), until: optional(timestamp) })),
});
/** The field names within server and database credentials are not shown: any are taken. */
const connection = object({
	method: optional(oneOf('http', 'ftp')),
	credentials: optional(
		limited(open, { properties: { http_auth: object({ username: string, password: string }) } }),
	),
});

interface Order<F> {
	world: World;
	site: SiteRow;
	snapshot: SnapshotRow;
	/** What is in the wrapper object of the request. */
	fields: F;
}

/** What the requests of all four have. */
interface Common {
	scope: Scope;
	options?: Options;
}

/**
 * One of the four operations on a snapshot: `check` fails when a rule of its own does not hold, and
 * returns what the task shows of the request besides the snapshot.
 */
function operation<F extends TSchema>(
	operationId: string,
	verb: Extract<TaskType, 'download' | 'upload' | 'migrate' | 'restore'>,
	wrapper: string,
	schema: F,
	check: (order: Order<Static<F>>) => Common,
): Route {
	return {
		operationId,
		method: 'POST',
		path: `/sites/{site_id}/backups/{snapshot_id}/${verb}`,
		body: object({ [wrapper]: schema }),
		status: 201,
		errors: [409, 422],
		response: taskStartSchema,
		handle(context: Context) {
			const { world, params, body } = context;
			const fields = (body as Record<string, Static<F> & Common>)[wrapper]!;
			const site = siteOf(context);
			const snapshot = requireCompletedSnapshot(world, site.id, params.snapshot_id!);
			checkScope(fields.scope, `${wrapper}.scope`);
			checkOptions(fields.options, `${wrapper}.options`);
			const shown = check({ world, site, snapshot, fields });
			requireNoOperation(world, site);

			const until = shown.options?.real_time_events;
			const task = startTask(world, {
				type: verb,
				siteIds: [site.id],
				input: { sites: [{ id: site.id, snapshot_id: snapshot.id, ...shown }] },
				payload: {
					site_id: site.id,
					from: (until?.enabled && until.until) || snapshot.created_at,
					scope: shown.scope,
				},
			});
			return taskStart(task, 'initializing');
		},
	};
}

/** Part B 4.6 and 4.7. */
export const backupRoutes = [
	operation(
		'startSiteBackupDownload',
		'download',
		'download',
		object({ scope, options: optional(options) }),
		({ fields }) => fields,
	),
	operation(
		'startSiteBackupUpload',
		'upload',
		'upload',
		object({
			destination: object({ provider: oneOf(...storageProviders), id: optional(string) }),
			scope,
			options: optional(options),
		}),
		({ world, fields }) => {
			checkDestination(world, fields.destination, 'upload.destination');
			return fields;
		},
	),
	operation(
		'startSiteBackupMigration',
		'migrate',
		'migration',
		object({
			destination_url: httpUrl,
			type: oneOf('internal', 'external'),
			scope,
			connection: optional(connection),
			options: optional(options),
		}),
		({ world, site, fields: { connection: given = {}, ...shown } }) => {
			const param = 'migration.connection';
			const method = shown.type === 'external' ? 'ftp' : 'http';
			if ((given.method ?? 'http') !== method) {
				const message = `must be ${method} for an ${shown.type} migration`;
				throw unprocessable('invalid', `${param}.method`, message);
			}
			if (method === 'ftp') {
				checkFtp(given, param);
			} else {
				requireOtherSite(world, site, shown.destination_url, 'migration.destination_url');
				checkHttp(given, param);
			}
			return shown;
		},
	),
	operation(
		'startSiteBackupRestore',
		'restore',
		'restore',
		object({
			scope: object({
				...optionals(scopeFields),
				subsite_ids: optional(
					arrayOf(Type.Unsafe<string | number>({ type: ['string', 'integer'] })),
				),
			}),
			connection: optional(connection),
			options: optional(options),
		}),
		({ world, site, snapshot, fields: { connection: given = {}, ...shown } }) => {
			const param = 'restore.scope';
			if (!shown.scope.include_files && !shown.scope.include_database) {
				throw unprocessable('empty', param, 'must include files or the database');
			}
			const check = given.method === 'ftp' ? checkFtp : checkHttp;
			check(given, 'restore.connection');
			return { ...shown, scope: expandSubsites(world, site, snapshot, shown.scope, param) };
		},
	),
	...needingOfSite(
		'backups',
		siteSwitches('SiteBackups', 'backups', 'backups', (site, _world, enabled) => {
			if (!enabled) site.backups.real_time = false;
		}),
	),
];

import type { IDataObject, IExecuteData } from 'n8n-workflow';
import { shownAt } from '../shared/client/allowed';
import { MAX_IN_FLIGHT, mapParallel } from '../shared/client/limiter';
import { Semaphore } from '../shared/client/queue';
import { listAll, recordOf } from '../shared/client/records';
import { accountOf } from '../shared/client/request';
import { clock, isoOf, MINUTE_MS, perRecord, textsIn, valueAt } from '../shared/lib';
import { cancelSignal, operationError, progressOf } from '../shared/n8n/context';
import type { Composing, FieldType } from '../shared/operation';
import { isOfRecord } from '../shared/receive/errors';
import { newestSucceeded } from '../shared/run/newestSnapshot';
import { statusClass } from '../shared/vocabulary/values';
import { bySite, isNamed, nearOf, noneNamed, type Row, rowsIn } from './find';
import { type Paced, SnapshotReader } from './inSnapshot';
import { componentsByService, NoLists } from './onService';
import { isAmong, type Versions } from './versions';

/** The components of the sites of an account, one row each. */

/** All rows have the same fields, so that they fit into a table. */
export const ROW_FIELDS: Record<string, FieldType> = {
	...{ site_title: 'string', site_url: 'string', name: 'string', version: 'string' },
	...{ kind: 'string', reason: 'string', latest_version: 'string', active: 'boolean' },
	...{ vulnerable: 'boolean', vulnerabilities: 'array', folder: 'string', file: 'string' },
	...{ parent: 'string', in_backups: 'boolean', source: 'string', as_of: 'string' },
	...{ snapshot_id: 'string', mark: 'string', site_id: 'string' },
};

/** Component: Get Many. A site that cannot be read has one row with the reason. */
export async function componentsOf(at: Composing): Promise<IDataObject[]> {
	const { context, url, qs } = at;
	const keep = await shownAt(context, url);
	const shape = ({ id, title, url: address, connection, sync }: IDataObject) => ({
		...{ site_title: title ?? null, site_url: address ?? null, site_id: String(id) },
		synced_at: valueAt(sync, 'last_sync_at'),
		is_disconnected: statusClass('connection', valueAt(connection, 'status')) === 'bad',
	});
	const sites = rowsIn(await listAll(context, { url, qs }, { shape, keep }));
	const listed = await onService(at, sites);
	const read = snapshotRows(at, sites.length - listed.size);
	const rowsOf = async (site: Row) => listed.get(site.site_id) ?? (await read(site));
	const rows = (await mapParallel(sites, rowsOf)).flat();
	const output = ({ parent, ...row }: Row): IDataObject => {
		const values: IDataObject = { ...row, parent: parent || null };
		return Object.fromEntries(Object.keys(ROW_FIELDS).map((name) => [name, values[name] ?? null]));
	};
	return filtered(at, rows).map(output);
}

/** By site, the rows of the service's own lists; of the others, snapshots are to be read. */
async function onService({ context, settings }: Composing, sites: Row[]) {
	const { source, snapshotId, componentKinds } = settings;
	const none = new Map<string, Row[]>();
	if (source === 'snapshots' || snapshotId !== undefined || sites.length === 0) return none;
	const kinds = textsIn(componentKinds);
	const rows = await componentsByService(context, sites, kinds).catch((error: unknown) => {
		if (!(error instanceof NoLists)) throw error;
		if (source !== 'service') return [];
		throw operationError(context, error.message, 'Choose the Source "Snapshots" or "Automatic".');
	});
	return bySite(rows.filter(({ reason }) => source === 'service' || !reason));
}

/** Reads the components of one site from a snapshot. */
function snapshotRows({ context, settings }: Composing, count: number) {
	const { snapshotId, limitShare = 100, knownRows } = settings;
	const paced = pacedBy(context, Number(limitShare));
	// A version that a table has stored as a number may lack zeros.
	const before = bySite(rowsIn(knownRows).filter(({ version }) => typeof version !== 'number'));
	const log = progressOf(context);
	let done = 0;
	const snapshotOf = async (siteId: string) => {
		if (snapshotId === undefined) return await newestSucceeded(context, siteId);
		const path = ['sites', siteId, 'snapshots', String(snapshotId)].map(encodeURIComponent);
		return await recordOf(context, `/${path.join('/')}`);
	};
	const read = async (site: Row): Promise<Row[]> => {
		const snapshot = await paced(async () => await snapshotOf(site.site_id));
		if (!snapshot) return [{ ...site, reason: 'The site has no good snapshot' }];
		const id = String(snapshot.id);
		const earlier = before.get(site.site_id) ?? [];
		const rows = await new SnapshotReader(context, site.site_id, id, earlier, paced).read();
		const of = { snapshot_id: id, as_of: isoOf(snapshot.created_at), source: 'snapshot' };
		return rows.map((row) => ({ ...row, ...site, ...of }));
	};
	return async (site: Row) =>
		await read(site)
			.catch((error: Error): Row[] => {
				if (!isOfRecord(error)) throw error;
				return [{ ...site, reason: error.message }];
			})
			.finally(() => {
				done += 1;
				log(() => `The components of ${done} of ${count} sites were read`);
			});
}

/** All items of a run share its pace: n8n starts them at once. `next`: when the next request may start. */
const paceOf = perRecord<IExecuteData, { few: Semaphore; next: number }>(() => ({
	few: new Semaphore(MAX_IN_FLIGHT),
	next: -Infinity,
}));

/** Paces the requests of a run, so that other workflows keep the rest of the limit. @param share in percent */
function pacedBy(context: Composing['context'], share: number): Paced {
	const pace = paceOf(context.getExecuteData());
	const turn = async () => {
		const { limiter } = await accountOf(context);
		const start = Math.max(clock.now(), pace.next);
		pace.next = start + MINUTE_MS / ((limiter.perMinute * share) / 100);
		if (start > clock.now()) await clock.sleep(start - clock.now(), cancelSignal(context));
	};
	return async (request) =>
		await pace.few.run(async () => {
			if (share < 100) await turn();
			return await request();
		});
}

/** The rows that the filters choose, and those of what could not be read: these may be among the chosen. */
function filtered({ context, settings }: Composing, rows: Row[]): Row[] {
	const { componentKinds, componentName, componentVersions, vulnerable } = settings;
	const kinds = textsIn(componentKinds);
	const name = String(componentName);
	const named = rows.filter((row) => componentName === undefined || isNamed(row, name));
	if (named.length === 0 && rows.some((row) => row.name)) {
		const near = nearOf(rows, name);
		const todo = 'Enter the folder, the main file or the displayed name.';
		throw operationError(context, noneNamed(rows, name), near ? `Near: ${near}. ${todo}` : todo);
	}
	const versions = componentVersions as Versions | undefined;
	const isAsked = ({ version = '', vulnerable: is }: Row) =>
		(!versions || isAmong(version, versions) !== false) && (vulnerable !== true || is !== false);
	const asked = new Set(named.filter(isAsked));
	return rows.filter((row) => {
		const { kind = '', reason } = row;
		const isOfKind = kinds.length === 0 || kinds.includes(kind);
		return reason ? kind === '' || isOfKind : isOfKind && asked.has(row);
	});
}

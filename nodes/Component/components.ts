import type { IDataObject } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { shownAt } from '../shared/client/allowed';
import { MAX_IN_FLIGHT } from '../shared/client/limiter';
import { Semaphore } from '../shared/client/queue';
import { listAll, recordOf } from '../shared/client/records';
import { clock, MINUTE_MS, textsIn } from '../shared/lib';
import type { Composing } from '../shared/operation';
import { isOfRecord } from '../shared/receive/errors';
import { newestSucceeded } from '../shared/run/newestSnapshot';
import type { Row } from './find';
import { isNamed, nearOf, rowsIn } from './find';
import type { ComponentRow } from './inSnapshot';
import { madeAt, SnapshotReader } from './inSnapshot';
import { componentsByService, NoLists } from './onService';
import { Pace } from './pace';
import type { Versions } from './versions';
import { isAmong } from './versions';

/** The components of the sites of an account, one row each. */

interface Site {
	id: string;
	title: unknown;
	url: unknown;
}

/** Component: Get Many. A site that cannot be read has one row with the reason. */
export async function componentsOf(at: Composing): Promise<IDataObject[]> {
	const { context, url, qs, settings } = at;
	const keep = await shownAt(context, url);
	const shape = ({ id, title, url: address }: IDataObject) => ({ id, title, url: address });
	const records = await listAll(context, { method: 'GET', url, qs }, { shape, keep });
	const sites = records.map(({ id, title, url: address }): Site => ({
		id: String(id),
		title: title ?? null,
		url: address ?? null,
	}));
	const rows =
		(await onService(at, sites)) ??
		(await Promise.all(sites.map(snapshotRows(at, sites.length)))).flat();
	return filtered(at, rows, settings).map(output);
}

/** The rows of the service's own lists; undefined if snapshots are to be read. */
async function onService(
	{ context, settings }: Composing,
	sites: Site[],
): Promise<ComponentRow[] | undefined> {
	const { source, snapshotId } = settings;
	if (source === 'snapshots' || snapshotId !== undefined || sites.length === 0) return undefined;
	const ids = sites.map(({ id }) => id);
	const found = await componentsByService(context, ids).catch((error: unknown) => {
		if (!(error instanceof NoLists)) throw error;
		if (source !== 'service') return undefined;
		throw new NodeOperationError(context.getNode(), error.message, {
			itemIndex: context.getItemIndex(),
			description: 'Choose the Source "Snapshots" or "Automatic".',
		});
	});
	return (
		found &&
		sites.flatMap((site) => found.get(site.id)!.map((row) => ({ ...aboutOf(site), ...row })))
	);
}

const aboutOf = ({ id, title, url }: Site) => ({
	site_title: title as string,
	site_url: url as string,
	site_id: id,
});

/** Reads the components of one site from a snapshot; the requests of all sites run a few at a time. */
function snapshotRows({ context, settings }: Composing, count: number) {
	const pace = new Pace(context, Number(settings.limitShare ?? 100));
	const sitesAtOnce = new Semaphore(MAX_IN_FLIGHT);
	const before = bySite(knownRows(settings.knownRows));
	const progress = progressOf(context, count);
	const snapshotOf = async (siteId: string) =>
		settings.snapshotId === undefined
			? await newestSucceeded(context, siteId)
			: await recordOf(
					context,
					`/sites/${encodeURIComponent(siteId)}/snapshots/${encodeURIComponent(String(settings.snapshotId))}`,
				);
	const read = async (site: Site): Promise<ComponentRow[]> => {
		const about = aboutOf(site);
		const snapshot = await pace.run(async () => await snapshotOf(site.id));
		if (!snapshot) return [{ ...about, reason: 'The site has no good snapshot' }];
		const id = String(snapshot.id);
		const of = { snapshot_id: id, as_of: madeAt(snapshot), source: 'snapshot' };
		const earlier = before.get(site.id) ?? [];
		const rows = await new SnapshotReader(context, site.id, id, earlier, pace).read();
		return rows.map((row) => ({ ...row, ...about, ...of }));
	};
	const unread = (site: Site, error: Error): ComponentRow[] => {
		if (!isOfRecord(error)) throw error;
		return [{ ...aboutOf(site), reason: error.message }];
	};
	return async (site: Site) =>
		await sitesAtOnce.run(
			async () =>
				await read(site)
					.catch((error: Error) => unread(site, error))
					.finally(progress),
		);
}

function bySite(rows: ComponentRow[]): Map<string, ComponentRow[]> {
	const sites = new Map<string, ComponentRow[]>();
	for (const row of rows) sites.set(row.site_id, [...(sites.get(row.site_id) ?? []), row]);
	return sites;
}

/** Logs once a minute how many sites are read. */
function progressOf(context: Composing['context'], count: number): () => void {
	let read = 0;
	let loggedAt = clock.now();
	return () => {
		read += 1;
		if (clock.now() - loggedAt < MINUTE_MS) return;
		loggedAt = clock.now();
		const node = context.getNode().name;
		context.logger?.info(`The components of ${read} of ${count} sites were read`, { node });
	};
}

const knownRows = (value: unknown): ComponentRow[] =>
	rowsIn(value).filter((row): row is ComponentRow => !!row.site_id);

/** The rows that the filters choose, and those of what could not be read: these may be among the chosen. */
function filtered(
	{ context }: Composing,
	rows: ComponentRow[],
	{ componentKinds, componentName, componentVersions, vulnerable }: Composing['settings'],
): ComponentRow[] {
	const kinds = textsIn(componentKinds);
	const name = componentName === undefined ? undefined : String(componentName);
	const named = name === undefined ? rows : rows.filter((row) => isNamed(row, name));
	if (name !== undefined && named.length === 0 && rows.some((row) => row.name)) {
		const near = nearOf(rows, name);
		throw new NodeOperationError(context.getNode(), `No site has a component named "${name}"`, {
			itemIndex: context.getItemIndex(),
			description: `${near.length > 0 ? `Near: ${near.join(', ')}. ` : ''}Enter the folder, the main file or the displayed name.`,
		});
	}
	const isChosen = (row: ComponentRow) =>
		(kinds.length === 0 || kinds.includes(row.kind ?? '')) &&
		(componentVersions === undefined ||
			isAmong(row.version ?? '', componentVersions as Versions) !== false) &&
		(vulnerable !== true || row.vulnerable !== false);
	const isUnread = ({ reason, kind = '' }: Row) =>
		!!reason && (kinds.length === 0 || kind === '' || kinds.includes(kind));
	const chosen = new Set(named.filter(isChosen));
	return rows.filter((row) => chosen.has(row) || isUnread(row));
}

/** All rows have the same fields, so that they fit into a table. */
const output = (row: ComponentRow): IDataObject => ({
	site_title: row.site_title ?? null,
	site_url: row.site_url ?? null,
	name: row.name ?? null,
	version: row.version ?? null,
	kind: row.kind ?? null,
	reason: row.reason ?? null,
	latest_version: row.latest_version ?? null,
	active: row.active ?? null,
	vulnerable: row.vulnerable ?? null,
	vulnerabilities: row.vulnerabilities ?? null,
	folder: row.folder ?? null,
	file: row.file ?? null,
	parent: row.parent || null,
	in_backups: row.in_backups ?? null,
	source: row.source ?? null,
	as_of: row.as_of ?? null,
	snapshot_id: row.snapshot_id ?? null,
	mark: row.mark ?? null,
	site_id: row.site_id,
});

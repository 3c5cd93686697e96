import { invalid, notFound } from '../../engine/errors';
import { hashOf } from '../../engine/random';
import type { Row } from '../../engine/store';
import type { World } from '../../engine/world';
import type { Context } from '../../http/context';
import {
	Attachment,
	bulk,
	failing,
	type ItemError,
	resource,
	route,
	type Route,
} from '../../http/kit';
import {
	arrayOf,
	binary,
	integer,
	oneOf,
	string,
	timestamp,
	object,
	atLeast,
} from '../../http/schema';
import type { SiteRow } from '../sites/rows';
import { siteOf } from '../sites/rules';
import { chosenSnapshot, completedSnapshots } from '../snapshots/rules';
import { contentOf } from './fileContent';
import { headOf, versionSince } from './components';
import { type ContentEntry, filesAt, folderOf, treeAt } from './files';
import { isWithin } from './kept';
import { type BackupStatus, backupStatuses } from './rows';
import { markPath } from './rules';

const path = '/sites/{site_id}/files';

type FileRow = ContentEntry & Row;
interface Version {
	id: string;
	modifiedAt: number;
	size: number;
}

/** The opaque id of a file or folder as it was when it was last modified. */
const idOf = (site: SiteRow, entry: { path: string; modifiedAt: number }) =>
	Buffer.from(`${hashOf(site.id)}:${entry.modifiedAt}:${entry.path}`).toString('base64url');

/** The path in such an id. */
const pathIn = (id: string) =>
	Buffer.from(id, 'base64url')
		.toString()
		.replace(/^\d+:\d+:/, '');

/** The tree of a site in the snapshot that the query asks for. */
function treeOf({ world, query, ...context }: Context) {
	const site = siteOf({ world, ...context });
	const snapshot = chosenSnapshot(world, site, query.snapshot_id as string | undefined);
	return { site, tree: treeAt(world, site, Date.parse(snapshot.created_at)) };
}

/** The folder that the query asks for, by default the root; 404 when the tree has none. */
function folderIn(tree: Map<string, ContentEntry>, { query }: Context): string {
	const folder = String(query.path ?? './');
	if (tree.get(folder)?.type !== 'folder') throw notFound(`The directory ${folder}`);
	return folder;
}

const nameOf = (entry: ContentEntry) =>
	entry.path.slice(folderOf(entry.path).length).replace(/\/$/, '');

/** Part B 2.7 and 4.9. */
const files = resource<FileRow>({
	name: 'file',
	plural: 'files',
	path,
	rows(context) {
		const { site, tree } = treeOf(context);
		const folder = folderIn(tree, context);
		return [...tree.values()]
			.filter((entry) => folderOf(entry.path) === folder)
			.map((entry) => ({ ...entry, id: idOf(site, entry) }))
			.sort((a, b) => (a.path < b.path ? -1 : 1));
	},
	view: ({ id, modifiedAt, ...entry }, world) => ({
		id,
		name: nameOf(entry as ContentEntry),
		path: entry.path,
		type: entry.type,
		size: entry.size,
		modified_at: world.timestamp(modifiedAt),
		status: entry.status,
	}),
	schema: object({
		id: string,
		name: string,
		path: string,
		type: oneOf('file', 'folder'),
		size: integer,
		modified_at: timestamp,
		status: oneOf(...backupStatuses),
	}),
});

/** What the completed snapshots have of a file, newest first; 404 when they never had it. */
function versionsOf(world: World, site: SiteRow, filePath: string): Version[] {
	const found = completedSnapshots(world, site.id).flatMap((snapshot) =>
		filesAt(world, site, Date.parse(snapshot.created_at)).filter(
			(entry) => entry.path === filePath,
		),
	);
	if (found.length === 0) throw notFound('The file');
	const versions = found.map((entry): [string, Version] => {
		const id = idOf(site, entry);
		return [id, { id, modifiedAt: entry.modifiedAt, size: entry.size }];
	});
	return [...new Map(versions).values()].sort((a, b) => b.modifiedAt - a.modifiedAt);
}

/** The path of the file with the id, which must be one of the site. */
function pathOf(world: World, site: SiteRow, id: string): string {
	const filePath = pathIn(id);
	if (!versionsOf(world, site, filePath).some((version) => version.id === id)) {
		throw notFound('The file');
	}
	return filePath;
}

const badQuery = (message: string) => invalid([{ code: 'invalid', param: 'id', message }]);

const listVersions = route({
	operationId: 'listSiteFileVersions',
	method: 'GET',
	path: `${path}/versions`,
	query: { id: string, path: string },
	status: 200,
	response: object({
		versions: arrayOf(object({ id: string, modified_at: timestamp, size: integer })),
	}),
	handle(context) {
		const { world, query } = context;
		const site = siteOf(context);
		if ((query.id === undefined) === (query.path === undefined)) {
			throw badQuery('or path must be sent, and only one of them');
		}
		const filePath =
			query.id === undefined ? String(query.path) : pathOf(world, site, String(query.id));
		const versions = versionsOf(world, site, filePath).map(({ id, modifiedAt, size }) => ({
			id,
			modified_at: world.timestamp(modifiedAt),
			size,
		}));
		return { versions };
	},
});

const stats = object({ total: integer, synced: integer, skipped: integer });

const showStats = route({
	operationId: 'showSiteFileStats',
	method: 'GET',
	path: `${path}/stats`,
	query: { snapshot_id: string, path: string },
	status: 200,
	errors: [422],
	response: object({ stats: object({ files: stats, folders: stats, size: stats }) }),
	handle(context) {
		const { tree } = treeOf(context);
		const folder = folderIn(tree, context);
		const within = [...tree.values()].filter(
			(entry) => entry.path !== folder && isWithin(entry.path, folder),
		);
		const filesWithin = within.filter(({ type }) => type === 'file');
		return {
			stats: {
				files: totals(filesWithin, () => 1),
				folders: totals(
					within.filter(({ type }) => type === 'folder'),
					() => 1,
				),
				size: totals(filesWithin, ({ size }) => size),
			},
		};
	},
});

/** The sum of a measure over all entries and by their status. */
export function totals<T extends { status: BackupStatus }>(
	entries: T[],
	measure: (entry: T) => number,
) {
	const sum = (some: T[]) => some.reduce((total, entry) => total + measure(entry), 0);
	const synced = sum(entries.filter(({ status }) => status === 'synced'));
	const total = sum(entries);
	return { total, synced, skipped: total - synced };
}

const tupleFields = ['path', 'modified_at', 'size'] as const;

const download = route({
	operationId: 'downloadSiteFile',
	method: 'GET',
	path: `${path}/download`,
	query: { id: string, path: string, modified_at: timestamp, size: atLeast(0) },
	status: 200,
	mediaType: 'application/octet-stream',
	response: binary,
	handle(context) {
		const { world, query } = context;
		const site = siteOf(context);
		const sent = tupleFields.filter((field) => query[field] !== undefined);
		if (query.id === undefined ? sent.length < tupleFields.length : sent.length > 0) {
			throw badQuery(`or all of ${tupleFields.join(', ')} must be sent, and only one of both`);
		}
		const filePath = query.id === undefined ? String(query.path) : pathIn(String(query.id));
		const version = versionsOf(world, site, filePath).find(({ id, modifiedAt, size }) =>
			query.id === undefined
				? modifiedAt === Date.parse(String(query.modified_at)) && size === query.size
				: id === query.id,
		);
		if (!version) throw notFound('The file');
		const name = filePath.slice(folderOf(filePath).length);
		const since = versionSince(world, site.id, filePath, version.modifiedAt);
		const head = headOf(site.id, filePath, since);
		return new Attachment(name, contentOf(version.id, version.size, head), version.size);
	},
});

/** Marks paths that the latest completed snapshot has, unless `refuse` says why not. */
const mark = (
	operationId: string,
	verb: 'sync' | 'skip',
	refuse: (entry: ContentEntry, world: World) => ItemError | undefined,
): Route =>
	bulk(operationId, `${path}/${verb}`, 'paths', (context) => {
		const { world } = context;
		const { site, tree } = treeOf({ ...context, query: {} });
		return (entryPath) => {
			const entry = tree.get(entryPath);
			if (!entry) return { code: 'not_found', message: 'Path was not found' };
			const error = refuse(entry, world);
			if (!error) markPath(world, site, entryPath, verb === 'sync' ? 'synced' : 'skipped');
			return error;
		};
	});

const isCore = (entry: ContentEntry, world: World) =>
	world.settings.corePaths.some((core) => isWithin(entry.path, core));

export const fileRoutes = [
	failing(
		[422],
		files.list('listSiteFiles', {
			filters: {
				status: { type: backupStatuses, operators: ['eq'], value: (entry) => entry.status },
				modified_at: {
					type: 'timestamp',
					operators: ['gte', 'lte'],
					value: (entry, world) => world.timestamp(entry.modifiedAt),
				},
				size: { type: 'number', operators: ['gte', 'lte'], value: (entry) => entry.size },
				name: { type: 'string', operators: ['contains'], value: nameOf, caseSensitive: true },
			},
			parameters: { snapshot_id: string, path: string },
			timezone: false,
		}),
	),
	listVersions,
	showStats,
	download,
	mark('syncSiteFiles', 'sync', (entry, world) =>
		isCore(entry, world)
			? { code: 'core_path', message: 'Path belongs to the core installation' }
			: undefined,
	),
	mark('skipSiteFiles', 'skip', (entry) =>
		entry.type === 'folder'
			? undefined
			: { code: 'not_a_directory', message: 'Path is not a directory' },
	),
];

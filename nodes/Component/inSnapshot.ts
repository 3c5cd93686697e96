import { createHash } from 'crypto';
import type { IDataObject, IExecuteSingleFunctions } from 'n8n-workflow';
import { listAll } from '../shared/client/records';
import { download, read } from '../shared/client/request';
import { clock, DAY_MS, instantOf, recordIn, valueAt } from '../shared/lib';
import { isOfRecord } from '../shared/receive/errors';
import type { Row } from './find';
import { HEADER_BYTES, headerIn } from './header';
import type { Pace } from './pace';

/** The components of a site, read from the files of a snapshot. */

/** Kinds of components, in the order of the output. */
export type Kind = 'plugin' | 'mustUse' | 'dropIn' | 'theme';

/** A component, or the reason why one or the whole site could not be read. */
export interface ComponentRow extends Row {
	kind?: Kind;
	/** Folder of the parent theme. */
	parent?: string;
	/** Whether backups include it; a component that they leave out cannot be read. */
	in_backups?: boolean;
	/** What a later reading compares; see `Mark`. */
	mark?: string;
}

type ReadRow = Omit<ComponentRow, 'site_id'>;

const CONTENT = './wp-content/';

/** Folders of components. A site without must-use plugins has no folder for them. */
const FOLDERS: Array<{ kind: Kind; folder: string; mustExist?: true }> = [
	{ kind: 'plugin', folder: `${CONTENT}plugins/`, mustExist: true },
	{ kind: 'mustUse', folder: `${CONTENT}mu-plugins/` },
	{ kind: 'theme', folder: `${CONTENT}themes/`, mustExist: true },
];

/** Files that replace parts of the CMS, beside the folders of components. */
const DROP_INS =
	/^(advanced-cache|db|db-error|install|maintenance|object-cache|php-error|fatal-error-handler|sunrise|blog-deleted|blog-inactive|blog-suspended)\.php$/;

interface Entry {
	id: string;
	name: string;
	path: string;
	isFolder: boolean;
	isLeftOut: boolean;
	/** Changes with the content. */
	mark: string;
}

function entryOf({ id, name, path, type, status, size, modified_at: at }: IDataObject): Entry {
	const isFolder = type === 'folder' || String(path).endsWith('/');
	const base = String(name ?? path)
		.replace(/\/$/, '')
		.replace(/^.*\//, '');
	return {
		...{ id: String(id), name: base, path: String(path), isFolder },
		isLeftOut: status === 'skipped',
		mark: [base, String(size), String(at)].join(' '),
	};
}

const markOf = (entries: Entry[]): string =>
	createHash('sha256')
		.update(
			entries
				.map(({ mark }) => mark)
				.sort()
				.join('\n'),
		)
		.digest('base64url')
		.slice(0, 12);

/** A change that keeps the number of files and their size is found when the folder is listed again, at the latest then. */
const LISTED_EVERY_MS = 7 * DAY_MS;

interface Mark {
	/** Of the files that the row was read from. */
	files: string;
	/** Of the folder of its kind. */
	totals: string;
	listedAt: string;
	/** How many rows the folder gave. */
	count: number;
}

const markIn = ({ mark }: Row): Mark => {
	const [files = '', totals = '', listedAt = '', count] = String(mark ?? '').split('|');
	return { files, totals, listedAt, count: Number(count) };
};

const asText = ({ files, totals, listedAt, count }: Mark) =>
	[files, totals, listedAt, count].join('|');

/** Whether these are all rows that their folder gave when it was listed, and all could be read. */
const areAll = (rows: ComponentRow[]): boolean =>
	rows.length > 0 && rows.every((row) => !row.reason && markIn(row).count === rows.length);

/** Whether rows of an earlier reading hold as long as the totals of their folder are the same. */
const hold = (rows: ComponentRow[], now: string): boolean =>
	rows.every((row) => {
		const { totals, listedAt } = markIn(row);
		return totals === now && clock.now() - instantOf(listedAt) < LISTED_EVERY_MS;
	});

/** Reads the components of one snapshot. */
export class SnapshotReader {
	private readonly byPlace: ReadonlyMap<string, ComponentRow[]>;

	constructor(
		private readonly context: IExecuteSingleFunctions,
		private readonly siteId: string,
		private readonly snapshotId: string,
		/** Rows of an earlier reading. */
		private readonly before: ComponentRow[],
		private readonly pace: Pace,
	) {
		this.byPlace = byPlace(before);
	}

	/** All components, in the order of their kinds and names. */
	async read(): Promise<ReadRow[]> {
		const folders = FOLDERS.map(async (each) => await this.inFolder(each));
		const [plugins = [], mustUse = [], themes = []] = await Promise.all(folders);
		return [...plugins, ...mustUse, ...(await this.dropIns()), ...themes];
	}

	private async inFolder({
		kind,
		folder,
		mustExist,
	}: (typeof FOLDERS)[number]): Promise<ReadRow[]> {
		const before = this.before.filter((row) => row.kind === kind);
		const isKnown = areAll(before);
		// A snapshot does not change.
		if (isKnown && before.every((row) => row.snapshot_id === this.snapshotId)) return before;
		const totals = isKnown ? await this.totals(folder) : '';
		if (totals !== '' && hold(before, totals)) return before;
		const entries = await this.list(folder);
		if (typeof entries === 'string') return [{ kind, file: folder, reason: entries }];
		if (!entries)
			return mustExist ? [{ kind, file: folder, reason: 'The snapshot has no such folder' }] : [];
		const listed = {
			totals: totals || (await this.totals(folder)),
			listedAt: new Date(clock.now()).toISOString(),
		};
		const isFile = ({ name, isFolder }: Entry) =>
			!isFolder && kind !== 'theme' && /\.php$/i.test(name);
		const rows = entries.map(async (entry) => {
			if (entry.isFolder) return await this.component(kind, entry);
			return isFile(entry) ? await this.files(kind, entry.path, [entry], '') : [];
		});
		const read = (await Promise.all(rows)).flat();
		return read.map((row) => {
			const { files } = markIn(row as Row);
			return { ...row, mark: asText({ files, ...listed, count: read.length }) };
		});
	}

	/** Number and size of all files in a folder; empty if they could not be read. */
	private async totals(path: string): Promise<string> {
		const url = `/sites/${encodeURIComponent(this.siteId)}/files/stats`;
		const qs = { path, snapshot_id: this.snapshotId };
		const reading = this.pace.run(
			async () => await read(this.context, { method: 'GET', url, qs }, ({ body }) => body),
		);
		const stats = await reading.catch((error: unknown) => void unreadable(error));
		const { files, folders, size } = recordIn(valueAt(stats, 'stats'));
		const totals = [files, folders, size].map((each) => valueAt(each, 'total'));
		return totals.every((each) => typeof each === 'number') ? totals.join(' ') : '';
	}

	private async dropIns(): Promise<ReadRow[]> {
		const entries = await this.list(CONTENT, { 'filters[name:contains]': '.php' });
		if (typeof entries === 'string') return [{ kind: 'dropIn', file: CONTENT, reason: entries }];
		const found = (entries ?? []).filter(({ name, isFolder }) => !isFolder && DROP_INS.test(name));
		const rows = found.map(async (entry) => {
			const [row] = await this.files('dropIn', entry.path, [entry], '');
			return (
				row ?? {
					kind: 'dropIn' as const,
					name: entry.name,
					folder: '',
					file: entry.name,
					version: '',
				}
			);
		});
		return await Promise.all(rows);
	}

	/** The components in a folder: usually one, but each file with a header counts. */
	private async component(kind: Kind, { path, name, isLeftOut }: Entry): Promise<ReadRow[]> {
		if (isLeftOut) {
			return [
				{ kind, folder: name, file: `${name}/`, in_backups: false, reason: 'Backups leave it out' },
			];
		}
		const wanted = kind === 'theme' ? 'style.css' : '.php';
		const entries = await this.list(path, { 'filters[name:contains]': wanted });
		if (typeof entries === 'string')
			return [{ kind, folder: name, file: `${name}/`, reason: entries }];
		const isMain = kind === 'theme' ? /^style\.css$/i : /\.php$/i;
		const files = (entries ?? []).filter((each) => !each.isFolder && isMain.test(each.name));
		return await this.files(kind, path, files, name);
	}

	/** The components that files are main files of. @param place their folder, or the path of a single file */
	private async files(
		kind: Kind,
		place: string,
		files: Entry[],
		folder: string,
	): Promise<ReadRow[]> {
		const mark = markOf(files);
		const before = this.byPlace.get(`${kind} ${place}`);
		if (before?.every((row) => markIn(row).files === mark && !row.reason)) return before;
		const rows = files.map(async (entry): Promise<ReadRow[]> => {
			const file = folder === '' ? entry.name : `${folder}/${entry.name}`;
			const about = { kind, folder, file, in_backups: !entry.isLeftOut, mark };
			if (entry.isLeftOut) return [{ ...about, reason: 'Backups leave it out' }];
			const bytes = await this.beginning(entry.id);
			if (typeof bytes === 'string') return [{ ...about, reason: bytes }];
			const header = headerIn(bytes, kind === 'theme');
			return header ? [{ ...about, ...header }] : [];
		});
		return (await Promise.all(rows)).flat();
	}

	/** A folder's entries; undefined if there is no such folder, a text if it could not be read. */
	private async list(
		path: string,
		filter: IDataObject = {},
	): Promise<Entry[] | undefined | string> {
		const url = `/sites/${encodeURIComponent(this.siteId)}/files`;
		const qs = { path, snapshot_id: this.snapshotId, ...filter };
		const reading = this.pace.run(
			async () => await listAll(this.context, { method: 'GET', url, qs }),
		);
		const records = await reading.catch((error: unknown) => unreadable(error));
		return Array.isArray(records) ? records.map(entryOf) : records;
	}

	/** The first bytes of a file, or why it could not be read. */
	private async beginning(id: string): Promise<Buffer | string> {
		const url = `/sites/${encodeURIComponent(this.siteId)}/files/download`;
		const reading = this.pace.run(async () => {
			const { body } = await download(this.context, { method: 'GET', url, qs: { id } });
			return await firstBytes(body as AsyncIterable<Uint8Array>);
		});
		return await reading.catch((error: unknown) => unreadable(error) ?? 'The file is gone');
	}
}

/** Why a record could not be read; undefined if it does not exist. An error of the account is thrown. */
function unreadable(error: unknown): string | undefined {
	if (!isOfRecord(error)) throw error;
	const { httpCode, message } = error as Error & { httpCode?: string };
	return httpCode === '404' ? undefined : message;
}

async function firstBytes(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
	const chunks: Uint8Array[] = [];
	let length = 0;
	// Leaving the loop ends the download.
	for await (const chunk of body) {
		chunks.push(chunk);
		length += chunk.length;
		if (length >= HEADER_BYTES) break;
	}
	return Buffer.concat(chunks);
}

/** Rows of an earlier reading by the place that they were read from. */
function byPlace(rows: ComponentRow[]): Map<string, ComponentRow[]> {
	const places = new Map<string, ComponentRow[]>();
	for (const row of rows) {
		const found = FOLDERS.find(({ kind }) => kind === row.kind)?.folder ?? CONTENT;
		const place = `${row.kind} ${found}${row.folder ? `${row.folder}/` : (row.file ?? '')}`;
		places.set(place, [...(places.get(place) ?? []), row]);
	}
	return places;
}

/** When a snapshot was made, as ISO 8601. */
export const madeAt = ({ created_at: at }: IDataObject): string =>
	Number.isNaN(instantOf(at)) ? '' : new Date(instantOf(at)).toISOString();

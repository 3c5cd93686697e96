import type { IExecuteSingleFunctions } from 'n8n-workflow';
import { listAll } from '../shared/client/records';
import { download } from '../shared/client/request';
import { clock, DAY_MS, hash, instantOf } from '../shared/lib';
import { isOfRecord } from '../shared/receive/errors';
import { folderTotals } from '../shared/run/folderTotals';
import { fileIn, type SnapshotFile } from '../shared/vocabulary/snapshots';
import type { Row } from './find';

/** The components of a site, read from the files of a snapshot. */

/** A row without its site. */
type Found = Partial<Row>;

/** Runs what sends one request, when its turn has come. */
export type Paced = <T>(request: () => Promise<T>) => Promise<T>;

const CONTENT = './wp-content/';

/** Files that replace parts of the CMS, next to the folders of components. */
const DROP_INS =
	/^(advanced-cache|db|db-error|install|maintenance|object-cache|php-error|fatal-error-handler|sunrise|blog-deleted|blog-inactive|blog-suspended)\.php$/;

const LEFT_OUT = 'Backups leave it out';
const NOT_THERE = 'The snapshot does not contain it';
const NO_THEME = 'The snapshot shows no theme, so it may not show the plugins either';

/** Whether files of this name can be main files. */
const isMain = (kind: string, { name, isFolder }: SnapshotFile) =>
	!isFolder && (kind === 'theme' ? /^style\.css$/i : /\.php$/i).test(name);

/** A change that keeps the number of files and their size is found when the folder is listed again, at the latest then. */
const LISTED_EVERY_MS = 7 * DAY_MS;

/** What a later reading compares: the files of a row, and when the folder of its kind was listed, with which result. */
function markIn({ mark }: Found) {
	const [files, totals, listedAt, count] = String(mark ?? '').split('|');
	return { files, totals, listedAt, count: Number(count) };
}

/** Whether these are all rows that their folder gave when it was listed, and all could be read. */
const areAll = (rows: Row[]): boolean =>
	rows.length > 0 && rows.every((row) => !row.reason && markIn(row).count === rows.length);

/** Main files mean plugins, and folders themes. */
export const PLUGIN = /[/]|[.]php$/i;

/** Why a folder or file could not be read. An error of the account is thrown. */
function reasonOf(error: Error & { httpCode?: string }): string {
	if (!isOfRecord(error)) throw error;
	return error.httpCode === '404' ? NOT_THERE : error.message;
}

const orReason = async (about: Found, reading: () => Promise<Found[]>): Promise<Found[]> =>
	await reading().catch((error: Error) => [{ ...about, reason: reasonOf(error) }]);

export class SnapshotReader {
	private readonly url: string;

	constructor(
		private readonly context: IExecuteSingleFunctions,
		siteId: string,
		private readonly snapshotId: string,
		/** Rows of an earlier reading. */
		private readonly before: Row[] = [],
		private readonly paced: Paced = async (request) => await request(),
	) {
		this.url = `/sites/${encodeURIComponent(siteId)}/files`;
	}

	/** All components, in the order of their kinds and names. */
	async read(): Promise<Found[]> {
		const kinds = [
			this.ofKind('plugin', `${CONTENT}plugins/`),
			this.ofKind('mustUse', `${CONTENT}mu-plugins/`),
			orReason({ kind: 'dropIn', file: CONTENT }, async () => await this.dropIns()),
			this.ofKind('theme', `${CONTENT}themes/`),
		];
		return (await Promise.all(kinds)).flat();
	}

	/** The components with this main file, or the theme of this folder; none if the snapshot does not contain it. */
	async of(file: string): Promise<Found[]> {
		const kind = PLUGIN.test(file) ? 'plugin' : 'theme';
		const path = `${CONTENT}${kind}s/`;
		const [name = '', ...rest] = file.split('/');
		if (kind === 'plugin' && rest.length === 0) {
			const all = await this.list(path, name);
			const files = all.filter((entry) => entry.name === name);
			return await this.files(kind, '', files);
		}
		const found = await this.inFolder(kind, { path: `${path}${name}/`, name, isLeftOut: false });
		const isIt = (row: Found) => kind === 'theme' || row.file === file;
		return found.filter((row) => (row.reason ? row.reason !== NOT_THERE : isIt(row)));
	}

	private async ofKind(kind: string, path: string): Promise<Found[]> {
		const before = this.before.filter((row) => row.kind === kind);
		const isKnown = areAll(before);
		// A snapshot does not change.
		if (isKnown && before.every((row) => row.snapshot_id === this.snapshotId)) return before;
		const totals = isKnown ? await this.totals(path) : '';
		const holds = (row: Row) => {
			const { totals: earlier, listedAt } = markIn(row);
			return earlier === totals && clock.now() - instantOf(listedAt) < LISTED_EVERY_MS;
		};
		if (totals !== '' && before.every(holds)) return before;
		return await orReason({ kind, file: path }, async () => {
			const entries = await this.list(path).catch((error: Error) => {
				// A site without must-use plugins has no folder for them.
				if (kind !== 'mustUse' || reasonOf(error) !== NOT_THERE) throw error;
				return [];
			});
			const listedAt = new Date(clock.now()).toISOString();
			const rows = entries.map(async (entry) => {
				if (entry.isFolder) return await this.inFolder(kind, entry);
				return kind !== 'theme' && isMain(kind, entry) ? await this.files(kind, '', [entry]) : [];
			});
			const found = (await Promise.all(rows)).flat();
			// Every site has a theme. Without a kind, the row passes each filter of kinds.
			if (found.length === 0) return kind === 'theme' ? [{ file: path, reason: NO_THEME }] : [];
			const listed = [totals || (await this.totals(path)), listedAt, found.length];
			return found.map((row) => ({ ...row, mark: [markIn(row).files, ...listed].join('|') }));
		});
	}

	/** Number and size of all files in a folder; empty if they could not be read. */
	private async totals(path: string): Promise<string> {
		const { context, url, snapshotId } = this;
		const totals = await this.paced(async () => await folderTotals(context, url, path, snapshotId));
		return totals?.join(' ') ?? '';
	}

	private async dropIns(): Promise<Found[]> {
		const entries = await this.list(CONTENT, '.php');
		const found = entries.filter(({ name, isFolder }) => !isFolder && DROP_INS.test(name));
		const rows = found.map(async (entry) => {
			const { name } = entry;
			const read = await this.files('dropIn', '', [entry]);
			return read[0] ?? { kind: 'dropIn', name, folder: '', file: name, version: '' };
		});
		return await Promise.all(rows);
	}

	/** The components in a folder: usually one, but each file with a header counts. */
	private async inFolder(
		kind: string,
		{ path, name, isLeftOut }: Pick<SnapshotFile, 'path' | 'name' | 'isLeftOut'>,
	): Promise<Found[]> {
		const about = { kind, folder: name, file: `${name}/` };
		if (isLeftOut) return [{ ...about, in_backups: false, reason: LEFT_OUT }];
		return await orReason(about, async () => {
			const entries = await this.list(path, kind === 'theme' ? 'style.css' : '.php');
			const files = entries.filter((each) => isMain(kind, each));
			return await this.files(kind, name, files);
		});
	}

	/** The components that files are main files of. @param folder empty for a single file */
	private async files(kind: string, folder: string, files: SnapshotFile[]): Promise<Found[]> {
		const isOwn = (row: Row) =>
			(row.folder || '') === folder && (folder !== '' || row.file === files[0]?.name);
		const before = this.before.filter((row) => row.kind === kind && isOwn(row));
		const marks = files.map(({ name, size, modified }) => [name, size, modified].join(' ')).sort();
		// Of several rows of these files, some may be missing among the earlier ones.
		const markOf = (rows: Found[]) => `${hash(marks.join('\n'), 12)}.${rows.length}`;
		const isSame = (row: Row) => markIn(row).files === markOf(before) && !row.reason;
		if (before.length > 0 && before.every(isSame)) return before;
		const rows = files.map(async (entry): Promise<Found[]> => {
			const file = folder === '' ? entry.name : `${folder}/${entry.name}`;
			const about = { kind, folder, file, in_backups: !entry.isLeftOut };
			if (entry.isLeftOut) return [{ ...about, reason: LEFT_OUT }];
			return await orReason(about, async () => {
				const header = headerIn(await this.beginning(entry.id), kind === 'theme');
				return header ? [{ ...about, ...header }] : [];
			});
		});
		const found = (await Promise.all(rows)).flat();
		return found.map((row) => ({ ...row, mark: markOf(found) }));
	}

	/** A folder's entries. @param part of their names */
	private async list(path: string, part?: string): Promise<SnapshotFile[]> {
		const filter = part !== undefined && { 'filters[name:contains]': part };
		const qs = { path, snapshot_id: this.snapshotId, ...filter };
		const list = async () => await listAll(this.context, { url: this.url, qs });
		return (await this.paced(list)).map(fileIn);
	}

	private async beginning(id: string): Promise<Buffer> {
		const asked = { url: `${this.url}/download`, qs: { id } };
		return await this.paced(async () => {
			const { body } = await download(this.context, asked);
			return await firstBytes(body as AsyncIterable<Uint8Array>);
		});
	}
}

/** The CMS reads this many bytes of a file; a header further down does not count. */
const HEADER_BYTES = 8_192;

/** The value of a field in its line, after a comment's marks. */
function valueIn(head: string, field: string): string {
	const line =
		new RegExp(`^(?:[ \\t]*<\\?php)?[ \\t/*#@]*${field}:(.*)$`, 'im').exec(head)?.[1] ?? '';
	return line.replace(/\s*(?:\*\/|\?>).*/, '').trim();
}

/** The header of a file, with texts that are empty where it has none; undefined if the file is not a main file. @param bytes its beginning */
function headerIn(bytes: Buffer, isTheme: boolean) {
	const head = bytes.toString('utf8', 0, HEADER_BYTES).replaceAll('\r', '\n');
	const name = valueIn(head, isTheme ? 'Theme Name' : 'Plugin Name');
	if (name === '') return undefined;
	return {
		name,
		version: valueIn(head, 'Version'),
		parent: isTheme ? valueIn(head, 'Template') : '',
	};
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

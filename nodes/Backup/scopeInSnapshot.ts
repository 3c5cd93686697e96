import type { IDataObject, IExecuteSingleFunctions } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { shown } from '../shared/input/refusal';
import type { Composing } from '../shared/operation';
import { recordIn, textsIn, valueAt } from '../shared/lib';
import { listAll } from '../shared/client/records';
import { nearest } from '../shared/run/names';
import { sharedReads } from '../shared/n8n/context';
import { toggle } from '../shared/describe';

/** Looks up the paths and tables of a request in its snapshot: the service ignores missing ones. */

export const leaveOutMissing = toggle('leaveOutMissing', 'Leave Out Missing', {
	description:
		'Whether to leave out paths and tables that the snapshot does not contain. If off, or if the snapshot contains none of them, this is an error.',
});

const ROOT = './';

/** Statuses of lists that the service cannot read. */
const NOT_LISTED = ['400', '404', '422'];

/** Number of entries to read from a folder. Search by name for further ones. */
const MOST_ENTRIES = 1_000;

/** Names that a message proposes, and paths and tables that it names. */
const PROPOSED = 3;
const NAMED = 5;

/** A file, a folder or a table: its name, and its spelling in requests. */
interface Entry {
	name: string;
	is: string;
}

/** A path or a table that was looked for. */
interface Looked {
	/** As it is sent. */
	is: string;
	/** Why it could not be checked. */
	open?: string;
	/** What is missing where, and the entries that exist there. */
	missing?: { what: string; where: string; name: string; entries: Entry[] };
}

const folded = (text: string) => text.trim().normalize('NFC');

/** The entry of this name, exactly or in another Unicode form. */
const entryIn = (entries: Entry[] | undefined, name: string) =>
	entries?.find((entry) => entry.name === name) ??
	entries?.find((entry) => folded(entry.name) === folded(name));

/** What a snapshot contains. */
class Content {
	constructor(
		private readonly context: IExecuteSingleFunctions,
		private readonly ids: Record<string, string>,
	) {}

	async table(name: string): Promise<Looked> {
		const tables = await this.list('tables', {});
		if (!tables) return { is: name, open: 'the service does not list the tables' };
		const found = entryIn(tables, name);
		if (found) return { is: found.is };
		const missing = { what: `table ${shown(name)}`, where: '', name, entries: tables };
		return { is: name, missing };
	}

	/** `wp-content`, `/wp-content/` and `./wp-content/` are the same folder. */
	async path(path: string): Promise<Looked> {
		const parts = path
			.trim()
			.split('/')
			.filter((part) => part !== '' && part !== '.');
		if (parts.length === 0) return { is: ROOT };
		const last = parts.pop()!;
		const parent = [ROOT, ...parts.map((part) => `${part}/`)].join('');
		const found = await this.entry(parent, last);
		return found ? { is: found.is } : await this.lost(path, [...parts, last]);
	}

	/** Finds the part of a path that is missing. */
	private async lost(path: string, parts: string[]): Promise<Looked> {
		let folder = ROOT;
		for (const [index, name] of parts.entries()) {
			const entries = await this.folder(folder);
			const isUnlisted = !entries || (folder === ROOT && entries.length === 0);
			if (isUnlisted) return { is: path, open: `the service does not list ${folder}` };
			const found = await this.entry(folder, name);
			const isWay = index === parts.length - 1 || found?.is.endsWith('/');
			if (!found || !isWay)
				return {
					is: path,
					missing: { what: `path ${shown(path)}`, where: ` in ${folder}`, name, entries },
				};
			folder = found.is;
		}
		return { is: folder };
	}

	private async entry(folder: string, name: string): Promise<Entry | undefined> {
		const entries = await this.folder(folder);
		const found = entryIn(entries, name);
		if (found || !entries || entries.length < MOST_ENTRIES) return found;
		return entryIn(await this.folder(folder, { 'filters[name:contains]': name }), name);
	}

	private async folder(path: string, filter: IDataObject = {}) {
		return await this.list('files', { path, ...filter }, path);
	}

	/** Read once per run: a snapshot does not change. Undefined if the service does not list it. */
	private async list(
		what: 'files' | 'tables',
		query: IDataObject,
		folder?: string,
	): Promise<Entry[] | undefined> {
		const { siteId, snapshotId } = this.ids;
		const url = `/sites/${encodeURIComponent(siteId!)}/${what}`;
		const qs = { snapshot_id: snapshotId, ...query };
		const options = { max: what === 'files' ? MOST_ENTRIES : undefined };
		const read = async () => {
			const list = listAll(this.context, { method: 'GET', url, qs }, options);
			const records = await list.catch((error: unknown) => {
				if (error instanceof NodeApiError && NOT_LISTED.includes(String(error.httpCode)))
					return undefined;
				throw error;
			});
			return records?.map((record) => asEntry(record, folder));
		};
		return await sharedReads(this.context).get(`content ${url} ${JSON.stringify(qs)}`, read);
	}
}

function asEntry({ name, path, type }: IDataObject, folder?: string): Entry {
	if (folder === undefined) return { name: String(name), is: String(name) };
	const own = String(name ?? path)
		.replace(/\/$/, '')
		.replace(/^.*\//, '');
	const isFolder = type === 'folder' || String(path).endsWith('/');
	return { name: own, is: `${folder}${own}${isFolder ? '/' : ''}` };
}

/** The part of the message for one missing entry. */
function saying({ what, where, name, entries }: NonNullable<Looked['missing']>): string {
	const names = nearest(
		name,
		entries.map((entry) => entry.name),
		PROPOSED,
	);
	const others = names.map((each) => entryIn(entries, each)!.is).join(', ');
	return others ? `the ${what} (nearest${where}: ${others})` : `the ${what} (nothing is${where})`;
}

/** The files or tables that a request is for. */
function contentText(isIncluded: unknown, names: unknown, subsites: string[]): string {
	if (isIncluded === false) return 'none';
	if (names) return textsIn(names).join(', ');
	return subsites.length > 0 ? `those of the subsites ${subsites.join(', ')}` : 'all';
}

/**
 * Looks up the paths and tables of a request in its snapshot, corrects their spelling, and returns what the request is
 * for.
 * @throws NodeOperationError where one is missing
 */
export async function scopeInSnapshot({
	context,
	ids,
	body,
	settings,
}: Composing): Promise<IDataObject> {
	const sent = recordIn(Object.values(body)[0]);
	const scope = recordIn(sent.scope);
	const content = new Content(context, ids);
	const paths: Looked[] = [];
	const tables: Looked[] = [];
	for (const each of textsIn(scope.paths)) paths.push(await content.path(each));
	for (const each of textsIn(scope.tables)) tables.push(await content.table(each));
	const all = [...paths, ...tables];
	const missing = all.flatMap((each) => each.missing ?? []);
	const isLater = valueAt(sent, 'options.real_time_events.enabled') === true;
	const isThere = ({ missing: it }: Looked) => it === undefined || isLater;
	// Without paths the service restores all files.
	const isNone = [paths, tables].some((of) => of.length > 0 && !of.some(isThere));
	const leavesOut = settings[leaveOutMissing.name] === true && !isNone;
	if (missing.length > 0 && !isLater && !leavesOut) {
		const named = missing.slice(0, NAMED).map(saying).join(' and ');
		const more = missing.length > NAMED ? ` and ${missing.length - NAMED} more` : '';
		throw new NodeOperationError(
			context.getNode(),
			`The snapshot ${ids.snapshotId} does not contain ${named}${more}`,
			{
				itemIndex: context.getItemIndex(),
				description:
					'Correct Paths and Tables, or set Options > Leave Out Missing. To see what a snapshot contains, use File: Get Many and Table: Get Many. Nothing was sent.',
			},
		);
	}
	const unique = (looked: Looked[]) => [...new Set(looked.filter(isThere).map(({ is }) => is))];
	if (scope.paths) scope.paths = unique(paths);
	if (scope.tables) scope.tables = unique(tables);
	const { include_files: files, include_database: database } = scope;
	const subsites = textsIn(scope.subsite_ids);
	const open = [
		...(isLater ? missing : []).map(
			({ what }) => `the ${what} is not in the snapshot, only perhaps in its events`,
		),
		...all.flatMap((each) => each.open ?? []),
		...(subsites.length > 0 ? ['the service chooses the content of subsites'] : []),
	];
	const left = leavesOut && !isLater ? missing.map(({ what }) => what) : [];
	const rest = left.length > 0 ? `found, without the ${left.join(', the ')}` : 'found';
	const found = all.length > 0 ? rest : null;
	return {
		snapshot_id: ids.snapshotId,
		files: contentText(files, scope.paths, subsites),
		tables: contentText(database, scope.tables, subsites),
		scope_check: open.length > 0 ? `not checked: ${[...new Set(open)].join('; ')}` : found,
	};
}

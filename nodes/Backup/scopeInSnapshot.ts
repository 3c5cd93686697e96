import { type IDataObject, NodeApiError } from 'n8n-workflow';
import { shown } from '../shared/input/refusal';
import type { Composing } from '../shared/operation';
import { recordIn, textsIn, valueAt } from '../shared/lib';
import { listAll } from '../shared/client/records';
import { nearest } from '../shared/run/names';
import { operationError, sharedReads } from '../shared/n8n/context';
import { toggle } from '../shared/input/kinds';
import { fileIn } from '../shared/vocabulary/snapshots';

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
	/** Set if the snapshot may lack it, although it is listed. */
	open?: string;
}

/** A path or a table that was looked for. */
interface Looked {
	/** As it is sent. */
	is: string;
	/** Why it could not be checked. */
	open?: string;
	/** What is missing, such as `path "x"`, and what exists there. */
	missing?: { what: string; near: string };
}

const folded = (text: string) => text.trim().normalize('NFC');

/** The entry of this name, exactly or in another Unicode form. */
const entryIn = (entries: Entry[] | undefined, name: string) =>
	entries?.find((entry) => entry.name === name) ??
	entries?.find((entry) => folded(entry.name) === folded(name));

function missing(what: string, name: string, entries: Entry[], where = ''): Looked['missing'] {
	const names = entries.map((entry) => entry.name);
	const others = nearest(name, names, PROPOSED).map((each) => entryIn(entries, each)!.is);
	const near = others.length > 0 ? `nearest${where}: ${others.join(', ')}` : `nothing is${where}`;
	return { what, near };
}

/** Looks up what a snapshot contains. Lists are read once per run: a snapshot does not change. */
class Content {
	constructor(private readonly at: Composing) {}

	async table(name: string): Promise<Looked> {
		const tables = await this.list('tables');
		if (!tables) return { is: name, open: 'the service does not list the tables' };
		const found = entryIn(tables, name);
		if (found) return found;
		return { is: name, missing: missing(`table ${shown(name)}`, name, tables) };
	}

	/** `wp-content`, `/wp-content/` and `./wp-content/` are the same folder. */
	async path(path: string): Promise<Looked> {
		const parts = path
			.trim()
			.split('/')
			.filter((part) => part !== '' && part !== '.');
		if (parts.length === 0) return { is: ROOT };
		const parent = [ROOT, ...parts.slice(0, -1).map((part) => `${part}/`)].join('');
		const found = await this.entry(parent, parts.at(-1)!);
		if (found) return found;
		// Find the part that is missing.
		let at = ROOT;
		for (const [index, name] of parts.entries()) {
			const entries = await this.list('files', { path: at });
			const isUnlisted = !entries || (at === ROOT && entries.length === 0);
			if (isUnlisted) return { is: path, open: `the service does not list ${at}` };
			const entry = await this.entry(at, name);
			if (!entry || (index < parts.length - 1 && !entry.is.endsWith('/'))) {
				return { is: path, missing: missing(`path ${shown(path)}`, name, entries, ` in ${at}`) };
			}
			at = entry.is;
		}
		return { is: at };
	}

	private async entry(folder: string, name: string): Promise<Entry | undefined> {
		const entries = await this.list('files', { path: folder });
		const found = entryIn(entries, name);
		if (found || !entries || entries.length < MOST_ENTRIES) return found;
		const named = { path: folder, 'filters[name:contains]': name };
		return entryIn(await this.list('files', named), name);
	}

	/** Undefined if the service does not list it. A table is in no folder. */
	private async list(what: 'files' | 'tables', query: { path?: string } = {}) {
		const { path: folder = '' } = query;
		const entryOf = (record: IDataObject): Entry => {
			const { name, isFolder, isLeftOut } = fileIn(record);
			const is = `${folder}${name}${isFolder ? '/' : ''}`;
			return { name, is, open: isLeftOut ? `backups leave out ${is}` : undefined };
		};
		const { context, ids } = this.at;
		const url = `/sites/${encodeURIComponent(ids.siteId!)}/${what}`;
		const qs = { snapshot_id: ids.snapshotId, ...query };
		const options = { max: what === 'files' ? MOST_ENTRIES : undefined };
		return await sharedReads(context).get(`content ${url} ${JSON.stringify(qs)}`, async () => {
			const records = await listAll(context, { url, qs }, options).catch((error: unknown) => {
				if (error instanceof NodeApiError && NOT_LISTED.includes(String(error.httpCode)))
					return undefined;
				throw error;
			});
			return records?.map(entryOf);
		});
	}
}

/** The files or tables that a request is for. */
function contentText(isIncluded: unknown, names: unknown, subsites: string[]): string {
	if (isIncluded === false) return 'none';
	if (names) return textsIn(names).join(', ');
	return subsites.length > 0 ? `those of the subsites ${subsites.join(', ')}` : 'all';
}

/** Corrects the paths and tables of a request by its snapshot. @returns what it is for @throws where one is missing */
export async function scopeInSnapshot(at: Composing): Promise<IDataObject> {
	const { context, ids, settings } = at;
	const sent = recordIn(Object.values(at.body)[0]);
	const scope = recordIn(sent.scope);
	const content = new Content(at);
	const paths: Looked[] = [];
	const tables: Looked[] = [];
	for (const each of textsIn(scope.paths)) paths.push(await content.path(each));
	for (const each of textsIn(scope.tables)) tables.push(await content.table(each));
	const all = [...paths, ...tables];
	const lacking = all.flatMap((each) => each.missing ?? []);
	const isLater = valueAt(sent, 'options.real_time_events.enabled') === true;
	const isThere = (each: Looked) => each.missing === undefined || isLater;
	// Without paths the service restores all files.
	const isNone = [paths, tables].some((of) => of.length > 0 && !of.some(isThere));
	const leavesOut = settings[leaveOutMissing.name] === true && !isNone;
	if (lacking.length > 0 && !isLater && !leavesOut) {
		const said = lacking.slice(0, NAMED).map(({ what, near }) => `the ${what} (${near})`);
		const more = lacking.length > NAMED ? ` and ${lacking.length - NAMED} more` : '';
		throw operationError(
			context,
			`The snapshot ${ids.snapshotId} does not contain ${said.join(' and ')}${more}`,
			'Correct Paths and Tables, or set Options > Leave Out Missing. To see what a snapshot contains, use File: Get Many and Table: Get Many. Nothing was sent.',
		);
	}
	const unique = (looked: Looked[]) => [...new Set(looked.filter(isThere).map(({ is }) => is))];
	if (scope.paths) scope.paths = unique(paths);
	if (scope.tables) scope.tables = unique(tables);
	const subsites = textsIn(scope.subsite_ids);
	const names = lacking.map(({ what }) => `the ${what}`);
	const open = [
		...(isLater ? names : []).map(
			(name) => `${name} is not in the snapshot, only perhaps in its events`,
		),
		...all.flatMap((each) => each.open ?? []),
		...(subsites.length > 0 ? ['the service chooses the content of subsites'] : []),
	];
	const found = names.length > 0 ? `found, without ${names.join(', ')}` : 'found';
	const checked = all.length > 0 ? found : null;
	return {
		snapshot_id: ids.snapshotId,
		files: contentText(scope.include_files, scope.paths, subsites),
		tables: contentText(scope.include_database, scope.tables, subsites),
		scope_check: open.length > 0 ? `not checked: ${[...new Set(open)].join('; ')}` : checked,
	};
}

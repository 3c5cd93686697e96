import type { IDataObject } from 'n8n-workflow';
import { mapParallel } from '../shared/client/limiter';
import { listAll, pageOf, recordOf } from '../shared/client/records';
import { instantOf } from '../shared/lib';
import { operationError, progressOf } from '../shared/n8n/context';
import { type Composing, fillPath } from '../shared/operation';
import { targets } from '../shared/operation/targets';
import { isOfRecord } from '../shared/receive/errors';
import { folderTotals } from '../shared/run/folderTotals';
import { fileIn, type SnapshotFile } from '../shared/vocabulary/snapshots';

/** Which files differ between two snapshots of a site, by size and time, read folder by folder. */

/** The file or folder at a path, in both snapshots. */
interface Pair {
	path: string;
	before?: SnapshotFile;
	after?: SnapshotFile;
}

const ROOT = fileIn({ path: './' });

const LEFT_OUT = 'Backups leave it out';

const KINDS = new Map(
	Object.entries({ plugins: 'plugin', 'mu-plugins': 'mustUse', themes: 'theme' }),
);

/** What a path belongs to, in the words of Component: Get Many. */
function ownerOf(path: string) {
	const [, top = '', area = '', name = ''] = path.split('/');
	if (/^wp-(admin|includes)$/.test(top)) return { kind: 'core', component: top };
	if (top !== 'wp-content') return { kind: 'other', component: area && top };
	if (KINDS.has(area) && name) return { kind: KINDS.get(area), component: name };
	return { kind: area.endsWith('.php') ? 'dropIn' : 'content', component: area };
}

/** Not for a size or a time that is not known. */
const isSame = ({ before, after }: Pair) =>
	before?.size === after?.size && instantOf(before?.modified) === instantOf(after?.modified);

const isUnknown = (entry?: SnapshotFile) => entry && !(entry.size >= 0 && entry.modified);

class Comparison {
	readonly found: IDataObject[] = [];
	requests = 0;
	/** Folders that are not listed, because their totals are the same. */
	skipped = 0;

	constructor(
		private readonly at: Composing,
		private readonly ids: string[],
		private readonly max = Number(at.settings.maxRequests ?? 2_000),
	) {}

	async run(path: string): Promise<void> {
		const log = progressOf(this.at.context);
		let level: Pair[] = [{ path, before: ROOT, after: ROOT }];
		while (level.length > 0) {
			const below = await mapParallel(level, async (pair) => {
				log(() => `Files are compared: ${this.requests} requests until ${pair.path}`);
				return await this.folder(pair);
			});
			level = below.flat();
		}
	}

	async totals(path: string) {
		const { context, url } = this.at;
		this.requests += 2;
		return await mapParallel(this.ids, async (id) => await folderTotals(context, url, path, id));
	}

	/** Compares what is directly in a folder. @returns the folders below to compare next */
	private async folder(pair: Pair): Promise<Pair[]> {
		const { path } = pair;
		if (this.requests >= this.max) return this.unread(path, `Not read after ${this.max} requests`);
		const side = async (entry: SnapshotFile | undefined, index: number) =>
			entry ? await this.list(path, this.ids[index]!) : new Map<string, SnapshotFile>();
		const sides = Promise.all([side(pair.before, 0), side(pair.after, 1)]);
		const lists = await sides.catch((error: Error) => {
			if (pair.before === ROOT || !isOfRecord(error)) throw error;
			return error.message;
		});
		if (typeof lists === 'string') return this.unread(path, lists);
		const [old, now] = lists;
		const paths = [...new Set([...old.keys(), ...now.keys()])];
		const pairs = paths.map((at) => ({ path: at, before: old.get(at), after: now.get(at) }));
		return (await mapParallel(pairs, async (each) => await this.compare(each))).flat();
	}

	/** @returns the folder itself, if it has to be listed */
	private async compare(pair: Pair): Promise<Pair[]> {
		const { path, before, after } = pair;
		if (!(before ?? after)!.isFolder) {
			if (isUnknown(before) || isUnknown(after)) return this.unread(path, 'No size or time');
			return isSame(pair) ? [] : this.add(!before ? 'added' : after ? 'changed' : 'gone', pair);
		}
		if (before?.isLeftOut || after?.isLeftOut) return this.unread(path, LEFT_OUT);
		const isListed = this.at.settings.listAllFolders === true || this.requests >= this.max;
		if (isListed || !isSame(pair)) return [pair];
		const [one, other] = await this.totals(path);
		if (!one || one.join() !== other?.join()) return [pair];
		this.skipped += 1;
		return [];
	}

	private readonly unread = (path: string, reason: string) => this.add('unread', { path }, reason);

	private add(change: string, { path, before, after }: Pair, reason?: string): [] {
		this.found.push({
			...{ change, path, ...ownerOf(path) },
			...{ size_before: before?.size ?? null, size_after: after?.size ?? null },
			...{ modified_before: before?.modified ?? null, modified_after: after?.modified ?? null },
			reason: reason ?? ((before ?? after)?.isLeftOut ? LEFT_OUT : null),
		});
		return [];
	}

	private async list(path: string, snapshotId: string) {
		const { context, url } = this.at;
		const list = { url, qs: { path, snapshot_id: snapshotId } };
		this.requests += 1;
		const records = await listAll(context, list, {
			pageIn: (answer, asked) => {
				if (asked.page > 1) this.requests += 1;
				return pageOf('files', answer, asked);
			},
		});
		const pathOf = ({ name, isFolder }: SnapshotFile) => `${path}${name}${isFolder ? '/' : ''}`;
		return new Map(records.map(fileIn).map((file) => [pathOf(file), file]));
	}
}

/** The most requests that a comparison can take. */
function mostRequests(totals: Array<number[] | undefined>): number | null {
	if (totals.includes(undefined)) return null;
	const of = ([files = 0, folders = 0]: number[]) =>
		2 * (folders + 1) + Math.floor((files + folders) / 100);
	return totals.reduce((sum, each) => sum + of(each!), 2);
}

export async function compareFiles(at: Composing): Promise<IDataObject[]> {
	const { context, ids, qs, settings } = at;
	const isBrief = settings.onlyTotals === true;
	const path = String(qs.path ?? './').replace(/\/*$/, '/');
	const both = [String(qs.snapshot_id), String(qs.later_snapshot_id)];
	const times: unknown[] = [];
	for (const id of both) {
		const path = fillPath(targets.snapshotId!.path, { ...ids, snapshotId: id });
		times.push((await recordOf(context, path)).created_at);
	}
	if (instantOf(times[0]) >= instantOf(times[1])) {
		const message = `The snapshot ${both[1]} is not later than ${both[0]}`;
		throw operationError(context, message, 'Choose a later one as "Later Snapshot".');
	}
	const comparison = new Comparison(at, both);
	const totals = await comparison.totals(path);
	if (!isBrief) await comparison.run(path);
	const { skipped, requests } = comparison;
	const found = comparison.found.sort((a, b) => (String(a.path) < String(b.path) ? -1 : 1));
	const of = (...all: string[]) => found.filter(({ change }) => all.includes(String(change)));
	const unread = of('unread');
	const lost = of('changed', 'gone');
	const kept = lost.filter(({ reason }) => reason === null);
	const isKnown = !totals.includes(undefined);
	const differ = isKnown && totals[0]!.join() !== totals[1]!.join();
	const isDifferent = isBrief ? differ : found.length > unread.length;
	const isOpen = unread.length > 0 || differ || (isBrief && !isKnown);
	const isPart = isBrief || skipped > 0;
	const equal = isOpen ? 'not_known' : isPart ? 'same_totals' : 'same';
	const [{ path: one, reason: why } = {}] = unread;
	const reasons = [
		!isKnown && 'The service does not report the totals',
		differ && !isDifferent && 'The totals differ',
		one && `Not read: ${unread.length}, such as ${String(one)} (${String(why)})`,
		isPart &&
			`${isBrief ? 'Only the number and size of files were compared' : `${skipped} folders with the same number and size of files were not listed`}: a change that keeps both is not found`,
		lost.length > kept.length && `${lost.length - kept.length} cannot be restored: ${LEFT_OUT}`,
	].filter(Boolean);
	return [
		{
			result: isDifferent ? 'different' : equal,
			reason: reasons.map((each) => `${String(each)}.`).join(' '),
			...{ snapshot_created_at: times[0] ?? null, later_snapshot_created_at: times[1] ?? null },
			...{ snapshot_id: both[0], later_snapshot_id: both[1], site_id: ids.siteId },
			...{ added_count: of('added').length, changed_count: of('changed').length },
			...{ gone_count: of('gone').length, unread_count: unread.length },
			...{ files_before: totals[0]?.[0] ?? null, files_after: totals[1]?.[0] ?? null },
			...{ bytes_before: totals[0]?.[2] ?? null, bytes_after: totals[1]?.[2] ?? null },
			...{ request_count: requests + 2, requests_at_most: mostRequests(totals) },
			restore_paths: kept.map((each) => each.path),
			added_paths: of('added').map((each) => each.path),
			files: found,
		},
	];
}

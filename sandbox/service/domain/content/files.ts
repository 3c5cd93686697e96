import { day, hour } from '../../engine/clock';
import { hashOf, Random } from '../../engine/random';
import type { World } from '../../engine/world';
import type { SiteRow } from '../sites/rows';
import {
	coreFiles,
	type FileSpec,
	installedAt,
	pictures,
	pluginFiles,
	pluginNames,
	singleFiles,
	themeFiles,
	themeNames,
} from './names';
import type { BackupStatus, Restore, SiteContentRow, VersionChange } from './rows';
import { changesOf, subsiteFolder, subsitesOf } from './changes';
import { componentFiles } from './componentFiles';
import { isWithin, restoresOf } from './kept';
import { withMalware } from './malware';
import { oddFiles } from './odd';

/** How many months of uploads a site has at most. */
const uploadMonths = 18;

/** A file or folder as it was at some time (Part B 2.7); times are milliseconds. */
export interface ContentEntry {
	path: string;
	type: 'file' | 'folder';
	size: number;
	modifiedAt: number;
	status: BackupStatus;
}

let remembered: { key: string; specs: FileSpec[] } | undefined;

/** The files of a site up to a time, in no order; those of the last site asked for are kept. */
function fileSpecs(site: SiteRow, until: number): FileSpec[] {
	const key = [site.id, site.created_at, site.multisite, monthNumber(until)].join();
	if (remembered?.key !== key) remembered = { key, specs: workOutFiles(site, until) };
	return remembered.specs;
}

function workOutFiles(site: SiteRow, until: number): FileSpec[] {
	const random = new Random(hashOf(site.id, 'files'));
	const often = (path: string, every: number): FileSpec => ({
		path,
		size: random.integer(2_000, 90_000),
		since: installedAt + random.integer(0, every),
		every,
	});
	const plugins = random.sample(pluginNames, random.integer(3, 7));
	const themes = random.sample(themeNames, random.integer(1, 3));
	return [
		...coreFiles,
		...plugins.flatMap((name) => pluginFiles.get(name)!),
		...themes.flatMap((name) => themeFiles.get(name)!),
		...oddFiles(site, themes),
		...singleFiles('./.htaccess', './wp-config.php'),
		often('./wp-content/debug.log', day),
		often('./wp-content/cache/home.html', 6 * hour),
		often('./wp-content/cache/menu.json', 2 * day),
		{ path: './wp-content/uploads/.keep', size: 0, since: installedAt },
		...(random.chance(0.1)
			? [
					{
						path: './wp-content/uploads/tour.mp4',
						size: random.integer(300_000_000, 500_000_000),
						since: installedAt,
					},
				]
			: []),
		...uploads(site, './wp-content/uploads/', until),
		...subsitesOf(site).flatMap((subsite) => uploads(site, subsiteFolder(subsite), until, 3)),
	];
}

/** A few pictures for each of the last months of the site. */
function uploads(site: SiteRow, folder: string, until: number, months = uploadMonths): FileSpec[] {
	const end = monthNumber(until);
	const start = Math.max(monthNumber(Date.parse(site.created_at)), end - months + 1);
	const files: FileSpec[] = [];
	for (let month = start; month <= end; month++) {
		const from = Date.UTC(0, month);
		const random = new Random(hashOf(site.id, folder, month));
		const [year, name] = new Date(from).toISOString().split('-');
		for (const picture of random.sample(pictures, random.integer(1, 4))) {
			files.push({
				path: `${folder}${year}/${name}/${picture}.jpg`,
				size: random.integer(20_000, 4_000_000),
				since: from + random.integer(0, 27 * day),
			});
		}
	}
	return files;
}

/** Months since the year 0, as `Date.UTC(0, number)` reads them (its years 0 to 99 are 1900 on). */
function monthNumber(time: number): number {
	const date = new Date(time);
	return (date.getUTCFullYear() - 1900) * 12 + date.getUTCMonth();
}

/** When the file last changed before `at`; nothing when it did not exist. */
function lastChange(spec: FileSpec, at: number, restores: readonly Restore[]): number | undefined {
	const change = ownChange(spec, at);
	if (restores.length === 0) return change;
	const past = restores.filter((restore) => Date.parse(restore.at) <= at);
	const restore = past.at(-1);
	if (!restore || (change !== undefined && change > Date.parse(restore.at))) return change;
	return lastChange(spec, Math.min(at, Date.parse(restore.from)), past.slice(0, -1));
}

/** The same without any restore. */
function ownChange({ since, every, also }: FileSpec, at: number): number | undefined {
	if (since > at) return undefined;
	if (every) return since + Math.floor((at - since) / every) * every;
	return also?.filter((change) => change.at <= at).at(-1)?.at ?? since;
}

/** How big a file is that last changed at a time. */
function sizeAt({ size, since, every, also }: FileSpec, modifiedAt: number): number {
	if (every) return size + (((modifiedAt - since) / every) % 50) * 120;
	return also?.find(({ at }) => at === modifiedAt)?.size ?? size;
}

function statusOf(path: string, marks: SiteContentRow['marks']): BackupStatus {
	const [mark] = Object.keys(marks)
		.filter((marked) => isWithin(path, marked))
		.sort((a, b) => b.length - a.length);
	return mark === undefined ? 'synced' : marks[mark]!;
}

/** The files of a site as they were at a time (milliseconds), without folders. */
export function filesAt(world: World, site: SiteRow, at: number): ContentEntry[] {
	const changes = changesOf(world, site.id);
	const { marks, restores, plugins } = changes;
	const marked = Object.keys(marks).length > 0;
	const files: ContentEntry[] = [];
	// A loop, because fleets of thousands of sites are measured file by file.
	for (const spec of withMalware(withVersions(fileSpecs(site, at), plugins), changes)) {
		const { path } = spec;
		const affecting = restores.length > 0 ? restoresOf(restores, path) : restores;
		const modifiedAt = lastChange(spec, at, affecting);
		if (modifiedAt === undefined) continue;
		files.push({
			path,
			type: 'file',
			size: sizeAt(spec, modifiedAt),
			modifiedAt,
			status: marked ? statusOf(path, marks) : 'synced',
		});
	}
	return files;
}

/** The files with those of plugins and themes that came, or came to another version, which changes all of theirs. */
function withVersions(specs: FileSpec[], changes: readonly VersionChange[] = []): FileSpec[] {
	if (changes.length === 0) return specs;
	const names = [...new Set(changes.map(({ name }) => name))];
	const changed = names.flatMap((name) => {
		const own = changes.filter((each) => each.name === name);
		const files = componentFiles.get(name)!;
		const isThere = specs.some(({ path }) => path === files[0]!.path);
		return files.map((file) => ({
			...file,
			since: isThere ? file.since : Date.parse(own[0]!.at),
			also: own.map(({ version, at }) => ({ at: Date.parse(at), size: sizeIn(file, version) })),
		}));
	});
	const paths = new Set(changed.map(({ path }) => path));
	return [...specs.filter(({ path }) => !paths.has(path)), ...changed];
}

/** A version is never as big as the one that a site began with. */
const sizeIn = ({ path, size }: FileSpec, version: string) =>
	size + 1 + (hashOf(path, version) % 4_000);

/** The files and folders of a site as they were at a time, by path. */
export function treeAt(world: World, site: SiteRow, at: number): Map<string, ContentEntry> {
	const { marks } = changesOf(world, site.id);
	const tree = new Map<string, ContentEntry>();
	for (const file of filesAt(world, site, at)) {
		tree.set(file.path, file);
		for (let path = folderOf(file.path); path; path = folderOf(path)) {
			const folder = tree.get(path);
			tree.set(path, {
				path,
				type: 'folder',
				size: (folder?.size ?? 0) + file.size,
				modifiedAt: Math.max(folder?.modifiedAt ?? 0, file.modifiedAt),
				status: folder?.status ?? statusOf(path, marks),
			});
		}
	}
	return tree;
}

/** The path of the folder that something is in; empty for the root itself. */
export function folderOf(path: string): string {
	return path.slice(0, path.lastIndexOf('/', path.length - 2) + 1);
}

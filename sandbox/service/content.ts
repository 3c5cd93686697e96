import { Random } from './random';
import type { SiteRow } from './records';
import type { BackupStatus, Restore, SiteContentRow } from './rows/content';
import type { Amounts, BackupAmounts } from './rows/snapshots';
import type { World } from './world';

const hour = 60 * 60 * 1000;
const day = 24 * hour;
/** When the files that nobody changes were put there. */
const installedAt = Date.UTC(2024, 3, 2, 9, 30);
/** How many months of uploads a site has at most. */
const uploadMonths = 18;

/** A file that a site has: with `every` it changes again and again, otherwise only at `since`. */
interface FileSpec {
	path: string;
	size: number;
	since: number;
	every?: number;
}

/** A file or folder as it was at some time (Part B 2.7); times are milliseconds. */
export interface ContentEntry {
	path: string;
	type: 'file' | 'folder';
	size: number;
	modifiedAt: number;
	status: BackupStatus;
}

/** A table as it was at some time (Part B 2.8). */
export interface TableEntry {
	name: string;
	rows: number;
	size: number;
	created_at: string;
	status: BackupStatus;
}

/** A number that is always the same for the same words (FNV-1a). */
export function hashOf(...words: Array<string | number>): number {
	let hash = 0x811c9dc5;
	for (const char of words.join('\n')) hash = Math.imul(hash ^ char.codePointAt(0)!, 0x01000193);
	return hash >>> 0;
}

const words =
	'admin,archive,author,block,cache,client,comment,customize,editor,error,export,feed,filter,formatting,general,http,import,link,locale,loader,media,menu,meta,network,option,plugin,post,query,revision,rewrite,role,schema,session,taxonomy,template,theme,update,upgrade,user,widget'.split(
		',',
	);

const folderFiles = (folder: string, extension: string, count: number): FileSpec[] =>
	words.slice(0, count).map((word) => {
		const path = `${folder}${word}.${extension}`;
		return { path, size: 800 + (hashOf(path) % 60_000), since: installedAt };
	});

const singleFiles = (...paths: string[]): FileSpec[] =>
	paths.map((path) => ({ path, size: 400 + (hashOf(path) % 20_000), since: installedAt }));

const coreFiles: FileSpec[] = [
	...singleFiles(
		'./index.php',
		'./license.txt',
		'./readme.html',
		'./wp-blog-header.php',
		'./wp-cron.php',
		'./wp-load.php',
		'./wp-login.php',
		'./wp-settings.php',
		'./xmlrpc.php',
		'./wp-content/index.php',
		'./wp-admin/index.php',
		'./wp-includes/version.php',
	),
	...['includes', 'network', 'user'].flatMap((folder) =>
		folderFiles(`./wp-admin/${folder}/`, 'php', 24),
	),
	...folderFiles('./wp-admin/css/', 'css', 18),
	...folderFiles('./wp-admin/js/', 'js', 30),
	...folderFiles('./wp-includes/', 'php', 40),
	...['blocks', 'rest-api', 'widgets'].flatMap((folder) =>
		folderFiles(`./wp-includes/${folder}/`, 'php', 20),
	),
	...folderFiles('./wp-includes/css/', 'css', 12),
	...folderFiles('./wp-includes/js/', 'js', 40),
];

const pluginNames =
	'contact-forms,page-cache,image-slider,site-maps,cookie-notice,redirects,security-check,mail-log,backup-agent,related-posts,price-table,booking-calendar'.split(
		',',
	);
const themeNames = ['plain-theme', 'magazine', 'storefront-light', 'portfolio', 'landing'];

const pluginFiles = new Map(
	pluginNames.map((name) => {
		const folder = `./wp-content/plugins/${name}/`;
		return [
			name,
			[
				...singleFiles(`${folder}${name}.php`, `${folder}readme.txt`),
				...folderFiles(`${folder}includes/`, 'php', 4 + (hashOf(name) % 12)),
				...folderFiles(`${folder}assets/`, 'js', 2 + (hashOf(name) % 4)),
			],
		];
	}),
);
const themeFiles = new Map(
	themeNames.map((name) => {
		const folder = `./wp-content/themes/${name}/`;
		return [
			name,
			[
				...singleFiles(`${folder}style.css`, `${folder}functions.php`, `${folder}screenshot.png`),
				...folderFiles(`${folder}templates/`, 'php', 8),
			],
		];
	}),
);

const pictures = ['team', 'front', 'garden', 'summer fest', 'menu', 'Grüße', 'map', 'poster'];

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
	return [
		...coreFiles,
		...random.sample(pluginNames, random.integer(3, 7)).flatMap((name) => pluginFiles.get(name)!),
		...random.sample(themeNames, random.integer(1, 3)).flatMap((name) => themeFiles.get(name)!),
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

/** The ids of the sites of a multisite besides the main one. */
export function subsitesOf(site: SiteRow): string[] {
	if (!site.multisite) return [];
	return Array.from({ length: 2 + (hashOf(site.id, 'subsites') % 3) }, (_, i) => String(i + 2));
}

export const subsiteFolder = (subsite: string) => `./wp-content/uploads/sites/${subsite}/`;
export const subsiteTables = (subsite: string) => `wp_${subsite}_`;

const untouched = { marks: {}, skipped_tables: [], restores: [] };

/** What was changed of a site's content. */
export function changesOf(world: World, siteId: string): Readonly<SiteContentRow> {
	return world.store.contents.get(siteId) ?? { id: siteId, ...untouched };
}

/** The same, to be changed. */
export function changeContent(world: World, siteId: string): SiteContentRow {
	return (
		world.store.contents.get(siteId) ??
		world.store.contents.insert({ id: siteId, ...structuredClone(untouched) })
	);
}

/** When the file last changed before `at`; nothing when it did not exist. */
function lastChange(spec: FileSpec, at: number, restores: readonly Restore[]): number | undefined {
	const { since, every } = spec;
	const change =
		since > at ? undefined : every ? since + Math.floor((at - since) / every) * every : since;
	if (restores.length === 0) return change;
	const past = restores.filter((restore) => Date.parse(restore.at) <= at);
	const restore = past.at(-1);
	if (!restore || (change !== undefined && change > Date.parse(restore.at))) return change;
	return lastChange(spec, Math.min(at, Date.parse(restore.from)), past.slice(0, -1));
}

const restoresOf = (restores: readonly Restore[], path: string) =>
	restores.filter(
		({ files, paths }) => files && (!paths || paths.some((each) => isWithin(path, each))),
	);

/** Whether a path is the other one or, when that is a folder, in it. */
export const isWithin = (path: string, other: string): boolean =>
	path === other || (other.endsWith('/') && path.startsWith(other));

function statusOf(path: string, marks: SiteContentRow['marks']): BackupStatus {
	const [mark] = Object.keys(marks)
		.filter((marked) => isWithin(path, marked))
		.sort((a, b) => b.length - a.length);
	return mark === undefined ? 'synced' : marks[mark]!;
}

/** The files of a site as they were at a time (milliseconds), without folders. */
export function filesAt(world: World, site: SiteRow, at: number): ContentEntry[] {
	const { marks, restores } = changesOf(world, site.id);
	const marked = Object.keys(marks).length > 0;
	const files: ContentEntry[] = [];
	// A loop, because fleets of thousands of sites are measured file by file.
	for (const spec of fileSpecs(site, at)) {
		const { path, size, since, every } = spec;
		const affecting = restores.length > 0 ? restoresOf(restores, path) : restores;
		const modifiedAt = lastChange(spec, at, affecting);
		if (modifiedAt === undefined) continue;
		files.push({
			path,
			type: 'file',
			size: every ? size + (((modifiedAt - since) / every) % 50) * 120 : size,
			modifiedAt,
			status: marked ? statusOf(path, marks) : 'synced',
		});
	}
	return files;
}

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

/** Marks paths as `status`; what was marked in a folder before follows the folder. */
export function markPath(world: World, site: SiteRow, path: string, status: BackupStatus): void {
	const content = changeContent(world, site.id);
	const others = Object.entries(content.marks).filter(([marked]) => !isWithin(marked, path));
	content.marks = { ...Object.fromEntries(others), [path]: status };
}

const coreTables =
	'commentmeta,comments,links,options,postmeta,posts,term_relationships,term_taxonomy,termmeta,terms,usermeta,users'.split(
		',',
	);
const moreTables =
	'actionscheduler_actions,actionscheduler_logs,booking_slots,cookie_consents,form_entries,Mail_Log,redirects_404,shop_order_items,shop_sessions,slider_slides,statistics_visits'.split(
		',',
	);

/** The tables of a site as they were at a time (milliseconds), by name. */
export function tablesAt(world: World, site: SiteRow, at: number): TableEntry[] {
	const { skipped_tables: skipped, restores } = changesOf(world, site.id);
	const random = new Random(hashOf(site.id, 'tables'));
	const names = [
		...[...coreTables, ...random.sample(moreTables, random.integer(0, 8))].map(
			(name) => `wp_${name}`,
		),
		...subsitesOf(site).flatMap((subsite) =>
			coreTables.slice(0, 10).map((name) => subsiteTables(subsite) + name),
		),
	];
	return names.sort().map((name) => {
		const since = Date.parse(site.created_at);
		const age = Math.max(0, ageOf(name, at, restores) - since) / day;
		const base = hashOf(site.id, name);
		const rows = (base % 900) + Math.floor(age * ((base >>> 10) % 12));
		return {
			name,
			rows,
			size: 16_384 + rows * (60 + ((base >>> 20) % 400)),
			created_at: site.created_at,
			status: skipped.includes(name) ? 'skipped' : 'synced',
		};
	});
}

/** The time up to which a table has grown at `at`: a restore takes it back, from there it goes on. */
function ageOf(name: string, at: number, restores: readonly Restore[]): number {
	const past = restores.filter(
		({ database, tables, ...restore }) =>
			database && (!tables || tables.includes(name)) && Date.parse(restore.at) <= at,
	);
	const restore = past.at(-1);
	if (!restore) return at;
	return ageOf(name, Date.parse(restore.from), past.slice(0, -1)) + at - Date.parse(restore.at);
}

/** How much a backup has of a site's content at a time, and how much it leaves out. */
export function amountsAt(
	world: World,
	site: SiteRow,
	at: number,
): { files: BackupAmounts; database: BackupAmounts } {
	return {
		files: sumUp(filesAt(world, site, at)),
		database: sumUp(tablesAt(world, site, at)),
	};
}

function sumUp(entries: Array<{ size: number; status: BackupStatus }>): BackupAmounts {
	const skipped = entries.filter(({ status }) => status === 'skipped');
	const amounts = (measure: (list: typeof entries) => number): Amounts => {
		const total = measure(entries);
		const ignored = measure(skipped);
		return { total, synced: total - ignored, ignored };
	};
	return {
		count: amounts((list) => list.length),
		size: amounts((list) => list.reduce((sum, { size }) => sum + size, 0)),
	};
}

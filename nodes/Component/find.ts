import type { IDataObject } from 'n8n-workflow';
import {
	caselessForm,
	clock,
	DAY_MS,
	instantOf,
	isRecord,
	nameForm,
	recordsIn,
	urlFrom,
} from '../shared/lib';
import { operationError } from '../shared/n8n/context';
import type { Composing } from '../shared/operation';
import { isAmong, isComparable, type Versions } from './versions';

/** Which sites have a component in certain versions: judged from rows of components, without a request. */

/** A row of Component: Get Many: a component of a site, or the reason why a site or a component could not be read. */
export interface Row extends IDataObject {
	site_id: string;
	/** Empty for a site that could not be read. */
	kind?: string;
	/** The displayed name; empty if the component could not be read. */
	name?: string;
	/** Name of its folder; empty for a plugin of one file. */
	folder?: string;
	/** Path of its main file below the folder of all plugins, such as `page-cache/page-cache.php`. */
	file?: string;
	/** A table may store it as a number: 5.10 as 5.1. */
	version?: string | number;
	reason?: string;
	/** When the backup was made that the row was read from; of the service's own list, when the site was last synced. */
	as_of?: string;
	/** Folder of the parent theme. */
	parent?: string;
	/** Whether backups include it; a component that they leave out cannot be read. */
	in_backups?: boolean;
	/** What a later reading compares. */
	mark?: string;
}

/** The rows in a list, also as items of n8n. */
export const rowsIn = (list: unknown): Row[] =>
	recordsIn(list)
		.map((each) => (isRecord(each.json) ? each.json : each))
		.filter((row): row is Row => typeof row.site_id === 'string' && row.site_id !== '');

export function bySite(rows: Row[]): Map<string, Row[]> {
	const sites = new Map<string, Row[]>();
	for (const row of rows) {
		const own = sites.get(row.site_id);
		if (own) own.push(row);
		else sites.set(row.site_id, [row]);
	}
	return sites;
}

interface Asked {
	name: string;
	versions: Versions;
	/** Rows that were read from older backups prove nothing; in milliseconds. */
	maxAgeMs: number;
	/** In epoch milliseconds. */
	now: number;
}

/** Component: Find. If the parameter sets no rows, all input items are the rows, and the first item returns all sites. */
export async function findInRows({ context, settings }: Composing): Promise<IDataObject[]> {
	const { componentName, componentVersions, maxAgeDays = 3, rows: given } = settings;
	if (!given && context.getItemIndex() > 0) return [];
	const items = context.getExecuteData().data.main?.[0] ?? [];
	const rows = rowsIn(given ?? items).filter(
		({ version, reason }) => version !== undefined || reason !== undefined,
	);
	if (rows.length === 0) {
		const what = given ? 'No entry of "Rows"' : 'No input item';
		const todo = 'Connect the output of Component: Get Many, or rows of it from a table.';
		throw operationError(context, `${what} is a row of a component`, todo);
	}
	return found(rows, {
		name: String(componentName),
		versions: componentVersions as Versions,
		maxAgeMs: Number(maxAgeDays) * DAY_MS,
		now: clock.now(),
	});
}

/** The last part of a path or address: `page-cache` of `page-cache/`, `page-cache/page-cache.php` and `https://example.org/plugins/page-cache/`. */
function baseOf(text: string): string {
	const path = /^https?:/.test(text)
		? (urlFrom(text)?.pathname ?? text)
		: text.replaceAll('\\', '/');
	return (path.split('/').filter(Boolean).at(-1) ?? '').replace(/\.php$/, '');
}

/** Whether a component has this name: its folder, its main file or its displayed name, in any case. */
export function isNamed({ name, folder, file }: Row, asked: string): boolean {
	const wanted = caselessForm(asked);
	const base = baseOf(wanted);
	const own = caselessForm(folder);
	// A copy is in a folder such as page-cache-1.9.4; page-cache-360-image is another plugin.
	const isCopy = own.startsWith(`${base}-`) && isComparable(own.slice(base.length + 1));
	return (
		base !== '' &&
		(isCopy || [own, baseOf(caselessForm(file))].includes(base) || caselessForm(name) === wanted)
	);
}

/** Letters and digits, in which names that look alike are the same. */
const plain = (text: unknown) => caselessForm(text).replace(/[^\p{L}\p{N}]+/gu, '');

/** Names of components that look like another one, as a list in words; empty if there is none. */
export function nearOf(rows: Row[], asked: string): string {
	const wanted = plain(baseOf(caselessForm(asked)));
	const isNear = (name: string) =>
		(name.length > 3 && wanted.includes(name)) || (wanted.length > 3 && name.includes(wanted));
	const near = rows.filter((row) => isNear(plain(row.name)) || isNear(plain(row.folder)));
	const names = new Set(near.map(({ name, folder }) => nameForm(name) || nameForm(folder)));
	return [...names].slice(0, 5).join(', ');
}

const sitesRead = (rows: Row[]) =>
	[...bySite(rows).values()].filter((own) => own.every(({ reason }) => !reason)).length;

/** Of the sites that were read: others, and those that could not be read, may have it. */
export const noneNamed = (rows: Row[], name: string) =>
	`None of the sites read (${sitesRead(rows)}) has a component named "${name}"`;

/** One item for each site: affected, not affected, or not known and why. `name_problem` is alike in all. */
export function found(rows: Row[], asked: Asked): IDataObject[] {
	const { name, versions } = asked;
	const all = new Set(rows.filter((row) => isNamed(row, name)));
	const names = new Set([...all].map((row) => plain(row.name)).filter(Boolean));
	const near = all.size > 0 ? '' : nearOf(rows, name);
	const isNone = all.size === 0 && sitesRead(rows) > 0;
	const problem = isNone ? `${noneNamed(rows, name)}${near && `; near: ${near}`}` : null;
	return [...bySite(rows).values()].map((own) => {
		const meant = own.filter((row) => all.has(row));
		const judged = meant.map((row) => ({ row, is: isAmong(row.version ?? '', versions) }));
		const affected = judged.filter(({ is }) => is).map(({ row }) => row);
		const isAffected = affected.length > 0;
		const why = whyNotKnown(own, judged, names, asked) ?? problem;
		const reason = isAffected ? null : why;
		const [{ site_id, site_title = null, site_url = null }] = own as [Row];
		const shown = isAffected ? affected : meant;
		const isOfLists = own.some(({ source }) => source === 'service');
		return {
			...{ site_title, site_url, reason },
			result: isAffected ? 'affected' : reason === null ? 'not affected' : 'not known',
			name_problem: problem,
			name: shown[0]?.name ?? name,
			version: [...new Set(shown.map(({ version }) => version))].join(', ') || null,
			file: shown.map(({ file }) => file).join(', ') || null,
			update_files: affected.flatMap(updateFileOf),
			understood: isOfLists ? `${versions.words}; ${NOT_IN_LISTS}` : versions.words,
			site_id,
		};
	});
}

const NOT_IN_LISTS = 'must-use plugins and drop-ins were not read';

/** The entry of Update Now for a component: must-use plugins and drop-ins have none. */
function updateFileOf({ kind, file, folder }: Row): string[] {
	const name = kind === 'plugin' ? file : kind === 'theme' ? folder : undefined;
	return name ? [name] : [];
}

interface Judged {
	row: Row;
	/** Undefined if that cannot be said. */
	is?: boolean;
}

/** Why a site could have the component in one of the versions although no row says so; undefined if it has not. */
function whyNotKnown(own: Row[], judged: Judged[], names: Set<string>, asked: Asked) {
	const placeOf = ({ file, folder }: Row) => file || folder || 'a component';
	const unread = own.find(({ reason }) => reason);
	if (unread) return unread.kind ? `${placeOf(unread)}: ${unread.reason}` : unread.reason;
	const odd = judged.find(({ is }) => is === undefined)?.row;
	if (odd) {
		return typeof odd.version === 'number'
			? `${placeOf(odd)}: its version is stored as a number, so zeros may be missing. Store it as text`
			: `${placeOf(odd)}: the version "${odd.version ?? ''}" cannot be compared with these`;
	}
	const meant = new Set(judged.map(({ row }) => row));
	const alike = own.find((row) => !meant.has(row) && names.has(plain(row.name)));
	if (alike) return `${placeOf(alike)} has the same name`;
	const oldest = Math.min(...own.map(({ as_of: at }) => instantOf(at)));
	if (Number.isNaN(oldest)) return 'The time when the components were read is not known';
	return asked.now - oldest > asked.maxAgeMs
		? `The components are as of ${new Date(oldest).toISOString()}, which is too old`
		: undefined;
}

import type { IDataObject } from 'n8n-workflow';
import { instantOf, isRecord, nameForm, recordsIn, urlFrom } from '../shared/lib';
import type { Versions } from './versions';
import { isAmong } from './versions';

/** Which sites have a component in certain versions: judged from rows of components, without a request. */

/** A row of Component: Get Many: a component of a site, or the reason why a site or a component could not be read. */
export interface Row extends IDataObject {
	site_id: string;
	site_title?: string;
	site_url?: string;
	/** Empty for a site that could not be read. */
	kind?: string;
	/** The displayed name; empty if the component could not be read. */
	name?: string;
	/** Name of its folder; empty for a plugin of one file. */
	folder?: string;
	/** Path of its main file below the folder of all plugins, such as `page-cache/page-cache.php`. */
	file?: string;
	version?: string;
	reason?: string;
	/** When the backup was made that the row was read from; of the service's own list, when it was read. */
	as_of?: string;
}

/** The rows that an expression returns, also as items of n8n. */
export const rowsIn = (value: unknown): IDataObject[] =>
	recordsIn(value).map((each) => (isRecord(each.json) ? each.json : each));

export type Result = 'affected' | 'not affected' | 'not known';

interface Asked {
	name: string;
	versions: Versions;
	/** Rows that were read from older backups prove nothing; in milliseconds. */
	maxAgeMs: number;
	/** In epoch milliseconds. */
	now: number;
}

const lower = (text: unknown) => nameForm(text).toLowerCase();

/** The last part of a path or address: `page-cache` of `page-cache/`, `page-cache/page-cache.php` and `https://example.org/plugins/page-cache/`. */
function baseOf(text: string): string {
	const path = /^https?:/.test(text) ? (urlFrom(text)?.pathname ?? text) : text;
	return (path.split('/').filter(Boolean).at(-1) ?? '').replace(/\.php$/, '');
}

/** Whether a component has this name: its folder, its main file or its displayed name, in any case. */
export function isNamed({ name, folder, file }: Row, asked: string): boolean {
	const wanted = lower(asked);
	const base = baseOf(wanted);
	const own = lower(folder);
	// A copy is in a folder such as page-cache-1.9.4.
	const isCopy = own.startsWith(`${base}-`) && /^v?\d/.test(own.slice(base.length + 1));
	return (
		base !== '' && (isCopy || [own, baseOf(lower(file))].includes(base) || lower(name) === wanted)
	);
}

/** Letters and digits, in which names that look alike are the same. */
const plain = (text: unknown) => lower(text).replace(/[^\p{L}\p{N}]+/gu, '');

/** Names of components that look like another one. */
export function nearOf(rows: Row[], asked: string): string[] {
	const wanted = plain(baseOf(lower(asked)));
	const isNear = (name: string) =>
		(name.length > 3 && wanted.includes(name)) || (wanted.length > 3 && name.includes(wanted));
	const near = rows.filter(({ name, folder }) =>
		[name, folder].some((each) => isNear(plain(each))),
	);
	return [...new Set(near.map(({ name, folder }) => nameForm(name) || nameForm(folder)))].slice(
		0,
		5,
	);
}

/** One item for each site: affected, not affected, or not known and why. */
export function found(rows: Row[], asked: Asked): IDataObject[] {
	const { name } = asked;
	const all = rows.filter((row) => isNamed(row, name));
	const names = new Set(all.map((row) => plain(row.name)).filter(Boolean));
	const near = all.length > 0 ? [] : nearOf(rows, name);
	const unnamed =
		all.length > 0
			? undefined
			: `No site has a component named "${asked.name}"${near.length > 0 ? `; near: ${near.join(', ')}` : ''}`;
	const bySite = new Map<string, Row[]>();
	for (const row of rows) bySite.set(row.site_id, [...(bySite.get(row.site_id) ?? []), row]);
	return [...bySite.values()].map((own) => {
		const meant = own.filter((row) => all.includes(row));
		const judged = meant.map((row) => ({ row, is: isAmong(row.version ?? '', asked.versions) }));
		const affected = judged.filter(({ is }) => is).map(({ row }) => row);
		const reason =
			affected.length > 0 ? undefined : (unnamed ?? whyNotKnown(own, judged, names, asked));
		const [{ site_id, site_title = null, site_url = null }] = own as [Row];
		const result: Result =
			affected.length > 0 ? 'affected' : reason === undefined ? 'not affected' : 'not known';
		const shown = affected.length > 0 ? affected : meant;
		return {
			...{ site_title, site_url, result, reason: reason ?? null },
			name: shown[0]?.name ?? asked.name,
			version: [...new Set(shown.map(({ version }) => version))].join(', ') || null,
			file: shown.map(({ file }) => file).join(', ') || null,
			update_files: affected.flatMap(updateFileOf),
			understood: asked.versions.words,
			site_id,
		};
	});
}

/** The entry of Update Now for a component: must-use plugins and drop-ins have none. */
const updateFileOf = ({ kind, file, folder }: Row): string[] =>
	[kind === 'plugin' ? file : kind === 'theme' ? folder : ''].filter((each) => !!each) as string[];

/** Why a site could have the component in one of the versions although no row says so; undefined if it has not. */
function whyNotKnown(
	own: Row[],
	judged: Array<{ row: Row; is: boolean | undefined }>,
	names: Set<string>,
	{ maxAgeMs, now }: Asked,
): string | undefined {
	const placeOf = ({ file, folder }: Row) => file || folder || 'a component';
	const unread = own.find(({ reason }) => reason);
	if (unread) return unread.kind ? `${placeOf(unread)}: ${unread.reason}` : unread.reason;
	const odd = judged.find(({ is }) => is === undefined)?.row;
	if (odd)
		return `${placeOf(odd)}: the version "${odd.version ?? ''}" cannot be compared with these`;
	const meant = new Set(judged.map(({ row }) => row));
	const alike = own.find((row) => !meant.has(row) && names.has(plain(row.name)));
	if (alike) return `${placeOf(alike)} has the same name`;
	const oldest = Math.min(...own.map(({ as_of: at }) => instantOf(at)));
	if (Number.isNaN(oldest)) return 'It is not known when its components were read';
	return now - oldest > maxAgeMs
		? `Its components are as of ${new Date(oldest).toISOString()}, which is too old`
		: undefined;
}

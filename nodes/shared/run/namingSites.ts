import type { IDataObject, NodeApiError } from 'n8n-workflow';
import { looksLikeId } from '../input/id';
import { shown } from '../input/refusal';
import { valueAt } from '../lib';
import { clientName } from '../resources/outputs';
import type { ItemWork } from './itemRequest';
import { targetRecord } from './targetRecord';

const REFUSED = ['404', '409', '422'];

/** Maximum sites read for a message. */
const MAX_READ = 3;

/** Maximum items of a run whose messages name sites: each may cost a request. */
const MAX_ITEMS = { read: 1, change: 10 };

const BACKUPS_OFF = '; the backups of this site are off: turn them on with Backup: Enable';

/** The message of a refusal, with the sites that it is about by title and address. Reads them only for this. */
export async function namingSites(
	{ context, run, progress: { siteId, isChange } }: ItemWork,
	{ message, httpCode }: NodeApiError,
): Promise<string> {
	if (run.total > MAX_ITEMS[isChange ? 'change' : 'read']) return message;
	if (!REFUSED.includes(String(httpCode))) return message;
	const read = async (id: string) =>
		await targetRecord(context, 'siteId', { siteId: id }).catch(() => undefined);
	const [, reason = '', path = ''] = /^(.*?)( \(\/[^()]*\))?$/s.exec(message) ?? [];
	const isId = (id: string) => looksLikeId('siteId', id) && id !== siteId;
	const ids = httpCode === '422' ? (reason.match(/[\da-f-]{10,}/gi) ?? []).filter(isId) : [];
	let named = reason;
	for (const id of [...new Set(ids)].slice(0, MAX_READ)) {
		const site = await read(id);
		const owner = site && clientName(site);
		if (owner && /another client/i.test(reason)) {
			return `The site ${shown(site.title)} (${String(site.url)}, ${id}) belongs to the client ${shown(owner)}. Remove it there first: Client: Remove Sites`;
		}
		if (site) named = named.replaceAll(id, `${labelOf(site)} (${id}${clientOf(site)})`);
	}
	const isOfSite = siteId && looksLikeId('siteId', siteId) && path !== ` (/sites/${siteId})`;
	const site = isOfSite && (await read(siteId));
	if (!site) return named + path;
	const isOff = httpCode === '422' && valueAt(site, 'backups.enabled') === false;
	const off = isOff ? BACKUPS_OFF : '';
	return `${named} (site ${labelOf(site)})${off}${path}`;
}

const labelOf = ({ title, url }: IDataObject) => `${shown(title)}, ${String(url)}`;

function clientOf(site: IDataObject): string {
	const name = clientName(site);
	return name ? `, of the client ${shown(name)}` : '';
}

import type { IDataObject } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import type { Composing } from '../shared/operation';
import { clock, HOUR_MS, instantOf, valueAt } from '../shared/lib';
import { Semaphore } from '../shared/client/queue';
import { MAX_IN_FLIGHT } from '../shared/client/limiter';
import { shownAt } from '../shared/client/allowed';
import { listAll } from '../shared/client/records';
import { serviceTime } from '../shared/client/request';
import type { CallContext } from '../shared/n8n/context';
import { clientName } from '../shared/resources/outputs';
import { goodSince, isNeverBackedUp, latestOf } from '../shared/vocabulary/snapshots';
import { lastGood } from './resources/siteBackups';

/** Tolerated difference of clocks. */
const MAX_APART_MS = 600_000;

/** Why a site is listed. */
type Reason = 'failed' | 'never' | 'disabled' | 'too_old' | 'unknown';

/** A site's last good backup: its time, null for none, undefined if unknown. */
interface Last {
	time: number | null | undefined;
	/** Whether the newest backup failed. */
	hasFailed: boolean;
}

async function lastOf(context: CallContext, site: IDataObject): Promise<Last> {
	const time = goodSince(site);
	if (isNeverBackedUp(site)) return { time: null, hasFailed: false };
	if (!Number.isNaN(time)) return { time, hasFailed: false };
	const hasFailed = valueAt(site, 'backups.latest_snapshot') !== null;
	return { time: await lastGood(context, site), hasFailed };
}

/** The service's time, or that of n8n unless it is behind the newest backups. */
async function timeOf({ context, url }: Composing, sites: IDataObject[]): Promise<number> {
	const told = await serviceTime(context, url);
	if (told !== undefined) return told;
	const newest = (site: IDataObject) => instantOf(latestOf(site).created_at);
	if (!sites.some((site) => newest(site) > clock.now() + MAX_APART_MS)) return clock.now();
	throw new NodeOperationError(
		context.getNode(),
		'Which backups are too old is not known: the service does not report its time, and the clock of n8n is behind the newest backups',
		{
			itemIndex: context.getItemIndex(),
			description: 'Correct the clock of n8n, or choose the Period "Since".',
		},
	);
}

function reasonOf({ time, hasFailed }: Last, isOff: boolean): Reason {
	if (isOff) return 'disabled';
	if (time === undefined) return 'unknown';
	if (time === null) return 'never';
	return hasFailed ? 'failed' : 'too_old';
}

/** Sites without a known backup come first, then the oldest. */
const worstFirst = (one: IDataObject, other: IDataObject) =>
	Number(other.hours_since ?? Infinity) - Number(one.hours_since ?? Infinity) || 0;

/** The sites without a good backup, each with the time of its last one and the reason. */
export async function sitesWithoutBackup(at: Composing): Promise<IDataObject[]> {
	const { context, url, qs, settings } = at;
	// Keep few fields: there may be thousands of sites.
	const shape = ({ id, title, url: address, client, created_at, ...rest }: IDataObject) => ({
		...{ id, title, url: address, client, created_at, backups: rest.backups },
		scanner_status: valueAt(rest, 'security.scanner.status') ?? null,
	});
	const keep = await shownAt(context, url);
	const sites = await listAll(context, { method: 'GET', url, qs }, { shape, keep });
	const { backupSince, backupHours } = settings;
	const told = timeOf(at, sites);
	// With a given time, the clock is needed only for hours_since.
	const now = backupSince === undefined ? await told : await told.catch(() => undefined);
	const from =
		backupSince === undefined ? now! - Number(backupHours) * HOUR_MS : instantOf(backupSince);
	const few = new Semaphore(MAX_IN_FLIGHT);
	const items = sites.map(async (site) => {
		const isOff = valueAt(site, 'backups.enabled') !== true;
		if (isOff && settings.includeDisabled === false) return [];
		const last = await few.run(async () => await lastOf(context, site));
		const { time } = last;
		if (time === null && settings.includeNever === false) return [];
		if (typeof time === 'number' && time >= from) return [];
		const known = typeof time === 'number';
		return [
			{
				site_title: site.title ?? null,
				site_url: site.url ?? null,
				reason: reasonOf(last, isOff),
				scanner_status: site.scanner_status,
				hours_since: known && now !== undefined ? Math.floor((now - time) / HOUR_MS) : null,
				last_backup_at: known ? new Date(time).toISOString() : null,
				site_id: site.id,
				client_id: valueAt(site, 'client.id') ?? null,
				client_name: clientName(site) || null,
			},
		];
	});
	return (await Promise.all(items)).flat().sort(worstFirst);
}

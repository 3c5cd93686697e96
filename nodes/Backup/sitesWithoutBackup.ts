import type { IDataObject } from 'n8n-workflow';
import type { Composing } from '../shared/operation';
import { instantOf } from '../shared/lib/instant';
import { valueAt } from '../shared/receive/output';
import { Semaphore } from '../shared/transport/pacing/semaphore';
import { MAX_IN_FLIGHT } from '../shared/transport/pacing/limiter';
import { Service } from '../shared/transport/http/service';
import { clientName } from '../shared/resources/clientName';
import { HOUR_MS, isGood, lastGood, newestOf } from './resources/siteBackups';

/** Why a site is listed. */
type Reason = 'failed' | 'never' | 'disabled' | 'too_old' | 'unknown';

/** What is known of a site's last good backup: its time, null where there is none, undefined where nobody can tell. */
interface Last {
	time: number | null | undefined;
	/** Whether the newest backup is no good one. */
	hasFailed: boolean;
}

async function lastOf(service: Service, site: IDataObject): Promise<Last> {
	const newest = newestOf(site);
	const time = instantOf(newest?.created_at);
	if (newest === null && !valueAt(site, 'backups.available_snapshots')) {
		return { time: null, hasFailed: false };
	}
	if (isGood(newest?.status) && !Number.isNaN(time)) return { time, hasFailed: false };
	return { time: await lastGood(service, site), hasFailed: newest !== null };
}

function reasonOf({ time, hasFailed }: Last, isOff: boolean): Reason {
	if (isOff) return 'disabled';
	if (time === undefined) return 'unknown';
	if (time === null) return 'never';
	return hasFailed ? 'failed' : 'too_old';
}

/** Those that never had one, and those of which nobody knows, come before the oldest. */
const worstFirst = (one: IDataObject, other: IDataObject) =>
	Number(other.hours_since ?? Infinity) - Number(one.hours_since ?? Infinity) || 0;

/** The sites without a good backup, each with the time of its last one and the reason. */
export async function sitesWithoutBackup(at: Composing): Promise<IDataObject[]> {
	const { context, url, qs, settings } = at;
	const service = new Service(context);
	// Of a site only this much is kept: there may be thousands.
	const shape = ({ id, title, url: address, client, created_at, ...rest }: IDataObject) => ({
		...{ id, title, url: address, client, created_at, backups: rest.backups },
		scanner_status: valueAt(rest, 'security.scanner.status') ?? null,
	});
	const sites = await service.list({ method: 'GET', url, qs }, { shape });
	const now = (await service.time(url)) ?? NaN;
	const { backupSince, backupHours } = settings;
	const from =
		backupSince === undefined ? now - Number(backupHours) * HOUR_MS : instantOf(backupSince);
	const few = new Semaphore(MAX_IN_FLIGHT);
	const items = sites.map(async (site) => {
		const isOff = valueAt(site, 'backups.enabled') !== true;
		if (isOff && settings.includeDisabled === false) return [];
		const last = await few.run(async () => await lastOf(service, site));
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
				hours_since: known ? Math.floor((now - time) / HOUR_MS) : null,
				last_backup_at: known ? new Date(time).toISOString() : null,
				site_id: site.id,
				client_id: valueAt(site, 'client.id') ?? null,
				client_name: clientName(site) || null,
			},
		];
	});
	return (await Promise.all(items)).flat().sort(worstFirst);
}

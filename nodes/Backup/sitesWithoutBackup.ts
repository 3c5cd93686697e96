import type { IDataObject } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import type { Composing } from '../shared/operation';
import { HOUR_MS, instantOf } from '../shared/lib/instant';
import { valueAt } from '../shared/lib/valueAt';
import { clock } from '../shared/client/clock';
import { Semaphore } from '../shared/client/semaphore';
import { MAX_IN_FLIGHT } from '../shared/client/limiter';
import { Service } from '../shared/client/service';
import { clientName } from '../shared/resources/clientName';
import { goodSince, isNeverBackedUp, latestOf } from '../shared/vocabulary/snapshots';
import { lastGood } from './resources/siteBackups';

/** Clocks that differ by less agree. */
const MAX_APART_MS = 600_000;

/** Why a site is listed. */
type Reason = 'failed' | 'never' | 'disabled' | 'too_old' | 'unknown';

/** What is known of a site's last good backup: its time, null where there is none, undefined where nobody can tell. */
interface Last {
	time: number | null | undefined;
	/** Whether the newest backup is no good one. */
	hasFailed: boolean;
}

async function lastOf(service: Service, site: IDataObject): Promise<Last> {
	const time = goodSince(site);
	if (isNeverBackedUp(site)) return { time: null, hasFailed: false };
	if (!Number.isNaN(time)) return { time, hasFailed: false };
	const hasFailed = valueAt(site, 'backups.latest_snapshot') !== null;
	return { time: await lastGood(service, site), hasFailed };
}

/** By the service's clock; by that of n8n where the service has none, unless that is behind what it judges. */
async function timeOf(
	{ context, url }: Composing,
	service: Service,
	sites: IDataObject[],
): Promise<number> {
	const told = await service.time(url);
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
	const keep = await service.shownAt(url);
	const sites = await service.list({ method: 'GET', url, qs }, { shape, keep });
	const { backupSince, backupHours } = settings;
	const told = timeOf(at, service, sites);
	// Since a time that is given, the clock only says how many hours ago a backup was.
	const now = backupSince === undefined ? await told : await told.catch(() => undefined);
	const from =
		backupSince === undefined ? now! - Number(backupHours) * HOUR_MS : instantOf(backupSince);
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

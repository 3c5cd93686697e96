import type { IDataObject } from 'n8n-workflow';
import { shownAt } from '../../shared/client/allowed';
import { mapParallel } from '../../shared/client/limiter';
import { listAll } from '../../shared/client/records';
import { serviceTime } from '../../shared/client/request';
import { queryOptions } from '../../shared/describe/fields';
import { reads } from '../../shared/describe/resource';
import { dateTime, number, toggleOn } from '../../shared/input/kinds';
import { type Composing, made, withSites } from '../../shared/operation';
import { clock, HOUR_MS, instantOf, MINUTE_MS, valueAt } from '../../shared/lib';
import { isTool, operationError } from '../../shared/n8n/context';
import { clientName } from '../../shared/resources/outputs';
import { ofAllSites } from '../../shared/resources/siteRecords';
import { lastBackupOf } from '../../shared/run/newestSnapshot';
import { isGood, isNeverBackedUp, latestOf } from '../../shared/vocabulary/snapshots';
import { hasFailed } from '../../shared/vocabulary/values';

const since = dateTime('backupSince', 'Since', {
	description:
		'Sites whose last good backup is older than this are returned. Uses the time zone of the workflow.',
	hint: 'If set, used instead of Hours',
});

const hours = number('backupHours', 'Hours', {
	typeOptions: { minValue: 1, maxValue: 87600 },
	default: 36,
	required: true,
	description:
		'Sites whose last good backup is older than this many hours are returned, if "Since" is blank',
});

const includesNever = toggleOn('includeNever', 'Include Sites Without Any Backup', {
	description: 'Whether to include sites that have never been backed up, such as new sites',
});

const includesDisabled = toggleOn('includeDisabled', 'Include Sites With Backups Disabled', {
	description: 'Whether to include sites whose backups are disabled',
});

/** Tolerated difference of clocks. */
const MAX_APART_MS = 600_000;

/** The service's time, or that of n8n unless it is behind the newest backups. */
async function timeOf({ context, url }: Composing, sites: IDataObject[]): Promise<number> {
	const told = await serviceTime(context, url);
	if (told !== undefined) return told;
	const newest = (site: IDataObject) => instantOf(latestOf(site).created_at);
	if (!sites.some((site) => newest(site) > clock.now() + MAX_APART_MS)) return clock.now();
	throw operationError(
		context,
		'Which backups are too old is not known: the service does not report its time, and the clock of n8n is behind the newest backups',
		'Correct the clock of n8n, or set "Since".',
	);
}

function reasonOf(site: IDataObject, time: number | null | undefined) {
	if (time === undefined) return 'last good backup not known';
	if (time === null) return isNeverBackedUp(site) ? 'no good backup yet' : 'no good backup';
	const { status, created_at: at } = latestOf(site);
	if (isGood(status) && time < instantOf(at)) return 'newest backup hacked';
	return hasFailed('snapshot', status) ? 'newest backup failed' : 'last good backup too old';
}

/** Sites without a known backup come first, then the oldest. */
const worstFirst = (one: IDataObject, other: IDataObject) =>
	(instantOf(one.last_backup_at) || 0) - (instantOf(other.last_backup_at) || 0);

/** The sites without a good backup, each with the time of its last one and the reason. */
async function sitesWithoutBackup(at: Composing): Promise<IDataObject[]> {
	const { context, url, qs, settings } = at;
	// Keep few fields: there may be thousands of sites.
	const shape = ({ id, title, url: address, client, created_at, ...rest }: IDataObject) => ({
		...{ id, title, url: address, client, created_at, backups: rest.backups },
		security: { scanner: valueAt(rest, 'security.scanner') ?? null },
	});
	const keep = await shownAt(context, url);
	const sites = await listAll(context, { url, qs }, { shape, keep });
	const { backupSince: since, backupHours } = settings;
	const told = timeOf(at, sites);
	// With a given time, the clock is needed only for hours_since.
	const now = since === undefined ? await told : await told.catch(() => NaN);
	const from = since === undefined ? now - Number(backupHours) * HOUR_MS : instantOf(since);
	if (from > now + MINUTE_MS) {
		// Every site would be returned.
		const message = `"Since" is in the future: ${new Date(from).toISOString()}`;
		throw operationError(context, message, 'Enter a time in the past, with its year.');
	}
	const items = await mapParallel(sites, async (site) => {
		const isOff = valueAt(site, 'backups.enabled') !== true;
		if (isOff && settings.includeDisabled === false) return [];
		if (isNeverBackedUp(site) && settings.includeNever === false) return [];
		const last = await lastBackupOf(context, site);
		const time = last === undefined || last === null ? last : instantOf(last);
		if (time && time >= from) return [];
		const item: IDataObject = {
			site_title: site.title ?? null,
			site_url: site.url ?? null,
			reason: isOff ? 'backups off' : reasonOf(site, time),
			hours_since: time && now ? Math.floor((now - time) / HOUR_MS) : null,
			scanner_status: valueAt(site, 'security.scanner.status') ?? null,
			last_backup_at: time ? new Date(time).toISOString() : null,
			// A model names sites and clients as people do.
			...(!isTool(context) && {
				site_id: site.id,
				client_id: valueAt(site, 'client.id') ?? null,
			}),
			client_name: clientName(site) || null,
		};
		return [item];
	});
	return items.flat().sort(worstFirst);
}

const { filters, options } = ofAllSites();

export const findSitesWithoutBackup = reads('Find sites without backup', withSites('GET /sites'), {
	name: 'Find Sites Without Backup',
	description: 'Sites without a recent good backup',
	fields: [hours, since, filters, ...queryOptions([...options, includesNever, includesDisabled])],
	read: sitesWithoutBackup,
	costs: 'one request for 100 sites, one for a failed and two or more for a hacked one',
	answer: made({
		string:
			'site_title site_url reason scanner_status last_backup_at site_id client_id client_name',
		number: 'hours_since',
	}),
});

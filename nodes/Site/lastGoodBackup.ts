import type { IDataObject } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { instantOf } from '../shared/lib/instant';
import { isRecord } from '../shared/lib/isRecord';
import type { Completion } from '../shared/operation';
import { valueAt } from '../shared/lib/valueAt';
import { Service } from '../shared/client/service';
import { newestSucceeded } from '../shared/run/newestSnapshot';
import { isOfRecord } from '../shared/receive/errors';
import { MAX_IN_FLIGHT } from '../shared/client/limiter';
import { Semaphore } from '../shared/client/semaphore';
import { statusClass } from '../shared/vocabulary/statusWords';

/** Since when malware is there; where only that it is there is known, the last look. */
export function hackedSince({ security, updated_at: changed }: IDataObject): unknown {
	const scanner = isRecord(security) && isRecord(security.scanner) ? security.scanner : {};
	if (statusClass('scanner', scanner.status) !== 'bad') return undefined;
	return scanner.malware_detected_at ?? scanner.last_check_at ?? changed;
}

/** When the last good backup was made; null where there is none, or it cannot be found. */
async function lastBackup(service: Service, site: IDataObject): Promise<unknown> {
	const newest = valueAt(site, 'backups.latest_snapshot') as IDataObject | null | undefined;
	const isWithout = newest === null && !valueAt(site, 'backups.available_snapshots');
	if (isWithout) return null;
	const isFailed = statusClass('snapshot', newest?.status) !== 'succeeded';
	const found = instantOf(valueAt(site, 'security.scanner.malware_detected_at'));
	const isHacked = hackedSince(site) !== undefined && !(instantOf(newest?.created_at) < found);
	if (!isFailed && !isHacked) return newest?.created_at;
	const good = await newestSucceeded(service, String(site.id)).catch((error: unknown) => {
		// Nor can it be read of a site that the credential does not allow.
		if (isOfRecord(error) || error instanceof NodeOperationError) return undefined;
		throw error;
	});
	return good?.created_at ?? null;
}

/** The record has the newest attempt alone. */
export const lastGoodBackup: Completion = {
	fields: ['last_backup_at'],
	costs:
		'for the last good backup, Simplified costs one more request for each site whose newest backup failed, and two where it is hacked',
	read: async (context, sites) => {
		const service = new Service(context);
		const few = new Semaphore(MAX_IN_FLIGHT);
		const completed = sites.map(async (site) => {
			const at = await few.run(async () => await lastBackup(service, site));
			return { ...site, last_backup_at: at } as IDataObject;
		});
		return await Promise.all(completed);
	},
};

import type { IDataObject } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { instantOf, recordIn, valueAt } from '../shared/lib';
import type { Completion } from '../shared/operation';
import type { CallContext } from '../shared/n8n/context';
import { newestSucceeded } from '../shared/run/newestSnapshot';
import { isOfRecord } from '../shared/receive/errors';
import { MAX_IN_FLIGHT } from '../shared/client/limiter';
import { Semaphore } from '../shared/client/queue';
import { isGood, isNeverBackedUp, latestOf } from '../shared/vocabulary/snapshots';
import { statusClass } from '../shared/vocabulary/values';

/** When malware was detected, or the last check if that is not known. */
export function hackedSince({ security, updated_at: changed }: IDataObject): unknown {
	const scanner = recordIn(recordIn(security).scanner);
	if (statusClass('scanner', scanner.status) !== 'bad') return undefined;
	return scanner.malware_detected_at ?? scanner.last_check_at ?? changed;
}

/** When the last good backup was made; null for none, or if it cannot be read. */
async function lastBackup(context: CallContext, site: IDataObject): Promise<IDataObject[string]> {
	if (isNeverBackedUp(site)) return null;
	const { status, created_at: at } = latestOf(site);
	const found = instantOf(valueAt(site, 'security.scanner.malware_detected_at'));
	const isHacked = hackedSince(site) !== undefined && !(instantOf(at) < found);
	if (isGood(status) && !isHacked) return at;
	const good = await newestSucceeded(context, String(site.id)).catch((error: unknown) => {
		// The credential may not allow this site.
		if (isOfRecord(error) || error instanceof NodeOperationError) return undefined;
		throw error;
	});
	return good?.created_at ?? null;
}

/** The record only has the newest attempt. */
export const lastGoodBackup: Completion = {
	fields: ['last_backup_at'],
	costs:
		'for the last good backup, Simplified costs one more request for each site whose newest backup failed, and two where it is hacked',
	read: async (context, sites) => {
		const few = new Semaphore(MAX_IN_FLIGHT);
		const completed = sites.map(async (site) => {
			const at = await few.run(async () => await lastBackup(context, site));
			return { ...site, last_backup_at: at };
		});
		return await Promise.all(completed);
	},
};

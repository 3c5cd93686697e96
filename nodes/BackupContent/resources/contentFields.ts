import { inQuery } from '../../shared/describe/about';
import { idField } from '../../shared/describe/fields';
import { type Filters, oneOf } from '../../shared/describe/filters';
import { number } from '../../shared/input/kinds';

/** Fields of files and tables of a site. Source: Part B, 4.9 and 4.10. */

export const snapshotId = inQuery(
	'snapshot_id',
	idField('snapshotId', 'The completed snapshot to read. If not set, the latest one.'),
);

export const statusFilter = oneOf(
	'status',
	['skipped', 'synced'],
	'Only items that backups leave out (skipped), or only items that they include (synced)',
);

/** Sizes have their unit in the name. */
export const inBytes = { size: 'size_bytes' };

/** The two filters of an amount: `size` gives `sizeMin` and `sizeMax`. @param unit such as `bytes` */
export function amountFilters(field: 'size' | 'rows', unit: string): Filters {
	const label = field === 'size' ? 'Size' : 'Rows';
	const bound = (word: string, least: string) =>
		number(`${field}${word.slice(0, 3)}`, `${label} ${word}`, {
			typeOptions: { minValue: 0, numberPrecision: 0 },
			description: `Only records with at ${least} this many ${unit}`,
		});
	return {
		[`${field}:gte`]: bound('Minimum', 'least'),
		[`${field}:lte`]: bound('Maximum', 'most'),
	};
}

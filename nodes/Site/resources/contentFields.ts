import type { INodeProperties } from 'n8n-workflow';
import type { Field, Filters } from '../../shared/describe';
import { idField, listOf } from '../../shared/describe';

/** What files and tables of a site have in common. Source: Part B, 4.9 and 4.10. */

export const snapshotId: Field = idField(
	'snapshotId',
	'The completed snapshot to look into; without it the latest one',
);

/** A list of paths, names or IDs, with room for lines; its description gets a sentence on the form. */
export const listField = (field: INodeProperties): Field =>
	listOf({
		...field,
		typeOptions: { rows: 2 },
		description: `${field.description}. Entries are separated by commas or lines, or come in an array from an expression.`,
	});

/** Whether the backups have it. */
export const statusFilter: Filters = {
	'status:eq': {
		displayName: 'Status',
		name: 'status',
		type: 'options',
		options: [
			{ name: 'Skipped', value: 'skipped' },
			{ name: 'Synced', value: 'synced' },
		],
		default: 'skipped',
		description: 'Only what backups leave out, or only what they include',
	},
};

const amount: INodeProperties = {
	displayName: 'Amount',
	name: 'amount',
	type: 'number',
	typeOptions: { minValue: 0, numberPrecision: 0 },
	default: 0,
};

/**
 * The two filters of an amount: `size` gives `sizeMin` and `sizeMax`.
 * @param label for people, such as `Size`
 * @param unit what is counted, such as `bytes`
 */
export const amountFilters = (field: string, label: string, unit: string): Filters => ({
	[`${field}:gte`]: {
		...amount,
		displayName: `${label} Minimum`,
		name: `${field}Min`,
		description: `Only with at least this many ${unit}`,
	},
	[`${field}:lte`]: {
		...amount,
		displayName: `${label} Maximum`,
		name: `${field}Max`,
		description: `Only with at most this many ${unit}`,
	},
});

import {
	choice,
	dateTime,
	number,
	onlyWith,
	optionsFrom,
	queryOptions,
	toggle,
} from '../../shared/describe';
import { includeTotal } from '../../shared/input/controls';
import { fieldsOf } from '../../shared/input/field';
import type { Operation } from '../../shared/operation';
import { sitesWithoutBackup } from '../sitesWithoutBackup';

const period = choice('backupPeriod', 'Period', {
	closed: 'ofNode',
	noDataExpression: true,
	options: optionsFrom({
		hours: ['Last Hours', 'In the last hours, such as 36'],
		since: ['Since', 'After a date and time, such as last Monday'],
	}),
	default: 'hours',
	required: true,
	description: 'Sites without a good backup in this period are returned',
});

const since = dateTime('backupSince', 'Since', {
	required: true,
	description:
		'Sites whose last good backup is older than this are returned. Uses the time zone of the workflow.',
});

const hours = number('backupHours', 'Hours', {
	typeOptions: { minValue: 1, maxValue: 87600 },
	default: 36,
	required: true,
	description: 'Sites whose last good backup is older than this many hours are returned',
});

const includesNever = toggle('includeNever', 'Include Sites Without Any Backup', {
	default: true,
	description: 'Whether to include sites that have never had a good backup, such as new sites',
});

const includesDisabled = toggle('includeDisabled', 'Include Sites With Backups Disabled', {
	default: true,
	description: 'Whether to include sites whose backups are disabled',
});

const COSTS =
	'one request for every 100 sites, and one more for each site whose newest backup failed';

/** Find Sites Without Backup. @param list the list of sites, whose filters it takes over */
export function findSitesWithoutBackup(list: Operation): Operation {
	const fieldOf = (name: string) => list.fields.find((field) => field.name === name)!;
	// Include Total would count all sites.
	const others = fieldsOf(fieldOf('options')).filter((field) => field !== includeTotal);
	return {
		...list,
		labels: {
			name: 'Find Sites Without Backup',
			value: 'findSitesWithoutBackup',
			action: 'Find sites without backup',
			description: `Sites whose last good backup is too old, failed or missing. Costs ${COSTS}.`,
		},
		composed: { kind: 'reads', read: sitesWithoutBackup, costs: COSTS },
		fields: [
			period,
			onlyWith(period, 'since', since),
			onlyWith(period, 'hours', hours),
			fieldOf('filters'),
			...queryOptions([...others, includesNever, includesDisabled]),
		],
		answer: {
			kind: 'made',
			fields: {
				...{ site_title: 'string', site_url: 'string', reason: 'string', hours_since: 'number' },
				scanner_status: 'string',
				...{ last_backup_at: 'string', site_id: 'string', client_id: 'string' },
				client_name: 'string',
			},
		},
	};
}

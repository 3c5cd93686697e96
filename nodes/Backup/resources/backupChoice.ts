import type { Field } from '../../shared/describe';
import { queryOptions } from '../../shared/describe';
import type { Settings } from '../../shared/input/field';
import { textsIn } from '../../shared/lib/isRecord';
import { eventsField } from '../../shared/node';
import { exceptTags, scopeFields, scopeOf } from '../../shared/resources/siteScope';
import type { Choice } from './backupEvents';
import { backupEvents } from './backupEvents';

export const events = eventsField(
	backupEvents,
	['backupFailed'],
	'What starts the workflow, each time it happens to a site',
);

const overdueHours: Field = {
	displayName: 'Overdue After (Hours)',
	name: 'overdueHours',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 8760 },
	default: 36,
	required: true,
	displayOptions: { show: { events: ['backupOverdue'] } },
	description:
		'How many hours after its last good backup a site is overdue. Sites that are already overdue when you publish the workflow are not reported.',
};

const includesNever: Field = {
	displayName: 'Include Sites Without Backups',
	name: 'includeSitesWithoutBackups',
	type: 'boolean',
	default: true,
	displayOptions: { show: { '/events': ['backupOverdue'] } },
	description:
		'Whether to report sites that have never had a good backup. For these, the hours count from when the site was added.',
};

const everyMinutes: Field = {
	displayName: 'Check Every (Minutes)',
	name: 'checkEveryMinutes',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 1440 },
	default: 60,
	required: true,
	displayOptions: { show: { events: ['backupOverdue'] } },
	description:
		'Minimum time between two checks for overdue backups. Each check reads all sites: one request for every 100 sites, and one for each site whose newest backup failed.',
};

/** What is chosen in the trigger, before the form of its output. */
export const choiceFields: Field[] = [events, overdueHours, everyMinutes, ...scopeFields];

/** What only some need. */
export const options: Field[] = queryOptions({}, [exceptTags, includesNever]);

/** What the user has chosen in the trigger. */
export function backupChoice(set: Settings): Choice {
	const numberOf = ({ name, default: byDefault }: Field) => Number(set[name] ?? byDefault);
	return {
		events: textsIn(set.events),
		scope: scopeOf(set),
		overdue: {
			hours: numberOf(overdueHours),
			includesNever: set[includesNever.name] !== false,
			everyMinutes: numberOf(everyMinutes),
		},
	};
}

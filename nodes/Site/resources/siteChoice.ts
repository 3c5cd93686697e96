import type { IPollFunctions } from 'n8n-workflow';
import type { Field } from '../../shared/describe';
import { idField, idsField, onlyWith, outputFields } from '../../shared/describe';
import type { Settings } from '../../shared/input/field';
import { naming, refuse } from '../../shared/input/refusal';
import { eventsField } from '../../shared/node/trigger';
import { siteOutput } from './site';
import type { Choice, SiteScope } from './siteEvents';
import { siteEvents } from './siteEvents';
import { CLOSED } from '../../shared/input/forms';

export const events = eventsField(
	siteEvents,
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
	displayOptions: { show: { events: ['backupOverdue'] } },
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

const scope: Field = {
	displayName: 'Sites',
	name: 'scope',
	type: 'options',
	closed: CLOSED.ofNode,
	options: [
		{ name: 'All Sites', value: 'all' },
		{ name: 'By Client', value: 'client' },
		{ name: 'By Tag', value: 'tag' },
		{ name: 'Chosen Sites', value: 'sites' },
	],
	default: 'all',
	description:
		'The sites whose events start the workflow. A site that gets or loses the tag or client is included or excluded from then on.',
};

const exceptTags: Field = {
	...idsField(
		'tagIds',
		'Sites with one of these tags do not start the workflow, for example sites with a tag "Muted"',
	),
	displayName: 'Except Tag Names or IDs',
	name: 'exceptTagIds',
};

/** A field that one scope needs. */
const of = (value: string, field: Field) => onlyWith(scope, value, { ...field, required: true });

/** The parameters of the trigger. */
export const siteParameters: Field[] = [
	events,
	overdueHours,
	includesNever,
	everyMinutes,
	scope,
	of('client', idField('clientId', 'Only sites of this client')),
	of('tag', idField('tagId', 'Only sites with this tag')),
	of('sites', idsField('siteIds', 'Only these sites')),
	exceptTags,
	...outputFields(siteOutput.fields),
];

/**
 * What the user has chosen in the trigger.
 * @throws NodeOperationError when the events do not go with the sites
 */
export function siteChoice(context: IPollFunctions, set: Settings): Choice {
	const chosen = set.events as string[];
	if (set.siteIds && chosen.includes('siteAdded')) {
		naming(context, events.displayName, () =>
			refuse(
				'includes "Site Added", which cannot happen to sites that you choose one by one. Remove this event, or choose other "Sites"',
			),
		);
	}
	const numberOf = ({ name, default: byDefault }: Field) => Number(set[name] ?? byDefault);
	return {
		events: chosen,
		scope: { ...scopeOf(set), ...exceptOf(set) },
		overdue: {
			hours: numberOf(overdueHours),
			includesNever: set[includesNever.name] !== false,
			everyMinutes: numberOf(everyMinutes),
		},
	};
}

const exceptOf = ({ exceptTagIds }: Settings) =>
	exceptTagIds ? { exceptTagIds: exceptTagIds as string[] } : {};

function scopeOf({ clientId, tagId, siteIds }: Settings): SiteScope {
	if (clientId !== undefined) return { clientId: clientId as string };
	if (tagId !== undefined) return { tagId: tagId as string };
	return siteIds ? { siteIds: siteIds as string[] } : { all: true };
}

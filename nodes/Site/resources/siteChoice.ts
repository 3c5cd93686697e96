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
	'What starts the workflow, once for each site and time that it happens',
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
		'How long after its last good backup a site is overdue. Sites that are overdue when you publish the workflow are not reported.',
};

const includesNever: Field = {
	displayName: 'Include Sites Without Backups',
	name: 'includeSitesWithoutBackups',
	type: 'boolean',
	default: true,
	displayOptions: { show: { events: ['backupOverdue'] } },
	description:
		'Whether to report sites that have never had a good backup. Their hours count from the time when the site was added.',
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
		'How often to look for overdue backups, at most. Each check reads the whole list of sites: one request for every 100 sites, and one for each site whose newest backup failed.',
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
		'The sites whose events start the workflow. A site that gets or loses the tag or the client is in or out from then on.',
};

const exceptTags: Field = {
	...idsField('tagIds', 'Sites with one of these tags start nothing, for example a tag "muted"'),
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
				'has "Site Added", which cannot happen to sites that are chosen by name: take it out, or choose other "Sites"',
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

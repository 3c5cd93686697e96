import type { IPollFunctions } from 'n8n-workflow';
import type { Field } from '../../shared/describe';
import { idField, idsField, onlyWith, outputFields } from '../../shared/describe';
import type { Settings } from '../../shared/input/field';
import { naming, refuse } from '../../shared/input/refusal';
import { siteOutput } from './site';
import type { Choice, Scope } from './siteEvents';
import { siteEvents } from './siteEvents';

const events: Field = {
	displayName: 'Events',
	name: 'events',
	type: 'multiOptions',
	options: siteEvents,
	default: ['backupFailed'],
	required: true,
	description: 'What starts the workflow, once for each site and time that it happens',
};

const overdueHours: Field = {
	displayName: 'Overdue After (Hours)',
	name: 'overdueHours',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 8760 },
	default: 36,
	required: true,
	displayOptions: { show: { events: ['backupOverdue'] } },
	description:
		'How long after the end of its last sync the backup of a site is overdue. A site that has never been synced is not.',
};

const scope: Field = {
	displayName: 'Sites',
	name: 'scope',
	type: 'options',
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

/** A field that one scope needs. */
const of = (value: string, field: Field) => onlyWith(scope, value, { ...field, required: true });

/** The parameters of the trigger. */
export const siteParameters: Field[] = [
	events,
	overdueHours,
	scope,
	of('client', idField('clientId', 'Only sites of this client')),
	of('tag', idField('tagId', 'Only sites with this tag')),
	of('sites', idsField('siteIds', 'Only these sites')),
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
	const hours = Number(set[overdueHours.name] ?? overdueHours.default);
	return { events: chosen, scope: scopeOf(set), overdueHours: hours };
}

function scopeOf({ clientId, tagId, siteIds }: Settings): Scope {
	if (clientId !== undefined) return { clientId: clientId as string };
	if (tagId !== undefined) return { tagId: tagId as string };
	return siteIds ? { siteIds: siteIds as string[] } : { all: true };
}

import type { IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { toList } from '../../shared/list';
import { heldIn } from '../../shared/locator';
import type { Choice, Scope } from './siteEvents';
import { siteEvents } from './siteEvents';

const MIN_HOURS = 1;

/**
 * What the user has chosen in the trigger, checked.
 * @throws NodeOperationError that names the parameter
 */
export function siteChoice(context: IPollFunctions): Choice {
	const events = eventsIn(context);
	const scope = scopeIn(context);
	if ('siteIds' in scope && events.includes('siteAdded')) {
		refuse(
			context,
			'Events',
			'has "Site Added", which cannot happen to sites that are chosen by name',
			'Take "Site Added" out, or choose another scope in the parameter "Sites".',
		);
	}
	const overdueHours = events.includes('backupOverdue') ? hoursIn(context) : MIN_HOURS;
	return { events, scope, overdueHours };
}

/** Refuses Selected Fields without a field: the items would be empty. */
export function checkOutput(context: IPollFunctions): void {
	if (context.getNodeParameter('output', 'raw') !== 'selected') return;
	if (listIn(context, 'outputFields', 'Fields').length === 0) refuse(context, 'Fields', 'is empty');
}

function eventsIn(context: IPollFunctions): string[] {
	const known = siteEvents.map(({ value }) => String(value));
	const events = listIn(context, 'events', 'Events');
	if (events.length === 0) {
		refuse(context, 'Events', 'is empty', 'Choose at least one event that starts the workflow.');
	}
	const unknown = events.find((event) => !known.includes(event));
	if (unknown !== undefined) {
		refuse(context, 'Events', `has "${unknown}", which is none of ${known.join(', ')}`);
	}
	return events;
}

function scopeIn(context: IPollFunctions): Scope {
	const scope = String(context.getNodeParameter('scope', 'all'));
	if (scope === 'all') return { all: true };
	if (scope === 'tag') return { tagId: idIn(context, 'tagId', 'Tag') };
	if (scope === 'client') return { clientId: idIn(context, 'clientId', 'Client') };
	if (scope === 'sites') {
		const siteIds = listIn(context, 'siteIds', 'Site Names or IDs');
		if (siteIds.length > 0) return { siteIds };
		return refuse(context, 'Site Names or IDs', 'is empty', 'Choose at least one site.');
	}
	return refuse(context, 'Sites', `is "${scope}", which is none of all, client, sites, tag`);
}

function idIn(context: IPollFunctions, name: string, label: string): string {
	const { text: id } = heldIn(context.getNodeParameter(name, ''));
	return id || refuse(context, label, 'is empty', `Choose a ${label.toLowerCase()}.`);
}

/** A choice of several: an array, or from an expression also text with commas. */
function listIn(context: IPollFunctions, name: string, label: string): string[] {
	const value = context.getNodeParameter(name, []) as unknown;
	const entries = Array.isArray(value) ? value : [value];
	// Left out, the entry of a broken expression would change what is watched.
	if (entries.some((entry) => entry === undefined || entry === null)) {
		refuse(context, label, 'has an entry without a value');
	}
	return toList(value);
}

function hoursIn(context: IPollFunctions): number {
	const label = 'Overdue After (Hours)';
	const value: unknown = context.getNodeParameter('overdueHours', 36);
	const hours = typeof value === 'string' && value.trim() ? Number(value) : value;
	if (typeof hours !== 'number' || !Number.isFinite(hours)) {
		return refuse(context, label, `is not a number: "${String(value)}"`);
	}
	return hours >= MIN_HOURS ? hours : refuse(context, label, `must be at least ${MIN_HOURS}`);
}

function refuse(context: IPollFunctions, label: string, problem: string, advice?: string): never {
	const help = advice ?? 'Change it in the trigger; if it is an expression, check what it gives.';
	throw new NodeOperationError(context.getNode(), `The parameter "${label}" ${problem}`, {
		description: `${help} Nothing was sent.`,
	});
}

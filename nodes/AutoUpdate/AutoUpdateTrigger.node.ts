import type { IDataObject, INodeType, INodeTypeDescription } from 'n8n-workflow';
import {
	asRequired,
	choice,
	idField,
	namesIn,
	optionsFrom,
	outputFields,
	queryOptions,
} from '../shared/describe';
import type { Settings } from '../shared/input/field';
import { HOUR_MS, isRecord, omit, recordIn, recordsIn } from '../shared/lib';
import { documentation, eventNames, eventsField, methods, pollOf, triggerOf } from '../shared/node';
import type { Simplified } from '../shared/operation';
import type { Occurrence, TimedFeed } from '../shared/polling/feed';
import { filtersOf } from '../shared/polling/sources';
import { completing, simplified } from '../shared/receive/output';
import { componentsOf } from '../shared/resources/outputs';
import { otherStatus } from '../shared/resources/statusEvents';
import { mayGoOn, statusClass, statusWord, type StatusClass } from '../shared/vocabulary/values';
import { output, runFields } from './resources/history';

const events = eventsField(
	{
		cancelled: ['Cancelled', 'The run was cancelled'],
		completed: ['Completed', 'The run completed successfully'],
		failed: ['Failed', 'The run failed or was aborted'],
		noUpdates: ['No Updates', 'There was nothing to update'],
		otherStatus: [
			'Other Status',
			'The run has a status that this node does not know. Reported once for each run and status.',
		],
		started: ['Started', 'The run started to update sites'],
	},
	['completed', 'failed'],
	'What starts the workflow, once for each run of a schedule',
);

const itemsPer = choice('itemsPer', 'One Item For', {
	closed: 'ofNode',
	options: optionsFrom({
		component: [
			'Each Component',
			'One item for each updated core, plugin or theme, with its site and run',
		],
		run: ['Each Run', 'One item with all sites of the run'],
		site: ['Each Site', 'One item for each site, with its run'],
	}),
	default: 'run',
	description:
		'Choose what becomes an item. A run without site details becomes one item without them.',
});

const parameters = [
	events,
	itemsPer,
	...outputFields([...output.fields, 'component', 'site']),
	...queryOptions([asRequired(idField('scheduleId', 'Only runs of this schedule'))]),
];

const eventsOfEnd: Partial<Record<StatusClass, string[]>> = {
	succeeded: ['started', 'completed'],
	failed: ['started', 'failed'],
	// Only what runs can be cancelled. Part A, 3.
	cancelled: ['started', 'cancelled'],
	nothingToDo: ['noUpdates'],
};

/** Entries have no ID: a schedule runs once at a time, and of a deleted one the name or the task may be left. */
function runId({ auto_update_schedule: of, performed_on: time, task_id: task }: IDataObject) {
	const { id, name } = recordIn(of);
	return `${String(id ?? JSON.stringify([name, task]))}:${String(time)}`;
}

/** The runs: their state changes after the time that they are listed by. */
const autoUpdateFeed = (query: IDataObject): TimedFeed => ({
	kind: 'timed',
	url: '/auto-update-history',
	timeField: 'performed_on',
	query,
	id: runId,
	occurrences: runOccurrences,
	isOpen: ({ status }) => mayGoOn('autoUpdateRun', status),
	isUncertain: ({ status }) => statusClass('autoUpdateRun', status) === 'unknown',
	// A run that never ends must not hold the list open for ever.
	openForMs: 48 * HOUR_MS,
	openQueries: [{ 'filters[status:in]': ['initializing', 'running'] }],
});

/** The events of a run so far. A run that is not yet running is about to begin. */
function runOccurrences({ status }: IDataObject): Occurrence[] {
	const begun = statusWord(status) === 'running' ? ['started'] : [];
	const is = statusClass('autoUpdateRun', status);
	const events = eventsOfEnd[is] ?? begun;
	return [
		...(is === 'unknown' ? [{ key: 'started', event: 'started', isUnsure: true as const }] : []),
		...events.map((event) => ({ key: event, event })),
		...otherStatus('autoUpdateRun', status),
	];
}

const ofSite: Simplified = {
	...runFields,
	site_id: 'site.id',
	site_title: 'site.title',
	site_url: 'site.url',
};

const parts: Record<string, { of: (run: IDataObject) => IDataObject[]; simplified: Simplified }> = {
	run: { of: (run) => [run], simplified: output.simplified },
	site: {
		of: ({ sites, ...run }) => recordsIn(sites).map((site) => ({ ...run, site })),
		simplified: {
			...ofSite,
			update_count: ({ site }) => (isRecord(site) ? componentsOf(site).length : undefined),
		},
	},
	component: {
		of: ({ sites, ...run }) =>
			recordsIn(sites).flatMap((site) =>
				componentsOf(site).map((component) => ({ ...run, site: omit(site, 'wp'), component })),
			),
		simplified: {
			...ofSite,
			component_type: 'component.type',
			component_name: 'component.name',
			current_version: 'component.current_version',
			target_version: 'component.target_version',
		},
	},
};

const returned = Object.entries(parts)
	.map(([part, { simplified: fields }]) => `${namesIn(fields, 'event')} (itemsPer ${part})`)
	.join('; ');

/** The items for a run. One without details of sites, such as one without updates, gives one without them. */
function spread(set: Settings) {
	const { of, simplified: fields } = parts[String(set.itemsPer)]!;
	const shape = simplified(fields, set, ['event']);
	return (run: IDataObject): IDataObject[] => {
		const found = of(run);
		return (found.length > 0 ? found : [omit(run, 'sites')]).map(shape);
	};
}

export class AutoUpdateTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Auto Update Trigger',
		name: 'autoUpdateTrigger',
		icon: {
			light: 'file:../../icons/autoUpdate.svg',
			dark: 'file:../../icons/autoUpdate.dark.svg',
		},
		documentationUrl: documentation('nodes.md#site-management-auto-update-trigger'),
		subtitle: eventNames(events),
		description:
			'Schedule automatic updates for sites and see their history, or start a workflow when a run starts, ends or finds nothing to update',
		defaults: { name: 'Auto Update Trigger' },
		...triggerOf(parameters, returned),
	};

	methods = methods;

	poll = pollOf(parameters, (set, context) => ({
		feeds: { runs: autoUpdateFeed(filtersOf({ 'auto_update_schedule_id:eq': set.scheduleId })) },
		complete: completing(context, output, set),
		shape: spread(set),
		what: 'run of automatic updates',
		nothingToShow:
			'None of the last 100 runs matches the chosen events. Choose more events, remove the schedule from the options, or try again after the next run.',
	}));
}

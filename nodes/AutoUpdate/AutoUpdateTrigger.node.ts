import type {
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IPollFunctions,
} from 'n8n-workflow';
import {
	asRequired,
	choice,
	idField,
	optionsFrom,
	outputFields,
	queryOptions,
} from '../shared/describe';
import type { Settings } from '../shared/input/field';
import { completing } from '../shared/receive/output';
import {
	documentation,
	eventsField,
	eventsSubtitle,
	methods,
	pollOf,
	triggerOf,
} from '../shared/node';
import { filtersOf } from '../shared/polling/sources';
import { autoUpdateEvents, autoUpdateFeed, spread } from './resources/autoUpdateEvents';
import { output } from './resources/history';

const events = eventsField(
	autoUpdateEvents,
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

const options = queryOptions([asRequired(idField('scheduleId', 'Only runs of this schedule'))]);

const parameters = [
	events,
	itemsPer,
	...outputFields([...output.fields, 'component', 'site']),
	...options,
];

/** Samples of a test run: a run can have thousands of components. */
const MAX_SAMPLES = 20;

export class AutoUpdateTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Auto Update Trigger',
		name: 'autoUpdateTrigger',
		icon: {
			light: 'file:../../icons/autoUpdate.svg',
			dark: 'file:../../icons/autoUpdate.dark.svg',
		},
		version: 1,
		documentationUrl: documentation('nodes.md#site-management-auto-update-trigger'),
		subtitle: eventsSubtitle(events),
		description:
			'Schedule automatic updates for sites and see their history, or start a workflow when a run starts, ends or finds nothing to update',
		defaults: { name: 'Auto Update Trigger' },
		...triggerOf(parameters),
	};

	methods = methods;

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		let settings: Settings = {};
		const pollRuns = pollOf(parameters, (set, context) => {
			settings = set;
			return {
				feeds: {
					runs: autoUpdateFeed(filtersOf({ 'auto_update_schedule_id:eq': set.scheduleId })),
				},
				complete: completing(context, output, set),
				nothingToShow: {
					message: 'No run of automatic updates to show yet',
					description:
						'None of the last 100 runs matches the chosen events. Choose more events, remove the schedule from the options, or try again after the next run.',
				},
			};
		});
		const polled = await pollRuns.call(this);
		if (!polled) return null;
		const items = polled.flatMap((runs) => spread(runs, settings));
		return [this.getMode() === 'manual' ? items.slice(0, MAX_SAMPLES) : items];
	}
}

import type { IDataObject, INodeExecutionData, INodePropertyOptions } from 'n8n-workflow';
import type { Occurrence, TimedFeed } from '../../shared/polling/feed';
import { isRecord } from '../../shared/isRecord';
import { omit } from '../../shared/omit';

/** The events of a run that a workflow can start on. */
export const autoUpdateEvents: INodePropertyOptions[] = [
	{ name: 'Cancelled', value: 'cancelled', description: 'The run was cancelled' },
	{ name: 'Completed', value: 'completed', description: 'The run ended well' },
	{ name: 'Failed', value: 'failed', description: 'The run failed or was aborted' },
	{ name: 'No Updates', value: 'noUpdates', description: 'There was nothing to update' },
	{ name: 'Started', value: 'started', description: 'The run has begun to update sites' },
];

/** What has happened to a run in this state; in any other it is about to begin. Part A, 2.8. */
const eventsOfStatus = new Map([
	['running', ['started']],
	['completed', ['started', 'completed']],
	['failed', ['started', 'failed']],
	['aborted', ['started', 'failed']],
	// Only what runs can be cancelled. Part A, 3.
	['cancelled', ['started', 'cancelled']],
	['no_updates', ['noUpdates']],
]);

/** A state that is not known here may turn into one that is. */
const isOpen = ({ status }: IDataObject) =>
	status === 'running' || !eventsOfStatus.has(String(status));

/** A run that never ends must not hold the list open for ever. */
const OPEN_FOR_MS = 48 * 3_600_000;

/** Entries have no id: a schedule runs once at a time. */
export const runId = ({ auto_update_schedule: schedule, performed_on: time }: IDataObject) =>
	`${isRecord(schedule) ? String(schedule.id) : ''}:${String(time)}`;

/** The runs: their state changes after the time that they are listed by. */
export const autoUpdateFeed = (query: IDataObject): TimedFeed => ({
	url: '/auto-update-history',
	timeField: 'performed_on',
	query,
	id: runId,
	occurrences: runOccurrences,
	isOpen,
	openForMs: OPEN_FOR_MS,
	openQueries: [{ 'filters[status:in]': ['initializing', 'running'] }],
});

/** What has happened to a run until now. */
const runOccurrences = ({ status }: IDataObject): Occurrence[] =>
	(eventsOfStatus.get(String(status)) ?? []).map((event) => ({ key: event, event }));

/** What becomes of the item of a run: as it is, one for each site, or one for each component that is updated. */
const spreads: Record<string, (run: IDataObject) => IDataObject[]> = {
	run: (run) => [run],
	site: ({ sites, ...run }) => recordsIn(sites).map((site) => ({ ...run, site })),
	component: ({ sites, ...run }) =>
		recordsIn(sites).flatMap(({ wp, ...site }) =>
			componentsOf(wp).map((component) => ({ ...run, site, component })),
		),
};

/** The items for the runs. A run without details of sites, such as one without updates, gives one without them. */
export function spread(runs: INodeExecutionData[], output: string): INodeExecutionData[] {
	return runs.flatMap(({ json: run }) => {
		const parts = spreads[output]!(run);
		return (parts.length > 0 ? parts : [omit(run, 'sites')]).map((json) => ({ json }));
	});
}

function componentsOf(wp: unknown): IDataObject[] {
	const { core, plugins, themes } = isRecord(wp) ? wp : {};
	return [
		...(isRecord(core) ? [{ type: 'core', ...core }] : []),
		...recordsIn(plugins).map((plugin) => ({ type: 'plugin', ...plugin })),
		...recordsIn(themes).map((theme) => ({ type: 'theme', ...theme })),
	];
}

const recordsIn = (value: unknown): IDataObject[] =>
	Array.isArray(value) ? (value as unknown[]).filter(isRecord) : [];

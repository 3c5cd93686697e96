import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';
import { idField, idsField } from '../../shared/describe/fields';
import { contains, type Filters, oneOf, orSome, timeFilters } from '../../shared/describe/filters';
import { kept, outputOf } from '../../shared/describe/output';
import { getMany, resource } from '../../shared/describe/resource';
import { type Simplified, withSites } from '../../shared/operation';
import { recordsIn } from '../../shared/lib';
import { componentsOf } from '../../shared/resources/outputs';
import { taskStatuses } from '../../shared/vocabulary/values';
import { naming } from '../../shared/run/relatedNames';

/** A run has the states of its task, or had nothing to do. Part A, 2.8. */
const statuses: INodePropertyOptions[] = [
	...taskStatuses,
	{ name: 'No Updates', value: 'no_updates', description: 'There was nothing to update' },
];

const filters: Filters = {
	'auto_update_schedule_id:eq': idField('scheduleId', 'Only runs of this schedule'),
	'auto_update_schedule_id:in': idsField('scheduleIds', 'Only runs of one of these schedules'),
	...contains('runs', 'auto_update_schedule_name', 'Weekly', {
		displayName: 'Schedule Name Contains',
		name: 'scheduleNameContains',
		description: 'Only runs of schedules whose name contains this text',
	}),
	...orSome(oneOf('status', statuses, 'Only runs in this state', { default: 'failed' })),
	...timeFilters('performed_on', 'Performed'),
};

/** The sites of a run have IDs and no names; those of one site are in the items of the trigger. */
const siteNames = naming(
	'site',
	['site_titles', 'site_title', 'site_url'],
	({ sites }) => recordsIn(sites).map(({ id }) => id),
	(run, named) => {
		const sites = recordsIn(run.sites).map((site) => {
			const { title = null, url = null } = named(site.id) ?? {};
			return { title, url, ...site };
		});
		return sites.length === 0 ? run : { ...run, sites };
	},
);

export const runFields: Simplified = {
	schedule_id: 'auto_update_schedule.id',
	schedule_name: 'auto_update_schedule.name',
	...kept('performed_on', 'status', 'task_id'),
};

/** Part A, 2.8. */
export const output = outputOf(
	{
		...runFields,
		site_count: 'sites.length',
		site_ids: 'sites.id',
		site_titles: ({ sites }) => textsOf(recordsIn(sites).map(({ title, url }) => title ?? url)),
		update_count: ({ sites }) => recordsIn(sites).flatMap(componentsOf).length,
		updates: ({ sites }) => textsOf(recordsIn(sites).flatMap(componentsOf).map(changeText)),
	},
	['sites'],
	siteNames,
);

const textsOf = (values: unknown[]) => [...new Set(values.filter(Boolean))];

/** As people read an update: `Page Cache 3.1.0 → 3.2.1`. */
const changeText = ({ type, name, current_version: from, target_version: to }: IDataObject) =>
	`${String(name ?? type)} ${String(from)} → ${String(to)}`;

/** Part A, 4.7. */
export const history = resource('History', 'reads', [
	getMany('Get many history entries', withSites('GET /auto-update-history'), {
		filters,
		sortBy: ['performed_on', 'auto_update_schedule_name'],
		timezone: false,
		output,
	}),
]);

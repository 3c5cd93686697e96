import type { IDataObject } from 'n8n-workflow';
import { isRecord, recordsIn } from '../lib/records';
import type { Simplified } from '../operation';
import { hasFailed, mayGoOn } from '../vocabulary/statusWords';
import { taskTypeName } from '../vocabulary/values';
import { reasonWithin } from './reason';

/** Whether a task has ended, well or not. With an unknown status it may go on. */
export const isEnded = ({ status }: IDataObject): boolean => !mayGoOn('task', status);

/**
 * What went wrong with a task, from the view of a single task: its state, and the first step with an error.
 * @returns undefined for a task that ended well
 */
export function failureOf(task: IDataObject): string | undefined {
	if (!hasFailed('task', task.status)) return undefined;
	const why = errorOf(task);
	return `The task ${String(task.id)} ended as ${String(task.status)}${why ? `: ${why}` : ''}`;
}

/** What went wrong, from the view of a single task: `step restore_files on site 7: …`, or the error of the task. */
export const errorOf = (task: IDataObject): string | undefined =>
	failedStep(task) ?? (errorIn(task) || undefined);

/** The first step with an error. */
function failedStep({ details }: IDataObject): string | undefined {
	const sites = isRecord(details) ? recordsIn(details.sites) : [];
	for (const site of sites) {
		for (const step of recordsIn(site.steps)) {
			const why = errorIn(step);
			if (!why && !hasFailed('task', step.status)) continue;
			const reason = why || textOf(step.details);
			return `step ${String(step.type)} on site ${String(site.id)}${reason ? `: ${reason}` : ''}`;
		}
	}
	return undefined;
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

/** The form of a step's error is not documented beyond that it is empty when there is none. */
function errorIn({ error }: IDataObject): string {
	const isFilled = typeof error === 'object' && error !== null && Object.keys(error).length > 0;
	return reasonWithin(error) || (isFilled ? JSON.stringify(error) : '');
}

/** The sites that the request of a task has named: their ids, and more by its type. Source: Part A, 2.9. */
export const taskSites = ({ input }: IDataObject) =>
	isRecord(input) ? recordsIn(input.sites) : [];

/** The site of a task for a single site. */
function onlySite(task: IDataObject): IDataObject {
	const sites = taskSites(task);
	return (sites.length === 1 && sites[0]) || {};
}

/** Only tasks that make a staging site name it, in the reference. */
const titleOf = ({ title, user_configuration: made }: IDataObject) =>
	textOf(title) || (isRecord(made) ? textOf(made.site_name) : '');

/** Sites of a task that are named. */
export const FIRST_SITES = 3;

/** The names of the first sites, where the task has them, such as `Bakery, Florist`. */
function siteTitles(task: IDataObject): string | undefined {
	const titles = taskSites(task).map(titleOf).filter(Boolean);
	return titles.slice(0, FIRST_SITES).join(', ') || undefined;
}

/** When a task has ended: its last change. No field has the time itself. */
const endedAt = (task: IDataObject) => (isEnded(task) ? task.updated_at : undefined);

/** How long a task has taken, in seconds; NaN while it goes on. */
const secondsOf = (task: IDataObject) =>
	Math.round((Date.parse(String(endedAt(task))) - Date.parse(String(task.created_at))) / 1_000);

/** A task in the items of other nodes than Task. */
export const startedTask = ({ id, status, created_at: at }: IDataObject): IDataObject => ({
	task_id: id,
	task_status: status ?? null,
	task_started_at: at ?? null,
});

/** As `startedTask`, once it has ended. */
export const endedTask = (task: IDataObject): IDataObject => ({
	...startedTask(task),
	task_ended_at: endedAt(task) ?? null,
});

/** What a message needs of a task. What is in `input.sites` beside the ids depends on the type. Part A, 2.9. */
export const taskAbout: Simplified = {
	type_name: ({ type }) => (type === undefined ? undefined : taskTypeName(String(type))),
	started_at: 'created_at',
	ended_at: endedAt,
	duration_seconds: secondsOf,
	site_id: (task) => onlySite(task).id,
	site_title: (task) => titleOf(onlySite(task)) || undefined,
	site_url: (task) => onlySite(task).url ?? onlySite(task).site_url,
	site_ids: (task) => taskSites(task).flatMap(({ id }) => id || []),
	site_titles: siteTitles,
};

import type { IDataObject } from 'n8n-workflow';
import { recordIn, recordsIn } from '../lib';
import type { Simplified } from '../operation';
import { hasFailed, mayGoOn, taskTypeName } from '../vocabulary/values';
import { reasonWithin } from './errors';

/** Whether a task has ended. One with an unknown status may still run. */
export const isEnded = ({ status }: IDataObject): boolean => !mayGoOn('task', status);

/** The state of a failed task, and why it failed; undefined for any other task. */
export function failureOf(task: IDataObject): string | undefined {
	if (!hasFailed('task', task.status)) return undefined;
	const why = errorOf(task);
	return `The task ${String(task.id)} ended as ${String(task.status)}${why ? `: ${why}` : ''}`;
}

/** Why a task failed: its first step with an error, such as `step restore_files on site 7: …`, or its own; by URL if known. */
export function errorOf(task: IDataObject): string | undefined {
	const failed = failedStep(task);
	if (!failed) return errorIn(task) || undefined;
	const { siteId, step } = failed;
	const { url = siteId } = taskSites(task).find(({ id }) => id === siteId) ?? {};
	const reason = errorIn(step) || textOf(step.details);
	return `step ${String(step.type)} on site ${String(url)}${reason ? `: ${reason}` : ''}`;
}

/** The first step with an error, and its site. */
export function failedStep({ details }: IDataObject) {
	for (const { id: siteId, steps } of recordsIn(recordIn(details).sites)) {
		const step = recordsIn(steps).find((each) => errorIn(each) || hasFailed('task', each.status));
		if (step) return { siteId, step };
	}
	return undefined;
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

/** The form of an error is not documented, only that it is empty without an error. */
function errorIn({ error }: IDataObject): string {
	const isFilled = typeof error === 'object' && error !== null && Object.keys(error).length > 0;
	return reasonWithin(error) || (isFilled ? JSON.stringify(error) : '');
}

/** The sites in the request of a task: their IDs, and more fields by its type. Source: Part A, 2.9. */
export const taskSites = ({ input }: IDataObject) => recordsIn(recordIn(input).sites);

/** The site of a task for a single site. */
function onlySite(task: IDataObject): IDataObject {
	const [site = {}, ...others] = taskSites(task);
	return others.length === 0 ? site : {};
}

/** Only tasks that create a staging site contain its name, in the reference. */
const titleOf = ({ title, user_configuration: created }: IDataObject) =>
	textOf(title) || textOf(recordIn(created).site_name);

/** The most sites of a task in a list of titles. */
export const FIRST_SITES = 3;

/** The end of a task: its last change, because no field has the end itself. */
const endedAt = (task: IDataObject) => (isEnded(task) ? task.updated_at : undefined);

/** The fields of a task in the output of other nodes. */
export const startedTask = ({ id, status, created_at: at }: IDataObject): IDataObject => ({
	task_id: id,
	task_status: status ?? null,
	task_started_at: at ?? null,
});

/** As `startedTask`, with its end. */
export const endedTask = (task: IDataObject): IDataObject => ({
	...startedTask(task),
	task_ended_at: endedAt(task) ?? null,
});

/** Fields of a task for messages. The fields of `input.sites` depend on the type. Source: Part A, 2.9. */
export const taskAbout: Simplified = {
	type_name: ({ type }) => (type === undefined ? undefined : taskTypeName(String(type))),
	started_at: 'created_at',
	ended_at: endedAt,
	duration_seconds: (task) =>
		Math.round((Date.parse(String(endedAt(task))) - Date.parse(String(task.created_at))) / 1_000),
	site_id: (task) => onlySite(task).id,
	site_title: (task) => titleOf(onlySite(task)) || undefined,
	site_url: (task) => onlySite(task).url ?? onlySite(task).site_url,
	site_ids: (task) => taskSites(task).flatMap(({ id }) => id || []),
	site_titles: (task) =>
		taskSites(task).map(titleOf).filter(Boolean).slice(0, FIRST_SITES).join(', ') || undefined,
};

import type { IDataObject } from 'n8n-workflow';
import type { ItemContext } from '../n8n/context';
import { cancelSignal } from '../n8n/context';
import type { Settings } from '../input/field';
import type { TaskResult } from '../operation';
import { fillPath, partsOf } from '../operation';
import { completing, idFields, simplified } from '../receive/output';
import { valueAt } from '../lib/records';
import { endedTask, errorOf } from '../receive/task';
import { statusClass } from '../vocabulary/statusWords';
import { PRIORITY } from '../client/queue';
import { recordOf } from '../client/records';
import { createdKinds, findCreated } from './createdRecord';
import { targetRecord } from './onlyIf';

/** What was sent to start the work. */
export interface Sent {
	/** By the names in the route. */
	ids: Record<string, string>;
	body: unknown;
}

/** The IDs of a route by their names in records: `site_id`. */
export const idsIn = ({ ids }: Sent): IDataObject => idFields(ids);

/** A result in the Output that the user chose. @param beside fields that are added in any Output */
export const inOutput = (
	{ output }: Pick<TaskResult, 'output'>,
	record: IDataObject,
	beside: IDataObject,
	settings: Settings,
) => simplified(output.simplified, settings, Object.keys(beside))({ ...record, ...beside });

const hasSucceeded = ({ status }: IDataObject) => statusClass('task', status) === 'succeeded';

/** The output for a task that has ended: what it created or changed, or why it failed. */
export async function resultOf(
	context: ItemContext,
	result: TaskResult,
	task: IDataObject,
	sent: Sent,
	settings: Settings,
): Promise<IDataObject> {
	if (!hasSucceeded(task)) {
		return settings.output === 'raw' ? task : { ...endedTask(task), error: errorOf(task) ?? null };
	}
	const { from, output } = result;
	if (from === undefined) {
		return inOutput(result, task, await fieldsBeside(context, result, task, sent), settings);
	}
	const record = await recordFrom(context, from, task, sent);
	const [whole = record] = await completing(context, output, settings)([record]);
	return inOutput(result, whole, endedTask(task), settings);
}

/** The IDs of the route, and fields of the request and of the site, which a task does not show. */
async function fieldsBeside(
	context: ItemContext,
	{ sent: places = {}, namesSite }: TaskResult,
	task: IDataObject,
	sent: Sent,
): Promise<IDataObject> {
	const fields = Object.entries(places).map(([name, place]) => [
		name,
		valueAt(sent.body, place) ?? null,
	]);
	return {
		task_id: task.id,
		...idsIn(sent),
		...(namesSite && (await siteFields(context, sent))),
		...Object.fromEntries(fields),
	};
}

/** Title and URL of the site; null where it cannot be read, so that the result is not lost. */
async function siteFields(context: ItemContext, { ids }: Sent): Promise<IDataObject> {
	const site = await targetRecord(context, 'siteId', ids).catch((error: unknown) => {
		if (cancelSignal(context)?.aborted) throw error;
		return undefined;
	});
	return { site_title: site?.title ?? null, site_url: site?.url ?? null };
}

async function recordFrom(
	context: ItemContext,
	from: NonNullable<TaskResult['from']>,
	task: IDataObject,
	{ ids, body }: Sent,
): Promise<IDataObject> {
	if (from === 'report' || from === 'staging') {
		return (await findCreated(context, createdKinds[from], { task, body, isFresh: true }))!;
	}
	const url = fillPath(partsOf(from).template, ids);
	return await recordOf(context, url, { priority: PRIORITY.waits });
}

/**
 * A task with fields that name the record that it created.
 * @param isFresh whether it has only just ended: an earlier task's record may be deleted, which leaves them null
 */
export async function withCreated(
	context: ItemContext,
	task: IDataObject,
	isFresh: boolean,
): Promise<IDataObject> {
	const { type } = task;
	if ((type !== 'report' && type !== 'staging') || !hasSucceeded(task)) return task;
	const record = await findCreated(context, createdKinds[type], { task, isFresh });
	const fields = Object.entries(createdKinds[type].fields);
	const values = fields.map(([name, place]) => [name, valueAt(record, place) ?? null]);
	return { ...task, ...Object.fromEntries(values) };
}

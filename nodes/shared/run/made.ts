import type { IDataObject } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import type { ItemContext } from '../n8n/context';
import type { Settings } from '../input/field';
import { wireName } from '../input/field';
import type { Gives } from '../operation';
import { fillPath } from '../operation';
import { completing, simplified } from '../receive/output';
import { valueAt } from '../lib/valueAt';
import type { Product } from './products';
import { products, productOf, siteOfTask } from './products';
import { endedTask, errorOf } from '../receive/task';
import { statusClass } from '../vocabulary/statusWords';
import { cancelSignal } from '../n8n/context';
import { targetRecord } from './onlyIf';
import type { TaskFacts } from './madeWhile';
import { madeWhile } from './madeWhile';
import { PRIORITY } from '../client/queue';
import { recordOf } from '../client/record';
import { endedBadly, taskWork } from './work';

/** What a request was made from. */
export interface Sent {
	/** By the names in the route. */
	ids: Record<string, string>;
	body: unknown;
}

/** The ids of a route by their names in records: `site_id`. */
export const idsIn = ({ ids }: Sent): IDataObject =>
	Object.fromEntries(Object.entries(ids).map(([name, id]) => [wireName(name), id]));

/** A result in the form that the user has chosen. @param about what stands beside it in any form */
export const inForm = (
	gives: Pick<Gives, 'output'>,
	record: IDataObject,
	about: IDataObject,
	settings: Settings,
) => simplified(gives.output.simplified, settings, Object.keys(about))({ ...record, ...about });

const hasSucceeded = ({ status }: IDataObject) => statusClass('task', status) === 'succeeded';

/** What comes out of a task that has ended: what it has made or changed, or why it has failed. */
export async function given(
	context: ItemContext,
	gives: Gives,
	task: IDataObject,
	sent: Sent,
	settings: Settings,
): Promise<IDataObject> {
	if (!hasSucceeded(task)) {
		return settings.output === 'raw' ? task : { ...endedTask(task), error: errorOf(task) ?? null };
	}
	if (gives.from === undefined) {
		return inForm(gives, task, await besideTask(context, gives, task, sent), settings);
	}
	const record = await recordFrom(context, gives.from, task, sent);
	const [whole] = await completing(context, gives.output, settings)([record]);
	return inForm(gives, whole!, endedTask(task), settings);
}

/** What the task does not say of its work. */
async function besideTask(
	context: ItemContext,
	{ sent: places = {}, namesSite }: Gives,
	task: IDataObject,
	sent: Sent,
): Promise<IDataObject> {
	const fields = Object.entries(places).map(([name, place]) => [
		name,
		valueAt(sent.body as IDataObject, place) ?? null,
	]);
	return {
		task_id: task.id,
		...idsIn(sent),
		...(namesSite && (await siteNamed(context, sent))),
		...Object.fromEntries(fields),
	};
}

/** What is said of a site besides its id; a site that cannot be read is no reason to lose the result. */
async function siteNamed(context: ItemContext, { ids }: Sent): Promise<IDataObject> {
	const site = await targetRecord(context, 'siteId', ids).catch((error: unknown) => {
		if (cancelSignal(context)?.aborted) throw error;
		return undefined;
	});
	return { site_title: site?.title ?? null, site_url: site?.url ?? null };
}

async function recordFrom(
	context: ItemContext,
	from: NonNullable<Gives['from']>,
	task: IDataObject,
	{ ids, body }: Sent,
): Promise<IDataObject> {
	return await reading(context, task, async () => {
		if (from !== 'report' && from !== 'staging') {
			const url = fillPath(from.slice(from.indexOf('/')), ids);
			return await recordOf(context, url, { priority: PRIORITY.waits });
		}
		const sent = (body as Record<string, IDataObject>)[products[from].wrapper]!;
		const siteId = String(sent.site_id);
		const found = await theOne(context, products[from], { siteId, task, sent, isFresh: true });
		return found!;
	});
}

/**
 * What a task has made, as fields beside it: its id, and what a person knows it by.
 * @param isFresh whether it has only just ended: what one of long ago has made may be gone, and is left blank
 */
export async function toldOf(
	context: ItemContext,
	task: IDataObject,
	isFresh: boolean,
): Promise<IDataObject> {
	const one = productOf(task.type);
	const siteId = siteOfTask(task);
	if (!one || siteId === undefined || !hasSucceeded(task)) return {};
	const wanted = { siteId, task, sent: {}, isFresh };
	const record = await reading(context, task, async () => await theOne(context, one, wanted));
	return Object.fromEntries(
		Object.entries(one.told).map(([name, place]) => [name, valueAt(record ?? {}, place) ?? null]),
	);
}

/**
 * What a task has made; undefined where it has ended long ago and nothing fits.
 * @throws NodeOperationError when none fits one that has just ended, or more than one fits
 */
async function theOne(
	context: ItemContext,
	one: Product,
	wanted: TaskFacts,
): Promise<IDataObject | undefined> {
	const found = await madeWhile(context, one, wanted);
	const [record, other] = found;
	const { siteId, task, isFresh } = wanted;
	if (!other && (record || !isFresh)) return record;
	const { label, list, verifyBy: look } = one;
	const id = String(task.id);
	const which = other
		? `${found.length} ${label}s match it: ${found.map((each) => String(each.id)).join(', ')}`
		: `the ${label} that it created was not found`;
	const why = other
		? `All of them belong to the site ${siteId} and were created while the task ran. Choose the right one with ${look}.`
		: `No ${label} of the site ${siteId} was created while the task ran. Look for it with ${look}.`;
	throw endedBadly(
		context,
		{ details: { outcome: 'started', taskId: id, verifyAt: `${list} (${look})` } },
		`The task ${id} has ended, but ${which}`,
		`${why} The work was not started again.`,
	);
}

/** Reads what has come of a task; where that fails, the error names the task, whose work is done. */
async function reading<T>(
	context: ItemContext,
	task: IDataObject,
	look: () => Promise<T>,
): Promise<T> {
	return await look().catch((error: unknown) => {
		if (error instanceof NodeOperationError || cancelSignal(context)?.aborted) throw error;
		const { message } = error as Error;
		throw endedBadly(
			context,
			taskWork(task),
			`The task ${String(task.id)} has ended, but its result cannot be read: ${message}`,
			'The work was not started again. Use Task: Wait Until Finished to read it again.',
		);
	});
}

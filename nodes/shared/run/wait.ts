import { type IDataObject, NodeApiError, NodeOperationError } from 'n8n-workflow';
import { cancelSignal, type ItemContext } from '../n8n/context';
import { onFailure, timeLimit, waitForCompletion } from '../input/controls';
import type { Settings } from '../input/field';
import { instantOf, mapValues, recordIn, recordsIn, valueAt } from '../lib';
import { fillPath, type Output, partsOf, type TaskResult } from '../operation';
import { type ErrorDetails, knownError, reasonWithin } from '../receive/errors';
import { completing, idFields, simplified } from '../receive/output';
import { reader } from '../receive/messages';
import { endedTask, errorOf, failureOf, isEnded, startedTask, taskSites } from '../receive/task';
import { isGood } from '../vocabulary/snapshots';
import { statusClass } from '../vocabulary/values';
import { PRIORITY } from '../client/queue';
import { listAll, recordOf } from '../client/records';
import { accountOf } from '../client/request';
import { answered, type ItemRequest } from './itemRequest';
import { pollUntil, startedDetails, TaskWatch, untilEnded } from './pollUntil';
import { siteNames } from './relatedNames';

const priority = PRIORITY.waits;

/** In milliseconds; the parameter is in minutes. */
const limitOf = (settings: Settings) =>
	Number(settings[timeLimit.name] ?? timeLimit.default) * 60_000;

const waits = (settings: Settings) => settings[waitForCompletion.name] === true;

const siteOf = ({ url }: ItemRequest) => url.replace(/\/sync$/, '');

/** Starts work. If the user waits for it and the site is being synced, a sync starts when the other sync has ended. */
export async function startedBy(item: ItemRequest): Promise<IDataObject[]> {
	const { context, operation, settings } = item;
	if (operation.answer.kind !== 'sync' || !waits(settings)) return await answered(item);
	let conflict: unknown;
	const look = async (until: number) => {
		if (conflict && (await isSyncing(item, until))) return undefined;
		return await answered(item).catch(async (error: unknown) => {
			const isConflict = error instanceof NodeApiError && error.httpCode === '409';
			if (!isConflict || !(await isSyncing(item, until))) throw error;
			conflict = error;
			return undefined;
		});
	};
	const poll = { look, limitMs: limitOf(settings), tolerates: () => false };
	const found = await pollUntil(context, poll);
	if (!found) throw conflict;
	return found;
}

/** Whether a site is being synced, as far as it can be read. Source: Part B, 2.2 and 3. */
async function isSyncing(item: ItemRequest, until: number): Promise<boolean> {
	const site = await recordOf(item.context, siteOf(item), { priority, until }).catch((error) => {
		if (error instanceof NodeApiError) return {};
		throw error;
	});
	return valueAt(site, 'sync.in_progress') === true;
}

/** Output of started work for the records of its response: if the user waits for it, its result. */
export async function finished(item: ItemRequest, records: IDataObject[]): Promise<IDataObject[]> {
	const { answer } = item.operation;
	if (answer.kind !== 'wait' && !waits(item.settings)) {
		return answer.kind === 'task' ? records.map(startedTask) : records;
	}
	const result = async (record: IDataObject) =>
		await (answer.kind === 'sync'
			? syncResult(item, answer.result.output, record)
			: taskResult(item, record));
	return await Promise.all(records.map(result));
}

type Waiting = Pick<ItemRequest, 'context' | 'settings' | 'progress'>;

/** @throws NodeOperationError with the reason of a failure, unless the user wants failed work returned */
function checkFailure(item: Waiting, details: ErrorDetails, todo: string, failure?: string) {
	const { context, settings, progress } = item;
	if (failure === undefined || settings[onFailure.name] === 'return') return;
	throw knownError(context.getNode(), details, reader(progress.secrets)(failure), todo);
}

/** A task in full, once it has ended. @throws NodeOperationError at the time limit of the item */
export async function awaited({ context, settings }: Omit<Waiting, 'progress'>, task: IDataObject) {
	const { limiter } = await accountOf(context);
	return await TaskWatch.of(limiter.account).end(context, task, limitOf(settings));
}

/** A task when it has ended. @throws as `checkFailure` */
export async function taskEnd(item: Waiting, started: IDataObject): Promise<IDataObject> {
	// Only the view of a single task has its steps.
	const isWhole = isEnded(started) && 'details' in started;
	const task = isWhole ? started : await awaited(item, started);
	const details = startedDetails({ kind: 'task', id: String(task.id) });
	checkFailure(item, details, 'Use Task: Get to see all of its steps.', failureOf(task));
	return task;
}

async function taskResult(item: ItemRequest, started: IDataObject): Promise<IDataObject> {
	const { context, operation } = item;
	const { answer } = operation;
	const wasEnded = isEnded(started);
	const task = await taskEnd(item, started);
	const details = startedDetails({ kind: 'task', id: String(task.id) });
	const result =
		answer.kind === 'task'
			? resultOf(item, answer.result, task)
			: withCreated(context, task, !wasEnded);
	return await result.catch((error: Error) => {
		if (error instanceof NodeOperationError || cancelSignal(context)?.aborted) throw error;
		throw knownError(
			context.getNode(),
			details,
			`The task ${String(task.id)} has ended, but its result cannot be read: ${error.message}`,
			'The work was not started again. Use Task: Wait Until Finished to read it again.',
		);
	});
}

/** The snapshot that a sync makes, when it has ended. Source: Part B, 2.5 and 4.1. */
async function syncResult(item: ItemRequest, output: Output, { snapshot_id: id }: IDataObject) {
	const { context, settings } = item;
	const site = siteOf(item);
	const work = { kind: 'snapshot' as const, id: `${site}/snapshots/${String(id)}` };
	const look = async (until: number) => await recordOf(context, work.id, { priority, until });
	const snapshot = await untilEnded(context, work, { look, limitMs: limitOf(settings) });
	const { status, error_message: message } = snapshot;
	const why = reasonWithin(message);
	const failure = `The backup ended as ${String(status)}${why && `: ${why}`}`;
	const todo = `See the snapshot ${String(id)} of ${site}.`;
	checkFailure(item, startedDetails(work), todo, isGood(status) ? undefined : failure);
	return inOutput(output, settings, snapshot, await routeFields(item));
}

/** The result in the Output that the user chose. @param extra fields that are added in any Output */
const inOutput = (output: Output, settings: Settings, record: IDataObject, extra: IDataObject) =>
	simplified(output.simplified, settings, Object.keys(extra))({ ...record, ...extra });

const hasSucceeded = ({ status }: IDataObject) => statusClass('task', status) === 'succeeded';

/** The output for a task that has ended: what it created or changed, or why it failed. */
async function resultOf(item: ItemRequest, result: TaskResult, task: IDataObject) {
	const { context, settings, ids, body } = item;
	const { from, output, sent = {} } = result;
	if (!hasSucceeded(task)) {
		return settings.output === 'raw' ? task : { ...endedTask(task), error: errorOf(task) ?? null };
	}
	if (from === undefined) {
		const values = mapValues(sent, (place) => valueAt(body, place) ?? null);
		const extra = { task_id: task.id, ...(await routeFields(item)), ...values };
		return inOutput(output, settings, task, extra);
	}
	const creation = { context, task, sent: recordIn(Object.values(body)[0]), isFresh: true };
	const record =
		from === 'report' || from === 'staging'
			? (await findCreated({ ...creation, kind: from }))!
			: await recordOf(context, fillPath(partsOf(from).template, ids), { priority });
	const [whole = record] = await completing(context, output, settings)([record]);
	return inOutput(output, settings, whole, endedTask(task));
}

/** The IDs of the route, with title and URL of its site. */
async function routeFields({ context, ids, settings }: ItemRequest): Promise<IDataObject> {
	const siteId = settings.output !== 'raw' && ids.siteId;
	return { ...idFields(ids), ...(siteId && (await siteNames(context, [siteId]))(siteId)) };
}

/** A task with fields that name the record it created; null for a deleted one. @param isFresh see `findCreated` */
async function withCreated(context: ItemContext, task: IDataObject, isFresh: boolean) {
	const { type } = task;
	if ((type !== 'report' && type !== 'staging') || !hasSucceeded(task)) return task;
	const record = await findCreated({ context, kind: type, task, sent: {}, isFresh });
	const { fields } = createdKinds[type];
	return { ...task, ...mapValues(fields, (place) => valueAt(record, place) ?? null) };
}

interface Creation {
	context: ItemContext;
	kind: keyof typeof createdKinds;
	/** In full; it has succeeded. */
	task: IDataObject;
	/** Fields of the request; empty if they are not known. */
	sent: IDataObject;
	/** Whether the task has only just ended: the record may be missing from its list for a moment. */
	isFresh: boolean;
}

/**
 * Records that a task creates without naming them, by its type: found by their time of creation and `expected` values
 * of the request, by place in the record. `fields` names the record in the task's output: name -> place in the record.
 * Source: Part A, 2.9, 2.10, 2.16, 4.9 and 4.14.
 */
export const createdKinds = {
	report: {
		label: 'report',
		list: '/reports',
		verifyBy: 'Report: Get Many',
		expected: { 'site.id': 'site_id', start_date: 'start_date', end_date: 'end_date' },
		fields: { report_id: 'id', report_title: 'title' },
	},
	staging: {
		label: 'staging site',
		list: '/staging-sites',
		verifyBy: 'Staging Site: Get Many',
		expected: { site_id: 'site_id', 'snapshot.id': 'snapshot_id' },
		fields: { staging_site_id: 'id', staging_site_url: 'url' },
	},
};

/** Milliseconds between the times of a task and of its record: each has its own clock and parts of a second. */
const CLOCK_TOLERANCE_MS = 5_000;

/** Milliseconds after which a new record is in its list at the latest. */
const MAX_DELAY_MS = 30_000;

/** The record that a task has created; undefined for a task of several sites, or an old one if no record matches. */
async function findCreated(creation: Creation) {
	const { context, kind, task, sent, isFresh } = creation;
	const { label, list, verifyBy } = createdKinds[kind];
	const sites = recordsIn(valueAt(task, 'details.sites')).map(({ id }) => id);
	const siteId = String(sent.site_id ?? (sites.length === 1 ? sites[0] : ''));
	if (siteId === '') return undefined;
	const look = async () => {
		const matching = await candidates(creation, siteId);
		return matching.length > 0 ? matching : undefined;
	};
	const poll = { look, limitMs: isFresh ? MAX_DELAY_MS : 0 };
	const found = (await pollUntil(context, poll)) ?? [];
	const [record, other] = found;
	if (!other && (record || !isFresh)) return record;
	const id = String(task.id);
	const ids = found.map((each) => String(each.id)).join(', ');
	const which = other
		? `${found.length} ${label}s match it: ${ids}`
		: `the ${label} that it created was not found`;
	throw knownError(
		context.getNode(),
		{ outcome: 'started', taskId: id, verifyAt: `${list} (${verifyBy})` },
		`The task ${id} has ended, but ${which}`,
		`Look with ${verifyBy} for a ${label} of the site ${siteId} that was created while the task ran. The work was not started again.`,
	);
}

/** Records of the site that were created while the task ran and have the expected values. */
async function candidates({ context, kind, task, sent }: Creation, siteId: string) {
	const { list: url, expected } = createdKinds[kind];
	const from = instantOf(task.created_at) - CLOCK_TOLERANCE_MS;
	const to = instantOf(task.updated_at) + CLOCK_TOLERANCE_MS;
	const qs = {
		sort: 'created_at,asc',
		'filters[site_id:eq]': siteId,
		'filters[created_at:gte]': new Date(from).toISOString(),
	};
	const listed = await listAll(context, { url, qs }, { priority });
	const inTime = listed.filter((record) => !(instantOf(record.created_at) > to));
	const paths = inTime.map(({ id }) => `${url}/${encodeURIComponent(String(id))}`);
	const full = paths.map(async (path) => await recordOf(context, path, { priority }));
	// A task shows the snapshot that it was asked for.
	const { snapshot_id } = taskSites(task)[0] ?? {};
	const asked: IDataObject = { snapshot_id, ...sent, site_id: siteId };
	return (await Promise.all(full)).filter((record) =>
		Object.entries(expected).every(([place, name]) => mayHave(record, place, asked[name])),
	);
}

/** Whether a record has a value, does not show it, or has a time on that day. */
function mayHave(record: IDataObject, place: string, value: unknown): boolean {
	const found = valueAt(record, place) ?? undefined;
	if (found === undefined || (value ?? undefined) === undefined) return true;
	return String(found) === String(value) || String(found).startsWith(`${String(value)}T`);
}

import type { IDataObject } from 'n8n-workflow';
import { shown } from '../shared/input/refusal';
import type { Settings } from '../shared/input/field';
import { shownAt } from '../shared/client/allowed';
import { listAll, listUpTo } from '../shared/client/records';
import { mapParallel } from '../shared/client/limiter';
import { accountOf } from '../shared/client/request';
import { instantOf, MINUTE_MS, recordIn, recordsIn, textsIn, valueAt } from '../shared/lib';
import { cancelSignal, TRACES, tracing } from '../shared/n8n/context';
import { type Composing, on, type SendStep } from '../shared/operation';
import { knownError, reasonWithin } from '../shared/receive/errors';
import { failedStep } from '../shared/receive/task';
import { componentsOf } from '../shared/resources/outputs';
import { newestSucceeded } from '../shared/run/newestSnapshot';
import { pollUntil } from '../shared/run/pollUntil';
import { awaited } from '../shared/run/wait';
import { targetRecord } from '../shared/run/names';
import { hasFailed, mayGoOn, statusClass } from '../shared/vocabulary/values';
import { PLUGIN, SnapshotReader } from './inSnapshot';

/* The API has only schedules, so one is created for a single run, waited for and deleted. */

/** What their names begin with, by which the next call finds those of killed executions. */
const PREFIX = 'Update Now, execution ';

/** A schedule starts this long after its creation; the service refuses starts that have passed. */
const LEAD_MS = 3 * MINUTE_MS;

/** The run of a schedule is in the history this long after its start, or never. */
const BEGINS_WITHIN_MS = 30 * MINUTE_MS;

/** Older schedules without a run belong to no execution that still waits. */
const LEFT_AFTER_MS = 60 * MINUTE_MS;

/** No execution waits longer for a run. */
const ENDS_WITHIN_MS = 24 * 60 * MINUTE_MS;

/** Place of the site IDs in the request, and in the record. */
export const SITE_IDS = 'auto_update_schedule.scope.sites.ids';

export const CREATE = on('POST /auto-update-schedules', {
	sites: ['auto_update_schedule.scope.sites'],
});
const DELETE = on('DELETE /auto-update-schedules/{scheduleId}', { record: true, isCounted: true });

/** Component: Update Now. One row for each component to update. */
export async function updateNow(item: Composing, send: SendStep): Promise<IDataObject[]> {
	const { context, body } = item;
	const { limiter } = await accountOf(context);
	const siteIds = textsIn(valueAt(body, SITE_IDS));
	const left = await removeLeft(item, siteIds, send);
	// Not earlier: waiting for the turn of this item may take longer than the lead.
	const startedAt = new Date(limiter.now() + LEAD_MS).toISOString();
	recordIn(body.auto_update_schedule).started_at = startedAt;
	const schedule = await send(CREATE, {}, body, 'auto_update_schedule');
	const wait = async () => {
		const run = await runOf(item, schedule, LEAD_MS + BEGINS_WITHIN_MS);
		if (!run.task_id) return { run };
		const task = await awaited(item, { id: run.task_id });
		// The entry may have got its sites only later.
		const isWhole = recordsIn(run.sites).length > 0;
		return { run: isWhole ? run : ((await newestRun(item, schedule)) ?? run), task };
	};
	const trace = {
		key: TRACES.schedules,
		value: label(schedule),
		line: `The execution ended during an update. ${toDelete(label(schedule))}`,
	};
	const ended = await tracing(context, trace, wait).catch((error: Error) => {
		// Nothing can be sent any more; the next call removes the schedule.
		if (cancelSignal(context)?.aborted) throw error;
		return error;
	});
	const schedulesLeft = [...left, await removed(send, schedule)].filter(Boolean).join('; ');
	if (ended instanceof Error) {
		const todo = schedulesLeft ? toDelete(schedulesLeft) : 'The schedule was deleted';
		throw knownError(
			context.getNode(),
			{ outcome: 'started', verifyAt: '/auto-update-history (History: Get Many)' },
			`The update was scheduled, but it is not known how it ended: ${ended.message}. ${todo}`,
			'Check the history before you update again.',
		);
	}
	return (await rowsOf(item, siteIds, ended)).map((row) => ({
		...row,
		schedules_left: schedulesLeft || null,
	}));
}

/** Completes the schedule of a request: its name, and what it updates. */
export async function planSchedule({ context, body, settings }: Composing): Promise<IDataObject> {
	const schedule = recordIn(body.auto_update_schedule);
	const siteIds = textsIn(valueAt(body, SITE_IDS));
	schedule.scope = {
		sites: { selection: 'specific', ids: siteIds },
		updates: updatesFrom(settings),
	};
	if (settings.preview === true) {
		// Without a name and a time: they would differ in the next call.
		if (settings.updateWhat === 'all') return {};
		return { now: await versionsNow(context, siteIds, textsIn(settings.updateFiles)) };
	}
	const [first, ...others] = siteIds;
	const more = others.length > 0 ? ` and ${others.length} more` : '';
	const execution = context.getExecutionId() ?? 'of a tool';
	schedule.name = `${PREFIX}${execution}, site ${first}${more}`;
	// The longest interval: what an execution leaves must not run again soon.
	schedule.schedule = 'monthly_on_date';
	return {};
}

/** Previews read at most this many components, with three requests each. */
const MAX_READ = 30;

/** The components that an update names, as the newest good snapshot of each site has them. */
async function versionsNow(context: Composing['context'], siteIds: string[], files: string[]) {
	if (siteIds.length * files.length > MAX_READ) return 'not read, because they are too many';
	const onSite = async (siteId: string) => {
		const site = await targetRecord(context, 'siteId', { siteId });
		const snapshot = await newestSucceeded(context, siteId);
		const reader = snapshot && new SnapshotReader(context, siteId, String(snapshot.id));
		const said = files.map(async (file) => {
			const rows = await reader?.of(file);
			// Versions are quoted: they are written by others.
			const versions = rows?.map(({ version, reason }) => reason || shown(version || 'unknown'));
			const now = versions
				? versions.join(' and ') || 'not in its newest backup'
				: 'no backup to read';
			return `${file} on ${String(site?.url ?? siteId)}: ${now}`;
		});
		return await Promise.all(said);
	};
	return (await mapParallel(siteIds, onSite)).flat();
}

function updatesFrom({ updateWhat, updateFiles }: Settings): IDataObject {
	if (updateWhat === 'all') {
		return { cms_core: true, plugins: { selection: 'all' }, themes: { selection: 'all' } };
	}
	const files = textsIn(updateFiles);
	const chosen = (filenames: string[]) =>
		filenames.length > 0 ? { selection: 'specific', filenames } : undefined;
	const plugins = chosen(files.filter((file) => PLUGIN.test(file)));
	const themes = chosen(files.filter((file) => !PLUGIN.test(file)));
	return { cms_core: false, ...(plugins && { plugins }), ...(themes && { themes }) };
}

const label = ({ name, id }: IDataObject) => `${String(name)} (${String(id)})`;

/** A schedule that could not be deleted, and why. */
const leftOver = (schedule: IDataObject, why: string) => `${label(schedule)}: ${why}`;

const toDelete = (schedules: string) =>
	`Delete the schedule, or it runs again next month: ${schedules}`;

/** Deletes a schedule. @returns why it is still there; empty if it is not */
async function removed(send: SendStep, schedule: IDataObject): Promise<string> {
	const deleting = send(DELETE, { scheduleId: String(schedule.id) }, {});
	return await deleting.then(
		() => '',
		({ httpCode, message }: Error & { httpCode?: string }) =>
			httpCode === '404' ? '' : leftOver(schedule, message),
	);
}

/** Newest run of a schedule; undefined if it has not run. */
async function newestRun({ context }: Composing, { id }: IDataObject) {
	const qs = { 'filters[auto_update_schedule_id:eq]': String(id) };
	return (await listUpTo(context, { url: '/auto-update-history', qs }, { max: 1 })).records[0];
}

/** Whether a run has ended, with or without a task. */
const isOver = ({ status }: IDataObject) => !mayGoOn('autoUpdateRun', status);

/** The run of a schedule, once it has its task or has ended without one. */
async function runOf(item: Composing, schedule: IDataObject, limitMs: number) {
	const look = async () => {
		const run = await newestRun(item, schedule);
		return run && (run.task_id || isOver(run)) ? run : undefined;
	};
	const found = await pollUntil(item.context, { look, limitMs, sleepsFirst: true });
	if (!found) throw new Error(`it had not begun after ${limitMs / MINUTE_MS} minutes`);
	return found;
}

/** Removes the schedules of killed executions, after a run of the same sites. @returns texts about those still there */
async function removeLeft(item: Composing, siteIds: string[], send: SendStep): Promise<string[]> {
	const { context } = item;
	const { limiter } = await accountOf(context);
	const qs = { 'filters[name:contains]': PREFIX };
	const url = '/auto-update-schedules';
	const keep = await shownAt(context, url);
	const schedules = await listAll(context, { url, qs }, { keep });
	const left: string[] = [];
	for (const schedule of schedules) {
		if (!String(schedule.name).startsWith(PREFIX)) continue;
		const own = textsIn(valueAt({ auto_update_schedule: schedule }, SITE_IDS));
		const isSame = own.some((id) => siteIds.includes(id));
		const age = limiter.now() - instantOf(schedule.created_at);
		const isOld = age > LEFT_AFTER_MS;
		const isLeft = await hasEnded(item, schedule, isOld, isSame).catch((error: Error) => {
			if (!isSame || cancelSignal(context)?.aborted) throw error;
			throw knownError(
				context.getNode(),
				{ outcome: 'notSent' },
				`Nothing was updated: another update of these sites, ${label(schedule)}, may not have ended: ${error.message}`,
				'Run it again when the other update has ended.',
			);
		});
		if (isLeft) left.push(await removed(send, schedule));
		// Another one belongs to an execution that waits for it, and deletes it.
		else if (age > ENDS_WITHIN_MS) left.push(leftOver(schedule, 'its run has not ended'));
	}
	return left;
}

/** Whether the run of a schedule has ended, or never began. @param waits whether to wait for its end */
async function hasEnded(item: Composing, schedule: IDataObject, isOld: boolean, waits: boolean) {
	const run =
		waits && !isOld
			? await runOf(item, schedule, BEGINS_WITHIN_MS)
			: await newestRun(item, schedule);
	if (!run) return isOld;
	if (isOver(run)) return true;
	if (!waits || !run.task_id) return false;
	await awaited(item, { id: run.task_id });
	return true;
}

const NOT_PART =
	'The update did not include it: there is no newer version, it is locked, or the site does not have it';

const NO_THEME = `${NOT_PART}. It counts as a theme, because a plugin is named by its main file`;

const NOT_SHOWN = 'The history does not show what the update of this site included';

interface Ended {
	run: IDataObject;
	task?: IDataObject;
}

/** What became of each component, by the history and the task. */
async function rowsOf({ context, settings }: Composing, siteIds: string[], { run, task }: Ended) {
	const byId = (list: unknown) => new Map(recordsIn(list).map((site) => [String(site.id), site]));
	const planned = byId(run.sites);
	const ends = byId(valueAt(task, 'details.sites'));
	const asked = settings.updateWhat === 'all' ? [] : textsIn(settings.updateFiles);
	const rows = siteIds.map(async (siteId) => {
		const components = componentsOf(planned.get(siteId) ?? {});
		const names = new Set(components.flatMap(({ filename, slug }) => [filename, slug]));
		const others = asked.filter((file) => !names.has(file));
		if (components.length === 0 && others.length === 0) others.push('everything');
		const site = await targetRecord(context, 'siteId', { siteId }).catch(() => undefined);
		const rowOf = (component: IDataObject, end: IDataObject) => ({
			...{ site_title: site?.title ?? null, site_url: site?.url ?? null },
			name: component.name ?? (component.type === 'core' ? 'core' : undefined),
			...end,
			version_before: component.current_version ?? null,
			version_after: (end.result === 'updated' && component.target_version) || null,
			...{ kind: component.type ?? null, ...placeOf(component) },
			...{ task_id: task?.id ?? null, site_id: siteId },
		});
		const end = task ? endOf(ends.get(siteId)) : endOfRun(run);
		const isShown = planned.has(siteId) || (planned.size > 0 && !ends.has(siteId));
		const leftOut = (name: string) => {
			if (task && !isShown) return { result: 'not known', reason: NOT_SHOWN };
			if (!task && end.result !== 'no update') return end;
			const isTheme = asked.includes(name) && !PLUGIN.test(name);
			return { result: 'no update', reason: isTheme ? NO_THEME : NOT_PART };
		};
		return [
			...components.map((component) => rowOf(component, end)),
			...others.map((name) => rowOf({ name }, leftOut(name))),
		];
	});
	return (await Promise.all(rows)).flat();
}

/** Where a plugin or theme is; `path` is what Restore takes for it, and null for what has no place of its own. */
function placeOf({ type: kind, filename, slug }: IDataObject): IDataObject {
	const file = String(filename ?? slug ?? '');
	const [first = ''] = file.split('/');
	if ((kind !== 'plugin' && kind !== 'theme') || !/^[^.]/.test(first))
		return { folder: null, file: null, path: null };
	const isFile = kind === 'plugin' && file === first && /[.]php$/i.test(file);
	const path = `./wp-content/${kind}s/${first}${isFile ? '' : '/'}`;
	return { folder: isFile ? '' : first, file, path };
}

/** The end of a run without a task. */
function endOfRun({ status }: IDataObject) {
	if (statusClass('autoUpdateRun', status) === 'nothingToDo')
		return { result: 'no update', reason: NOT_PART };
	const result = hasFailed('autoUpdateRun', status) ? 'failed' : 'not known';
	return { result, reason: `The update ended as ${String(status)}, without a task` };
}

function endOf(site: IDataObject | undefined) {
	if (!site) {
		const reason = 'The task does not show how the update of this site ended';
		return { result: 'not known', reason };
	}
	const failed = failedStep({ details: { sites: [site] } })?.step;
	if (statusClass('task', site.status) === 'succeeded' && !failed)
		return { result: 'updated', reason: null };
	const why = failed && (reasonWithin(failed.error) || 'a step failed');
	return {
		// The step may be that of another component.
		result: hasFailed('task', site.status) ? 'failed' : 'not known',
		reason: `The update ended as ${String(site.status)}${why ? `: ${why}` : ''}`,
	};
}

import type { IDataObject } from 'n8n-workflow';
import type { EventDetails, Feed } from '../../shared/polling/feed';
import { isOfRecord } from '../../shared/receive/errors';
import { taskSites } from '../../shared/receive/task';
import type { SiteScope } from '../../shared/resources/siteScope';
import { withoutPassword } from '../../shared/resources/siteRecords';
import { taskEnd, taskFeed } from '../../shared/resources/statusEvents';
import { recordAt } from '../../shared/client/records';
import type { CallContext } from '../../shared/n8n/context';

/** Restores and migrations are tasks, which have the IDs of their sites but no names or tags. */

const FAILED = ['restoreFailed', 'migrationFailed'];

export const idsOf = (task: IDataObject) =>
	taskSites(task).flatMap(({ id }) => (id ? String(id) : []));

/** The IDs of sites that may be in the scope. */
function candidates(scope: SiteScope, task: IDataObject): string[] {
	const ids = idsOf(task);
	return scope.ids ? ids.filter((id) => scope.ids!.includes(id)) : ids;
}

/** The tasks of a type. One without a site counts: a lost alarm is worse than an extra one. */
function tasksOf(type: string, scope: SiteScope, finished: string, failed: string): Feed {
	const tasks = {
		types: [type],
		isWanted: (task: IDataObject) => candidates(scope, task).length > 0 || idsOf(task).length === 0,
		choice: scope.choice,
	};
	const ends = { succeeded: finished, failed, cancelled: failed };
	return taskFeed(tasks, (task) => taskEnd(task, ends));
}

export const restores = (scope: SiteScope) =>
	tasksOf('restore', scope, 'restoreFinished', 'restoreFailed');

export const migrations = (scope: SiteScope) =>
	tasksOf('migrate', scope, 'migrationFinished', 'migrationFailed');

/** Reads the site of a task, which decides whether the event counts, and the steps of a failed one. */
export const taskDetails = (scope: SiteScope): EventDetails => ({
	feeds: ['restores', 'migrations'],
	read: async (context, json) => {
		// In parallel: a poll of a slow service may lack the time for two reads.
		const [site, steps] = await Promise.all([
			siteOf(context, scope, json),
			FAILED.includes(String(json.event)) ? stepsOf(context, json) : {},
		]);
		if (site === undefined) return null;
		return { json: { ...json, ...steps, site: site && withoutPassword(site) } };
	},
	without: (json) => ({ json: { ...json, site: null } }),
	waitMs: 300_000,
	tries: 5,
});

/** The site of a task in the scope; undefined for none, null if unknown. */
async function siteOf(
	context: CallContext,
	scope: SiteScope,
	task: IDataObject,
): Promise<IDataObject | null | undefined> {
	let isSure = idsOf(task).length > 0;
	for (const id of candidates(scope, task)) {
		const site = await recordAt(context, `/sites/${encodeURIComponent(id)}`);
		if (site && scope.has(site)) return site;
		isSure &&= site !== undefined;
	}
	return isSure ? undefined : null;
}

/** The steps that show why it failed. An alarm does not wait for them. */
async function stepsOf(context: CallContext, { id }: IDataObject): Promise<IDataObject> {
	const url = `/tasks/${encodeURIComponent(String(id))}`;
	const task = await recordAt(context, url).catch((error: unknown) => {
		if (!isOfRecord(error)) throw error;
	});
	return task?.details === undefined ? {} : { details: task.details };
}

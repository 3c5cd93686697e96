import type { IDataObject } from 'n8n-workflow';
import type { Happening, Moment } from './world';

export const ENDS: Record<string, string> = {
	completed: 'completed',
	failed: 'failed',
	aborted: 'failed',
	cancelled: 'cancelled',
	// Nobody knows this word, and nothing follows.
	vanished: 'otherStatus',
};

/** Nobody knows this word either, but the task goes on after it. */
export const PAUSED = 'paused';

/**
 * A task with such a word that has not changed for longer is not met when the trigger is switched on, unless it is on
 * the first page: no list has those words.
 */
const IN_REACH = 10 * 60_000;

/** What ended longer ago is not touched any more. */
const DAY = 20 * 3_600_000;

export const tasksOf = ({ account }: Moment) => (account['/tasks'] ??= []);

const isEnded = ({ status }: IDataObject) => ENDS[String(status)] !== undefined;

export function createTask(moment: Moment, status: string, type: string, ids: string[]) {
	const time = moment.stamp();
	const task: IDataObject = {
		id: moment.id(),
		status,
		type,
		created_at: time,
		updated_at: time,
		progress: { percent: 0, metrics: { sites: { done: 0, total: ids.length } } },
		input: { sites: ids.map((id) => ({ id })) },
	};
	tasksOf(moment).push(task);
	return task;
}

/** A task begins, goes on, ends, or is touched. */
export function changeTask(
	moment: Moment,
	isNew: boolean,
	create: (status: string) => IDataObject,
	eventsOf: (task: IDataObject, isNew: boolean) => Happening[],
): Happening[] {
	const { chance } = moment;
	const what = isNew ? 'create' : chance.pick(['create', 'go on', 'go on', 'end', 'end', 'touch']);
	if (what === 'create')
		return eventsOf(create(chance.pick(['initializing', 'running', 'completed', 'failed'])), true);
	const tasks = tasksOf(moment);
	const recent = tasks.filter(({ created_at: at }) => moment.now - Date.parse(String(at)) < DAY);
	if (recent.length === 0) return [];
	const open = tasks.filter((task) => !isEnded(task));
	const task = chance.pick(what !== 'touch' && open.length > 0 ? open : recent);
	const isUnmet =
		task.status === PAUSED && Date.parse(String(task.updated_at)) < moment.begun - IN_REACH;
	task.updated_at = moment.stamp(task.updated_at);
	if (isEnded(task) || what === 'touch') return [];
	const goesOn = task.status === 'running' ? ['running', 'running', PAUSED] : ['running'];
	task.status = chance.pick(what === 'end' ? Object.keys(ENDS) : goesOn);
	const progress = task.progress as { percent: number };
	if (what === 'go on') progress.percent = Math.min(99, progress.percent + chance.below(40));
	return eventsOf(task, false).map((each) => (isUnmet ? { ...each, isOptional: true } : each));
}

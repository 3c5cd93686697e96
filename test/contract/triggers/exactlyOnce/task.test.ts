import type { IDataObject } from 'n8n-workflow';
import { exactly, found, histories, story } from '../../../support/serviceModel/history';
import { commonStories } from '../../../support/serviceModel/stories';
import type { Choice, Happening, Moment, World } from '../../../support/serviceModel/scenario';
import { locator } from '../../../support/locator';

/** The task trigger over any history: each event once. */

const TYPES = ['wp_site_update', 'restore', 'download'];
const SITES = ['5100000000', '5200000000'];
const EVENTS = ['started', 'completed', 'failed', 'cancelled', 'progress', 'otherStatus'];
const ENDS: Record<string, string> = {
	completed: 'completed',
	failed: 'failed',
	aborted: 'failed',
	cancelled: 'cancelled',
	// Nobody knows this word, and nothing follows.
	vanished: 'otherStatus',
};

/** Nobody knows this word either, but the task goes on after it. */
const PAUSED = 'paused';

/**
 * A task with such a word that has not changed for longer is not met when the trigger is switched on, unless it is on
 * the first page: no list has those words.
 */
const IN_REACH = 10 * 60_000;

/** What ended longer ago is not touched any more. */
const DAY = 20 * 3_600_000;

const tasksOf = ({ account }: Moment) => (account['/tasks'] ??= []);

const percentOf = ({ progress }: IDataObject) => (progress as IDataObject).percent as number;

const factsOf = ({ type, input }: IDataObject) => ({ type, input });

/** A task comes into existence; it may have ended by the time it is listed. */
function create(moment: Moment, status = moment.chance.pick(['initializing', 'running'])) {
	const { chance } = moment;
	const time = moment.stamp();
	const sites = chance.some(SITES).map((id) => ({ id }));
	const task: IDataObject = {
		id: moment.id(),
		status,
		type: chance.pick(TYPES),
		created_at: time,
		updated_at: time,
		progress: { percent: 0, metrics: { sites: { done: 0, total: sites.length } } },
		input: { sites },
	};
	tasksOf(moment).push(task);
	return task;
}

function eventsOf(task: IDataObject): Happening[] {
	const end = ENDS[String(task.status)];
	const facts = factsOf(task);
	const id = String(task.id);
	const isPaused = task.status === PAUSED;
	if (end === 'otherStatus' || isPaused) {
		const key = `${id} otherStatus ${String(task.status)}`;
		return [{ key, event: 'otherStatus', facts, isOptional: isPaused }];
	}
	if (end) return [{ key: `${id} ${end}`, event: end, facts }];
	if (task.status !== 'running') return [];
	const key = `${id} progress ${percentOf(task)}`;
	return [{ key, event: 'progress', facts, isOptional: true }];
}

const startOf = (task: IDataObject): Happening => ({
	key: `${String(task.id)} started`,
	event: 'started',
	facts: factsOf(task),
});

export const world: World = {
	node: 'taskTrigger',
	choose: (chance) => ({
		events: chance.some(EVENTS),
		filter: {
			...(chance.is(0.2) && { types: chance.some(TYPES) }),
			...(chance.is(0.2) && { siteId: chance.pick(SITES) }),
		},
		options: { includeStepDetails: chance.is(0.25) },
	}),
	parameters: ({ events, filter: { types, siteId }, options }) => ({
		output: 'raw',
		events,
		filters: {
			...(siteId !== undefined && { siteId: locator(siteId) }),
			...(types !== undefined && { taskTypes: types as string[] }),
		},
		options: options as never,
	}),
	matches: ({ filter: { types, siteId } }, { facts }) => {
		const { type, input } = facts as { type: string; input: { sites: Array<{ id: string }> } };
		if (types !== undefined && !(types as string[]).includes(type)) return false;
		return siteId === undefined || input.sites.some(({ id }) => id === siteId);
	},
	begin: (moment) => {
		const states = [...Object.keys(ENDS), 'running', 'initializing'];
		const tasks = states.map((status) => create(moment, status));
		// Only the percent of what runs; what ended before is no event.
		return tasks.filter(({ status }) => status === 'running').flatMap(eventsOf);
	},
	change: (moment, isNew) => {
		const { chance } = moment;
		const tasks = tasksOf(moment);
		const what = isNew
			? 'create'
			: chance.pick(['create', 'go on', 'go on', 'end', 'end', 'touch']);
		if (what === 'create') {
			const made = create(moment, chance.pick(['initializing', 'running', 'completed', 'failed']));
			return [startOf(made), ...eventsOf(made)];
		}
		const open = tasks.filter(({ status }) => !ENDS[String(status)]);
		const recent = tasks.filter(({ created_at: at }) => moment.now - Date.parse(String(at)) < DAY);
		if (recent.length === 0) return [];
		const task = chance.pick(what !== 'touch' && open.length > 0 ? open : recent);
		const isUnmet =
			task.status === PAUSED && Date.parse(String(task.updated_at)) < moment.begun - IN_REACH;
		task.updated_at = moment.stamp(task.updated_at);
		if (ENDS[String(task.status)] || what === 'touch') return [];
		const goesOn = task.status === 'running' ? ['running', 'running', PAUSED] : ['running'];
		task.status = what === 'end' ? chance.pick(Object.keys(ENDS)) : chance.pick(goesOn);
		if (what === 'go on') {
			(task.progress as IDataObject).percent = Math.min(99, percentOf(task) + chance.below(40));
		}
		return eventsOf(task).map((each) => (isUnmet ? { ...each, isOptional: true } : each));
	},
	keyOf: ({ id, event, progress, status }) => {
		const more: Record<string, unknown> = {
			progress: (progress as IDataObject).percent,
			otherStatus: status,
		};
		return [id, event, more[event as string]].filter((part) => part !== undefined).join(' ');
	},
	faultOf: ({ id, event, details }, { options }) =>
		options.includeStepDetails === true && !details && event !== 'progress'
			? `${id as string} has no details`
			: undefined,
};

histories(world);

const chosen: Choice = { events: ['started', 'completed'], filter: {}, options: {} };

commonStories(world, chosen, 4_000);

it.each([false, true])(
	'details of many tasks take more polls, not more time (durable: %s)',
	async (isDurable) => {
		const verdict = await story(
			world,
			{ ...chosen, options: { includeStepDetails: true } },
			async (scenario) => {
				scenario.service.latency = 3_000;
				scenario.changes(150, 10_000, 0, true);
				await scenario.rounds(10, 2);
			},
			{ isDurable },
		);
		expect(found(verdict)).toEqual(exactly);
	},
);

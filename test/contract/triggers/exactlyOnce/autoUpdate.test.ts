import type { IDataObject } from 'n8n-workflow';
import { histories } from '../../../support/serviceModel/history';
import type { Happening, Moment, World } from '../../../support/serviceModel/scenario';
import { notes } from '../../../support/serviceModel/sites';
import { ENDS as ofTasks, PAUSED } from '../../../support/serviceModel/tasks';
import { locator } from '../../../support/locator';

const EVENTS = ['started', 'completed', 'failed', 'cancelled', 'noUpdates', 'otherStatus'];
const ENDS: Record<string, string> = { ...ofTasks, no_updates: 'noUpdates' };
const SCHEDULES = ['a100000000', 'a200000000'];

/** Runs that are older do not change any more. */
const FOLLOWED = 46 * 3_600_000;

/** Nor do those in a status that nobody knows. */
const FOLLOWED_PAUSED = 21 * 3_600_000;

const runsOf = ({ account }: Moment) => (account['/auto-update-history'] ??= []);

const idOf = ({ auto_update_schedule: schedule, performed_on: at }: IDataObject) =>
	`${(schedule as IDataObject).id as string}@${at as string}`;

/** Of a word that is not known, each is an event. */
const keyOf = (run: IDataObject, event: string) =>
	[idOf(run), event, ...(event === 'otherStatus' ? [run.status] : [])].join(' ');

function happened(run: IDataObject, event: string, isOptional = false): Happening {
	const { id } = run.auto_update_schedule as IDataObject;
	return { key: keyOf(run, event), event, isOptional, facts: { schedule: id } };
}

/** The runs of a history. */
const takenBy = notes<object, Set<string>>(() => new Set());

function create(moment: Moment, status: string): IDataObject | undefined {
	const { chance } = moment;
	// A schedule runs once at a time: in a burst there are many schedules.
	const id = chance.pick([...SCHEDULES, `u${moment.id()}`]);
	const run: IDataObject = {
		auto_update_schedule: { id, name: id },
		performed_on: moment.stamp(),
		task_id: status === 'no_updates' ? null : moment.id(),
		status,
		sites: [],
	};
	// No two runs have the same key, not even those of different accounts.
	const taken = takenBy(chance);
	if (taken.has(idOf(run))) return undefined;
	taken.add(idOf(run));
	runsOf(moment).push(run);
	return run;
}

/** Starts that a poll could not see before the run came into a status that nobody knows. */
const unseen = new Set<string>();

/** What comes about when a run changes; a run that ends unseen may have run or not. */
function move(run: IDataObject, status: string): Happening[] {
	const before = run.status;
	run.status = status;
	const end = ENDS[status];
	const runs = status === 'running' && before === 'initializing';
	const isEnd = end !== undefined && end !== 'noUpdates' && end !== 'otherStatus';
	const hasRunUnseen = isEnd && before === 'initializing';
	// Whether it has begun to run, a word that is not known does not say.
	if (status === PAUSED || end === 'otherStatus') unseen.add(keyOf(run, 'started'));
	return [
		...(runs ? [happened(run, 'started')] : []),
		...(hasRunUnseen ? [happened(run, 'started', true)] : []),
		...(end ? [happened(run, end)] : []),
		...(status === PAUSED ? [happened(run, 'otherStatus', true)] : []),
	];
}

export const world: World = {
	node: 'autoUpdateTrigger',
	usual: { events: ['started', 'completed', 'failed'], filter: {}, options: {} },
	choose: (chance) => ({
		events: chance.some(EVENTS),
		filter: chance.is(0.25) ? { scheduleId: chance.pick(SCHEDULES) } : {},
		options: {},
	}),
	parameters: ({ events, filter: { scheduleId } }) => ({
		events,
		output: 'raw',
		options: scheduleId === undefined ? {} : { scheduleId: locator(scheduleId) },
	}),
	matches: ({ filter: { scheduleId } }, { facts }) =>
		scheduleId === undefined || facts!.schedule === scheduleId,
	begin: (moment) => {
		for (const status of [...Object.keys(ENDS), 'running', 'initializing']) create(moment, status);
		return [];
	},
	change: (moment, isNew) => {
		const { chance } = moment;
		const open = runsOf(moment).filter(
			({ status, performed_on: at }) =>
				!ENDS[String(status)] &&
				moment.now - Date.parse(String(at)) < (status === PAUSED ? FOLLOWED_PAUSED : FOLLOWED),
		);
		if (isNew || open.length === 0 || chance.is(0.4)) {
			const run = create(moment, 'initializing');
			if (!run) return [];
			const status = chance.pick(['initializing', 'initializing', 'running', 'no_updates', 'all']);
			if (status !== 'all') return move(run, status);
			return [...move(run, 'running'), ...move(run, chance.pick(['completed', 'cancelled']))];
		}
		const run = chance.pick(open);
		const next =
			run.status === 'running' || run.status === PAUSED
				? ['completed', 'failed', 'aborted', 'cancelled', 'vanished', PAUSED, 'running']
				: ['running', 'running', 'running', 'no_updates', 'failed'];
		return move(run, chance.pick(next));
	},
	nameOf: idOf,
	blurred: () => {
		const keys = [...unseen];
		unseen.clear();
		return keys;
	},
	keyOf: (item) => keyOf(item, String(item.event)),
};

histories(world);

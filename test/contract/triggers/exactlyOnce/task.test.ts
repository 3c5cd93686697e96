import type { IDataObject } from 'n8n-workflow';
import { histories } from '../../../support/serviceModel/history';
import type { Happening, Moment, World } from '../../../support/serviceModel/scenario';
import { changeTask, createTask, ENDS, PAUSED } from '../../../support/serviceModel/tasks';
import { locator } from '../../../support/locator';

const TYPES = ['wp_site_update', 'restore', 'download'];
const SITES = ['5100000000', '5200000000'];
const EVENTS = ['started', 'completed', 'failed', 'cancelled', 'progress', 'otherStatus'];

const create = (moment: Moment, status: string) =>
	createTask(moment, status, moment.chance.pick(TYPES), moment.chance.some(SITES));

const keyOf = ({ id, event, progress, status }: IDataObject) => {
	const more: Record<string, unknown> = {
		progress: (progress as IDataObject).percent,
		otherStatus: status,
	};
	return [id, event, more[event as string]].filter((part) => part !== undefined).join(' ');
};

function eventsOf(task: IDataObject, isNew = false): Happening[] {
	const { type, input, status } = task;
	const happened = (event: string, isOptional = false): Happening => ({
		key: keyOf({ ...task, event }),
		event,
		facts: { type, input },
		isOptional,
	});
	const end = ENDS[String(status)];
	return [
		...(isNew ? [happened('started')] : []),
		...(end ? [happened(end)] : []),
		...(status === PAUSED ? [happened('otherStatus', true)] : []),
		...(status === 'running' ? [happened('progress', true)] : []),
	];
}

export const world: World = {
	node: 'taskTrigger',
	usual: { events: ['started', 'completed'], filter: {}, options: {} },
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
		return tasks.filter(({ status }) => status === 'running').flatMap((task) => eventsOf(task));
	},
	change: (moment, isNew) =>
		changeTask(moment, isNew, (status) => create(moment, status), eventsOf),
	keyOf,
	faultOf: ({ id, event, details }, { options }) =>
		options.includeStepDetails === true && !details && event !== 'progress'
			? `${id as string} has no details`
			: undefined,
};

histories(world);

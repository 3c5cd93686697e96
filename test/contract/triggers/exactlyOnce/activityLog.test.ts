import { histories } from '../../../support/serviceModel/history';
import type { Happening, Moment, World } from '../../../support/serviceModel/scenario';
import { locator } from '../../../support/locator';

const OBJECTS = ['post', 'plugin', 'user'];
const EVENTS = ['added', 'updated', 'login'];
const SITES = ['5100000000', '5200000000'];

/** The trigger has no events to choose from: each entry is one. */
const ENTRY = 'entry';

function create(moment: Moment, site = moment.chance.pick([SITES[0]!, ...SITES])): Happening {
	const { account, chance } = moment;
	const entry = {
		id: moment.id(),
		object_type: chance.pick(OBJECTS),
		event_type: chance.pick(EVENTS),
		timestamp: moment.stamp(),
	};
	for (const each of SITES) account[`/sites/${each}/activity-logs`] ??= [];
	account[`/sites/${site}/activity-logs`]!.push(entry);
	const { id, object_type: object, event_type: event } = entry;
	return { key: id, event: ENTRY, facts: { site, object, event } };
}

export const world: World = {
	node: 'activityLogTrigger',
	usual: { events: [ENTRY], filter: { siteId: SITES[0]! }, options: {} },
	choose: (chance) => ({
		events: [ENTRY],
		filter: {
			siteId: chance.is(0.8) ? SITES[0]! : SITES[1]!,
			...(chance.is(0.3) && { objectTypes: chance.some(OBJECTS) }),
			...(chance.is(0.3) && { eventTypes: chance.some(EVENTS) }),
		},
		options: {},
	}),
	parameters: ({ filter: { siteId, ...filters } }) => ({
		siteId: locator(siteId),
		filters: filters as never,
	}),
	matches: ({ filter: { siteId, objectTypes, eventTypes } }, { facts }) =>
		facts!.site === siteId &&
		(objectTypes === undefined || (objectTypes as string[]).includes(String(facts!.object))) &&
		(eventTypes === undefined || (eventTypes as string[]).includes(String(facts!.event))),
	begin: (moment) => {
		for (let left = 6; left > 0; left--) for (const site of SITES) create(moment, site);
		return [];
	},
	change: (moment) => [create(moment)],
	keyOf: ({ id }) => String(id),
};

histories(world);

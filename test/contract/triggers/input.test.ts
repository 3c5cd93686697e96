import type { INodeParameters } from 'n8n-workflow';
import { activate, eventsOf } from '../../support/engine';
import { inStep, startFleet, type Fleet } from '../../support/fleet';
import { useClock } from '../../support/transportClock';
import { locator } from '../../support/locator';

/** Bad parameters of triggers: each is named, and nothing is sent. */

let fleet: Fleet;
beforeAll(async () => {
	useClock({ now: Date.now, sleep: () => {} });
	fleet = await startFleet({ sites: 1 });
	inStep(fleet);
});
beforeEach(() => fleet.forget());

const site = locator('s1');

it.each<[node: string, what: string, parameters: INodeParameters, message: string | RegExp]>([
	['taskTrigger', 'no event', { events: [] }, 'The parameter "Events" is empty'],
	[
		'taskTrigger',
		'events without a value',
		{ events: '={{ undefined }}' },
		'The parameter "Events" has no value',
	],
	[
		'taskTrigger',
		'a blank site',
		{ events: ['failed'], filters: { siteId: locator('', 'list') } },
		'The parameter "Site" is empty',
	],
	[
		'taskTrigger',
		'a site without a value',
		{ events: ['failed'], filters: { siteId: locator('={{ undefined }}') } },
		'The parameter "Site" has no value',
	],
	[
		'taskTrigger',
		'a site that is no URL',
		{ events: ['failed'], filters: { siteId: locator('http://', 'url') } },
		'The parameter "Site" is not a URL: "http://"',
	],
	[
		'taskTrigger',
		'a type without a value',
		{ events: ['failed'], filters: { taskTypes: '={{ ["restore", undefined] }}' } },
		'The parameter "Task Types" has an entry without a value',
	],
	[
		'taskTrigger',
		'details that are neither on nor off',
		{ events: ['failed'], options: { includeStepDetails: '={{ "maybe" }}' } },
		'The parameter "Include Step Details" must be true or false: "maybe"',
	],
	[
		'taskTrigger',
		'types without a value',
		{ events: ['failed'], filters: { taskTypes: '={{ undefined }}' } },
		'The parameter "Task Types" has no value',
	],
	[
		'activityLogTrigger',
		'a blank site',
		{ siteId: locator('', 'list') },
		'The parameter "Site" is empty',
	],
	[
		'activityLogTrigger',
		'a site without a value',
		{ siteId: locator('={{ undefined }}') },
		'The parameter "Site" has no value',
	],
	[
		'activityLogTrigger',
		'a site that is no ID',
		{ siteId: locator('..') },
		'The parameter "Site" is not an ID: ".."',
	],
	[
		'activityLogTrigger',
		'a user without a value',
		{ siteId: site, filters: { username: '={{ undefined }}' } },
		'The parameter "Username" has no value',
	],
	[
		'activityLogTrigger',
		'object types without a value',
		{ siteId: site, filters: { objectTypes: '={{ undefined }}' } },
		'The parameter "Object Types" has no value',
	],
])('%s: %s is refused', async (node, _what, parameters, message) => {
	const { poll, test } = await activate(fleet, { node, parameters });
	await expect(poll()).rejects.toThrow(message);
	await expect(test()).rejects.toThrow(message);
	expect(fleet.sent()).toEqual([]);
});

it.each([
	'autoUpdateTrigger',
	'backupTrigger',
	'reportTrigger',
	'siteTrigger',
	'stagingSiteTrigger',
	'taskTrigger',
])('%s: an unknown event is refused, and those that there are named', async (node) => {
	const known = (await eventsOf(node)).map((event) => `"${event}"`).join(', ');
	const { poll } = await activate(fleet, { node, parameters: { events: ['exploded'] } });
	await expect(poll()).rejects.toThrow(
		`The parameter "Events" is "exploded", which is not one of ${known}`,
	);
	expect(fleet.sent()).toEqual([]);
});

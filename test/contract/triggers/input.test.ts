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

const none = '={{ undefined }}';
const site = (value: string, mode?: 'list' | 'url') => ({ siteId: locator(value, mode) });
const filters = (more: INodeParameters) => ({ filters: more });
const options = (more: INodeParameters) => ({ options: more });
const sites = (siteIds: INodeParameters[string]) => ({ scope: 'sites', siteIds });

/** By the trigger, with an event that it has: what is wrong beside that, and what the error says of it. */
const bad: Record<string, [event: string, ...Array<[INodeParameters, string]>]> = {
	taskTrigger: [
		'failed',
		[{ events: [] }, '"Events" is empty'],
		[{ events: none }, '"Events" has no value'],
		[filters(site('', 'list')), '"Site" is empty'],
		[filters(site(none)), '"Site" has no value'],
		[filters(site('http://', 'url')), '"Site" is not a URL: "http://"'],
		[
			filters({ taskTypes: '={{ ["restore", undefined] }}' }),
			'"Task Types" has an entry without a value',
		],
		[filters({ taskTypes: none }), '"Task Types" has no value'],
		[
			options({ includeStepDetails: '={{ "maybe" }}' }),
			'"Include Step Details" must be true or false: "maybe"',
		],
	],
	activityLogTrigger: [
		'',
		[site('', 'list'), '"Site" is empty'],
		[site(none), '"Site" has no value'],
		[site('..'), '"Site" is not an ID: ".."'],
		[{ ...site('s1'), ...filters({ username: none }) }, '"Username" has no value'],
		[{ ...site('s1'), ...filters({ objectTypes: none }) }, '"Object Types" has no value'],
	],
	autoUpdateTrigger: [
		'completed',
		[options({ scheduleId: locator('', 'list') }), '"Schedule" is empty'],
		[
			{ itemsPer: '={{ "week" }}' },
			'"One Item For" is "week", which is not one of "component", "run", "site"',
		],
	],
	backupTrigger: [
		'backupOverdue',
		[{ overdueHours: 0.5 }, '"Overdue After (Hours)" must be at least 1'],
		[{ overdueHours: '={{ "a day" }}' }, '"Overdue After (Hours)" is not a number: "a day"'],
		[{ checkEveryMinutes: 0 }, '"Check Every (Minutes)" must be at least 1'],
		[
			options({ includeSitesWithoutBackups: '={{ "perhaps" }}' }),
			'"Include Sites Without Backups" must be true or false: "perhaps"',
		],
	],
	reportTrigger: [
		'opened',
		[{ events: ['={{ "sent" }}'] }, '"Events" is "sent", which is not one of '],
		[filters({ clientId: locator(none) }), '"Client" has no value'],
		[filters(site('not a url', 'url')), '"Site" is not a URL: "not a url"'],
		[filters({ type: '={{ ["scheduled"] }}' }), '"Type" takes one value, not a list'],
		[options({ followDays: 0 }), '"Follow Emails For (Days)" must be at least 1'],
		[options({ followDays: 31 }), '"Follow Emails For (Days)" must be at most 30'],
		[options({ followDays: 1.5 }), '"Follow Emails For (Days)" must be a whole number: 1.5'],
	],
	siteTrigger: [
		'down',
		[{ events: '={{ ["down", null] }}' }, '"Events" has an entry without a value'],
		[{ scope: 'some' }, '"Sites" is "some", which is not one of'],
		[{ scope: 'tag', tagId: locator(' ') }, '"Tag" is empty'],
		[{ scope: 'client', clientId: locator(none) }, '"Client" has no value'],
		[sites([]), '"Site Names or IDs" is empty'],
		[sites(' , '), '"Site Names or IDs" is empty'],
		[sites('={{ [null] }}'), '"Site Names or IDs" has an entry without a value'],
		[
			{ ...sites(['f0f0f0f0f0f0f0f0f0f0f0f0']), events: ['siteAdded'] },
			'"Events" includes "Site Added", which cannot happen to sites that you choose one by one',
		],
		[{ output: 'selected', outputFields: [] }, '"Fields" is empty'],
		[options({ exceptTagIds: '={{ [] }}' }), '"Except Tag Names or IDs" is empty'],
	],
	stagingSiteTrigger: [
		'expiresSoon',
		[{ hoursBefore: 0 }, '"Hours Before Expiry" must be at least 1'],
		[{ hoursBefore: none }, '"Hours Before Expiry" has no value'],
	],
};

describe.each(Object.entries(bad))('%s', (node, [event, ...cases]) => {
	it.each(cases)('refuses %j: %s', async (parameters, message) => {
		const events = event ? { events: [event] } : {};
		const { poll, test } = await activate(fleet, {
			node,
			parameters: { ...events, ...parameters },
		});
		const refusal = {
			message: expect.stringContaining(`The parameter ${message}`),
			description: expect.stringContaining('Nothing was sent'),
		};
		await expect(poll()).rejects.toMatchObject(refusal);
		await expect(test()).rejects.toMatchObject(refusal);
		expect(fleet.sent()).toEqual([]);
	});

	if (event) {
		it('refuses an unknown event, and names those that there are', async () => {
			const known = (await eventsOf(node)).map((each) => `"${each}"`).join(', ');
			const { poll } = await activate(fleet, { node, parameters: { events: ['exploded'] } });
			await expect(poll()).rejects.toThrow(
				`The parameter "Events" is "exploded", which is not one of ${known}`,
			);
			expect(fleet.sent()).toEqual([]);
		});
	}
});

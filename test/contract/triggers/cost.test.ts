import type { INodeParameters } from 'n8n-workflow';
import { activate, description } from '../../support/engine';
import { locator } from '../../support/badInput';
import { inStep, startFleet, type Fleet } from '../../support/fleet';

/** What a poll costs when nothing has happened, whatever the size of the fleet. */

const SIZES = [100, 1_000, 10_000];

const eventsOf = async (node: string) => {
	const { properties } = await description(node);
	const events = properties.find(({ name }) => name === 'events')!.options!;
	return events.map((event) => ('value' in event ? String(event.value) : ''));
};

describe.each(SIZES)('with %i sites', (sites) => {
	let fleet: Fleet;
	beforeAll(async () => {
		fleet = await startFleet({ sites });
		inStep(fleet);
		// What the fleet begins with has ended by then.
		fleet.clock.advance(3_600_000);
	});
	afterAll(async () => await fleet.service.close());

	const requestsOfAQuietPoll = async (node: string, parameters: INodeParameters) => {
		const { poll } = await activate(fleet.service, { node, parameters });
		await poll();
		fleet.clock.advance(300_000);
		await poll();
		fleet.forget();
		expect(await poll()).toBeNull();
		return fleet.sent().length;
	};

	it.each(['taskTrigger', 'autoUpdateTrigger'])('%s with all its events: one', async (node) => {
		expect(await requestsOfAQuietPoll(node, { events: await eventsOf(node) })).toBe(1);
	});

	it('reportTrigger for new reports: one', async () => {
		expect(await requestsOfAQuietPoll('reportTrigger', { events: ['created'] })).toBe(1);
	});

	it('activityLogTrigger: one', async () => {
		const { world } = fleet.service;
		const site = world.store.sites.peek().find(({ activity_logs }) => activity_logs.enabled)!;
		const parameters = { siteId: locator('id', site.id) };
		expect(await requestsOfAQuietPoll('activityLogTrigger', parameters)).toBe(1);
	});

	it('siteTrigger: one for each list that the chosen events need, six for all ten events', async () => {
		const events = await eventsOf('siteTrigger');
		expect(events).toHaveLength(10);
		expect(await requestsOfAQuietPoll('siteTrigger', { events })).toBe(6);
		expect(
			await requestsOfAQuietPoll('siteTrigger', { events: ['disconnected', 'reconnected'] }),
		).toBe(1);
	});
});

import axios from 'axios';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { TaskOrder } from '../../../sandbox/service/engine/taskRows';
import { takeViolations } from '../../support/checkAnswers';
import { activate, everyEventHasExample } from '../../support/engine';
import { inStep, startFleet, type Fleet } from '../../support/fleet';
import { startTaskNow } from '../../../sandbox/service/engine/tasks';
import { useClock } from '../../support/transportClock';
import { locator } from '../../support/locator';

/** What the task trigger adds to the shared polling: its events, filters and details. */

let fleet: Fleet;
let siteIds: string[];

beforeEach(async () => {
	useClock({ now: () => fleet.clock.now(), sleep: () => {} });
	fleet = await startFleet({ sites: 5 });
	inStep(fleet);
	siteIds = (await fleet.sites(5)).map(({ id }) => id as string);
});
afterEach(async () => await fleet.close());

const trigger = async (parameters: INodeParameters) =>
	await activate(fleet, { node: 'taskTrigger', parameters: { output: 'raw', ...parameters } });

/** A task on the first site that ends after a minute of the service's time. */
const startTask = (more: Partial<TaskOrder> = {}) =>
	startTaskNow(fleet.world, {
		type: 'download',
		siteIds: [siteIds[0]!],
		durationMs: 60_000,
		...more,
	}).id;

/** What was emitted, as `started 9b1f`. */
const told = (items: IDataObject[] | null) =>
	(items ?? []).map(({ event, id }) => `${event as string} ${id as string}`);

const queries = () => fleet.sent().map(({ query }) => query);

it('a task starts, goes on and ends', async () => {
	const { poll } = await trigger({ events: ['started', 'progress', 'completed'] });
	await poll();
	fleet.clock.advance(1_000);
	const id = startTask({ siteIds: siteIds.slice(0, 4) });
	const seen: string[] = [];
	const percents: unknown[] = [];
	for (let second = 0; second < 90; second += 5) {
		const items = await poll();
		seen.push(...told(items));
		for (const { event, progress } of items ?? []) {
			if (event === 'progress') percents.push((progress as IDataObject).percent);
		}
		fleet.clock.advance(5_000);
	}
	expect(seen[0]).toBe(`started ${id}`);
	expect(seen.at(-1)).toBe(`completed ${id}`);
	expect(percents).toEqual([0, 25, 50, 75]);
	expect(seen).toHaveLength(6);
});

it('a task that has ended by the time of the poll is also reported as started', async () => {
	const { poll } = await trigger({ events: ['started', 'failed'] });
	await poll();
	fleet.clock.advance(1_000);
	const id = startTask({ outcome: 'failed' });
	fleet.clock.advance(120_000);
	expect(told(await poll())).toEqual([`started ${id}`, `failed ${id}`]);
	fleet.clock.advance(120_000);
	expect(await poll()).toBeNull();
});

it('a task that somebody stops is reported as cancelled, once', async () => {
	const { poll } = await trigger({ events: ['completed', 'cancelled'] });
	await poll();
	fleet.clock.advance(1_000);
	const id = startTask();
	fleet.clock.advance(30_000);
	await fleet.api.post(`/tasks/${id}/cancel`);
	expect(told(await poll())).toEqual([`cancelled ${id}`]);
	fleet.clock.advance(120_000);
	expect(await poll()).toBeNull();
});

it.each(['after it was emitted', 'before the activation'])(
	'a task that changes again is not reported when it ended %s',
	async (when) => {
		const emitted = when === 'after it was emitted';
		const { poll } = await trigger({ events: ['completed', 'failed'] });
		if (emitted) await poll();
		const id = startTask();
		fleet.clock.advance(120_000);
		if (emitted) expect(told(await poll())).toEqual([`completed ${id}`]);
		// More than a page, so that the first poll has to look further back for it.
		for (let index = 0; index < 120; index++) startTask();
		fleet.clock.advance(3_600_000);
		await poll();
		const task = fleet.world.store.tasks.get(id)!;
		for (const ms of [0, 60_000, 600_000]) {
			fleet.clock.advance(ms);
			task.updated_at = fleet.world.timestamp();
			expect(told(await poll())).not.toContain(`completed ${id}`);
		}
	},
);

describe('a status that nobody knows', () => {
	// Words that the service of the sandbox never says.
	afterEach(() => void takeViolations());

	/** A task in that status, perhaps after the service has touched it again. */
	const setStatus = (id: string, status: string) =>
		Object.assign(fleet.world.store.tasks.get(id)!, {
			status,
			updated_at: fleet.world.timestamp(),
		});

	it('is an event of its own, once for each word, and no end', async () => {
		const { poll } = await trigger({
			events: ['completed', 'failed', 'cancelled', 'otherStatus'],
		});
		await poll();
		const id = startTask({ durationMs: 36_000_000 });
		fleet.clock.advance(30_000);
		for (const [status, expected] of [
			['paused', [`otherStatus ${id}`]],
			['Paused ', []],
			['running', []],
			['paused', []],
			['on_hold', [`otherStatus ${id}`]],
			[' Completed', [`completed ${id}`]],
			['paused', []],
		] as const) {
			setStatus(id, status);
			expect(told(await poll())).toEqual(expected);
			expect(await poll()).toBeNull();
			fleet.clock.advance(60_000);
		}
	});

	it('of 2,000 tasks a day fits next to the followed tasks, and each is reported', async () => {
		const { poll, state } = await trigger({ events: ['completed', 'otherStatus'] });
		await poll();
		fleet.clock.advance(1_000);
		const watched = Array.from({ length: 50 }, () => startTask({ durationMs: 200 * 3_600_000 }));
		await poll();
		let largest = 0;
		for (let hour = 0; hour < 30; hour++) {
			const odd = Array.from({ length: 2_000 / 24 }, (_, index) => {
				fleet.clock.advance(40_000);
				const id = startTask({ durationMs: 200 * 3_600_000 });
				setStatus(id, `odd ${index % 7}`);
				return id;
			});
			// Others of the fleet end meanwhile.
			const found = told(await poll()).filter((each) => each.startsWith('other'));
			expect(found.sort()).toEqual(odd.map((id) => `otherStatus ${id}`).sort());
			largest = Math.max(largest, JSON.stringify(state()).length);
		}
		for (const id of watched) setStatus(id, 'completed');
		expect(told(await poll()).sort()).toEqual(watched.map((id) => `completed ${id}`).sort());
		process.stdout.write(`2,000 tasks a day in unknown states: ${largest} bytes of state\n`);
		expect(largest).toBeLessThan(64 * 1024);
	});
});

describe('filters', () => {
	it('one type goes into the query', async () => {
		const { poll } = await trigger({
			events: ['completed'],
			filters: { taskTypes: ['wp_site_update'] },
		});
		await poll();
		startTask();
		const id = startTask({ type: 'wp_site_update' });
		fleet.clock.advance(120_000);
		fleet.forget();
		expect(told(await poll())).toEqual([`completed ${id}`]);
		expect(queries()).toEqual([expect.objectContaining({ 'filters[type:eq]': 'wp_site_update' })]);
	});

	it('the trigger filters by several types', async () => {
		const { poll } = await trigger({
			events: ['completed'],
			filters: { taskTypes: ['wp_site_update', 'speed'] },
		});
		await poll();
		startTask();
		const wanted = [startTask({ type: 'wp_site_update' }), startTask({ type: 'speed' })];
		fleet.clock.advance(120_000);
		fleet.forget();
		expect((await poll())!.map(({ id }) => id).sort()).toEqual(wanted.sort());
		expect(queries().flatMap(Object.keys)).not.toContain('filters[type:eq]');
	});

	it('a site chosen by URL is looked up once an hour', async () => {
		const [, , site] = await fleet.sites(3);
		const { poll } = await trigger({
			events: ['completed'],
			filters: { siteId: locator(site!.url, 'url') },
		});
		await poll();
		expect(fleet.sent().map(({ route }) => route)).toContain('GET /sites');
		const wanted = startTask({ siteIds: [site!.id as string] });
		startTask();
		fleet.clock.advance(120_000);
		fleet.forget();
		expect(told(await poll())).toEqual([`completed ${wanted}`]);
		expect(fleet.sent().map(({ route }) => route)).toEqual(['GET /tasks']);
		fleet.clock.advance(3_600_000);
		await poll();
		expect(fleet.sent().map(({ route }) => route)).toContain('GET /sites');
	});
});

describe('with step details', () => {
	const parameters = { events: ['completed'], options: { includeStepDetails: true } };

	it('an item has the steps of its sites; only what is emitted is asked for', async () => {
		const { poll } = await trigger(parameters);
		await poll();
		const id = startTask();
		startTask({ outcome: 'failed' });
		fleet.clock.advance(120_000);
		fleet.forget();
		const items = await poll();
		expect(items).toEqual([
			expect.objectContaining({
				event: 'completed',
				id,
				status: 'completed',
				details: {
					sites: [expect.objectContaining({ id: siteIds[0], steps: [expect.anything()] })],
				},
			}),
		]);
		expect(fleet.sent().map(({ route }) => route)).toEqual(['GET /tasks', `GET /tasks/${id}`]);
		fleet.forget();
		await poll();
		expect(fleet.sent().map(({ route }) => route)).toEqual(['GET /tasks']);
	});

	it('a task that is gone by then is emitted without them', async () => {
		const { poll } = await trigger(parameters);
		await poll();
		const id = startTask();
		fleet.clock.advance(120_000);
		fleet.world.onPage = () => void fleet.world.store.tasks.delete(id);
		const items = await poll();
		expect(told(items)).toEqual([`completed ${id}`]);
		expect(items![0]).not.toHaveProperty('details');
	});

	it('a task that cannot be read delays no other, and comes without them later', async () => {
		const { poll } = await trigger(parameters);
		await poll();
		const bad = startTask();
		const admin = fleet.baseUrl.replace('/api/v6', '/_sandbox');
		await axios.post(`${admin}/faults`, { server_errors: { path: `/tasks/${bad}` } });
		const good = startTask();
		fleet.clock.advance(120_000);
		expect(told(await poll())).toEqual([`completed ${good}`]);
		for (let polls = 0; polls < 3; polls++) expect(await poll()).toBeNull();
		fleet.clock.advance(300_000);
		const late = await poll();
		expect(told(late)).toEqual([`completed ${bad}`]);
		expect(late![0]).not.toHaveProperty('details');
		expect(await poll()).toBeNull();
	});

	it('a test run has them, too', async () => {
		const { test } = await trigger(parameters);
		startTask();
		fleet.clock.advance(120_000);
		expect((await test())![0]).toHaveProperty('details.sites');
	});
});

it('an item has what a message needs, by default', async () => {
	const { poll } = await trigger({ events: ['completed'], output: 'simplified' });
	await poll();
	const names = ['Bakery', 'Florist', 'Garage', 'School'];
	const sites = names.map((title, index) => ({
		id: siteIds[index],
		title,
		url: `https://${title.toLowerCase()}.example.com`,
	}));
	startTask({ type: 'wp_site_update', siteIds: siteIds.slice(0, 4), input: { sites } });
	startTask({ type: 'restore', input: { sites: sites.slice(0, 1) } });
	startTask({ type: 'staging' });
	fleet.clock.advance(120_000);
	const items = (await poll())!.sort((a, b) => String(a.type).localeCompare(String(b.type)));
	const [site] = await fleet.sites(1);
	expect(items).toEqual([
		expect.objectContaining({
			type_name: 'Backup Restore',
			started_at: expect.any(String),
			ended_at: expect.any(String),
			duration_seconds: 60,
			site_count: 1,
			site_id: siteIds[0],
			site_title: 'Bakery',
			site_url: 'https://bakery.example.com',
			site_titles: 'Bakery',
		}),
		expect.objectContaining({
			type_name: 'Staging Creation',
			site_title: site!.title,
			site_url: site!.url,
		}),
		expect.objectContaining({
			type_name: 'Site Update',
			site_count: 4,
			site_id: null,
			site_title: null,
			site_url: null,
			site_titles: 'Bakery, Florist, Garage',
		}),
	]);
	for (const { started_at: from, ended_at: to } of items) {
		expect(Date.parse(String(to)) - Date.parse(String(from))).toBe(60_000);
	}
});

it('a URL of no site is refused', async () => {
	const { poll } = await trigger({
		events: ['failed'],
		filters: { siteId: locator('https://nowhere.example.com', 'url') },
	});
	await expect(poll()).rejects.toThrow(
		'No site with the URL "https://nowhere.example.com" was found',
	);
});

everyEventHasExample('taskTrigger');

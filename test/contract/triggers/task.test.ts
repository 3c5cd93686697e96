import type { IDataObject } from 'n8n-workflow';
import type { TaskOrder } from '../../../sandbox/service/engine/taskRows';
import { startTaskNow } from '../../../sandbox/service/engine/tasks';
import { takeViolations } from '../../support/checkAnswers';
import { everyEventHasExample } from '../../support/engine';
import { HOUR, MINUTE, told, watching } from '../../support/watching';

/** What the task trigger adds to the shared polling: its events, filters and details. */

let siteIds: string[];
const { fleet, begun } = watching('taskTrigger', 5, ({ world }) => {
	siteIds = world.store.sites.peek().map(({ id }) => id);
});

/** A task on the first site that ends after a minute of the service's time. */
const startTask = (more: Partial<TaskOrder> = {}) =>
	startTaskNow(fleet.world, {
		type: 'download',
		siteIds: [siteIds[0]!],
		durationMs: MINUTE,
		...more,
	}).id;

it('a task starts, goes on and ends', async () => {
	const { poll } = await begun(['started', 'progress', 'completed']);
	fleet.clock.advance(1_000);
	const id = startTask({ siteIds: siteIds.slice(0, 4) });
	const seen: string[] = [];
	for (let second = 0; second < 90; second += 5) {
		for (const { event, id: of, progress } of (await poll()) ?? []) {
			expect(of).toBe(id);
			seen.push(event === 'progress' ? `${(progress as IDataObject).percent} %` : String(event));
		}
		fleet.clock.advance(5_000);
	}
	expect(seen).toEqual(['started', '0 %', '25 %', '50 %', '75 %', 'completed']);
});

it('a task that fails or that somebody stops has an event of its own, and its start, once', async () => {
	const { poll } = await begun(['started', 'completed', 'failed', 'cancelled']);
	fleet.clock.advance(1_000);
	const [failing, stopped] = [startTask({ outcome: 'failed' }), startTask()];
	await fleet.api.post(`/tasks/${stopped}/cancel`);
	fleet.clock.advance(2 * MINUTE);
	const ends = [`failed ${failing}`, `cancelled ${stopped}`];
	const all = [...ends, `started ${failing}`, `started ${stopped}`];
	expect(told(await poll())).toEqual(all.sort());
	fleet.clock.advance(2 * MINUTE);
	expect(await poll()).toBeNull();
});

describe('a status that nobody knows', () => {
	// Words that the service of the sandbox never says.
	afterEach(() => void takeViolations());

	/** A task in that status, perhaps after the service has touched it again. */
	const setStatus = (id: string, status: string) =>
		Object.assign(fleet.world.store.tasks.get(id)!, {
			status,
			updated_at: fleet.world.timestamp(),
		});

	it('of 2,000 tasks a day fits next to the followed tasks, and each is reported', async () => {
		const { poll, state } = await begun(['completed', 'otherStatus']);
		fleet.clock.advance(1_000);
		const watched = Array.from({ length: 50 }, () => startTask({ durationMs: 200 * HOUR }));
		await poll();
		let largest = 0;
		for (let hour = 0; hour < 30; hour++) {
			const odd = Array.from({ length: 2_000 / 24 }, (_, index) => {
				fleet.clock.advance(40_000);
				const id = startTask({ durationMs: 200 * HOUR });
				setStatus(id, `odd ${index % 7}`);
				return id;
			});
			// Others of the fleet end meanwhile.
			const found = told(await poll()).filter((each) => each.startsWith('other'));
			expect(found).toEqual(odd.map((id) => `otherStatus ${id}`).sort());
			largest = Math.max(largest, JSON.stringify(state()).length);
		}
		for (const id of watched) setStatus(id, 'completed');
		expect(told(await poll())).toEqual(watched.map((id) => `completed ${id}`).sort());
		process.stdout.write(`2,000 tasks a day in unknown states: ${largest} bytes of state\n`);
		expect(largest).toBeLessThan(64 * 1024);
	});
});

it.each([
	['one type goes into the query', ['wp_site_update']],
	['the trigger filters by several types', ['wp_site_update', 'speed']],
] as const)('%s', async (_, taskTypes) => {
	const { poll } = await begun(['completed'], { filters: { taskTypes: [...taskTypes] } });
	startTask();
	const wanted = taskTypes.map((type) => `completed ${startTask({ type })}`);
	fleet.clock.advance(2 * MINUTE);
	fleet.forget();
	expect(told(await poll())).toEqual(wanted.sort());
	const [type] = taskTypes.length === 1 ? taskTypes : [];
	expect(fleet.sent().map(({ query }) => query['filters[type:eq]'])).toEqual([type]);
});

describe('with step details', () => {
	const detailed = async () =>
		await begun(['completed'], { options: { includeStepDetails: true } });

	it('an item has the steps of its sites; only what is emitted is asked for', async () => {
		const { poll, test } = await detailed();
		const id = startTask();
		startTask({ outcome: 'failed' });
		fleet.clock.advance(2 * MINUTE);
		fleet.forget();
		const [item, ...others] = (await poll())!;
		expect(item).toMatchObject({ event: 'completed', id, status: 'completed' });
		expect(item!.details).toMatchObject({ sites: [{ id: siteIds[0], steps: [{}] }] });
		expect(others).toEqual([]);
		expect(fleet.routes()).toEqual(['GET /tasks', `GET /tasks/${id}`]);
		fleet.forget();
		await poll();
		expect(fleet.routes()).toEqual(['GET /tasks']);
		expect((await test())![0]).toHaveProperty('details.sites');
	});

	it('a task that is gone by then is emitted without them', async () => {
		const { poll } = await detailed();
		const id = startTask();
		fleet.clock.advance(2 * MINUTE);
		fleet.world.onPage = () => void fleet.world.store.tasks.delete(id);
		const items = await poll();
		expect(told(items)).toEqual([`completed ${id}`]);
		expect(items![0]).not.toHaveProperty('details');
	});

	it('a task that cannot be read delays no other, and comes without them later', async () => {
		const { poll } = await detailed();
		const bad = startTask();
		await fleet.admin.post('/faults', { server_errors: { path: `/tasks/${bad}` } });
		const good = startTask();
		fleet.clock.advance(2 * MINUTE);
		expect(told(await poll())).toEqual([`completed ${good}`]);
		for (let polls = 0; polls < 3; polls++) expect(await poll()).toBeNull();
		fleet.clock.advance(5 * MINUTE);
		const late = await poll();
		expect(told(late)).toEqual([`completed ${bad}`]);
		expect(late![0]).not.toHaveProperty('details');
		expect(await poll()).toBeNull();
	});
});

it('an item has what a message needs, simplified', async () => {
	const { poll } = await begun(['completed'], { output: 'simplified' });
	const sites = ['Bakery', 'Florist', 'Garage', 'School'].map((title, index) => ({
		id: siteIds[index],
		title,
		url: `https://${title.toLowerCase()}.example.com`,
	}));
	startTask({ type: 'wp_site_update', siteIds: siteIds.slice(0, 4), input: { sites } });
	startTask({ type: 'restore', input: { sites: sites.slice(0, 1) } });
	startTask({ type: 'staging' });
	fleet.clock.advance(2 * MINUTE);
	const items = (await poll())!.sort((a, b) => String(a.type).localeCompare(String(b.type)));
	const { title: site_title, url: site_url } = fleet.world.store.sites.get(siteIds[0]!)!;
	expect(items).toMatchObject([
		{
			type_name: 'Backup Restore',
			duration_seconds: 60,
			site_count: 1,
			site_id: siteIds[0],
			site_title: 'Bakery',
			site_url: 'https://bakery.example.com',
			site_titles: 'Bakery',
		},
		{ type_name: 'Staging Creation', site_title, site_url },
		{
			type_name: 'Site Update',
			site_count: 4,
			site_id: null,
			site_title: null,
			site_url: null,
			site_titles: 'Bakery, Florist, Garage',
		},
	]);
	for (const { started_at: from, ended_at: to } of items)
		expect(Date.parse(String(to)) - Date.parse(String(from))).toBe(MINUTE);
});

everyEventHasExample('taskTrigger');

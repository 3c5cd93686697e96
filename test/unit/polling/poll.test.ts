import type { IDataObject } from 'n8n-workflow';
import { withNames } from '../../../nodes/shared/node';
import { filtersOf } from '../../../nodes/shared/polling/sources';
import { siteByUrl } from '../../../nodes/shared/input/convert';
import { clock } from '../../../nodes/shared/lib';
import { triggerOf } from '../../support/items';
import {
	activate,
	beginAtNoon,
	iso,
	MINUTE,
	PAGE,
	polledOf,
	SECOND,
	Service,
	settle,
	state,
	time,
	timed,
} from '../../support/pollLists';
import type { Polled, StateFeed } from '../../../nodes/shared/polling/feed';

/** A poll from the request to the item; the histories of `exactlyOnce` run through n8n. */

beforeEach(() => beginAtNoon());
afterEach(() => void jest.restoreAllMocks());

it('records from before the activation are not reported; later ones are, once', async () => {
	const service = new Service();
	service.write('a', { status: 'open' });
	settle();
	const trigger = activate(service, polledOf({ things: timed() }));
	expect(await trigger.poll()).toBeNull();
	expect(await trigger.poll()).toBeNull();
	settle();
	service.write('a', { status: 'done' });
	service.write('b', { status: 'open' });
	expect(await trigger.poll()).toEqual(['a done', 'b open']);
	expect(await trigger.poll()).toBeNull();
	trigger.restart();
	settle();
	expect(await trigger.poll()).toBeNull();
	expect(trigger.warned).toEqual([]);
});

it('only chosen events are reported, and added ones start with the edit', async () => {
	const service = new Service();
	const trigger = activate(service, polledOf({ things: timed() }, { events: ['done'] }));
	await trigger.poll();
	settle();
	service.write('a', { status: 'open' });
	expect(await trigger.poll()).toBeNull();
	trigger.change({ events: ['done', 'open'] });
	settle();
	service.write('b', { status: 'open' });
	// What has happened until it is noticed is not told.
	expect(await trigger.poll()).toBeNull();
	settle();
	service.write('a', { status: 'done' });
	service.write('c', { status: 'open' });
	expect(await trigger.poll()).toEqual(['a done', 'c open']);
});

it('a feed that reads something else is a new start, as is another account', async () => {
	const service = new Service();
	const trigger = activate(service, polledOf({ things: timed() }));
	await trigger.poll();
	settle();
	service.write('a', { status: 'open' });
	trigger.change({ feeds: { things: timed({ choice: 'another' }) } });
	expect(await trigger.poll()).toBeNull();
	settle();
	service.write('b', { status: 'open' });
	expect(await trigger.poll()).toEqual(['b open']);
});

describe('a state', () => {
	async function begun(more: Partial<StateFeed> = {}, polled: Partial<Polled> = {}) {
		const service = new Service();
		service.write('a', { state: 'in' }, 'others');
		settle();
		const trigger = activate(service, polledOf({ others: state(more) }, polled));
		await trigger.poll();
		settle();
		return { service, trigger };
	}

	it('is entered and left', async () => {
		const { service, trigger } = await begun();
		service.write('b', { state: 'in' }, 'others');
		expect(await trigger.poll()).toEqual(['b in']);
		settle();
		service.write('a', { state: 'out' }, 'others');
		expect(await trigger.poll()).toEqual(['a out']);
		expect(await trigger.poll()).toBeNull();
	});

	it('is read over as many pages as it has, by creation', async () => {
		const service = new Service();
		for (let index = 0; index < 2.5 * PAGE; index++) {
			service.write(`m${index}`, { state: 'in' }, 'others');
			time.now += SECOND;
		}
		settle();
		const trigger = activate(service, polledOf({ others: state() }));
		expect(await trigger.poll()).toBeNull();
		expect(service.asked.length).toBeLessThan(8);
		settle();
		service.write('new', { state: 'in' }, 'others');
		service.write('m7', { state: 'out' }, 'others');
		expect((await trigger.poll())!.sort()).toEqual(['m7 out', 'new in']);
	});

	it('concerns only what is in the scope', async () => {
		const { service, trigger } = await begun({ concerns: ({ id }) => id !== 'b' });
		service.write('b', { state: 'in' }, 'others');
		service.write('c', { state: 'in' }, 'others');
		expect(await trigger.poll()).toEqual(['c in']);
	});

	it('shows what has left it where only that is chosen', async () => {
		const { service, trigger } = await begun({}, { events: ['out'] });
		await expect(trigger.test()).rejects.toThrow('Nothing is there');
		service.write('a', { state: 'out' }, 'others');
		service.write('b', { state: 'in' }, 'others');
		expect((await trigger.test())!.map(({ json }) => [json.event, json.id])).toEqual([
			['out', 'a'],
		]);
	});
});

describe('a test run', () => {
	it('shows the newest five with the last that has happened, and leaves the state alone', async () => {
		const service = new Service();
		for (let index = 0; index < 7; index++) {
			service.write(`${index}`, { status: 'open' });
			time.now += SECOND;
		}
		const shape = (json: IDataObject) => ({ is: `${String(json.id)} ${String(json.event)}` });
		const trigger = activate(service, polledOf({ things: timed() }, { shape }));
		expect(await trigger.test()).toEqual(
			[6, 5, 4, 3, 2].map((id) => ({ json: { is: `${id} open` } })),
		);
		expect(trigger.state()).toEqual({});
	});

	it('says what to do where there is nothing to show', async () => {
		const trigger = activate(new Service(), polledOf({ things: timed() }));
		await expect(trigger.test()).rejects.toMatchObject({
			message: 'Nothing is there',
			description: 'Make a thing',
		});
	});

	it('has details, or the item without them', async () => {
		const service = new Service();
		service.write('a', { status: 'open' });
		service.write('b', { status: 'open' });
		const details = {
			read: async (_: unknown, json: IDataObject) =>
				json.id === 'a' ? { json: { with: json.id } } : undefined,
			without: (json: IDataObject) => ({ json: { without: json.id } }),
			waitMs: 0,
			tries: 1,
		};
		const trigger = activate(service, polledOf({ things: timed() }, { details }));
		expect((await trigger.test())!.map(({ json }) => json)).toEqual(
			expect.arrayContaining([{ with: 'a' }, { without: 'b' }]),
		);
	});
});

describe('details', () => {
	/** A trigger that reads details, which are there from a number of tries on. */
	async function withDetails(thereAfter: Record<string, number>, more: object = {}) {
		const service = new Service();
		const tries: Record<string, number> = {};
		const details = {
			read: async (_: unknown, json: IDataObject) => {
				const id = String(json.id);
				tries[id] = (tries[id] ?? 0) + 1;
				return tries[id] > (thereAfter[id] ?? 0) ? { json: { ...json, details: true } } : undefined;
			},
			without: (json: IDataObject) => ({ json: { ...json, details: false } }),
			waitMs: 5 * MINUTE,
			tries: 3,
			...more,
		};
		const shape = (json: IDataObject) => ({ id: json.id, event: json.details });
		const trigger = activate(service, polledOf({ things: timed() }, { details, shape }));
		await trigger.poll();
		settle();
		return { service, trigger, tries };
	}

	/** Details that show that what has this text in its id is not wanted. */
	const wantedBut = (id: string) => ({
		read: async (_: unknown, json: IDataObject) =>
			String(json.id).startsWith(id) ? null : { json: { ...json, details: true } },
	});

	it('that show that an event is not wanted drop it, for good', async () => {
		const { service, trigger } = await withDetails({}, wantedBut('un'));
		service.write('unwanted', { status: 'open' });
		service.write('a', { status: 'open' });
		expect(await trigger.poll()).toEqual(['a true']);
		expect(trigger.state()).not.toHaveProperty('awaited');
		time.now += MINUTE;
		expect(await trigger.poll()).toBeNull();
	});

	it('that show that a sample is not wanted leave room for others', async () => {
		const { service, trigger } = await withDetails({}, wantedBut('un'));
		service.write('a', { status: 'open' });
		for (let index = 0; index < 9; index++) {
			time.now += SECOND;
			service.write(`un${index}`, { status: 'open' });
		}
		expect((await trigger.test())!.map(({ json }) => json.id)).toEqual(['a']);
		for (let index = 0; index < 25; index++) {
			time.now += SECOND;
			service.write(`un${10 + index}`, { status: 'open' });
		}
		await expect(trigger.test()).rejects.toThrow('Nothing is there');
	});

	it('of other feeds hold up none that has no details', async () => {
		const { service, trigger } = await withDetails({ a: Infinity }, { feeds: ['others'] });
		for (let index = 0; index < 150; index++) service.write(`t${index}`, { status: 'open' });
		service.write('a', { status: 'open' });
		expect(await trigger.poll()).toHaveLength(151);
		expect(trigger.state()).not.toHaveProperty('awaited');
	});

	it('are read for each item', async () => {
		const { service, trigger } = await withDetails({});
		service.write('a', { status: 'open' });
		expect(await trigger.poll()).toEqual(['a true']);
	});

	it('that are not there yet are waited for; others do not wait', async () => {
		const { service, trigger, tries } = await withDetails({ a: 2 });
		service.write('a', { status: 'open' });
		service.write('b', { status: 'open' });
		expect(await trigger.poll()).toEqual(['b true']);
		expect(trigger.state()).toMatchObject({ awaited: [{ json: { id: 'a' }, tries: 1 }] });
		time.now += MINUTE;
		expect(await trigger.poll()).toBeNull();
		trigger.restart();
		time.now += MINUTE;
		expect(await trigger.poll()).toEqual(['a true']);
		expect(trigger.state()).not.toHaveProperty('awaited');
		expect(tries).toEqual({ a: 3, b: 1 });
	});

	it('are no longer waited for once their event is not chosen any more', async () => {
		const { service, trigger } = await withDetails({ a: 1 });
		service.write('a', { status: 'open' });
		expect(await trigger.poll()).toBeNull();
		trigger.change({ events: ['done'] });
		time.now += MINUTE;
		expect(await trigger.poll()).toBeNull();
		expect(trigger.state()).not.toHaveProperty('awaited');
	});

	it('that never come are left out after the time and the tries', async () => {
		const { service, trigger } = await withDetails({ a: Infinity });
		service.write('a', { status: 'open' });
		for (let minute = 0; minute < 5; minute++) {
			expect(await trigger.poll()).toBeNull();
			time.now += MINUTE;
		}
		expect(await trigger.poll()).toEqual(['a false']);
		expect(await trigger.poll()).toBeNull();
	});

	it('of a burst are read over several polls, each of which gets on', async () => {
		const { service, trigger } = await withDetails({});
		for (let index = 0; index < 250; index++) {
			service.write(`t${index}`, { status: 'open' });
			time.now += SECOND;
		}
		const counts: number[] = [];
		const told = new Set<string>();
		for (let round = 0; round < 6; round++) {
			const items = (await trigger.poll()) ?? [];
			counts.push(items.length);
			for (const each of items) told.add(each);
			time.now += MINUTE;
		}
		expect(told.size).toBe(250);
		expect(counts.reduce((sum, count) => sum + count)).toBe(250);
		expect(counts[0]).toBe(100);
	});

	it('that are slow to come are read for a few at a time, one at least', async () => {
		const { service, trigger } = await withDetails({});
		for (let index = 0; index < 40; index++) {
			service.write(`t${index}`, { status: 'open' });
			time.now += SECOND;
		}
		// A list that takes as long as nearly all of the time leaves room for few.
		service.takesMs = 140 * SECOND;
		const first = (await trigger.poll()) ?? [];
		expect(first.length).toBeGreaterThan(0);
		expect(first.length).toBeLessThan(40);
	});
});

describe('the time of a poll', () => {
	it('may end in the midst of a list, which the next poll reads on', async () => {
		const service = new Service();
		const trigger = activate(service, polledOf({ things: timed() }), { budget: 10 * SECOND });
		await trigger.poll();
		settle();
		for (let index = 0; index < 2.5 * PAGE; index++) {
			service.write(`t${index}`, { status: 'open' });
			time.now += SECOND;
		}
		service.takesMs = 6 * SECOND;
		const told: string[] = [];
		for (let round = 0; round < 5; round++) {
			const before = service.asked.length;
			told.push(...((await trigger.poll()) ?? []));
			expect(service.asked.length - before).toBeLessThanOrEqual(1);
			time.now += MINUTE;
		}
		expect(new Set(told).size).toBe(250);
		expect(told).toHaveLength(250);
	});

	it('is shared by feeds in turn', async () => {
		const service = new Service();
		const feeds = {
			first: timed(),
			second: timed({ url: '/others' }),
		};
		const trigger = activate(service, polledOf(feeds), { budget: 10 * SECOND });
		await trigger.poll();
		settle();
		service.takesMs = 6 * SECOND;
		const urls: string[] = [];
		for (let round = 0; round < 4; round++) {
			service.write(`a${round}`, { status: 'open' });
			service.write(`b${round}`, { status: 'open' }, 'others');
			const from = service.asked.length;
			await trigger.poll();
			urls.push(
				service.asked
					.slice(from)
					.map(({ url }) => url)
					.join(),
			);
			time.now += MINUTE;
		}
		expect(urls).toEqual(['/things', '/others', '/things', '/others']);
	});

	it('is enough for a part of one feed at least, however long it took to begin', async () => {
		const service = new Service();
		const trigger = activate(service, polledOf({ things: timed() }), { budget: 10 * SECOND });
		await trigger.poll();
		settle();
		trigger.describeTakes(6 * SECOND);
		service.write('a', { status: 'open' });
		expect(await trigger.poll()).toEqual(['a open']);
	});

	it('is not spent on what has long been read', async () => {
		const service = new Service();
		for (let index = 0; index < 2.5 * PAGE; index++) {
			service.write(`t${index}`, { status: 'done' });
			time.now += SECOND;
		}
		settle();
		const trigger = activate(service, polledOf({ things: timed() }));
		await trigger.poll();
		settle();
		await trigger.poll();
		const from = service.asked.length;
		expect(await trigger.poll()).toBeNull();
		expect(service.asked.length - from).toBe(1);
	});

	it('both feeds are read where there is time', async () => {
		const service = new Service();
		const trigger = activate(
			service,
			polledOf({ first: timed(), second: timed({ url: '/others' }) }),
		);
		await trigger.poll();
		settle();
		service.write('a', { status: 'open' });
		service.write('b', { status: 'open' }, 'others');
		expect(await trigger.poll()).toEqual(['a open', 'b open']);
	});
});

describe('a list with impossible contents', () => {
	it.each([
		[
			'is not in order',
			[
				{ id: 'b', at: 2 },
				{ id: 'a', at: 1 },
			],
		],
		[
			'has what is too early',
			[
				{ id: 'a', at: -3_600 },
				{ id: 'b', at: 1 },
			],
		],
	])('%s: nothing is reported or stored', async (_, rows) => {
		const service = new Service();
		service.write('before', { status: 'done' });
		const trigger = activate(service, polledOf({ things: timed() }));
		await trigger.poll();
		settle();
		const state = JSON.stringify(trigger.state());
		const records = rows.map(({ id, at }) => ({
			id,
			status: 'open',
			updated_at: iso(time.now + at * SECOND),
		}));
		service.instead = () => ({
			body: {
				things: records,
				meta: { pagination: { perPage: PAGE, totalPages: 1, totalItems: records.length } },
			},
		});
		await expect(trigger.poll()).rejects.toMatchObject({
			message: expect.stringContaining('a list without the filter or the order that was asked for'),
		});
		expect(JSON.stringify(trigger.state())).toBe(state);
		service.instead = () => undefined;
		service.write('c', { status: 'open' });
		expect(await trigger.poll()).toEqual(['c open']);
	});
});

it('more records of one time than fit on a page are all told, once', async () => {
	const service = new Service();
	const trigger = activate(service, polledOf({ things: timed() }));
	await trigger.poll();
	settle();
	for (let index = 0; index < 2.5 * PAGE; index++) service.write(`t${index}`, { status: 'open' });
	time.now += SECOND;
	service.write('after', { status: 'open' });
	const told: string[] = [];
	for (let round = 0; round < 4; round++) {
		told.push(...((await trigger.poll()) ?? []));
		time.now += MINUTE;
	}
	expect(new Set(told).size).toBe(251);
	expect(told).toHaveLength(251);
	const at = service.asked.find(({ qs }) => 'filters[updated_at:lte]' in (qs ?? {}))!;
	expect(at.qs).toHaveProperty(['filters[updated_at:gte]'], at.qs!['filters[updated_at:lte]']);
});

it("n8n's log names records that do not fit into the state", async () => {
	const service = new Service();
	const trigger = activate(service, polledOf({ things: timed() }));
	await trigger.poll();
	settle();
	service.rows.things = Array.from({ length: 10_000 }, (_, index) => ({
		id: `t${index}`,
		status: 'open',
		created_at: iso(),
		updated_at: iso(time.now + index),
	}));
	time.now += MINUTE;
	expect((await trigger.poll())!.length).toBe(10_000);
	expect(JSON.stringify(trigger.state()).length).toBeLessThan(65_536);
	expect(trigger.warned).toEqual([
		expect.stringMatching(
			/: \d+ records of the list "things" are no longer followed \{"node":"Thing"\}$/,
		),
	]);
});

describe('with durable cursors, where each poll gets a copy of the state', () => {
	async function begun() {
		const service = new Service();
		const trigger = activate(service, polledOf({ things: timed() }), { isDurable: true });
		await trigger.poll();
		trigger.save();
		settle();
		return { service, trigger };
	}

	it("returned events are not repeated while n8n may be saving them, also when n8n's clock is set", async () => {
		const { service, trigger } = await begun();
		service.write('a', { status: 'open' });
		expect(await trigger.poll()).toEqual(['a open']);
		const { now } = clock;
		for (const minutes of [10, -10]) {
			clock.now = () => now() + minutes * MINUTE;
			expect(await trigger.poll()).toBeNull();
		}
		clock.now = now;
		time.now += 59 * SECOND;
		expect(await trigger.poll()).toBeNull();
		// n8n has refused it, so it was not handed on.
		time.now += SECOND;
		expect(await trigger.poll()).toEqual(['a open']);
		trigger.save();
		service.write('b', { status: 'open' });
		expect(await trigger.poll()).toEqual(['b open']);
	});

	it('the activation is known to another process, though n8n has not saved its state', async () => {
		const service = new Service();
		const trigger = activate(service, polledOf({ things: timed() }), { isDurable: true });
		await trigger.poll();
		trigger.move();
		settle();
		service.write('a', { status: 'open' });
		expect(await trigger.poll()).toEqual(['a open']);
	});

	it('what polls without events have read is not read again, though n8n has not saved that', async () => {
		const { service, trigger } = await begun();
		service.write('quiet');
		for (let round = 0; round < 2; round++) {
			settle();
			expect(await trigger.poll()).toBeNull();
		}
		const from = String(service.asked.at(-1)!.qs!['filters[updated_at:gte]']);
		expect(Date.parse(from)).toBeGreaterThanOrEqual(time.now - 30 * MINUTE);
	});

	it('of a state without events the one that has read on further counts', async () => {
		const { service, trigger } = await begun();
		settle();
		expect(await trigger.poll()).toBeNull();
		const state = JSON.parse(JSON.stringify(trigger.state())) as {
			step: number;
			feeds: { things: { cursor: { since: string } } };
		};
		state.step += 5;
		state.feeds.things.cursor.since = iso();
		trigger.saveAs(state);
		await trigger.poll();
		expect(service.asked.at(-1)!.qs).toMatchObject({ 'filters[updated_at:gte]': iso() });
	});
});

describe('what a trigger is set to', () => {
	it('filters that are not set are not sent', () => {
		expect(filtersOf({ 'site_id:eq': '1', 'status:in': undefined })).toEqual({
			'filters[site_id:eq]': '1',
		});
	});

	it('a site by URL is looked up once an hour, and by another URL at once', async () => {
		const service = new Service();
		const rows = [
			{ id: '1', url: 'https://a.example' },
			{ id: '2', url: 'https://b.example' },
		];
		service.rows.sites = rows;
		const { context } = triggerOf({ answer: service.answer });
		const asked = async (url: string) => {
			const from = service.asked.length;
			const { siteId } = await withNames(context, { siteId: siteByUrl(url) });
			return [siteId, service.asked.length - from];
		};
		expect(await withNames(context, { siteId: '7' })).toEqual({ siteId: '7' });
		expect(await withNames(context, {})).toEqual({});
		expect(await asked('a.example')).toEqual(['1', 1]);
		expect(await asked('a.example')).toEqual(['1', 0]);
		expect(await asked('b.example')).toEqual(['2', 1]);
		time.now += 60 * MINUTE;
		expect(await asked('b.example')).toEqual(['2', 1]);
	});
});

import { fc } from '../../support/effort';
import {
	beginExclusive,
	endExclusive,
	isInProgress,
	requireIdle,
} from '../../../sandbox/service/engine/exclusive';
import { sortedSlice } from '../../../sandbox/service/http/sortedSlice';
import { SiteCollection } from '../../../sandbox/service/engine/store';
import { Timeline } from '../../../sandbox/service/engine/timeline';
import { second, start } from './support';
import { startTaskNow } from '../../../sandbox/service/engine/tasks';

describe('exclusive work', () => {
	it('is a conflict while it is in progress, until its time is over', async () => {
		const { world, clock } = await start({ sites: 0 });
		beginExclusive(world, 'settings', 10 * second, 'Another settings update');
		clock.advance(10 * second - 1);
		world.settle();
		expect(() => requireIdle(world, 'settings')).toThrow('Another operation is in progress');
		expect(() => beginExclusive(world, 'settings', 1, 'Another settings update')).toThrow(
			expect.objectContaining({ status: 409, message: 'Another settings update is in progress' }),
		);
		clock.advance(1);
		world.settle();
		beginExclusive(world, 'settings', 1);
	});

	it('leaves other keys alone', async () => {
		const { world } = await start({ sites: 0 });
		beginExclusive(world, 'one', second);
		expect(isInProgress(world, 'other')).toBe(false);
	});

	it('continues until it is ended when it has no time', async () => {
		const { world, clock } = await start({ sites: 0 });
		beginExclusive(world, 'backup');
		clock.advance(1e9);
		world.settle();
		expect(isInProgress(world, 'backup')).toBe(true);
		endExclusive(world, 'backup');
		expect(isInProgress(world, 'backup')).toBe(false);
	});

	it('is not ended by the time of an earlier one that ended before it', async () => {
		const { world, clock } = await start({ sites: 0 });
		beginExclusive(world, 'key', 2 * second);
		endExclusive(world, 'key');
		clock.advance(second);
		world.settle();
		beginExclusive(world, 'key', 2 * second);
		clock.advance(second);
		world.settle();
		expect(isInProgress(world, 'key')).toBe(true);
	});
});

describe('the effects of a task', () => {
	const hackcleanup = async (
		act: (service: Awaited<ReturnType<typeof start>>, id: string) => void | Promise<void>,
	) => {
		const service = await start({ sites: 1 });
		const { world } = service;
		const site = world.store.sites.all()[0]!;
		site.security.scanner.status = 'hacked';
		const task = startTaskNow(world, {
			type: 'hackcleanup',
			siteIds: [site.id],
			durationMs: second,
		});
		await act(service, task.id);
		return site.security.scanner.status;
	};

	it('come when it is completed, and not before', async () => {
		const status = await hackcleanup(({ world, clock }) => {
			clock.advance(second - 1);
			world.settle();
			expect(world.store.sites.all()[0]!.security.scanner.status).toBe('hacked');
			clock.advance(1);
			world.settle();
		});
		expect(status).toBe('clean');
	});

	it('do not come when it is cancelled', async () => {
		const status = await hackcleanup(async ({ api, clock, world }, id) => {
			await api.post(`/tasks/${id}/cancel`);
			clock.advance(10 * second);
			world.settle();
		});
		expect(status).toBe('hacked');
	});
});

describe('the timeline', () => {
	it('gives the events out by time and order of scheduling, however they come', () => {
		const times = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 60 });
		fc.assert(
			fc.property(times, fc.integer({ min: 0, max: 9 }), times, (first, until, second) => {
				const timeline = new Timeline();
				const expected: Array<[number, number]> = [];
				const taken: Array<[number, number]> = [];
				let order = 0;
				const schedule = (at: number) => {
					timeline.schedule({ at, kind: 'x', payload: { order } });
					expected.push([at, order++]);
				};
				const take = (time: number) => {
					for (let event; (event = timeline.takeDue(time));) {
						taken.push([event.at, event.payload.order as number]);
					}
				};
				const due = (time: number) =>
					expected.filter(([at]) => at <= time).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
				first.forEach(schedule);
				take(until);
				expect(taken).toEqual(due(until));
				taken.length = 0;
				expected.splice(0, expected.length, ...expected.filter(([at]) => at > until));
				second.forEach(schedule);
				take(9);
				expect(taken).toEqual(due(9));
				expect(timeline.all()).toEqual([]);
			}),
		);
	});
});

it('a slice of a sorted list is that of the whole list sorted', () => {
	fc.assert(
		fc.property(
			fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 80 }),
			fc.nat(90),
			fc.nat(30),
			(numbers, start, count) => {
				const compare = (a: number, b: number) => a - b;
				const sorted = [...numbers].sort(compare).slice(start, start + count);
				expect(sortedSlice(numbers, compare, start, start + count)).toEqual(sorted);
			},
		),
	);
});

describe('the rows of a site', () => {
	const rows = () => {
		const collection = new SiteCollection<{ id: string; site_id: string }>();
		for (const [id, site_id] of ['a1', 'b1', 'a2'].map((name) => [name, name[0]!] as const)) {
			collection.insert({ id, site_id });
		}
		return collection;
	};
	const idsOf = (collection: ReturnType<typeof rows>, siteId: string) =>
		collection.ofSite(siteId).map(({ id }) => id);

	it('are found in their order, and only those', () => {
		expect(idsOf(rows(), 'a')).toEqual(['a1', 'a2']);
		expect(idsOf(rows(), 'c')).toEqual([]);
	});

	it('are gone when they are deleted', () => {
		const collection = rows();
		collection.delete('a1');
		expect(idsOf(collection, 'a')).toEqual(['a2']);
		expect(collection.all().map(({ id }) => id)).toEqual(['b1', 'a2']);
	});
});

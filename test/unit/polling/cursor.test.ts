import type { IDataObject } from 'n8n-workflow';
import type { Span } from '../../../nodes/shared/polling/chunk';
import {
	advance,
	type Cursor,
	type CursorSource,
	SeenStore,
} from '../../../nodes/shared/polling/cursor';
import { hash } from '../../../nodes/shared/lib';
import {
	HOUR,
	MINUTE,
	placed,
	SECOND,
	startTrigger,
	timed,
} from '../../support/engine/feedTrigger';

/** What the histories of `exactlyOnce` do not show of the cursor: how much it remembers, and rare records. */

/** A trigger that has begun some time ago. */
async function begun(feed: ReturnType<typeof timed>) {
	const trigger = startTrigger({ things: feed });
	expect(await trigger.poll()).toEqual([]);
	await trigger.time.advance(HOUR);
	return trigger;
}

it.each([4, 10])(
	'a record that was created %i minutes ahead of the clock and changed since is reported once',
	async (minutes) => {
		const { write, poll, time, iso } = await begun(timed());
		write('new', { state: 'done', created_at: iso(time.now() + minutes * MINUTE) });
		expect(await poll()).toEqual(['new done']);
		await time.advance(MINUTE);
		expect(await poll()).toEqual([]);
	},
);

it('an old record that says it was created far ahead is not reported when it changes', async () => {
	const { write, poll, time, service, iso } = startTrigger({ things: timed() });
	service.pageSize = 3;
	write('old', { state: 'done', created_at: iso(time.now() + 17_520 * HOUR) });
	await time.advance(HOUR);
	for (const id of ['a', 'b', 'c']) write(id, { state: 'done' });
	await poll();
	await time.advance(MINUTE);
	write('old');
	expect(await poll()).toEqual([]);
});

it('nothing that was there is reported, however many polls read it after the activation', async () => {
	const { write, poll, time, service } = startTrigger({ things: timed() });
	service.pageSize = 3;
	for (let index = 0; index < 20; index++) write(`${index}`, { state: 'done' });
	await time.advance(HOUR);
	service.fastest = 30 * SECOND;
	const told: string[] = [];
	for (let round = 0; round < 10; round++) {
		told.push(...(await poll()));
		await time.advance(MINUTE);
	}
	expect(told).toEqual([]);
});

it('a clock that is set while the trigger is switched on hides nothing that is open', async () => {
	const feed = placed({ openForMs: 48 * HOUR });
	const { write, poll, time, service, clocks } = startTrigger({ things: feed });
	service.pageSize = 3;
	write('open', { state: 'running' });
	await time.advance(HOUR);
	for (const id of ['a', 'b', 'c', 'd']) {
		await time.advance(SECOND);
		write(id, { state: 'done' });
	}
	await time.advance(HOUR);
	// Between the first page, which is that of the newest, and the next.
	service.fastest = 2 * SECOND;
	time.at(time.now() + 3 * SECOND, () => clocks.setService(-5 * MINUTE));
	await poll();
	await time.advance(HOUR);
	write('open', { state: 'done' });
	expect(await poll()).toEqual(['open done']);
});

it('an open record that keeps its place is followed for the set time, and then forgotten', async () => {
	const { write, poll, time, state } = startTrigger({ things: placed({ openForMs: HOUR }) });
	write('ends', { state: 'running' });
	write('stuck', { state: 'running' });
	await time.advance(HOUR / 2);
	await poll();
	write('ends', { state: 'done' });
	expect(await poll()).toEqual(['ends done']);
	await time.advance(HOUR);
	await poll();
	write('stuck', { state: 'done' });
	expect(await poll()).toEqual([]);
	expect(state().feeds.things.cursor.known).toEqual({});
});

it('an open record that moves with each change is followed for as long as it is open, at no request more', async () => {
	const { write, poll, time, service } = startTrigger({ things: timed() });
	write('long', { state: 'running' });
	await poll();
	await time.advance(1_000 * HOUR);
	write('other', { state: 'done' });
	await poll();
	await time.advance(HOUR);
	service.requests.length = 0;
	expect(await poll()).toEqual([]);
	expect(service.requests).toHaveLength(1);
	write('long', { state: 'done' });
	expect(await poll()).toEqual(['long done']);
	await time.advance(HOUR);
	write('long');
	expect(await poll()).toEqual([]);
});

it('an open record created long ago is followed when it appears, in a list by the last change', async () => {
	const { write, poll, time, iso } = await begun(timed());
	write('newest', { state: 'done' });
	await poll();
	await time.advance(HOUR);
	write('old', { created_at: iso(time.now() - 10 * HOUR), state: 'running' });
	expect(await poll()).toEqual([]);
	await time.advance(HOUR);
	write('old', { state: 'done' });
	expect(await poll()).toEqual(['old done']);
});

it.each([
	['that move', timed()],
	['that keep their place', placed({ openForMs: 48 * HOUR })],
])('records %s in a state that is not known are forgotten after a day', async (_, feed) => {
	const isUncertain = ({ state }: IDataObject) => state === 'odd';
	const { write, poll, time, state } = await begun({ ...feed, isUncertain });
	write('a', { state: 'odd' });
	expect(await poll()).toEqual(['a odd']);
	for (let hour = 0; hour < 26; hour++) {
		await time.advance(HOUR);
		write(`clock${hour}`, { state: 'done' });
		await poll();
	}
	expect(new SeenStore(state().feeds.things.cursor.known).get('a')).toBeUndefined();
	for (let round = 0; round < 2; round++) {
		write('a', { state: 'odd' });
		expect(await poll()).toEqual([]);
	}
});

it('one that runs for days and then has such a state is followed for a day from then on', async () => {
	const isUncertain = ({ state }: IDataObject) => state === 'odd';
	const { write, poll, time } = await begun(timed({ isUncertain }));
	for (const [state, told] of [
		['running', ['long running']],
		['odd', ['long odd']],
		['running', []],
		['odd', []],
	] as const) {
		await time.advance(72 * HOUR);
		write('long', { state });
		expect(await poll()).toEqual(told);
	}
	await time.advance(20 * HOUR);
	write('long', { state: 'done' });
	expect(await poll()).toEqual(['long done']);
});

describe('what is remembered', () => {
	let now: number;
	let rows: Array<{ id: string; at: string; state?: string }>;
	let cursor: Cursor | undefined;
	beforeEach(() => {
		now = Date.parse('2026-03-01T12:00:00Z');
		rows = [];
		cursor = undefined;
	});
	const iso = () => new Date(now).toISOString();
	const span = (): Span => ({ asked: now, date: now });

	/** All on one page: these tests are not about pages. */
	const source: CursorSource = {
		time: ({ at }) => String(at),
		id: ({ id }) => String(id),
		occurrences: ({ state = 'there' }) => [{ key: String(state), event: String(state) }],
		page: async (from) => {
			const records = rows.filter(({ at }) => Date.parse(at) >= Date.parse(from));
			return { ...span(), records, last: true };
		},
		at: async () => ({ ...span(), records: [], last: true }),
		newest: async () => ({ ...span(), records: [], last: true }),
		open: async () => [],
	};

	/** One poll; what it leaves has to fit into the state. */
	async function poll(more: Partial<CursorSource> = {}): Promise<string[]> {
		const limits = { isOver: () => false, isFull: () => false };
		const { events, memory } = await advance({ ...source, ...more }, cursor, limits);
		const text = JSON.stringify(memory);
		expect(text.length).toBeLessThan(64 * 1024);
		cursor = JSON.parse(text) as Cursor;
		return events.map(({ record, event }) => `${String(record.id)} ${event}`);
	}

	it('stays below 64 KB after 100,000 events, and none comes twice', async () => {
		await poll();
		for (let round = 0; round < 20; round++) {
			rows = [];
			for (let index = 0; index < 5_000; index++) {
				if (index % 10 === 0) now += 100;
				rows.push({ id: `${round}/${index}`, at: iso() });
			}
			expect(await poll()).toHaveLength(5_000);
			expect(await poll()).toEqual([]);
		}
	});

	it('20,000 events of one second come once', async () => {
		await poll();
		for (let index = 0; index < 20_000; index++) rows.push({ id: `${index}`, at: iso() });
		expect(await poll()).toHaveLength(20_000);
		for (let round = 0; round < 4; round++) {
			now += 30 * SECOND;
			expect(await poll()).toEqual([]);
		}
		rows.push({ id: 'later', at: iso() });
		expect(await poll()).toEqual(['later there']);
	});

	it('of 20,000 open records, the youngest are followed', async () => {
		const open = { isOpen: ({ state }: IDataObject) => state !== 'ended', openForMs: 72 * HOUR };
		await poll(open);
		for (let index = 0; index < 20_000; index++) {
			if (index % 10 === 0) now += SECOND;
			rows.push({ id: `${index}`, at: iso() });
		}
		now += HOUR;
		expect(await poll(open)).toHaveLength(20_000);
		rows[0]!.state = rows.at(-1)!.state = 'ended';
		expect(await poll(open)).toEqual(['19999 ended']);
	});

	it('has room for the events of the emails of 1,700 reports', () => {
		const known = new SeenStore();
		for (let index = 0; index < 1_700; index++) {
			const of = hash(`${index}@example.com`, 4);
			known.set(`report ${index}`, new Set([`d${of}`, `o${of}`]), index * MINUTE);
		}
		expect(known.shrink().count).toBe(0);
		expect(known.get('report 0')).toContain(`d${hash('0@example.com', 4)}`);
	});
});

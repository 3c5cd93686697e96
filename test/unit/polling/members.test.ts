import type { IDataObject } from 'n8n-workflow';
import {
	changedMembers,
	type Members,
	type StateSource,
} from '../../../nodes/shared/polling/members';
import { OVERLAP_MS } from '../../../nodes/shared/polling/chunk';
import { OutOfTime } from '../../../nodes/shared/client/limiter';

/** A state whose list does not fit on a page; the newest change comes first. */

const PAGE = 3;
const HOUR = 3_600_000;
const START = Date.parse('2026-03-01T12:00:00Z');

class State {
	now = START;

	requests = 0;

	/** How far the header of its answers is ahead of its records. */
	ahead = 0;

	/** Requests that there is room for. */
	room = Infinity;

	/** Looks at single records. */
	looks = 0;

	members?: Members;

	private readonly rows = new Map<string, IDataObject>();

	/** A restart of n8n falls back to what it saved last. */
	restart(saved: Members): void {
		this.members = JSON.parse(JSON.stringify(saved)) as Members;
	}

	/** @param state `bad`, `good`, or anything else */
	set(id: string, state: string, changed = this.now): void {
		const { size } = this.rows;
		const before = this.rows.get(id) ?? { id, created_at: new Date(START - size).toISOString() };
		this.rows.set(id, { ...before, state, changed });
	}

	gone(id: string): void {
		this.rows.delete(id);
	}

	private read(rows: IDataObject[], page: number, size = PAGE) {
		if (this.room-- <= 0) throw new OutOfTime();
		this.requests += 1;
		const records = rows.slice((page - 1) * size, page * size);
		const span = { asked: this.now, date: this.now + this.ahead };
		return { ...span, records, last: page * size >= rows.length, total: rows.length };
	}

	private in(state: string, byChange = false): IDataObject[] {
		const all = [...this.rows.values()].filter((row) => row.state === state);
		const key = byChange ? ({ changed }: IDataObject) => -Number(changed) : createdAt;
		return all.sort((a, b) => key(a) - key(b));
	}

	readonly source: StateSource = {
		time: ({ created_at: at }) => String(at),
		page: async (from, page) =>
			this.read(
				this.in('bad').filter((row) => createdAt(row) >= Date.parse(from)),
				page,
			),
		at: async () => this.read([], 1),
		id: ({ id }) => String(id),
		newest: async () => this.read(this.in('bad', true), 1),
		changedAt: ({ changed }) => Number(changed),
		entered: 'entered',
		left: 'left',
		lastLeft: async (page) => this.read(this.in('good', true), page),
		one: async (id) => {
			this.read([], 1);
			this.looks += 1;
			return this.rows.get(id);
		},
		isIn: ({ state }) => state === 'bad',
		hasLeft: ({ state }) => state === 'good',
	};

	/** @param units how much the time for the poll allows; no end by default */
	async poll(units = Infinity): Promise<string[]> {
		this.now += 60_000;
		const read = await changedMembers(this.source, this.members, () => --units <= 0);
		this.members = JSON.parse(JSON.stringify(read.memory)) as Members;
		return read.events.map(({ event, record }) => `${event} ${String(record.id)}`).sort();
	}
}

const createdAt = ({ created_at: at }: IDataObject) => Date.parse(String(at));
const ids = (count: number) => [...Array(count).keys()].map((index) => `s${index}`);

let state: State;
beforeEach(async () => {
	state = new State();
	for (const id of ids(5)) state.set(id, 'bad');
	state.now += HOUR;
});

/** Activates, and waits until a change of the time before would have been seen. */
async function activate(): Promise<void> {
	expect(await state.poll()).toEqual([]);
	state.now += 2 * OVERLAP_MS;
	expect(await state.poll()).toEqual([]);
}

it('who is in the state at first has not come into it, and a quiet poll takes one request', async () => {
	await activate();
	state.requests = 0;
	expect(await state.poll()).toEqual([]);
	expect(state.requests).toBe(1);
});

it('tells who comes and who leaves, also when as many come as leave', async () => {
	await state.poll();
	state.set('s4', 'good');
	state.set('new', 'bad');
	expect(await state.poll()).toEqual(['entered new', 'left s4']);
	state.set('s0', 'good');
	expect(await state.poll()).toEqual(['left s0']);
	expect(await state.poll()).toEqual([]);
});

it('a swap among more changes than a page shows is seen at once', async () => {
	await state.poll();
	state.set('s3', 'good');
	state.set('new', 'bad');
	state.now += 1;
	for (const id of ['s0', 's1', 's2']) state.set(id, 'bad');
	expect(await state.poll()).toEqual(['entered new', 'left s3']);
});

it.each([0, 600_000, -600_000])(
	'so it is when the header tells %i ms more than the records',
	async (ahead) => {
		state.ahead = ahead;
		for (const id of ids(8)) state.set(id, 'bad');
		await activate();
		state.set('s3', 'good');
		state.set('new', 'bad');
		state.now += 1;
		for (const id of ['s0', 's1', 's2']) state.set(id, 'bad');
		expect(await state.poll()).toEqual(['entered new', 'left s3']);
	},
);

it.each([
	['at the activation', 0],
	['later', 30],
])('after a change of many %s, the list is read again after the overlap', async (_, count) => {
	for (const id of ids(30)) state.set(id, 'bad');
	await state.poll();
	for (const id of ids(count)) state.set(id, 'bad');
	if (count > 0) await state.poll();
	const costs = [];
	for (let poll = 0; poll < 25; poll++) {
		state.requests = 0;
		await state.poll();
		costs.push(state.requests > 1);
	}
	expect(costs.filter(Boolean)).toHaveLength(1);
	expect(costs[OVERLAP_MS / 60_000]).toBe(true);
});

it('one that shows in no newest change is found once an hour', async () => {
	await activate();
	state.gone('s4');
	state.set('hidden', 'bad', 0);
	expect(await state.poll()).toEqual([]);
	state.now += HOUR;
	expect(await state.poll()).toEqual(['entered hidden']);
});

it('many that have left are read by the page, not one by one', async () => {
	for (const id of ids(90)) state.set(id, 'bad');
	await state.poll();
	for (const id of ids(90)) state.set(id, 'good');
	state.requests = 0;
	expect(await state.poll()).toHaveLength(90);
	expect(state.requests).toBe(1 + 90 / PAGE);
});

describe.each([1, 2])('when the time allows %i pages a poll', (units) => {
	it('all are reported later, once', async () => {
		const all = ids(80);
		for (const id of all) state.set(id, 'bad');
		const told: string[] = [];
		const pollOn = async () => {
			for (let poll = 0; poll < 150; poll++) told.push(...(await state.poll(units)));
		};
		await pollOn();
		expect(told).toEqual([]);
		for (const id of ids(40)) state.set(id, 'good');
		for (let index = 0; index < 30; index++) state.set(`new${index}`, 'bad');
		await pollOn();
		const left = ids(40).map((id) => `left ${id}`);
		const entered = [...Array(30).keys()].map((index) => `entered new${index}`);
		expect(told.sort()).toEqual([...left, ...entered].sort());
	});
});

it('if the rate limit is used up, a missing record stays a member', async () => {
	await state.poll();
	state.set('s0', 'good');
	state.set('new', 'bad');
	state.room = 3;
	expect(await state.poll()).toEqual(['entered new']);
	state.room = Infinity;
	expect(await state.poll()).toEqual(['left s0']);
});

it('more missing records than a poll can check are checked by the next polls, without another change', async () => {
	for (const id of ids(40)) state.set(id, 'bad');
	await activate();
	for (const id of ids(20)) state.gone(id);
	expect(await state.poll()).toEqual([]);
	expect(state.members!.ids.split(' ')).toHaveLength(20);
	expect(state.members!.missing!.split(' ')).toHaveLength(4);
	expect(await state.poll()).toEqual([]);
	expect(state.members!.missing).toBeUndefined();
});

describe('a third state', () => {
	it.each([1, 40])('of %i: each is checked once, and then gone', async (count) => {
		for (const id of ids(60)) state.set(id, 'bad');
		await activate();
		for (const id of ids(count)) state.set(id, 'third');
		const looks: number[] = [];
		for (let poll = 0; poll < 4; poll++) {
			state.looks = 0;
			expect(await state.poll()).toEqual([]);
			looks.push(state.looks);
		}
		expect(looks).toEqual(count === 1 ? [1, 0, 0, 0] : [16, 16, 8, 0]);
		expect(state.members!.missing).toBeUndefined();
		state.set('s0', 'bad');
		expect(await state.poll()).toEqual(['entered s0']);
		state.set('s0', 'good');
		expect(await state.poll()).toEqual(['left s0']);
	});

	it('one that has left it again by the time of the check has left the state', async () => {
		for (const id of ids(60)) state.set(id, 'bad');
		await activate();
		for (const id of ids(40)) state.set(id, 'third');
		expect(await state.poll()).toEqual([]);
		for (const id of ids(40)) state.set(id, 'good');
		expect(await state.poll()).toHaveLength(16);
		expect(await state.poll()).toHaveLength(8);
		expect(await state.poll()).toEqual([]);
	});

	it('many that leave without a change of their time are checked one by one', async () => {
		for (const id of ids(90)) state.set(id, 'bad');
		await activate();
		for (const id of ids(90)) state.set(id, 'good', START);
		const told: string[] = [];
		for (let poll = 0; poll < 6; poll++) told.push(...(await state.poll()));
		expect(new Set(told).size).toBe(90);
		expect(told).toHaveLength(90);
	});

	it('many that leave are found while one that has left is dated ahead', async () => {
		for (const id of ids(40)) state.set(id, 'bad');
		state.set('ahead', 'good', START + 30 * 24 * HOUR);
		await activate();
		for (const id of ids(20)) state.set(id, 'good');
		expect(await state.poll()).toHaveLength(20);
		expect(state.looks).toBe(0);
	});

	it('costs one page and the checks, however many have left before', async () => {
		for (let index = 0; index < 1_000; index++) state.set(`good${index}`, 'good');
		for (const id of ids(90)) state.set(id, 'bad');
		await activate();
		for (const id of ids(90)) state.set(id, 'third');
		state.requests = 0;
		expect(await state.poll()).toEqual([]);
		// The list of the state is empty; a page of those that have left, and sixteen looks.
		expect(state.requests).toBeLessThanOrEqual(1 + 1 + 16);
	});
});

it('one that the list lacks for once, although it is in the state, stays in it', async () => {
	await activate();
	const { page, newest } = state.source;
	const without = async <P extends { records: IDataObject[] }>(read: Promise<P>) => {
		const found = await read;
		return { ...found, records: found.records.filter(({ id }) => id !== 's2'), total: 4 };
	};
	state.source.newest = async () => await without(newest());
	state.source.page = async (...of) => await without(page(...of));
	expect(await state.poll()).toEqual([]);
	Object.assign(state.source, { page, newest });
	expect(await state.poll()).toEqual([]);
	state.set('s2', 'good');
	expect(await state.poll()).toEqual(['left s2']);
});

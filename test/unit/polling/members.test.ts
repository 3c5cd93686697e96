import type { IDataObject } from 'n8n-workflow';
import {
	changedMembers,
	type Members,
	type StateSource,
} from '../../../nodes/shared/polling/members';
import { OutOfTime } from '../../../nodes/shared/transport/limiter';

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

	members?: Members;

	private readonly rows = new Map<string, IDataObject>();

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
		const moment = { service: this.now + this.ahead, local: this.now };
		return { asked: moment, answered: moment, records, last: page * size >= rows.length };
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
		newest: async () => {
			const { last: isAll, ...page } = this.read(this.in('bad', true), 1);
			return { ...page, isAll, total: this.in('bad').length };
		},
		changedAt: ({ changed }) => Number(changed),
		left: async (page) => this.read(this.in('good', true), page),
		one: async (id) => {
			this.read([], 1);
			return this.rows.get(id);
		},
		key: ({ id }) => String(id),
		isIn: () => true,
		hasLeft: ({ state }) => state === 'good',
	};

	/** @param units how much the time for the poll allows; no end by default */
	async poll(units = Infinity): Promise<string[]> {
		this.now += 60_000;
		const read = await changedMembers(this.source, this.members, () => --units <= 0);
		this.members = JSON.parse(JSON.stringify(read.members)) as Members;
		return read.changes.map(({ kind, record }) => `${kind} ${String(record.id)}`).sort();
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
	state.now += 300_000;
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

it('after a change of many the list is read until no late one can come', async () => {
	for (const id of ids(30)) state.set(id, 'bad');
	await state.poll();
	const costs = [];
	for (let poll = 0; poll < 5; poll++) {
		state.requests = 0;
		await state.poll();
		costs.push(state.requests > 1);
	}
	expect(costs).toEqual([true, true, true, false, false]);
});

it('one that shows in no newest change is found once an hour', async () => {
	await activate();
	state.gone('s4');
	state.set('hidden', 'bad', 0);
	expect(await state.poll()).toEqual([]);
	state.now += HOUR;
	expect(await state.poll()).toEqual(['entered hidden']);
});

it('one that is neither in the state nor has left it is forgotten when two polls find it nowhere', async () => {
	await state.poll();
	state.set('s2', 'unknown');
	expect(await state.poll()).toEqual([]);
	state.set('s2', 'bad');
	expect(await state.poll()).toEqual([]);
	state.set('s2', 'unknown');
	await state.poll();
	await state.poll();
	state.set('s2', 'bad');
	expect(await state.poll()).toEqual(['entered s2']);
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
	it('all are told in the end, once', async () => {
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

it('where the account has no room, what is missing stays a member', async () => {
	await state.poll();
	state.set('s0', 'good');
	state.set('new', 'bad');
	state.room = 3;
	expect(await state.poll()).toEqual(['entered new']);
	state.room = Infinity;
	expect(await state.poll()).toEqual(['left s0']);
});

it('more that are gone than a poll looks at are looked at by the next ones, though nothing else happens', async () => {
	for (const id of ids(40)) state.set(id, 'bad');
	await activate();
	for (const id of ids(20)) state.gone(id);
	expect(await state.poll()).toEqual([]);
	expect(state.members!.ids.split(' ')).toHaveLength(24);
	state.now += 300_000;
	expect(await state.poll()).toEqual([]);
	expect(state.members!.ids.split(' ')).toHaveLength(20);
});

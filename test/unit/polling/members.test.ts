import type { IDataObject } from 'n8n-workflow';
import {
	changedMembers,
	type Members,
	type StateSource,
} from '../../../nodes/shared/polling/members';
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
			this.looks += 1;
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

it.each([
	['at the activation', 0],
	['later', 30],
])('after a change of many %s the list is read once more at most', async (_, count) => {
	for (const id of ids(30)) state.set(id, 'bad');
	await state.poll();
	for (const id of ids(count)) state.set(id, 'bad');
	if (count > 0) await state.poll();
	const costs = [];
	for (let poll = 0; poll < 5; poll++) {
		state.requests = 0;
		await state.poll();
		costs.push(state.requests > 1);
	}
	expect(costs).toEqual([false, false, count > 0, false, false]);
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
	expect(state.members!.ids.split(' ')).toHaveLength(20);
	expect(state.members!.away).toMatchObject({ unseen: 4 });
	expect(await state.poll()).toEqual([]);
	expect(state.members!.away).toBeUndefined();
});

describe('a third state', () => {
	const DAY = 24 * HOUR;

	/** Polls that tell nothing. */
	async function quiet(polls: number, everyMs = 0): Promise<void> {
		for (let poll = 0; poll < polls; poll++) {
			expect(await state.poll()).toEqual([]);
			state.now += everyMs;
		}
	}

	it.each(['good', 'bad'])('of one for several polls, then %s', async (then) => {
		await activate();
		state.set('s2', 'third');
		await quiet(5);
		state.set('s2', then);
		expect(await state.poll()).toEqual(then === 'good' ? ['left s2'] : []);
		await quiet(3);
		expect(state.members!.away).toBeUndefined();
		state.set('s2', then === 'good' ? 'bad' : 'good');
		expect(await state.poll()).toEqual([then === 'good' ? 'entered s2' : 'left s2']);
	});

	it('there and back, again and again, is no event', async () => {
		await activate();
		for (let turn = 0; turn < 4; turn++) {
			state.set('s2', 'third');
			await quiet(3);
			state.set('s2', 'bad');
			await quiet(3);
		}
	});

	it.each([1, 40])('of %i for three weeks', async (count) => {
		for (const id of ids(60)) state.set(id, 'bad');
		await activate();
		for (const id of ids(count)) state.set(id, 'third');
		await quiet(10);
		await quiet(21 * 4, DAY / 4);
		for (const id of ids(count)) state.set(id, 'good');
		expect(await state.poll()).toEqual(
			ids(count)
				.map((id) => `left ${id}`)
				.sort(),
		);
		await quiet(3);
	});

	it('of 40, who come back one after the other while n8n restarts, is told of each', async () => {
		for (const id of ids(60)) state.set(id, 'bad');
		await activate();
		for (const id of ids(40)) state.set(id, 'third');
		// Nothing was told until now, so that n8n has saved nothing since.
		const saved = state.members!;
		await quiet(2);
		state.restart(saved);
		await quiet(3);
		const told: string[] = [];
		for (const id of ids(40)) {
			state.set(id, 'good');
			if (told.length % 10 === 5) {
				const before = state.members!;
				state.now += 60_000;
				state.restart(before);
			}
			told.push(...(await state.poll()));
		}
		expect(told).toEqual(ids(40).map((id) => `left ${id}`));
	});

	it('a restart that falls back to before it tells of those that have left since', async () => {
		for (const id of ids(60)) state.set(id, 'bad');
		await activate();
		const saved = state.members!;
		for (const id of ids(40)) state.set(id, 'third');
		await quiet(30, HOUR);
		for (const id of ids(30)) state.set(id, 'good');
		state.now += HOUR;
		state.restart(saved);
		const told = await state.poll();
		for (let poll = 0; poll < 3; poll++) told.push(...(await state.poll()));
		expect(told.sort()).toEqual(
			ids(30)
				.map((id) => `left ${id}`)
				.sort(),
		);
	});

	it('costs one more request a poll, however many are away and have left before', async () => {
		for (let index = 0; index < 300; index++) state.set(`good${index}`, 'good');
		for (const id of ids(60)) state.set(id, 'bad');
		await activate();
		state.now += HOUR;
		await activate();
		for (const id of ids(40)) state.set(id, 'third');
		// Looked at once each, sixteen a poll.
		for (const looks of [16, 16, 8, 0, 0]) {
			state.looks = 0;
			await quiet(1);
			expect(state.looks).toBe(looks);
		}
		for (let poll = 0; poll < 20; poll++) {
			state.requests = 0;
			await quiet(1);
			expect(state.requests).toBeLessThanOrEqual(2);
		}
		// Once an hour a few are looked at, and the list is read.
		state.now += HOUR;
		state.looks = 0;
		await quiet(1);
		expect(state.looks).toBe(16);
	});

	it('of one costs a look at it', async () => {
		await activate();
		state.set('s2', 'third');
		await quiet(6);
		for (let poll = 0; poll < 5; poll++) {
			[state.requests, state.looks] = [0, 0];
			await quiet(1);
			expect([state.requests, state.looks]).toEqual([2, 1]);
		}
	});

	it('who is gone from it is dropped', async () => {
		for (const id of ids(40)) state.set(id, 'bad');
		await activate();
		for (const id of ids(20)) state.set(id, 'third');
		await quiet(4);
		for (const id of ids(20)) state.gone(id);
		await quiet(3, HOUR);
		expect(state.members!.away).toBeUndefined();
	});

	it('lasts for 30 days at most', async () => {
		await activate();
		for (const id of ids(3)) state.set(id, 'third');
		await quiet(1);
		await quiet(28, DAY);
		expect(state.members!.away!.ids.split(' ')).toHaveLength(3);
		await quiet(3, DAY);
		expect(state.members!.away).toBeUndefined();
	});

	it('of many is told, too, where records do not change their time', async () => {
		for (const id of ids(90)) state.set(id, 'bad');
		await activate();
		for (const id of ids(90)) state.set(id, 'third', START);
		await quiet(8);
		for (const id of ids(90)) state.set(id, 'good', START);
		state.now += HOUR;
		expect(await state.poll()).toHaveLength(90);
	});

	it('so it is without one', async () => {
		for (const id of ids(90)) state.set(id, 'bad');
		await activate();
		for (const id of ids(90)) state.set(id, 'good', START);
		expect(await state.poll()).toHaveLength(90);
	});

	it('of ten thousand who have left before, those of the last look are read', async () => {
		for (let index = 0; index < 1_000; index++) state.set(`good${index}`, 'good');
		for (const id of ids(90)) state.set(id, 'bad');
		await activate();
		state.now += HOUR;
		await activate();
		for (const id of ids(90)) state.set(id, 'third');
		state.requests = 0;
		await quiet(1);
		// The list of the state is empty; a page of those that have left, and sixteen looks.
		expect(state.requests).toBeLessThanOrEqual(1 + 1 + 16);
	});

	it.each([1, 2])('with time for %i pages a poll all are told in the end, once', async (units) => {
		for (const id of ids(60)) state.set(id, 'bad');
		await activate();
		for (const id of ids(40)) state.set(id, 'third');
		const told: string[] = [];
		for (let poll = 0; poll < 80; poll++) told.push(...(await state.poll(units)));
		expect(told).toEqual([]);
		for (const id of ids(40)) state.set(id, 'good');
		for (let poll = 0; poll < 80; poll++) told.push(...(await state.poll(units)));
		expect(told.sort()).toEqual(
			ids(40)
				.map((id) => `left ${id}`)
				.sort(),
		);
	});

	it('is left, too, while one that has left is dated ahead', async () => {
		for (const id of ids(40)) state.set(id, 'bad');
		state.set('ahead', 'good', START + 30 * DAY);
		await activate();
		for (const id of ids(10)) state.set(id, 'third');
		await quiet(3);
		for (let index = 0; index < 2 * PAGE; index++) state.set(`good${index}`, 'good');
		for (const id of ids(10)) state.set(id, 'good');
		state.now += 1;
		for (let index = 0; index < 2 * PAGE; index++) state.set(`more${index}`, 'good');
		expect(await state.poll()).toHaveLength(10);
	});

	it('is small in what n8n keeps', async () => {
		const long = ids(40).map((id) => id.padEnd(32, 'f'));
		for (const id of long) state.set(id, 'bad');
		await activate();
		for (const id of long) state.set(id, 'third');
		await quiet(4);
		expect(JSON.stringify(state.members).length).toBeLessThan(40 * 38 + 300);
	});

	it('a state as older versions kept it is read on', async () => {
		await activate();
		state.set('s2', 'third');
		state.set('s3', 'good');
		const { ids: kept, total, readAt, readTo, newest } = state.members!;
		state.restart({ ids: kept, total, readAt, readTo, newest, doubted: 's2' } as Members);
		expect(await state.poll()).toEqual(['left s3']);
		state.set('s2', 'good');
		expect(await state.poll()).toEqual(['left s2']);
	});
});

it('one that is in the state anew by another key while it was away is told as such, and leaves once', async () => {
	let since = 'a';
	const { source } = state;
	source.key = ({ id }) => (id === 's2' ? `s2@${since}` : String(id));
	await activate();
	state.set('s2', 'third');
	expect(await state.poll()).toEqual([]);
	state.set('s2', 'bad');
	since = 'b';
	expect(await state.poll()).toEqual(['entered s2']);
	state.set('s2', 'good');
	expect(await state.poll()).toEqual(['left s2']);
	for (let poll = 0; poll < 3; poll++) expect(await state.poll()).toEqual([]);
});

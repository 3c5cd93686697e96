import type { IDataObject } from 'n8n-workflow';
import { changedMembers, firstMembers, type Members } from '../../../nodes/shared/polling/members';

/** A state whose list does not fit on a page; the newest change comes first. */

const PAGE = 3;
const HOUR = 3_600_000;

let inState: IDataObject[];
let elsewhere: IDataObject[];
let now: number;
let whole: number;

const source = {
	entered: 'entered',
	left: 'left',
	newest: async () => ({ records: inState.slice(0, PAGE), total: inState.length, now }),
	all: async () => {
		whole += 1;
		return inState;
	},
	one: async (id: string) => [...inState, ...elsewhere].find((record) => record.id === id),
	hasLeft: ({ id }: IDataObject) => elsewhere.some((record) => record.id === id),
	counts: () => true,
};

beforeEach(() => {
	inState = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id }));
	elsewhere = [];
	now = 0;
	whole = 0;
});

const poll = async (before: Members) => {
	const { events, members } = await changedMembers(source, before);
	return { told: events.map(({ event, record }) => `${event} ${String(record.id)}`), members };
};

it('a list that looks unchanged is not read whole', async () => {
	const before = await firstMembers(source);
	whole = 0;
	expect(await poll(before)).toEqual({ told: [], members: before });
	expect(whole).toBe(0);
});

it('one that is as long as before is read when another record is among the newest', async () => {
	const before = await firstMembers(source);
	elsewhere = inState.splice(4, 1);
	inState.unshift({ id: 'new' });
	const { told } = await poll(before);
	expect(told.sort()).toEqual(['entered new', 'left e']);
});

it('one that is shorter is read, wherever it has changed', async () => {
	const before = await firstMembers(source);
	elsewhere = inState.splice(4, 1);
	expect((await poll(before)).told).toEqual(['left e']);
});

it('once an hour it is read in any case', async () => {
	const before = await firstMembers(source);
	elsewhere = inState.splice(4, 1, { id: 'hidden' });
	expect((await poll(before)).told).toEqual([]);
	now += HOUR;
	expect((await poll(before)).told.sort()).toEqual(['entered hidden', 'left e']);
});

it('a record that is missing although it is in the state is looked at once more', async () => {
	const before = await firstMembers(source);
	const [lost] = inState.splice(4, 1);
	source.one = async () => lost;
	const first = await poll(before);
	expect(first.told).toEqual([]);
	expect(first.members.doubted).toBe('e');
	whole = 0;
	const second = await poll(first.members);
	expect(whole).toBe(1);
	expect(second.members.doubted).toBeUndefined();
	expect(second.members.ids).toBe('a b c d');
});

import type { IDataObject } from 'n8n-workflow';
import { clock } from '../../../nodes/shared/lib';
import {
	MINUTE,
	SECOND,
	startTrigger,
	timed,
	type TriggerOptions,
} from '../../support/engine/feedTrigger';

/** What neither the histories of `exactlyOnce` nor the triggers in `contract` show of a poll. */

async function begun(options: TriggerOptions = {}) {
	const trigger = startTrigger({ things: timed() }, options);
	expect(await trigger.poll()).toEqual([]);
	await trigger.settle();
	return trigger;
}

describe('details', () => {
	/** Those of `late` are not there yet. */
	const details = {
		read: async (_: unknown, json: IDataObject) => {
			await clock.sleep(0);
			return json.id === 'late' ? undefined : { json };
		},
		waitMs: 5 * MINUTE,
		tries: 3,
	};

	it('are no longer waited for once their event is not chosen any more', async () => {
		const { write, poll, state, change, time } = await begun({ details });
		write('late', { state: 'open' });
		expect(await poll()).toEqual([]);
		expect(state()).toMatchObject({ awaited: [{ json: { id: 'late' }, tries: 1 }] });
		await change({ events: ['done'] });
		await time.advance(MINUTE);
		expect(await poll()).toEqual([]);
		expect(state()).not.toHaveProperty('awaited');
	});

	it('of a burst are read for a hundred events per poll, and for few where a list is slow', async () => {
		const { write, poll, time, service } = await begun({ details });
		for (let index = 0; index < 250; index++) {
			write(`t${index}`, { state: 'open' });
			await time.advance(SECOND);
		}
		const told = await poll();
		expect(told).toHaveLength(100);
		// A list that takes nearly all of the time leaves room for few, one at least.
		service.fastest = 45 * SECOND;
		const few = await poll();
		expect(few.length).toBeGreaterThan(0);
		expect(few.length).toBeLessThan(40);
		service.fastest = 0;
		for (let round = 0; round < 3; round++) {
			await time.advance(MINUTE);
			told.push(...(await poll()));
		}
		expect(new Set([...told, ...few]).size).toBe(250);
		expect(told.length + few.length).toBe(250);
	});
});

it('the time of a poll is shared by feeds in turn', async () => {
	const feeds = { first: timed(), second: timed({ url: '/others' }) };
	const { write, poll, time, service, settle } = startTrigger(feeds, { budget: 10 * SECOND });
	await poll();
	await settle();
	service.fastest = 6 * SECOND;
	const asked: string[] = [];
	for (let round = 0; round < 4; round++) {
		write(`a${round}`, { state: 'open' });
		write(`b${round}`, { state: 'open' }, 'others');
		service.requests.length = 0;
		await poll();
		asked.push(service.requests.map((path) => /things|others/.exec(path)![0]).join());
		await time.advance(MINUTE);
	}
	expect(asked).toEqual(['things', 'others', 'things', 'others']);
});

it("n8n's log names how many records do not fit into the state", async () => {
	const trigger = await begun();
	trigger.rows['/things'] = Array.from({ length: 10_000 }, (_, index) => ({
		id: `t${index}`,
		state: 'open',
		created_at: trigger.iso(),
		updated_at: trigger.iso(trigger.time.now() + index),
	}));
	await trigger.time.advance(MINUTE);
	expect(await trigger.poll()).toHaveLength(10_000);
	expect(JSON.stringify(trigger.state()).length).toBeLessThan(65_536);
	expect(trigger.warned()).toEqual([
		expect.stringMatching(
			/: \d+ records of the list "things" are no longer followed \{"node":"Thing"\}$/,
		),
	]);
});

it("n8n's log names once how many records are dated ahead", async () => {
	const { write, poll, time, iso, warned } = await begun();
	const ahead = iso(time.now() + 180 * MINUTE);
	write('ahead', { state: 'done', created_at: ahead, updated_at: ahead });
	expect(await poll()).toEqual(['ahead done']);
	expect(await poll()).toEqual([]);
	expect(warned()).toEqual([
		'Of "things", 1 records have times in the future. The trigger ignores these times when it decides where to continue reading. {"node":"Thing"}',
	]);
});

describe('with durable cursors, where each poll gets a copy of the state', () => {
	it("returned events are not repeated while n8n may be saving them, also when n8n's clock is set", async () => {
		const { write, poll, time, saved, restore } = await begun({ isDurable: true });
		const before = saved();
		write('a', { state: 'open' });
		expect(await poll()).toEqual(['a open']);
		restore(before);
		const { now } = clock;
		for (const minutes of [10, -10]) {
			clock.now = () => now() + minutes * MINUTE;
			expect(await poll()).toEqual([]);
		}
		clock.now = now;
		await time.advance(59 * SECOND);
		expect(await poll()).toEqual([]);
		// n8n has refused it, so it was not handed on.
		await time.advance(SECOND);
		expect(await poll()).toEqual(['a open']);
		write('b', { state: 'open' });
		expect(await poll()).toEqual(['b open']);
	});

	it('what polls without events have read is not read again, though n8n has not saved that', async () => {
		const { write, poll, time, service, settle, saved, restore } = await begun({ isDurable: true });
		const before = saved();
		write('quiet', { state: '' });
		for (let round = 0; round < 2; round++) {
			await settle();
			await poll();
			restore(before);
		}
		const [, from = ''] = /updated_at:gte\]=([^&]+)/.exec(service.requests.at(-1)!)!;
		expect(Date.parse(from)).toBeGreaterThanOrEqual(time.now() - 30 * MINUTE);
	});

	it('of a state without events the one that has read on further counts', async () => {
		const { poll, state, saved, restore, iso, service, settle } = await begun({ isDurable: true });
		await settle();
		expect(await poll()).toEqual([]);
		const other = state();
		other.step += 5;
		other.feeds.things.cursor.since = iso();
		restore({ ...saved(), cursor: other });
		await poll();
		expect(service.requests.at(-1)).toContain(`filters[updated_at:gte]=${iso()}`);
	});
});

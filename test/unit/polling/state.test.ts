import type { IDataObject } from 'n8n-workflow';
import { clock } from '../../../nodes/shared/lib';
import { withPollLock } from '../../../nodes/shared/polling/state';
import { triggerOf } from '../../support/engine/contexts';
import { HOUR, startTrigger, timed } from '../../support/engine/feedTrigger';

/** Whose state it is, and one poll of a trigger at a time in a process. */

describe('what n8n keeps', () => {
	const key = 'siteManagementTrigger:gone';

	it('of a node that is gone is taken away after a month', async () => {
		const { poll, time, saved, restore, restart, inMemory, iso } = startTrigger({
			things: timed(),
		});
		await poll();
		const mine = saved().workflow.global as IDataObject;
		const global = { ...mine, [key]: { base: '', state: {}, at: time.now() } };
		restore({ workflow: { global } });
		await restart();
		const left = () => Object.keys(inMemory().global as IDataObject);
		await time.advance(29 * 24 * HOUR);
		await poll();
		expect(left()).toContain(key);
		await time.advance(2 * 24 * HOUR);
		await poll();
		expect(left()).toEqual(Object.keys(mine));
		expect(iso()).toMatch(/^2026-04-01/);
	});

	it.each([false, true])(
		'of another node that had the name is not taken for its own, with durable cursors: %s',
		async (isDurable) => {
			const trigger = startTrigger({ things: timed() }, { isDurable });
			expect(await trigger.poll()).toEqual([]);
			await trigger.settle();
			trigger.write('a', { state: 'open' });
			const ofOther = { epoch: 'other', node: 'another', feeds: {} };
			trigger.restore({ workflow: { ...trigger.saved().workflow, 'node:Renamed': ofOther } });
			await trigger.rename('Renamed');
			expect(await trigger.poll()).toEqual(['a open']);
		},
	);
});

describe('a poll', () => {
	let now = 0;
	beforeEach(() => {
		now = 0;
		clock.now = () => now;
	});

	const of = triggerOf();

	/** A poll of the trigger in a workflow, which ends when it is told to; with durable cursors it has a copy of its own. */
	function slow(
		id: string,
		activation: 'activate' | 'update' = 'update',
		name?: string,
		cursor?: IDataObject,
	) {
		let end!: (value: string) => void;
		let counts!: () => boolean;
		const context = of.contextIn(of.open(id, name), activation, cursor);
		const result = withPollLock(context, 1_000, async (still) => {
			counts = still;
			return await new Promise<string>((resolve) => (end = resolve));
		});
		return { result, end: (value: string) => end(value), counts: () => counts() };
	}

	it('waits, where polls share a workflow, for the first one to end', async () => {
		const first = slow('a');
		let isOver = false;
		const second = slow('a').result.finally(() => (isOver = true));
		await new Promise((resolve) => setImmediate(resolve));
		expect([isOver, first.counts()]).toEqual([false, true]);
		first.end('done');
		expect([await first.result, await second]).toEqual(['done', null]);
	});

	it('with durable cursors a second one gives null at once', async () => {
		const first = slow('c', 'update', undefined, {});
		expect(await slow('c', 'update', undefined, {}).result).toBeNull();
		first.end('done');
		expect(await first.result).toBe('done');
	});

	it.each<[string, Parameters<typeof slow>, number]>([
		['is lost', ['b'], 1_000],
		['was there before an activation', ['b', 'activate'], 0],
		['was there before an edit', ['b', 'update', 'Renamed'], 0],
	])('one that %s gives way, and no longer counts', async (_, next, at) => {
		const first = slow('b');
		now = at;
		const second = slow(...next);
		second.end('ran');
		expect(await second.result).toBe('ran');
		expect(first.counts()).toBe(false);
		first.end('too late');
		await first.result;
	});
});

import type { IDataObject } from 'n8n-workflow';
import { clock } from '../../../nodes/shared/lib';
import { withPollLock } from '../../../nodes/shared/polling/state';
import { triggerOf } from '../../support/items';
import { HOUR, startTrigger, timed } from '../../support/pollLists';

/** Whose state it is, and one poll of a trigger at a time in a process. */

describe('what n8n keeps', () => {
	const key = 'siteManagementTrigger:gone';

	it('of a node that is gone is taken away after a month', async () => {
		const { poll, time, saved, edit, iso } = startTrigger({ things: timed() });
		await poll();
		const { global: mine } = saved() as { global: IDataObject };
		edit({ staticData: { global: { ...mine, [key]: { base: '', state: {}, at: time.now() } } } });
		const left = () => Object.keys(saved().global as IDataObject);
		await time.advance(29 * 24 * HOUR);
		await poll();
		expect(left()).toContain(key);
		await time.advance(2 * 24 * HOUR);
		await poll();
		expect(left()).toEqual(Object.keys(mine));
		expect(iso()).toMatch(/^2026-04-01/);
	});

	it('of another node that had the name is not taken for its own', async () => {
		const { poll, saved, edit, write, settle } = startTrigger({ things: timed() });
		await poll();
		await settle();
		write('a', { state: 'open' });
		expect(await poll()).toEqual(['a open']);
		await settle();
		write('b', { state: 'open' });
		const ofOther = { epoch: 'other', node: 'another', feeds: {} };
		edit({ name: 'Renamed', staticData: { ...saved(), 'node:Renamed': ofOther } });
		expect(await poll()).toEqual(['b open']);
	});
});

describe('a poll', () => {
	let now = 0;
	beforeEach(() => {
		now = 0;
		clock.now = () => now;
	});

	const of = triggerOf();

	interface About {
		/** How the poll's activation began. */
		activation?: 'activate' | 'update';
		/** Whether the trigger was edited. */
		isEdited?: boolean;
		/** Whether n8n has durable cursors, so that polls share no workflow. */
		isDurable?: boolean;
	}

	/** What n8n passes to a poll of the trigger in a workflow. */
	function contextOf(id: string, { activation = 'update', isEdited, isDurable }: About = {}) {
		const workflow = of.open(undefined, id, isEdited ? 'Renamed' : undefined);
		return of.contextIn(workflow, { activation, ...(isDurable && { cursor: {} }) });
	}

	/** A poll that ends when it is told to. */
	function slow(key: string, about: About = {}) {
		let end!: (value: string) => void;
		let counts!: () => boolean;
		const result = withPollLock(contextOf(key, about), 1_000, async (still) => {
			counts = still;
			return await new Promise<string>((resolve) => (end = resolve));
		});
		return { result, end: (value: string) => end(value), counts: () => counts() };
	}

	const quick = async (key: string, about: About = {}) =>
		await withPollLock(contextOf(key, about), 1_000, async () => 'ran');

	const turn = async () => await new Promise((resolve) => setImmediate(resolve));

	it('with durable cursors a second one gives null at once, of another trigger not', async () => {
		const first = slow('a', { isDurable: true });
		expect(await quick('a', { isDurable: true })).toBeNull();
		expect(await quick('b')).toBe('ran');
		expect(first.counts()).toBe(true);
		first.end('done');
		expect(await first.result).toBe('done');
		expect(await quick('a')).toBe('ran');
	});

	it('waits, where polls share a workflow, for the first one to end', async () => {
		const first = slow('c');
		let isOver = false;
		const second = quick('c').finally(() => (isOver = true));
		await turn();
		expect(isOver).toBe(false);
		first.end('done');
		expect(await second).toBeNull();
	});

	it.each<[string, About, number]>([
		['is lost', {}, 1_000],
		['was there before an activation', { activation: 'activate' }, 0],
		['was there before an edit', { isEdited: true }, 0],
	])('one that %s gives way, and no longer counts', async (_, about, at) => {
		const first = slow('d');
		now = at;
		expect(await quick('d', about)).toBe('ran');
		expect(first.counts()).toBe(false);
		first.end('too late');
		await first.result;
	});

	it('one that fails gives way', async () => {
		await expect(
			withPollLock(contextOf('e'), 1_000, async () => await Promise.reject(new Error('broken'))),
		).rejects.toThrow('broken');
		expect(await quick('e')).toBe('ran');
	});
});

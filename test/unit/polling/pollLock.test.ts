import { type UnderWay, withPollLock } from '../../../nodes/shared/polling/pollLock';
import { clock } from '../../../nodes/shared/client/clock';

/** One poll of a trigger at a time, in a process. */

let now = 0;
const underWay = new Map<string, UnderWay>();
beforeEach(() => {
	now = 0;
	clock.now = () => now;
});

const plain = { underWay, until: 1_000, isFirst: false, settings: 'a', waits: false };

/** A poll that ends when it is told to. */
function slow(key: string, turn: Partial<Parameters<typeof withPollLock>[1]> = {}) {
	let end!: (value: string) => void;
	let counts!: () => boolean;
	const given = { ...plain, ...turn };
	const result = withPollLock(key, given, async (still) => {
		counts = still;
		return await new Promise<string>((resolve) => (end = resolve));
	});
	return { result, end: (value: string) => end(value), counts: () => counts() };
}

const quick = async (key: string, turn = {}) =>
	await withPollLock(key, { ...plain, ...turn }, async () => 'ran');

it('a second one gives null at once, of another trigger not', async () => {
	const first = slow('a');
	expect(await quick('a')).toBeNull();
	expect(await quick('b')).toBe('ran');
	expect(first.counts()).toBe(true);
	first.end('done');
	expect(await first.result).toBe('done');
	expect(await quick('a')).toBe('ran');
});

it('where polls share a workflow it waits for the first one to end', async () => {
	const first = slow('c');
	let isOver = false;
	const second = quick('c', { waits: true }).finally(() => (isOver = true));
	await new Promise((resolve) => setImmediate(resolve));
	expect(isOver).toBe(false);
	first.end('done');
	expect(await second).toBeNull();
});

it.each([
	['is lost', {}, 1_000],
	['was there before an activation', { isFirst: true }, 0],
	['was there before an edit', { settings: 'b', waits: true }, 0],
])('one that %s gives way, and no longer counts', async (_, turn, at) => {
	const first = slow('d');
	now = at;
	expect(await quick('d', turn)).toBe('ran');
	expect(first.counts()).toBe(false);
	first.end('too late');
	await first.result;
});

it('one that fails gives way', async () => {
	await expect(
		withPollLock('e', plain, async () => await Promise.reject(new Error('broken'))),
	).rejects.toThrow('broken');
	expect(await quick('e')).toBe('ran');
});

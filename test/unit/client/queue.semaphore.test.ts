import { Semaphore } from '../../../nodes/shared/client/queue';

/** Work that runs a few at a time, in the order in which it came. */

it('runs at most the given number at once, in order, and passes places on', async () => {
	const few = new Semaphore(2);
	const started: number[] = [];
	const ends: Array<() => void> = [];
	const all = Array.from({ length: 5 }, (_, index) =>
		few.run(async () => {
			started.push(index);
			await new Promise<void>((resolve) => ends.push(resolve));
			return index;
		}),
	);
	for (let running = 2; running <= 5; running++) {
		await new Promise((resolve) => setImmediate(resolve));
		expect(started).toEqual([0, 1, 2, 3, 4].slice(0, running));
		ends.shift()!();
	}
	ends.forEach((end) => end());
	expect(await Promise.all(all)).toEqual([0, 1, 2, 3, 4]);
	const next = few.run(async () => 'next');
	expect(await next).toBe('next');
});

it('work that fails passes its place on', async () => {
	const few = new Semaphore(1);
	const failed = few.run(async () => await Promise.reject(new Error('broken')));
	const next = few.run(async () => 'next');
	await expect(failed).rejects.toThrow('broken');
	expect(await next).toBe('next');
	expect(await few.run(async () => 'free again')).toBe('free again');
});

it('thousands that wait all get their turn, in order', async () => {
	const few = new Semaphore(3);
	const done: number[] = [];
	await Promise.all(
		Array.from({ length: 5_000 }, (_, index) => few.run(async () => void done.push(index))),
	);
	expect(done).toEqual(Array.from({ length: 5_000 }, (_, index) => index));
});

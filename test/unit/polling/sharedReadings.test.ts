import type { IDataObject } from 'n8n-workflow';
import type { CursorSource } from '../../../nodes/shared/polling/cursor';
import { sharedPages } from '../../../nodes/shared/polling/sharedReadings';
import type { Page } from '../../../nodes/shared/polling/chunk';
import { clock } from '../../../nodes/shared/client/clock';
import { endBy } from '../../../nodes/shared/n8n/context';
import { OutOfTime } from '../../../nodes/shared/client/limiter';
import { triggerOf } from '../../support/items';
import { VirtualTime } from '../../support/virtualTime';

/** What a trigger takes of the readings of others, and when it asks for itself. */

const SECOND = 1_000;
const NOON = Date.parse('2026-03-01T12:00:00Z');
const iso = (ms: number) => new Date(NOON + ms).toISOString();

let time: VirtualTime;
beforeEach(() => {
	time = new VirtualTime({ start: NOON });
	Object.assign(clock, { now: time.now, steady: time.now, sleep: time.sleep, guard: time.sleep });
});

/** Triggers of an account, and a list that they read: its records, by their seconds, and how it answers. */
async function listOf(count: number) {
	const { open, contextIn } = triggerOf();
	const seconds: number[] = [];
	const asked: string[] = [];
	const list = { answer: async () => {}, perPage: 100 };
	const read = async (from: string): Promise<Page<IDataObject>> => {
		asked.push(from);
		const at = time.now();
		await list.answer();
		const found = seconds.map((second) => ({ id: second, at: iso(second * SECOND) }));
		const records = found.filter((each) => each.at >= from);
		// Of its own reading, whoever takes it.
		const moments = { asked: { local: at }, answered: { local: time.now() } };
		const last = records.length <= list.perPage;
		return { ...moments, records: records.slice(0, list.perPage), last } as Page<IDataObject>;
	};
	const source = {
		page: read,
		time: (record: IDataObject) => String(record.at),
	} as unknown as CursorSource<IDataObject>;
	const triggers = Array.from({ length: count }, (_, index) => {
		const workflow = open(undefined, String(index));
		const context = contextIn(workflow, { activation: 'update' });
		/** A poll that goes on from so many seconds, and the records that it has. */
		const poll = async (from: number, until = Infinity) => {
			endBy(context, until);
			const { records, ...page } = await sharedPages(context, 'list', source).page(
				iso(from * SECOND),
				1,
			);
			return { ...page, ids: records.map(({ id }) => id) };
		};
		return { context, poll };
	});
	// They are known from their first poll on.
	for (const { poll } of triggers) await poll(-60);
	time.at(time.now() + 60 * SECOND, () => undefined);
	await time.run();
	asked.length = 0;
	return { triggers, seconds, asked, list };
}

it('is read from the oldest place of all, and each has what is after its own', async () => {
	const { triggers, seconds, asked } = await listOf(3);
	seconds.push(-50, -40, -30, -20);
	const [one, other, third] = triggers;
	const first = await one!.poll(-30);
	expect(first.ids).toEqual([-30, -20]);
	const second = await other!.poll(-40);
	expect(second).toEqual({ ...first, ids: [-40, -30, -20] });
	expect((await third!.poll(-20)).ids).toEqual([-20]);
	// A little earlier than where the others have gone on before.
	expect(asked).toEqual([iso(-65 * SECOND)]);
});

it('a page has the moments of its own reading', async () => {
	const { triggers, list } = await listOf(2);
	list.answer = async () => await time.sleep(2 * SECOND);
	const began = time.now();
	const first = triggers[0]!.poll(-20);
	await time.run(began + SECOND);
	const second = triggers[1]!.poll(-20);
	await time.run();
	const moments = { asked: { local: began }, answered: { local: began + 2 * SECOND } };
	expect([await first, await second]).toEqual([
		{ ...moments, last: true, ids: [] },
		{ ...moments, last: true, ids: [] },
	]);
});

it('serves for ten seconds, and not once the clock has been set', async () => {
	const { triggers, asked } = await listOf(4);
	await triggers[0]!.poll(-20);
	time.at(time.now() + 10 * SECOND, () => undefined);
	await time.run();
	await triggers[1]!.poll(-20);
	expect(asked).toHaveLength(1);
	clock.now = () => time.now() + SECOND;
	await triggers[2]!.poll(-20);
	expect(asked).toHaveLength(2);
	clock.now = () => time.now() - 3_600_000;
	await triggers[3]!.poll(-20);
	expect(asked).toHaveLength(3);
});

it('where the page of all is not the whole list, each reads from its own place', async () => {
	const { triggers, seconds, asked, list } = await listOf(2);
	seconds.push(-50, -40, -30);
	list.perPage = 2;
	expect(await triggers[0]!.poll(-40)).toMatchObject({ ids: [-40, -30], last: true });
	expect(await triggers[1]!.poll(-50)).toMatchObject({ ids: [-50, -40], last: false });
	expect(asked).toEqual([-65, -40, -50].map((second) => iso(second * SECOND)));
});

it('alone, a trigger asks for what it wants', async () => {
	const { triggers, asked } = await listOf(1);
	await triggers[0]!.poll(-30);
	await triggers[0]!.poll(-20);
	expect(asked).toEqual([iso(-30 * SECOND), iso(-20 * SECOND)]);
});

it('nobody waits for another beyond its own time', async () => {
	const { triggers, list } = await listOf(3);
	list.answer = async () => await new Promise<never>(() => undefined);
	void triggers[0]!.poll(-20);
	const until = time.now() + 30 * SECOND;
	const ended = triggers[1]!.poll(-20, until).then(
		() => 'read',
		(error: Error) => [error instanceof OutOfTime, time.now()],
	);
	await time.run();
	expect(await ended).toEqual([true, until]);
});

it('where the one that asked has no time left, or fails, whoever waits asks for itself', async () => {
	for (const error of [new OutOfTime(), new Error('The service failed')]) {
		const { triggers, seconds, asked, list } = await listOf(3);
		seconds.push(-10);
		let isFirst = true;
		list.answer = async () => {
			await time.sleep(SECOND);
			if (!isFirst) return;
			isFirst = false;
			throw error;
		};
		const polls = triggers.map(
			async ({ poll }) =>
				await poll(-20).then(
					({ ids }) => ids,
					(cause: Error) => cause,
				),
		);
		await time.run();
		expect(await Promise.all(polls)).toEqual([error, [-10], [-10]]);
		expect(asked).toHaveLength(3);
	}
});

it('pages that follow are asked for by each, and then nothing older serves', async () => {
	const { triggers, asked } = await listOf(2);
	await triggers[0]!.poll(-20);
	const { context } = triggers[1]!;
	const source = { page: async () => await triggers[1]!.poll(-20), time: () => '' };
	await sharedPages(context, 'list', source as never).page(iso(0), 2);
	expect(asked).toHaveLength(1);
	await triggers[1]!.poll(-20);
	expect(asked).toHaveLength(2);
});

describe('with time for one request', () => {
	/** The time is over after each request. */
	const oneEach = async (of: Awaited<ReturnType<typeof listOf>>, index: number, from: number) => {
		const { triggers, asked, list } = of;
		const before = asked.length;
		list.answer = async () => {
			if (asked.length - before > 1) throw new OutOfTime();
		};
		return await triggers[index]!.poll(from).then(
			({ ids }) => ids,
			(error: Error) => (error instanceof OutOfTime ? 'over' : error),
		);
	};

	it('the next poll begins with what a trigger has asked for, whoever else reads the list', async () => {
		const of = await listOf(2);
		of.seconds.push(-50, -40, -30);
		of.list.perPage = 1;
		expect(await oneEach(of, 0, -40)).toBe('over');
		expect(await oneEach(of, 0, -40)).toEqual([-40]);
		expect(of.asked).toEqual([-65, -40, -40].map((second) => iso(second * SECOND)));
	});

	it('so it does where it has waited for the reading of another', async () => {
		const of = await listOf(2);
		of.seconds.push(-50, -40, -30);
		of.list.perPage = 1;
		const wait = async (ms: number) =>
			await new Promise<void>((resolve) => time.at(time.now() + ms, resolve));
		of.list.answer = async () => await wait(30 * SECOND);
		const outcomes: unknown[] = [];
		for (let round = 0; round < 2; round++) {
			void of.triggers[0]!.poll(-50);
			void of.triggers[1]!.poll(-40, time.now() + 20 * SECOND).then(
				({ ids }) => outcomes.push(ids),
				() => outcomes.push('over'),
			);
			await time.run();
		}
		expect(outcomes).toEqual(['over', [-40]]);
	});
});

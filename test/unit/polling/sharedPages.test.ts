import { sharedPage } from '../../../nodes/shared/polling/sources';
import { clock } from '../../../nodes/shared/lib';
import { triggerOf } from '../../support/items';
import { VirtualTime } from '../../support/virtualTime';

/** What a trigger takes of the readings of others, and when it asks for itself. */

const SECOND = 1_000;
const NOON = Date.parse('2026-03-01T12:00:00Z');

let time: VirtualTime;
beforeEach(() => {
	time = new VirtualTime({ start: NOON });
	Object.assign(clock, { now: time.now, steady: time.now, sleep: time.sleep, guard: time.sleep });
});

/** Triggers of an account that read a list, and how that answers. */
async function listOf(count: number) {
	const { open, contextIn } = triggerOf();
	const asked: string[] = [];
	const list = { answer: async () => {} };
	const triggers = Array.from({ length: count }, (_, index) => {
		const context = contextIn(open(undefined, `${NOON}/${index}`), { activation: 'update' });
		return async (request = 'page', isShared = true) =>
			await sharedPage(context, { list: 'list', request, isShared }, async () => {
				asked.push(request);
				const number = asked.length;
				await list.answer();
				return { number, request };
			});
	});
	// They are known from their first poll on.
	for (const poll of triggers) await poll(`first of ${triggers.indexOf(poll)}`);
	await wait(60 * SECOND);
	asked.length = 0;
	return { triggers, asked, list };
}

async function wait(ms: number): Promise<void> {
	time.at(time.now() + ms, () => undefined);
	await time.run();
}

it('one page serves all that ask for the same, and nobody else', async () => {
	const { triggers, asked } = await listOf(4);
	const [one, second, third, other] = triggers;
	const page = await one!();
	expect(await second!()).toEqual(page);
	// Each has records of its own.
	expect(await third!()).not.toBe(page);
	await other!('other');
	expect(asked).toEqual(['page', 'other']);
});

it('it serves a trigger once, since that has seen the list then', async () => {
	const { triggers, asked } = await listOf(2);
	await triggers[0]!();
	await triggers[1]!();
	await triggers[1]!();
	expect(asked).toHaveLength(2);
	await triggers[0]!();
	expect(asked).toHaveLength(2);
});

it('it serves while it is under way, and its failure is nobody else’s', async () => {
	const { triggers, asked, list } = await listOf(3);
	let isFirst = true;
	list.answer = async () => {
		await time.sleep(SECOND);
		if (!isFirst) return;
		isFirst = false;
		throw new Error('The service failed');
	};
	const polls = triggers.map(async (poll) => await poll().catch((error: Error) => error.message));
	await time.run();
	const [failed, ...others] = await Promise.all(polls);
	expect(failed).toBe('The service failed');
	for (const each of others) expect(each).toMatchObject({ request: 'page' });
	expect(asked.length).toBeLessThanOrEqual(3);
});

it('serves for ten seconds, and not once the clock has been set', async () => {
	const { triggers, asked } = await listOf(4);
	await triggers[0]!();
	await wait(10 * SECOND);
	await triggers[1]!();
	expect(asked).toHaveLength(1);
	clock.now = () => time.now() + SECOND;
	await triggers[2]!();
	expect(asked).toHaveLength(2);
	clock.now = () => time.now() - 3_600_000;
	await triggers[3]!();
	expect(asked).toHaveLength(3);
});

it('pages that follow are asked for by each, and then nothing older serves', async () => {
	const { triggers, asked } = await listOf(2);
	await triggers[0]!();
	await triggers[1]!('next', false);
	await triggers[1]!();
	expect(asked).toEqual(['page', 'next', 'page']);
});

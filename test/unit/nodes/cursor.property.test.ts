import fc from 'fast-check';
import { advance, baseline, type Cursor, type Source } from '../../../nodes/shared/polling/cursor';

/**
 * Random histories of tasks against the cursor: whatever happens between and during polls, every task that ends
 * after the baseline is emitted once.
 */

interface Task {
	id: number;
	at: number;
	ended: boolean;
}

type Step =
	{ kind: 'start' | 'end' | 'touch'; pick: number } | { kind: 'tick' | 'poll' | 'failing poll' };

const PAGE = 3;

class Account {
	readonly tasks: Task[] = [];
	now = 1000;
	/** What happens between two pages of the next poll. */
	meanwhile: Step[] = [];
	failAfter = Infinity;

	apply(step: Step): void {
		if (step.kind === 'tick') this.now += 1;
		if (step.kind === 'start')
			this.tasks.push({ id: this.tasks.length, at: this.now, ended: false });
		const running = this.tasks.filter(({ ended }) => !ended);
		if (step.kind === 'end' && running.length > 0) {
			Object.assign(running[step.pick % running.length]!, { at: this.now, ended: true });
		}
		if (step.kind === 'touch' && running.length > 0) {
			running[step.pick % running.length]!.at = this.now;
		}
	}

	source(): Source<Task> {
		const time = (at: number) => new Date(at * 1000).toISOString();
		const read = (sorted: Task[], page: number) => {
			if (this.failAfter-- <= 0) throw new Error('The connection broke');
			const records = sorted.slice((page - 1) * PAGE, page * PAGE).map((task) => ({ ...task }));
			const last = records.length < PAGE;
			for (const step of this.meanwhile.splice(0, 2)) this.apply(step);
			return { records, last };
		};
		const byTime = () => [...this.tasks].sort((a, b) => a.at - b.at || a.id - b.id);
		return {
			page: async (since, page) =>
				read(
					byTime().filter(({ at }) => !since || at * 1000 >= Date.parse(since)),
					page,
				),
			newest: async () => read(byTime().reverse(), 1),
			id: ({ id }) => String(id),
			time: ({ at }) => time(at),
			key: ({ id, ended }) => (ended ? String(id) : undefined),
		};
	}
}

const change: fc.Arbitrary<Step> = fc.oneof(
	{ weight: 3, arbitrary: fc.record({ kind: fc.constant('start' as const), pick: fc.nat(50) }) },
	{ weight: 3, arbitrary: fc.record({ kind: fc.constant('end' as const), pick: fc.nat(50) }) },
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant('touch' as const), pick: fc.nat(50) }) },
	{ weight: 1, arbitrary: fc.constant({ kind: 'tick' as const }) },
);

const step: fc.Arbitrary<Step> = fc.oneof(
	{ weight: 8, arbitrary: change },
	{ weight: 1, arbitrary: fc.constant({ kind: 'poll' as const }) },
	{ weight: 1, arbitrary: fc.constant({ kind: 'failing poll' as const }) },
);

const start = { kind: 'start', pick: 0 } as const;
const end = (pick = 0) => ({ kind: 'end', pick }) as const;
const touch = { kind: 'touch', pick: 0 } as const;
const tick = { kind: 'tick' } as const;
const poll = { kind: 'poll' } as const;

/** Histories that earlier forms of the cursor lost an event of: records that join a time while it is read. */
const FOUND_BEFORE: Array<[before: Step[], during: Step[], meanwhile: Step[]]> = [
	[
		[start, start, start, start, start],
		[start, poll],
		[end(), tick, start],
	],
	[[start, start, start], [poll], [tick, start, end(23), tick, end()]],
	[[start], [start, poll, start, poll], [end(), end(), touch, touch, start, end(21), tick, end()]],
	[
		[start, start, start, start, start],
		[end(), end(14), end(), start, poll],
		[start, touch, start, end(28), start, touch, end(), tick, end(15)],
	],
];

it('emits every task that ends after the baseline, once', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(change, { maxLength: 30 }),
			fc.array(step, { maxLength: 60 }),
			fc.array(change, { maxLength: 20 }),
			async (before, during, meanwhile) => {
				const account = new Account();
				for (const one of before) account.apply(one);
				const old = account.tasks.filter(({ ended }) => ended).map(({ id }) => id);
				let cursor: Cursor = await baseline(account.source());
				const emitted: number[] = [];
				const readOn = async () => {
					const next = await advance(account.source(), cursor);
					// What n8n saves and reads again.
					cursor = JSON.parse(JSON.stringify(next.cursor)) as Cursor;
					emitted.push(...next.events.map(({ id }) => id));
				};
				account.meanwhile = [...meanwhile];
				for (const one of during) {
					if (one.kind === 'poll') await readOn();
					else if (one.kind === 'failing poll') {
						account.failAfter = 1;
						await readOn().catch(() => {});
						account.failAfter = Infinity;
					} else account.apply(one);
				}
				account.meanwhile = [];
				await readOn();
				const ended = account.tasks.filter((task) => task.ended).map(({ id }) => id);
				const expected = ended.filter((id) => !old.includes(id));
				expect(emitted.sort((a, b) => a - b)).toEqual(expected);
			},
		),
		{ numRuns: 1000, examples: FOUND_BEFORE },
	);
});

import fc from 'fast-check';
import {
	advance,
	baseline,
	LATE_MS,
	type Cursor,
	type Emitted,
	type Source,
} from '../../nodes/shared/polling/cursor';
import type { TimedFeed } from '../../nodes/shared/polling/feed';

/** A record as the list shows it. */
type Row = Record<string, unknown> & { id: string };

/** A state of a record, and from when on the list shows it. */
interface Version {
	row: Row;
	visibleFrom: number;
}

const PAGE = 3;

/** A list of the service in memory: with times, pages, and records that appear later than their time says. */
export class ModelAccount {
	now = Date.parse('2026-03-01T12:00:00Z');

	/** What happens after each page that is read, in order, until there is no more. */
	meanwhile: Array<() => void> = [];

	/** Requests that succeed before one fails. */
	failAfter = Infinity;

	requests = 0;

	private readonly records = new Map<string, Version[]>();

	/** @param timeField the field that the list is ordered by */
	constructor(private readonly timeField: string) {}

	iso(): string {
		return new Date(this.now).toISOString();
	}

	/** Writes a record, new or changed. @param lateMs how much later the list shows it */
	write(row: Row, lateMs = 0): void {
		const versions = this.records.get(row.id) ?? [];
		versions.push({ row: { ...row }, visibleFrom: this.now + lateMs });
		this.records.set(row.id, versions);
	}

	/** The newest state of a record, shown or not. */
	latest(id: string): Row | undefined {
		return this.records.get(id)?.at(-1)?.row;
	}

	ids(): string[] {
		return [...this.records.keys()];
	}

	/** What the list shows now, in no order. */
	shown(): Row[] {
		return [...this.records.values()].flatMap((versions) => {
			const visible = versions.filter(({ visibleFrom }) => visibleFrom <= this.now);
			return visible.length > 0 ? [visible.at(-1)!.row] : [];
		});
	}

	source(
		feed: Pick<TimedFeed, 'occurrences' | 'isOpen' | 'openForMs' | 'id'>,
	): Source<Record<string, any>> {
		const timeOf = (row: Record<string, unknown>) => String(row[this.timeField]);
		const id = feed.id ?? ((row) => String(row.id));
		const ascending = () =>
			this.shown().sort(
				(a, b) => Date.parse(timeOf(a)) - Date.parse(timeOf(b)) || a.id.localeCompare(b.id),
			);
		const read = (rows: Row[], page: number) => {
			this.requests += 1;
			if (this.failAfter-- <= 0) throw new Error('The connection broke');
			const records = rows.slice((page - 1) * PAGE, page * PAGE).map((row) => ({ ...row }));
			const answer = { records, last: page * PAGE >= rows.length, now: this.now };
			this.meanwhile.shift()?.();
			return answer;
		};
		return {
			page: async (since, page) => {
				const from = Date.parse(since || '1970-01-01T00:00:00Z');
				return read(
					ascending().filter((row) => Date.parse(timeOf(row)) >= from),
					page,
				);
			},
			newest: async () => read(ascending().reverse(), 1),
			time: timeOf,
			id,
			occurrences: feed.occurrences as Source<Record<string, any>>['occurrences'],
			isOpen: feed.isOpen as Source<Record<string, any>>['isOpen'],
			openForMs: feed.openForMs,
		};
	}
}

/** A trigger over a model: what n8n keeps between polls goes through JSON, and only when a poll has succeeded. */
export class ModelTrigger {
	readonly emitted: Array<Emitted<Record<string, any>>> = [];

	cursor?: Cursor;

	constructor(
		private readonly source: Source<Record<string, any>>,
		private readonly capacity = 3_000,
	) {}

	/** @param batches how many batches the time for the poll allows */
	async poll(batches = Infinity): Promise<void> {
		if (!this.cursor) {
			this.save(await baseline(this.source, this.capacity));
			return;
		}
		let left = batches;
		const limits = { capacity: this.capacity, isOver: () => --left <= 0 };
		const { events, cursor } = await advance(this.source, this.cursor, limits);
		this.save(cursor);
		this.emitted.push(...events);
	}

	/** A poll after which n8n dies before it has saved anything: nothing of it counts. */
	async pollAndCrash(): Promise<void> {
		await advance(this.source, this.cursor!, { capacity: this.capacity });
	}

	private save(cursor: Cursor): void {
		this.cursor = JSON.parse(JSON.stringify(cursor)) as Cursor;
	}
}

/** What the tests of all triggers let happen besides the changes of their own records. */
export type Happening =
	| { kind: 'time'; ms: number }
	| { kind: 'poll' }
	| { kind: 'poll in parts'; batches: number }
	| { kind: 'failing poll'; after: number }
	| { kind: 'crash' };

export const happening: fc.Arbitrary<Happening> = fc.oneof(
	{
		weight: 4,
		arbitrary: fc.record({
			kind: fc.constant('time' as const),
			ms: fc.constantFrom(1_000, 1_000, 20_000, 100_000, 600_000, 7_200_000),
		}),
	},
	{ weight: 3, arbitrary: fc.constant({ kind: 'poll' as const }) },
	{
		weight: 1,
		arbitrary: fc.record({
			kind: fc.constant('poll in parts' as const),
			batches: fc.integer({ min: 1, max: 3 }),
		}),
	},
	{
		weight: 1,
		arbitrary: fc.record({
			kind: fc.constant('failing poll' as const),
			after: fc.integer({ min: 0, max: 3 }),
		}),
	},
	{ weight: 1, arbitrary: fc.constant({ kind: 'crash' as const }) },
);

/** How much later than its time the list shows a change: mostly at once, at most as much as the cursor allows for. */
export const lateness: fc.Arbitrary<number> = fc.oneof(
	{ weight: 4, arbitrary: fc.constant(0) },
	{ weight: 1, arbitrary: fc.integer({ min: 0, max: LATE_MS }) },
);

export async function happen(
	account: ModelAccount,
	trigger: ModelTrigger,
	what: Happening,
): Promise<void> {
	switch (what.kind) {
		case 'time':
			account.now += what.ms;
			return;
		case 'poll':
			return await trigger.poll();
		case 'poll in parts':
			return await trigger.poll(what.batches);
		case 'failing poll':
			account.failAfter = what.after;
			await trigger.poll().catch(() => {});
			account.failAfter = Infinity;
			return;
		case 'crash':
			return await trigger.pollAndCrash();
	}
}

/** Polls until everything that has happened must have been seen. */
export async function finish(account: ModelAccount, trigger: ModelTrigger): Promise<void> {
	account.meanwhile = [];
	await trigger.poll();
	account.now += LATE_MS + 1_000;
	await trigger.poll();
}

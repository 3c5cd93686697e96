import fc from 'fast-check';
import { reportEvents, reportFeed } from '../../../nodes/Report/resources/reportEvents';
import { LATE_MS } from '../../../nodes/shared/polling/cursor';
import {
	finish,
	happen,
	happening,
	lateness,
	ModelAccount,
	ModelTrigger,
	type Happening,
} from '../../support/modelAccount';

/**
 * Random histories of reports and their e-mails against the report trigger: what happens to a report or to a
 * recipient after the baseline, while the report is followed, is emitted once.
 */

type Change =
	| { kind: 'create'; late: number; count: number }
	| { kind: 'send'; reports: number[]; to: number; late: number }
	| { kind: 'move'; reports: number[]; to: number; fate: Fate; late: number };

const fates = ['delivered', 'opened', 'failed', 'bounced', 'spam'] as const;
type Fate = (typeof fates)[number];

interface Recipient {
	email: string;
	status: string;
	sent_at: string;
	delivered_at: string | null;
	opened_at: string | null;
}

const DAY_MS = 86_400_000;

/** Mostly the same few, so that much happens to them; several are changed at the same time. */
const picks = fc.oneof(
	fc.uniqueArray(fc.nat(2), { minLength: 1, maxLength: 3 }),
	fc.array(fc.nat(50), { minLength: 1, maxLength: 1 }),
);

const change: fc.Arbitrary<Change> = fc.oneof(
	fc.record({
		kind: fc.constant('create' as const),
		late: lateness,
		count: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 8 })),
	}),
	{
		weight: 2,
		arbitrary: fc.record({
			kind: fc.constant('send' as const),
			reports: picks,
			to: fc.nat(1),
			late: lateness,
		}),
	},
	{
		weight: 4,
		arbitrary: fc.record({
			kind: fc.constant('move' as const),
			reports: picks,
			to: fc.nat(1),
			fate: fc.constantFrom(...fates),
			late: lateness,
		}),
	},
);

/** From which states an e-mail can come to its fate: what has failed stays so until it is sent again. */
const from: Record<Fate, string[]> = {
	delivered: ['sent'],
	opened: ['sent', 'delivered'],
	failed: ['sent'],
	bounced: ['sent', 'delivered'],
	spam: ['delivered', 'opened'],
};

class Reports {
	readonly account = new ModelAccount('created_at');

	/** All that has happened, in the words of `told`. */
	readonly facts: string[] = [];

	readonly isTold = new Set<string>();

	constructor(private readonly days: number) {}

	apply(step: Change): void {
		const { account } = this;
		if (step.kind === 'create') {
			for (let index = 0; index < step.count; index++) {
				const id = `${account.ids().length}`;
				account.write({ id, created_at: account.iso(), email: { recipients: [] } }, step.late);
				this.facts.push(`created ${id}`);
			}
			return;
		}
		for (const pick of step.reports) this.change(pick, step);
	}

	private change(pick: number, step: Exclude<Change, { kind: 'create' }>): void {
		const { account } = this;
		const row = account.latest(account.ids()[pick % Math.max(1, account.ids().length)] ?? '');
		if (!row) return;
		// Those that are too old when the list shows the change are given up.
		const age = account.now + step.late - Date.parse(String(row.created_at));
		if (age >= this.days * DAY_MS) return;
		const { recipients } = row.email as { recipients: Recipient[] };
		const email = `r${step.to}@example.com`;
		const old = recipients.find((each) => each.email === email);
		const next = step.kind === 'send' ? this.sent(row.id, email, old) : moved(old, step.fate);
		if (!next) return;
		const others = recipients.filter((each) => each !== old);
		account.write({ ...row, email: { recipients: [...others, next] } }, step.late);
		this.facts.push(...factsOf(row.id, next).filter((fact) => !this.facts.includes(fact)));
	}

	/** Sent anew, unless nobody could know what became of the e-mail before. */
	private sent(id: string, email: string, old?: Recipient): Recipient | undefined {
		const sentAt = this.account.iso();
		if (old?.sent_at === sentAt) return undefined;
		if (old && !factsOf(id, old).every((fact) => this.isTold.has(fact))) return undefined;
		return { email, status: 'sent', sent_at: sentAt, delivered_at: null, opened_at: null };
	}
}

function moved(old: Recipient | undefined, fate: Fate): Recipient | undefined {
	if (!old || !from[fate].includes(old.status)) return undefined;
	const at = '2026-03-02T00:00:00Z';
	const arrives = fate === 'delivered' || fate === 'opened';
	return {
		...old,
		status: fate,
		...(arrives && { delivered_at: old.delivered_at ?? at }),
		...(fate === 'opened' && { opened_at: at }),
	};
}

function factsOf(id: string, { email, status, sent_at, delivered_at, opened_at }: Recipient) {
	const events = [
		delivered_at && 'delivered',
		opened_at && 'opened',
		['failed', 'bounced', 'spam'].includes(status) && status,
	];
	return events.filter(Boolean).map((event) => `${String(event)} ${id} ${email} ${sent_at}`);
}

const isChange = (step: Change | Happening): step is Change =>
	['create', 'send', 'move'].includes(step.kind);

/** A day passes, or nearly, so that reports come to the end of the time in which they are followed. */
const longTime = fc.record({
	kind: fc.constant('time' as const),
	ms: fc.constantFrom(DAY_MS / 2, DAY_MS - 200_000, DAY_MS - 10_000),
});

it('emits every report, and all that becomes of its e-mails, once', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.subarray(
				reportEvents.map(({ value }) => String(value)),
				{ minLength: 1 },
			),
			fc.integer({ min: 1, max: 3 }),
			fc.array(change, { maxLength: 20 }),
			fc.array(
				fc.oneof(
					{ weight: 12, arbitrary: change },
					{ weight: 8, arbitrary: happening },
					{ weight: 1, arbitrary: longTime },
				),
				{ maxLength: 60 },
			),
			fc.array(fc.array(change, { maxLength: 3 }), { maxLength: 8 }),
			async (events, days, before, during, meanwhile) => {
				const reports = new Reports(days);
				const { account } = reports;
				const trigger = new ModelTrigger(account.source(reportFeed(events, days, {})));
				const isChosen = (fact: string) => events.includes(fact.split(' ')[0]!);
				const hear = () => {
					for (const told of emitted(trigger)) reports.isTold.add(told);
					for (const fact of reports.facts) if (!isChosen(fact)) reports.isTold.add(fact);
				};
				for (const step of before) reports.apply(step);
				account.now += LATE_MS;
				await trigger.poll();
				const old = [...reports.facts];
				old.forEach((fact) => reports.isTold.add(fact));
				account.meanwhile = meanwhile.map(
					(steps) => () => steps.forEach((step) => reports.apply(step)),
				);
				for (const step of during) {
					if (isChange(step)) reports.apply(step);
					else await happen(account, trigger, step);
					hear();
				}
				await finish(account, trigger);
				const expected = reports.facts.filter((fact) => !old.includes(fact)).filter(isChosen);
				expect(emitted(trigger).sort()).toEqual(expected.sort());
			},
		),
		{ numRuns: 2000 },
	);
});

/** What came out, told by the items. */
function emitted(trigger: ModelTrigger): string[] {
	return trigger.emitted.map(({ event, json, record }) => {
		const recipient = json?.recipient as Recipient | undefined;
		const of = recipient ? ` ${recipient.email} ${recipient.sent_at}` : '';
		return `${event} ${String((json ?? record).id)}${of}`;
	});
}

import fc from 'fast-check';
import {
	entryOccurrences,
	entryQuery,
	type EntryChoice,
} from '../../../nodes/ActivityLog/resources/events';
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

/** Random logs against the activity log trigger's own rules: every chosen entry since the activation, once. */

const OBJECTS = ['plugin', 'theme', 'user'];
const EVENTS = ['updated', 'deleted', 'login'];
const USERS = ['admin', 'editor'];

interface Write {
	kind: 'log';
	object_type: string;
	event_type: string;
	username: string;
	late: number;
	count: number;
}
type Tick = { kind: 'tick'; ms: number };
type Change = Write | Tick;

const change: fc.Arbitrary<Change> = fc.oneof(
	{
		weight: 4,
		arbitrary: fc.record({
			kind: fc.constant('log' as const),
			object_type: fc.constantFrom(...OBJECTS),
			event_type: fc.constantFrom(...EVENTS),
			username: fc.constantFrom(...USERS),
			late: lateness,
			// Bursts share a time, over several pages.
			count: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 9 })),
		}),
	},
	{
		weight: 1,
		arbitrary: fc.record({
			kind: fc.constant('tick' as const),
			ms: fc.constantFrom(1, 300, 1_000, 200_000),
		}),
	},
);

const choice: fc.Arbitrary<EntryChoice> = fc.record({
	objectTypes: fc.subarray(OBJECTS),
	eventTypes: fc.subarray(EVENTS),
	username: fc.constantFrom(undefined, ...USERS),
});

/** The list of entries with the filters that the trigger asks for. */
class Log extends ModelAccount {
	constructor(private readonly query: Record<string, unknown>) {
		super('timestamp');
	}

	override shown() {
		const filters = Object.entries(this.query).map(([key, value]) => {
			const [, field] = /^filters\[(\w+):eq\]$/.exec(key)!;
			return (entry: Record<string, unknown>) => entry[field!] === value;
		});
		return super.shown().filter((entry) => filters.every((accepts) => accepts(entry)));
	}

	apply(step: Change): void {
		if (step.kind === 'tick') {
			this.now += step.ms;
			return;
		}
		const { kind: _kind, late, count, ...entry } = step;
		for (let index = 0; index < count; index++) {
			this.write({ ...entry, id: `e${this.ids().length}`, timestamp: this.iso() }, late);
		}
	}
}

const isChange = (step: Change | Happening): step is Change =>
	step.kind === 'log' || step.kind === 'tick';

it('emits every chosen entry that is logged after the activation, once and with its event', async () => {
	await fc.assert(
		fc.asyncProperty(
			choice,
			fc.array(change, { maxLength: 20 }),
			fc.array(fc.oneof({ weight: 2, arbitrary: change }, { weight: 1, arbitrary: happening }), {
				maxLength: 60,
			}),
			fc.array(fc.array(change, { maxLength: 3 }), { maxLength: 10 }),
			async (chosen, before, during, meanwhile) => {
				const log = new Log(entryQuery(chosen));
				for (const step of before) log.apply(step);
				log.now += LATE_MS;
				const old = new Set(log.ids());
				const trigger = new ModelTrigger(log.source({ occurrences: entryOccurrences(chosen) }));
				await trigger.poll();
				log.meanwhile = meanwhile.map((steps) => () => steps.forEach((step) => log.apply(step)));
				for (const step of during) {
					if (isChange(step)) log.apply(step);
					else await happen(log, trigger, step);
				}
				await finish(log, trigger);

				const { objectTypes, eventTypes, username } = chosen;
				const expected = log
					.ids()
					.filter((id) => !old.has(id))
					.map((id) => log.latest(id) as Record<string, any>)
					.filter((entry) => !username || entry.username === username)
					.filter(({ object_type: type }) => !objectTypes.length || objectTypes.includes(type))
					.filter(({ event_type: type }) => !eventTypes.length || eventTypes.includes(type))
					.map(({ id, event_type: type }) => `${id} ${type}`);
				const emitted = trigger.emitted.map(({ event, record }) => `${record.id} ${event}`);
				expect(emitted.sort()).toEqual(expected.sort());
			},
		),
		{ numRuns: 1000 },
	);
}, 60_000);

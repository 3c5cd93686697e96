import type { IDataObject, WorkflowActivateMode } from 'n8n-workflow';
import type { DueFeed, Feed, Polled, StateFeed, TimedFeed } from '../../nodes/shared/polling/feed';
import { poll as pollFeeds } from '../../nodes/shared/polling/poll';
import { clock } from '../../nodes/shared/lib';
import { triggerOf } from './items';
import { Chance } from './serviceModel/chance';
import { Clocks } from './serviceModel/clocks';
import { list } from './serviceModel/lists';
import { Service } from './serviceModel/service';
import { VirtualTime } from './virtualTime';

/** A trigger of a test's own feeds, from source: its workflow in n8n, and lists of the model that it reads. */

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

/** All lists have records of the same form. */
const listOf = (name: string) => list(`/${name}`, name, 'state:eq', 'created_at updated_at');

/** A list by the last change, whose records end as `done`. */
export const timed = (more: Partial<TimedFeed> = {}): TimedFeed => ({
	kind: 'timed',
	url: '/things',
	timeField: 'updated_at',
	born: ({ created_at: at }) => String(at),
	occurrences: ({ state }) => (state ? [{ key: String(state), event: String(state) }] : []),
	isOpen: ({ state }) => state !== 'done',
	...more,
});

/** The same by creation: records keep their place. */
export const placed = (more: Partial<TimedFeed> = {}): TimedFeed =>
	timed({ timeField: 'created_at', born: undefined, ...more });

/** The records that are `in`. */
export const state = (more: Partial<StateFeed> = {}): StateFeed => ({
	kind: 'state',
	url: '/others',
	query: { 'filters[state:eq]': 'in' },
	leftQuery: { 'filters[state:eq]': 'out' },
	entered: 'in',
	left: 'out',
	hasLeft: (record) => record.state === 'out',
	isIn: (record) => record.state === 'in',
	...more,
});

export interface TriggerOptions extends Partial<Polled> {
	/** Time that n8n gives a poll, in milliseconds. */
	budget?: number;
	/** Whether each poll has a workflow of its own, and a copy of what is saved. */
	isDurable?: boolean;
}

/** What n8n has of the only trigger of a workflow. */
function stateIn({ global = {} }: IDataObject): IDataObject {
	const [left] = Object.values(global as IDataObject) as Array<{ state: IDataObject }>;
	return left?.state ?? {};
}

const copy = (data: IDataObject) => JSON.parse(JSON.stringify(data)) as IDataObject;

/** Switches a trigger on at noon, over empty lists. */
export function startTrigger(
	feeds: Record<string, Feed | DueFeed>,
	{ budget, isDurable = false, ...more }: TriggerOptions = {},
) {
	const time = new VirtualTime({ start: Date.parse('2026-03-01T12:00:00Z') });
	const { now, sleep } = time;
	// What only watches does not move the time.
	const guard = async (ms: number, signal?: AbortSignal) => await sleep(ms, signal, true);
	Object.assign(clock, { now, steady: now, sleep, guard });
	const clocks = new Clocks(time, { skew: 0, dateOffset: 0 });
	const service = new Service(time, clocks, new Chance(1), ['things', 'others'].map(listOf));
	const { open, contextIn } = triggerOf();
	service.plugIn();
	Object.assign(service, { limit: 1e6, pageSize: 100, fastest: 0, latency: 0, shuffles: false });
	let workflow = open();
	const token = workflow.id.replace('workflow-of-', '');
	const rows: Record<string, IDataObject[]> = { '/things': [], '/others': [] };
	service.accounts[token] = rows;

	let polled: Polled = {
		feeds,
		nothingToShow: { message: 'Nothing is there', description: 'Make a thing' },
		...more,
	};
	let name = 'Thing';
	let saved: Record<'workflow' | 'cursor', IDataObject> = { workflow: {}, cursor: {} };
	let cursor: IDataObject | undefined;
	let activation: WorkflowActivateMode = 'activate';
	const contextFor = () => contextIn(workflow, { activation, cursor, budget });
	let context = contextFor();
	const warn = jest.spyOn(context.logger, 'warn').mockClear();
	const iso = (ms = clocks.now) => new Date(ms).toISOString();
	return {
		time,
		clocks,
		service,
		rows,
		iso,
		/** A moment later than all that has happened, which is settled then. */
		settle: async () => await time.advance(10 * MINUTE),
		write: (id: string, row: IDataObject = {}, list = 'things') => {
			const all = rows[`/${list}`]!;
			const before = all.find((each) => each.id === id);
			const written = { created_at: iso(), ...before, id, updated_at: iso(), ...row };
			if (before) all.splice(all.indexOf(before), 1);
			all.push(written);
		},
		warned: () => warn.mock.calls.map(([line, about]) => `${line} ${JSON.stringify(about)}`),
		poll: async () => {
			if (isDurable) {
				workflow = open(copy(saved.workflow), '', name);
				cursor = copy(saved.cursor);
				context = contextFor();
			}
			const output = await time.until(pollFeeds(context, async () => polled));
			return (output?.[0] ?? []).map(({ json }) => `${String(json.id)} ${String(json.event)}`);
		},
		change: (next: Partial<Polled>) => {
			polled = { ...polled, ...next };
			activation = 'update';
			context = contextFor();
		},
		/** Saves the workflow with what n8n has of it, or with other static data. */
		edit: (to: { name?: string; staticData?: IDataObject } = {}) => {
			name = to.name ?? name;
			workflow = open(to.staticData ?? copy(workflow.staticData), '', name);
			activation = 'update';
			context = contextFor();
		},
		/** Saves what the last poll has left, or what another process knows. */
		save: (of = copy(cursor!)) => {
			saved = { workflow: copy(workflow.staticData), cursor: of };
			activation = 'update';
		},
		/** All that n8n keeps of the workflow. */
		saved: () => copy(workflow.staticData),
		state: (): Record<string, any> =>
			copy(isDurable ? context.getWorkflowStaticData('node') : stateIn(workflow.staticData)),
	};
}

export type Trigger = ReturnType<typeof startTrigger>;

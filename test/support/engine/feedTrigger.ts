import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import type { IDataObject } from 'n8n-workflow';
import type {
	DueFeed,
	Feed,
	Polled,
	StateFeed,
	TimedFeed,
} from '../../../nodes/shared/polling/feed';
import { poll as pollFeeds } from '../../../nodes/shared/polling/poll';
import { clock } from '../../../nodes/shared/lib';
import { Chance } from '../serviceModel/chance';
import { Clocks } from '../serviceModel/clocks';
import { list } from '../serviceModel/lists';
import { Service } from '../serviceModel/service';
import { VirtualTime } from '../virtualTime';
import { ActiveTrigger, type Saved } from './activeTrigger';
import { Installation } from './process';
import { ownAccount, ownCredential, thing } from './contexts';

/** An active trigger of a test's own feeds, from source, in virtual time, and lists of the model that it reads. */

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
	/** Whether n8n has durable cursors: each poll then gets a copy of the state. */
	isDurable?: boolean;
}

/** What n8n has of the only trigger of a workflow. */
function stateIn({ global = {} }: IDataObject): IDataObject {
	const [left] = Object.values(global as IDataObject) as Array<{ state: IDataObject }>;
	return left?.state ?? {};
}

/** A trigger that is switched on by its first poll, at noon, over empty lists. */
export function startTrigger(
	feeds: Record<string, Feed | DueFeed>,
	{ budget, isDurable = false, ...more }: TriggerOptions = {},
) {
	const time = new VirtualTime({ start: Date.parse('2026-03-01T12:00:00Z') });
	Object.assign(clock, time.clock());
	const clocks = new Clocks(time, { skew: 0, dateOffset: 0 });
	const service = new Service(time, clocks, new Chance(1), ['things', 'others'].map(listOf));
	service.plugIn();
	Object.assign(service, { limit: 1e6, pageSize: 100, fastest: 0, latency: 0, shuffles: false });
	const access = ownAccount();
	const rows: Record<string, IDataObject[]> = { '/things': [], '/others': [] };
	service.accounts[access.token] = rows;

	let polled: Polled = { feeds, ...{ what: 'thing', nothingToShow: 'Make a thing' }, ...more };
	const type = thing('thingTrigger');
	type.poll = async function () {
		return await pollFeeds(this, async () => polled);
	};
	const install = () => ({ type, credential: ownCredential() });
	const trigger = new ActiveTrigger(
		new Installation({
			...{ node: 'thingTrigger', install, timeline: time, budget },
			mode: isDurable ? 'durable' : 'default',
		}),
		{ id: access.token, access, settings: { name: 'Thing' } },
	);
	const warn = jest.spyOn(Container.get(Logger), 'warn').mockClear();
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
		poll: async () =>
			((await time.until(trigger.poll())) ?? []).map(
				({ json }) => `${String(json.id)} ${String(json.event)}`,
			),
		/** Saves the workflow with a trigger that polls something else. */
		change: async (next: Partial<Polled>) => {
			polled = { ...polled, ...next };
			await trigger.edit();
		},
		restart: async () => await trigger.restart(),
		rename: async (name: string) => await trigger.edit({ name }),
		saved: () => trigger.saved,
		/** Has n8n have saved this instead. */
		restore: (saved: Saved) => void (trigger.saved = saved),
		/** All that n8n has of the workflow in memory. */
		inMemory: () => trigger.state(),
		state: (): Record<string, any> => trigger.saved.cursor ?? stateIn(trigger.state()),
	};
}

export type Trigger = ReturnType<typeof startTrigger>;

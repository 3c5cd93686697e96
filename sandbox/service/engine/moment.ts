import { unprocessable } from './errors';
import { setLiving } from './living';
import type { Numbered, Row } from './store';
import type { ScheduledEvent } from './timeline';
import type { World } from './world';

/** What a kept world looks like; one of another number cannot be read. */
export const format = 1;

/** A world at one time, as plain JSON. */
export interface Moment {
	format: number;
	/** What the fleet was begun with. */
	seed: number;
	sites: number;
	now: number;
	random: number;
	sequences: Record<string, number>;
	account: World['account'];
	settings: Record<string, unknown>;
	rows: Record<string, Array<Numbered<Row>>>;
	events: ScheduledEvent[];
}

/** What is no row, no event and no setting. */
export const stateOf = ({ now, random, store, account }: World) => ({
	now,
	random: random.state,
	sequences: store.sequences,
	account,
});

/** The world as it is, as text: its rows are changed in place. */
export function momentOf(world: World): string {
	const moment: Moment = {
		format,
		...world.origin,
		...stateOf(world),
		settings: { ...world.settings },
		rows: Object.fromEntries(
			world.store.collections().map(([name, collection]) => [name, collection.numbered()]),
		),
		events: [...world.timeline.all()].sort((a, b) => a.order - b.order),
	};
	return JSON.stringify(moment);
}

/** Puts the world back to a moment, with the time of its clock; fails and changes nothing where that does not fit. */
export function putBack(world: World, moment: Moment): void {
	requireFit(world, moment);
	const { clock } = world;
	if (moment.now !== clock.now()) {
		if (!clock.advance) throw unprocessable('fixed', 'now', 'does not fit this clock');
		clock.advance(moment.now - clock.now());
	}
	fill(world, moment);
	Object.assign(world.settings, moment.settings);
	setLiving(world, world.living);
	world.revision += 1;
	world.era += 1;
}

/** Lets the world hold what the moment holds, and nothing else. */
export function fill(
	world: World,
	moment: Omit<Moment, 'format' | 'seed' | 'sites' | 'settings'>,
): void {
	const { store, timeline } = world;
	for (const [name, collection] of store.collections()) collection.restore(moment.rows[name] ?? []);
	timeline.restore(moment.events);
	world.now = moment.now;
	world.random.state = moment.random;
	for (const name of Object.keys(store.sequences)) delete store.sequences[name];
	Object.assign(store.sequences, moment.sequences);
	Object.assign(world.account, moment.account);
}

/** Fails where the moment is one of another fleet or another version of the service. */
export function requireFit(world: World, moment: Moment): void {
	const otherVersion = (param: string) =>
		unprocessable('other_version', param, 'was taken from another version of the service');
	if (moment.format !== format) throw otherVersion('format');
	for (const name of ['seed', 'sites'] as const) {
		const own = world.origin[name];
		if (moment[name] === own) continue;
		throw unprocessable(
			'other_fleet',
			name,
			`is ${moment[name]}, but the fleet of this service was created with ${own}`,
		);
	}
	const kinds = Object.fromEntries(world.store.collections());
	if (!hasSameKeys(moment.rows, kinds)) throw otherVersion('rows');
	if (!hasSameKeys(moment.settings, world.settings)) throw otherVersion('settings');
	if (!moment.events.every(({ kind }) => world.canHappen(kind))) throw otherVersion('events');
}

const hasSameKeys = (one: object, other: object) =>
	Object.keys(one).sort().join() === Object.keys(other).sort().join();

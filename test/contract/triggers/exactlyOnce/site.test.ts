import type { IDataObject } from 'n8n-workflow';
import { histories } from '../../../support/serviceModel/history';
import type { World } from '../../../support/serviceModel/scenario';
import type { Site } from '../../../support/serviceModel/sites';
import {
	chooseScope,
	createSite,
	isIn,
	moveSite,
	notes,
	scopeParameters,
	sitesOf,
	takeMoved,
} from '../../../support/serviceModel/sites';

/** The states that are told by comparison: the event of the bad one, that of the good one, where it is. */
const STATES = [
	{
		bad: 'disconnected',
		good: 'reconnected',
		of: 'connection',
		values: ['disconnected', 'connected'],
	},
	{ bad: 'malwareFound', good: 'malwareCleared', of: 'malware', values: ['hacked', 'clean'] },
	{ bad: 'down', good: 'up', of: 'uptime', values: ['down', 'up'] },
] as const;

const ADDED = 'siteAdded';
const EVENTS = [ADDED, ...STATES.flatMap(({ bad, good }) => [bad, good])];

/** A state that is neither good nor bad. */
const THIRD = 'third';

/** What a site is watched for, beside what the service shows of it. */
interface Watch {
	/** Changes to the bad and to the good state since all was quiet, or ever where they may still be told. */
	turns: Record<string, number>;
	/** Whether it was bad when all was quiet. */
	was: Record<string, boolean>;
	/** Whether it has come from the bad into a third state since: then it may count as gone. */
	wasThird: Record<string, boolean>;
	/** When it has last come into the scope or left it. */
	movedAt: number;
	/** Whether it has come into the scope or left it since all was quiet. */
	hasMoved: boolean;
	isKnown: boolean;
}

const watchOf = notes<Site, Watch>(() => ({
	turns: {},
	was: {},
	wasThird: {},
	movedAt: 0,
	hasMoved: false,
	isKnown: false,
}));

const partOf = (site: Site, of: string): { status: string } => {
	if (of === 'connection') return site.connection;
	return of === 'malware' ? site.security.scanner : site.uptime;
};

function turn(site: Site, index: number, isThird = false): void {
	const { bad, good, of, values } = STATES[index]!;
	const before = partOf(site, of).status;
	const wasBad =
		before === THIRD ? Boolean(watchOf(site).was[of]) !== isThird : before === values[0];
	const value = isThird && before !== THIRD ? THIRD : values[wasBad ? 1 : 0];
	partOf(site, of).status = value;
	const { turns, wasThird } = watchOf(site);
	if (value === THIRD) {
		// Bad when a poll saw it last, it may have been good in between.
		wasThird[of] ||= before === values[0] || (turns[good] ?? 0) > 0;
		return;
	}
	const event = wasBad ? good : bad;
	turns[event] = (turns[event] ?? 0) + 1;
}

const addedKey = ({ id }: IDataObject) => `${String(id)} ${ADDED}`;

export const world: World = {
	node: 'siteTrigger',
	usual: { events: [ADDED, 'disconnected', 'reconnected'], filter: {}, options: {} },
	choose: (chance) => ({ events: chance.some(EVENTS), filter: chooseScope(chance), options: {} }),
	parameters: ({ events, filter }) => ({ output: 'raw', events, ...scopeParameters(filter) }),
	matches: (choice, { facts }) => isIn(choice, facts as Pick<Site, 'tags' | 'client'>),
	begin: (moment) => {
		takeMoved();
		for (let left = 8; left > 0; left--) createSite(moment);
		return [];
	},
	change: (moment, isNew) => {
		const { chance } = moment;
		if (isNew || chance.is(0.1)) {
			const site = createSite(moment);
			const { tags, client } = site;
			// A new site may be in a bad state at once, and be told of.
			for (const { bad, of, values } of STATES) {
				if (partOf(site, of).status === values[0]) watchOf(site).turns[bad] = 1;
			}
			return [{ key: addedKey(site), event: ADDED, facts: { tags, client } }];
		}
		const site = chance.pick(sitesOf(moment));
		site.updated_at = moment.stamp(site.updated_at);
		const what = chance.pick(['turn', 'turn', 'turn', 'tag', 'client'] as const);
		if (what === 'turn') turn(site, chance.below(STATES.length), chance.is(0.3));
		else {
			moveSite(site, what);
			Object.assign(watchOf(site), { movedAt: moment.now, hasMoved: true });
		}
		return [];
	},
	blurred: () => takeMoved().map(addedKey),
	keyOf: addedKey,
	isState: ({ event }) => event !== ADDED,
	judge: (moment, told, begins, hasRestarted) => {
		const faults: string[] = [];
		const { events } = moment.choice;
		let expected = 0;
		const count = (site: Site, event: string) =>
			told.filter((item) => item.id === site.id && item.event === event).length;
		for (const site of sitesOf(moment)) {
			const watch = watchOf(site);
			const inScope = isIn(moment.choice, site);
			watch.isKnown ||= begins;
			for (const { bad, good, of, values } of STATES) {
				const isBad = partOf(site, of).status === values[0];
				const hasBoth = events.includes(bad) && events.includes(good);
				// What has been seen of a state that is told one way only may not have been saved.
				const isSure =
					watch.isKnown &&
					inScope &&
					!watch.hasMoved &&
					!watch.wasThird[of] &&
					(hasBoth || !hasRestarted);
				const isThird = partOf(site, of).status === THIRD;
				for (const event of begins ? [] : [bad, good]) {
					const must =
						isSure &&
						!isThird &&
						events.includes(event) &&
						// A new one that comes into a third state at once was never bad.
						isBad !== Boolean(watch.was[of]) &&
						isBad === (event === bad);
					const times = count(site, event);
					if (must) expected += 1;
					if (must && times === 0) faults.push(`lost: ${site.id} ${event}`);
					const most = watch.turns[event] ?? 0;
					// What a site did elsewhere, n8n may have forgotten over a restart: then it is told here, once.
					const mayBeLate = hasRestarted && watch.movedAt > 0 && times === most + 1;
					if (times > most && !mayBeLate) {
						faults.push(`${site.id} ${event} ${times} times, not ${most}`);
					}
				}
				if (begins || !isThird) watch.was[of] = isBad;
				watch.wasThird[of] = isThird && Boolean(watch.was[of]);
			}
			watch.hasMoved = false;
			if (begins) continue;
			watch.turns = {};
			watch.isKnown = true;
		}
		return { faults, expected };
	},
};

histories(world);

import type { IDataObject } from 'n8n-workflow';
import { exactly, found, histories, story } from '../../../support/serviceModel/history';
import type { Choice, World } from '../../../support/serviceModel/scenario';
import { commonStories } from '../../../support/serviceModel/stories';
import type { Site } from '../../../support/serviceModel/sites';
import {
	chooseScope,
	createSite,
	isIn,
	moveSite,
	scopeParameters,
	sitesOf,
} from '../../../support/serviceModel/sites';

/** The site trigger over any history: new sites once, states as polls can see them. */

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

/** What is known of the sites of a history. */
const watches = new WeakMap<Site, Watch>();

const watchOf = (site: Site): Watch => {
	const known = watches.get(site);
	if (known) return known;
	const made: Watch = {
		turns: {},
		was: {},
		wasThird: {},
		movedAt: 0,
		hasMoved: false,
		isKnown: false,
	};
	watches.set(site, made);
	return made;
};

const valueOf = (site: Site, of: string): string =>
	of === 'connection'
		? site.connection.status
		: of === 'malware'
			? site.security.scanner.status
			: site.uptime.status;

function turn(site: Site, index: number, isThird = false): void {
	const { bad, good, of, values } = STATES[index]!;
	const before = valueOf(site, of);
	const wasBad =
		before === THIRD ? Boolean(watchOf(site).was[of]) !== isThird : before === values[0];
	const value = isThird && before !== THIRD ? THIRD : values[wasBad ? 1 : 0];
	if (of === 'connection') site.connection.status = value;
	else if (of === 'malware') site.security.scanner.status = value;
	else site.uptime.status = value;
	const { turns, wasThird } = watchOf(site);
	if (value === THIRD) {
		// Bad when a poll saw it last, it may have been good in between.
		wasThird[of] ||= before === values[0] || (turns[good] ?? 0) > 0;
		return;
	}
	const event = wasBad ? good : bad;
	turns[event] = (turns[event] ?? 0) + 1;
}

function move(site: Site, now: number, what: 'tag' | 'client'): void {
	moveSite(site, what);
	Object.assign(watchOf(site), { movedAt: now, hasMoved: true });
	blurredSites.add(site);
}

const addedKey = ({ id }: IDataObject) => `${String(id)} ${ADDED}`;

/** Sites of which something may count or not, since it has changed what counts. */
const blurredSites = new Set<Site>();

export const world: World = {
	node: 'siteTrigger',
	choose: (chance) => ({
		events: chance.some(EVENTS),
		filter: chooseScope(chance),
		options: {},
	}),
	parameters: ({ events, filter }) => ({ output: 'raw', events, ...scopeParameters(filter) }),
	matches: (choice, { facts }) => isIn(choice, facts as Pick<Site, 'tags' | 'client'>),
	begin: (moment) => {
		blurredSites.clear();
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
				if (valueOf(site, of) === values[0]) watchOf(site).turns[bad] = 1;
			}
			return [{ key: addedKey(site), event: ADDED, facts: { tags, client } }];
		}
		const site = chance.pick(sitesOf(moment));
		site.updated_at = moment.stamp(site.updated_at);
		const what = chance.pick(['turn', 'turn', 'turn', 'tag', 'client'] as const);
		if (what === 'turn') turn(site, chance.below(STATES.length), chance.is(0.3));
		else move(site, moment.now, what);
		return [];
	},
	// What a poll could not see before the site changed again need not come.
	blurred: () => {
		const keys = [...blurredSites].map(addedKey);
		blurredSites.clear();
		return keys;
	},
	keyOf: addedKey,
	isState: ({ event }) => event !== ADDED,
	judge: (moment, told, begins, hasRestarted) => {
		const lost: string[] = [];
		const wrong: string[] = [];
		const { events } = moment.choice;
		let expected = 0;
		const count = (site: Site, event: string) =>
			told.filter((item) => item.id === site.id && item.event === event).length;
		for (const site of sitesOf(moment)) {
			const watch = watchOf(site);
			const inScope = isIn(moment.choice, site);
			watch.isKnown ||= begins;
			for (const { bad, good, of, values } of STATES) {
				const isBad = valueOf(site, of) === values[0];
				const hasBoth = events.includes(bad) && events.includes(good);
				// What has been seen of a state that is told one way only may not have been saved.
				const isSure =
					watch.isKnown &&
					inScope &&
					!watch.hasMoved &&
					!watch.wasThird[of] &&
					(hasBoth || !hasRestarted);
				const isThird = valueOf(site, of) === THIRD;
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
					if (must && times === 0) lost.push(`${site.id} ${event}`);
					const most = watch.turns[event] ?? 0;
					// What a site did elsewhere, n8n may have forgotten over a restart: then it is told here, once.
					const mayBeLate = hasRestarted && watch.movedAt > 0 && times === most + 1;
					if (times > most && !mayBeLate) {
						wrong.push(`${site.id} ${event} ${times} times, not ${most}`);
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
		return { lost, wrong, expected };
	},
};

histories(world);

const chosen: Choice = {
	events: [ADDED, 'disconnected', 'reconnected'],
	filter: {},
	options: {},
};

commonStories(world, chosen, 1_000);

describe.each([{ isDurable: false }, { isDurable: true }])('many sites, %o', (mode) => {
	const setting = { ...mode, pageSize: 100 };

	it('all are gone, and all come back', async () => {
		const verdict = await story(
			world,
			{ ...chosen, events: ['disconnected', 'reconnected'] },
			async (scenario) => {
				scenario.changes(500, 0, 0, true);
				await scenario.timeline.advance(1_000);
				await scenario.settle();
				for (const wanted of ['disconnected', 'connected']) {
					for (const site of sitesOf(scenario.moment())) {
						if (site.connection.status !== wanted) turn(site, 0);
					}
					scenario.service.latency = 5_000;
					await scenario.rounds(8, 0);
					await scenario.settle();
				}
			},
			setting,
		);
		expect(found(verdict)).toEqual(exactly);
	});

	it('no list starves while the service is slow', async () => {
		const verdict = await story(
			world,
			{ ...chosen, events: EVENTS },
			async (scenario) => {
				await scenario.rounds(3, 8);
				// Few of the lists can be read in the time for a poll.
				scenario.service.fastest = 11_000;
				const sites = sitesOf(scenario.moment());
				const [site] = sites.filter(({ uptime }) => uptime.status === 'up');
				turn(site!, 2);
				// Others go on to have news, and this one stays down.
				for (let polls = 40; polls > 0; polls--) {
					scenario.changes(3, 60_000, 0, true);
					await scenario.timeline.advance(60_000);
					await scenario.poll();
				}
				const told = scenario.n8n.executions.flat();
				expect(told.some(({ id, event }) => id === site!.id && event === 'down')).toBe(true);
			},
			setting,
		);
		expect(found(verdict)).toEqual(exactly);
	});
});

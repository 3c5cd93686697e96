import type { IDataObject } from 'n8n-workflow';
import { exactly, found, histories, story } from '../../../support/serviceModel/history';
import type {
	Choice,
	Happening,
	Moment,
	Scenario,
	World,
} from '../../../support/serviceModel/scenario';
import { rounds } from '../../../support/serviceModel/rounds';
import { commonStories } from '../../../support/serviceModel/stories';
import { locator } from '../../../support/locator';

/** The site trigger over any history: ends of syncs and new sites once, states as polls can see them. */

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

const BACKUPS = ['backupFinished', 'backupFailed', 'otherStatus'];
const OVERDUE = 'backupOverdue';
const ADDED = 'siteAdded';
const EVENTS = [...BACKUPS, OVERDUE, ADDED, ...STATES.flatMap(({ bad, good }) => [bad, good])];
const HOUR = 3_600_000;
const UNDER_WAY = ['in_progress', 'waiting'];

/** A word that nobody knows, of a sync that goes on after it. */
const ODD = 'odd';

/** A state that is neither good nor bad. */
const THIRD = 'third';

/** A sync that takes longer need not be told. */
const LONGEST_SYNC = 5 * HOUR;

/** The hours may have been fewer when it was told. */
const LEAST_OVERDUE = 2 * HOUR;

/** How far off the hours may be: clocks differ. */
const MARGIN = 0.5 * HOUR;

/** In place of the time of the last good backup, where there is none. */
const NEVER = -Infinity;

interface Snapshot extends IDataObject {
	id: string;
	created_at: string;
	status: string;
}

interface Site extends IDataObject {
	id: string;
	created_at: string;
	updated_at: string;
	connection: { status: string };
	security: { enabled: boolean; scanner: { status: string } };
	uptime: { enabled: boolean; status: string };
	backups: { enabled: boolean; available_snapshots: number; latest_snapshot: Snapshot | null };
	sync: { last_sync_at: string | null; last_sync_status: string | null; in_progress: boolean };
	tags: Array<{ id: string; name: string }>;
	client: { id: string } | null;
}

/** What a site is watched for, beside what the service shows of it. */
interface Watch {
	/** Changes to the bad and to the good state since all was quiet, or ever where they may still be told. */
	turns: Record<string, number>;
	/** Whether it was bad when all was quiet; a third state changes nothing of that. */
	was: Record<string, boolean>;
	/** Whether it has come into a third state in a way that polls may not have seen. */
	isUnsure: Record<string, boolean>;
	/** When it has last come into the scope or left it, or its backups were switched. */
	movedAt: number;
	/** Whether it has come into the scope or left it since all was quiet. */
	hasMoved: boolean;
	isKnown: boolean;
	/** The times of all its syncs. */
	syncs: Set<string>;
	/** Its snapshots in the order in which they were made: their own times, and when that was. */
	snapshots: Array<{ id: string; at: number; madeAt: number; isGood: boolean }>;
	/** Whether their times say that they were made in another order, or later. */
	isMisdated: boolean;
	/** The last good backups for which it was told to be overdue, or was when all began; that may have been told or not. */
	overdue: Set<number>;
	maybeOverdue: Set<number>;
}

/** What is known of the sites of a history. */
const watches = new WeakMap<Site, Watch>();

const watchOf = (site: Site): Watch => {
	const known = watches.get(site);
	if (known) return known;
	const made: Watch = {
		turns: {},
		was: {},
		isUnsure: {},
		movedAt: 0,
		hasMoved: false,
		isKnown: false,
		syncs: new Set<string>(),
		snapshots: [],
		isMisdated: false,
		overdue: new Set<number>(),
		maybeOverdue: new Set<number>(),
	};
	watches.set(site, made);
	return made;
};

const sitesOf = ({ account }: Moment) => (account['/sites'] ??= []) as Site[];

const valueOf = (site: Site, of: string): string =>
	of === 'connection'
		? site.connection.status
		: of === 'malware'
			? site.security.scanner.status
			: site.uptime.status;

const backupKey = ({ id, sync }: IDataObject, event: string) =>
	`${String(id)} ${event} ${String((sync as IDataObject).last_sync_at)}`;

function isIn({ filter }: Choice, { tags, client }: Pick<Site, 'tags' | 'client'>): boolean {
	if (filter.tagId !== undefined) return tags.some(({ id }) => id === filter.tagId);
	return filter.clientId === undefined || client?.id === filter.clientId;
}

function create(moment: Moment): Site {
	const { chance } = moment;
	const time = moment.stamp();
	const site: Site = {
		id: moment.id(),
		title: 'Site',
		url: 'https://example.com',
		created_at: time,
		updated_at: time,
		connection: { status: chance.pick(['connected', 'connected', 'disconnected']) },
		security: { enabled: true, scanner: { status: chance.pick(['clean', 'clean', 'hacked']) } },
		uptime: { enabled: true, status: chance.pick(['up', 'up', 'down']) },
		backups: { enabled: chance.is(0.8), available_snapshots: 0, latest_snapshot: null },
		sync: { last_sync_at: null, last_sync_status: null, in_progress: false },
		tags: chance.is(0.5) ? [{ id: '41', name: 'Tag' }] : [],
		client: chance.is(0.5) ? { id: 'c10e47a000' } : null,
	};
	sitesOf(moment).push(site);
	snapshotsOf(moment, site);
	return site;
}

const snapshotsOf = ({ account }: Moment, { id }: Site) =>
	(account[`/sites/${id}/snapshots`] ??= []) as Snapshot[];

/** Without backups a sync makes none. */
function makeSnapshot(moment: Moment, site: Site, isGood: boolean): void {
	const { backups } = site;
	if (!backups.enabled) return;
	const watch = watchOf(site);
	const { now } = moment;
	const id = moment.id();
	const time = moment.stamp(backups.latest_snapshot?.created_at);
	const snapshot = { id, created_at: time, status: isGood ? 'succeeded' : 'failed' };
	snapshotsOf(moment, site).push(snapshot);
	backups.latest_snapshot = snapshot;
	if (isGood) backups.available_snapshots += 1;
	const at = Date.parse(time);
	watch.isMisdated ||= at > now + MARGIN || watch.snapshots.some((other) => other.at > at);
	watch.snapshots.push({ id, at, madeAt: now, isGood });
}

/** A sync ends, or one that goes on is shown with the time of its beginning and ends in its place. */
function sync(moment: Moment, site: Site): Happening[] {
	const { chance } = moment;
	const { sync: last } = site;
	if (![...UNDER_WAY, ODD].includes(String(last.last_sync_status))) {
		const at = moment.stamp(last.last_sync_at);
		// One time, one sync, also where the clock was set back.
		const { syncs } = watchOf(site);
		if (syncs.has(at)) return [];
		syncs.add(at);
		last.last_sync_at = at;
	}
	const isEnd = last.in_progress || chance.is(0.7);
	last.in_progress = !isEnd;
	last.last_sync_status = isEnd
		? chance.pick(['succeeded', 'succeeded', 'failed'])
		: chance.pick([...UNDER_WAY, ODD]);
	const isOdd = last.last_sync_status === ODD;
	if (!isEnd && !isOdd) return [];
	const isGood = last.last_sync_status === 'succeeded';
	if (isEnd) makeSnapshot(moment, site, isGood);
	const end = isGood ? 'backupFinished' : 'backupFailed';
	const event = isOdd ? 'otherStatus' : end;
	const begun = Date.parse(String(last.last_sync_at));
	return [
		{
			// Nor one that has begun elsewhere.
			isOptional: isOdd || moment.now - begun > LONGEST_SYNC || watchOf(site).movedAt > begun,
			key: backupKey(site, event),
			event,
			facts: { tags: site.tags, client: site.client, enabled: site.backups.enabled },
		},
	];
}

function turn(site: Site, index: number, isThird = false): void {
	const { bad, good, of, values } = STATES[index]!;
	const before = valueOf(site, of);
	const wasBad =
		before === THIRD ? Boolean(watchOf(site).was[of]) !== isThird : before === values[0];
	const value = isThird && before !== THIRD ? THIRD : values[wasBad ? 1 : 0];
	if (of === 'connection') site.connection.status = value;
	else if (of === 'malware') site.security.scanner.status = value;
	else site.uptime.status = value;
	const { turns } = watchOf(site);
	if (value === THIRD) return;
	const event = wasBad ? good : bad;
	turns[event] = (turns[event] ?? 0) + 1;
}

/** Gives a site the tag or client, or takes it; or switches its backups off or on. */
function move(site: Site, what: string, now: number): void {
	if (what === 'tag') site.tags = site.tags.length > 0 ? [] : [{ id: '41', name: 'Tag' }];
	else if (what === 'client') site.client = site.client ? null : { id: 'c10e47a000' };
	else site.backups.enabled = !site.backups.enabled;
	const watch = watchOf(site);
	watch.movedAt = now;
	watch.hasMoved ||= what !== 'backups';
	blurredSites.add(site);
}

const earlier = (time: string, hours: number) =>
	new Date(Date.parse(time) - hours * HOUR).toISOString().replace('.000Z', 'Z');

/** Sites of which something may count or not, since it has changed what counts. */
const blurredSites = new Set<Site>();

export const world: World = {
	node: 'siteTrigger',
	choose: (chance) => ({
		events: chance.some(EVENTS),
		filter: chance.pick<IDataObject>([{}, {}, { tagId: '41' }, { clientId: 'c10e47a000' }]),
		options: {
			overdueHours: chance.pick([LEAST_OVERDUE / HOUR, 6]),
			includesNever: chance.is(0.7),
		},
	}),
	parameters: ({ events, filter: { tagId, clientId }, options }) => ({
		output: 'raw',
		events,
		overdueHours: options.overdueHours as number,
		includeSitesWithoutBackups: options.includesNever as boolean,
		checkEveryMinutes: 1,
		scope: tagId !== undefined ? 'tag' : clientId !== undefined ? 'client' : 'all',
		...(tagId !== undefined && { tagId: locator(tagId) }),
		...(clientId !== undefined && {
			clientId: locator(clientId),
		}),
	}),
	matches: (choice, { event, facts }) =>
		isIn(choice, facts as Pick<Site, 'tags' | 'client'>) &&
		(event === ADDED || facts!.enabled !== false),
	begin: (moment) => {
		blurredSites.clear();
		for (let left = 8; left > 0; left--) {
			// Some have been there for so long that they are overdue.
			const hours = moment.chance.pick([0, 0, 3, 8]);
			const then = { ...moment, stamp: () => earlier(moment.stamp(), hours) };
			const site = create(then);
			if (left > 2) sync(then, site);
		}
		// They were connected, and never synced.
		for (let left = moment.setting.without; left > 0; left--) create(moment);
		return [];
	},
	change: (moment, isNew) => {
		const { chance } = moment;
		if (isNew || chance.is(0.1)) {
			const site = create(moment);
			const { tags, client } = site;
			// A new site may be in a bad state at once, and be told of.
			for (const { bad, of, values } of STATES) {
				if (valueOf(site, of) === values[0]) watchOf(site).turns[bad] = 1;
			}
			return [{ key: `${site.id} ${ADDED}`, event: ADDED, facts: { tags, client } }];
		}
		const site = chance.pick(sitesOf(moment));
		site.updated_at = moment.stamp(site.updated_at);
		const what = chance.pick(['sync', 'sync', 'sync', 'turn', 'turn', 'tag', 'client', 'backups']);
		if (what === 'sync') return sync(moment, site);
		if (what === 'turn') turn(site, chance.below(STATES.length), chance.is(0.3));
		else move(site, what, moment.now);
		return [];
	},
	// What a poll could not see before the site changed again need not come.
	blurred: (moment) => {
		const keys = [...blurredSites].flatMap((site) => [
			...BACKUPS.map((event) => backupKey(site, event)),
			`${site.id} ${ADDED}`,
		]);
		blurredSites.clear();
		return [...keys, ...overwritten(moment)];
	},
	keyOf: (item) => {
		const event = String(item.event);
		return event === ADDED ? `${String(item.id)} ${event}` : backupKey(item, event);
	},
	isState: ({ event }) => event !== ADDED && !BACKUPS.includes(String(event)),
	judge: (moment, told, begins, hasRestarted) => {
		const lost: string[] = [];
		const wrong: string[] = [];
		const { events } = moment.choice;
		let expected = 0;
		const isNew = begins && beginsOverdue(moment);
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
					!watch.isUnsure[of] &&
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
				const hasTurned = (watch.turns[bad] ?? 0) + (watch.turns[good] ?? 0) > 0;
				if (begins || !isThird) watch.was[of] = isBad;
				watch.isUnsure[of] = isThird && (begins || hasTurned || watch.isUnsure[of] === true);
			}
			watch.hasMoved = false;
			if (begins) {
				beginOverdue(moment, site, isNew);
				continue;
			}
			const items = told.filter(({ id, event }) => id === site.id && event === OVERDUE);
			wrong.push(...items.flatMap((item) => overdueFaults(moment, site, item)));
			const last = lastGood(site);
			const mustBe =
				events.includes(OVERDUE) &&
				isOverdue(moment, site, MARGIN) &&
				!watch.isMisdated &&
				!watch.maybeOverdue.has(last);
			const isLost = mustBe && !watch.overdue.has(last);
			if (isLost) lost.push(`${site.id} overdue since ${isoSince(site, last)}`);
			if (isLost || (mustBe && items.length > 0)) expected += 1;
			watch.turns = {};
			watch.isKnown = true;
		}
		return { lost, wrong, expected };
	},
};

/** When the last good backup of a site was made, of those until another one: by their times, and in truth. */
const lastGood = (site: Site, until = { at: Infinity, madeAt: Infinity }) =>
	Math.max(
		...watchOf(site)
			.snapshots.filter(
				({ isGood, at, madeAt }) => isGood && at <= until.at && madeAt <= until.madeAt,
			)
			.map(({ at }) => at),
	);

/** The time that its hours count from. */
const sinceOf = ({ created_at: at }: Site, last: number) =>
	last === NEVER ? Date.parse(at) : last;

const isoSince = (site: Site, last: number) => new Date(sinceOf(site, last)).toISOString();

/** Whether a site that counts has been overdue for so long. */
function isOverdue({ choice, now }: Moment, site: Site, ms: number): boolean {
	const { overdueHours, includesNever } = choice.options;
	const last = lastGood(site);
	const counts = isIn(choice, site) && site.backups.enabled && (last !== NEVER || includesNever);
	return Boolean(counts) && now > sinceOf(site, last) + Number(overdueHours) * HOUR + ms;
}

/** Which choice of which account the overdue sites of a history were last told by. */
const chosenOverdue = new WeakMap<Moment['chance'], { account: unknown; by: string }>();

/** Whether it is sure that nothing is remembered of sites that were overdue. */
function beginsOverdue({ account, chance, choice }: Moment): boolean {
	const { events, filter, options } = choice;
	const before = chosenOverdue.get(chance);
	const by = events.includes(OVERDUE) ? JSON.stringify([filter, options]) : '';
	chosenOverdue.set(chance, { account, by });
	return before?.account !== account || before.by !== by || by === '';
}

/** Who is overdue already is silent where it begins anew; otherwise what was not told yet may still be told. */
function beginOverdue(moment: Moment, site: Site, isNew: boolean): void {
	const watch = watchOf(site);
	if (isNew) watch.maybeOverdue.clear();
	else for (const last of watch.overdue) watch.maybeOverdue.add(last);
	watch.overdue.clear();
	const isSilent = isNew && isOverdue(moment, site, MARGIN);
	if (isSilent) watch.overdue.add(lastGood(site));
	else if (isOverdue(moment, site, -MARGIN)) watch.maybeOverdue.add(lastGood(site));
}

/** What is wrong with an item that tells of a site that is overdue. */
function overdueFaults({ choice, now }: Moment, site: Site, item: IDataObject): string[] {
	const { overdue, snapshots, isMisdated } = watchOf(site);
	const backups = item.backups as Site['backups'];
	const newest = snapshots.find(({ id }) => id === backups.latest_snapshot?.id);
	const { last_backup_at: at, backup_age_hours: age } = item;
	const isTold = typeof at === 'string';
	// Where the snapshots of a site cannot be read, only its newest one is known.
	const last = isTold ? Date.parse(at) : newest ? lastGood(site, newest) : NEVER;
	const since = sinceOf(site, last);
	const toldFrom = since + (isTold ? Number(age) * HOUR : LEAST_OVERDUE);
	const hasLater = snapshots.some(
		(each) => each.isGood && each.at > last && each.madeAt < toldFrom - MARGIN,
	);
	const isKnown = snapshots.some((each) => each.isGood && each.at === last);
	const faults = {
		twice: overdue.has(last),
		'at once':
			now - since < LEAST_OVERDUE - MARGIN || (isTold && Number(age) < LEAST_OVERDUE / HOUR),
		'although there is a later one': isTold && hasLater && !isMisdated,
		'of no good backup': isTold && !isKnown,
		'without any': !newest && (at !== null || !choice.options.includesNever),
		'without a good one': !isTold && newest?.isGood === true,
		elsewhere: !isIn(choice, item as Site) || !backups.enabled,
	};
	overdue.add(last);
	return Object.entries(faults)
		.filter(([, isFault]) => isFault)
		.map(([fault]) => `${site.id} overdue ${fault} since ${isoSince(site, last)}`);
}

/** The sync that is shown now hides the ones before it. */
function overwritten(moment: Moment): string[] {
	return sitesOf(moment).flatMap((site) => {
		const past = pastSyncs.get(site) ?? new Set<string>();
		pastSyncs.set(site, past);
		const at = site.sync.last_sync_at;
		const hidden = [...past].filter((each) => each !== at);
		pastSyncs.set(site, new Set(at ? [at] : []));
		return hidden.flatMap((last) =>
			BACKUPS.map((event) => backupKey({ id: site.id, sync: { last_sync_at: last } }, event)),
		);
	});
}

const pastSyncs = new WeakMap<Site, Set<string>>();

histories(world);

const chosen: Choice = {
	events: [...BACKUPS, ADDED, 'disconnected', 'reconnected'],
	filter: {},
	options: { overdueHours: 36, includesNever: true },
};

commonStories(world, chosen, 1_000);

it.each([{ isDurable: false }, { isDurable: true }])(
	'tells of sites that come to be overdue, and not of those that are when it is switched on, %o',
	async (mode) => {
		const options = { overdueHours: 2, includesNever: true };
		const live = async (scenario: Scenario) => {
			const isLate = (site: Site) => isOverdue(scenario.moment(), site, 0);
			const sites = sitesOf(scenario.moment());
			const late = sites.filter(isLate).map(({ id }) => id);
			expect(late).not.toEqual([]);
			await scenario.timeline.advance(2 * HOUR);
			await scenario.poll();
			const told = scenario.n8n.executions.flat().map(({ id }) => id);
			const later = sites.filter(isLate).map(({ id }) => id);
			expect(told.sort()).toEqual(later.filter((id) => !late.includes(id)).sort());
		};
		const verdict = await story(world, { events: [OVERDUE], filter: {}, options }, live, mode);
		expect(found(verdict)).toEqual(exactly);
	},
);

it.each([{ isDurable: false }, { isDurable: true }])(
	'a good backup that a failed one hides at once is noticed, %o',
	async (mode) => {
		const options = { overdueHours: 2, includesNever: true };
		const live = async (scenario: Scenario) => {
			const site = create(scenario.moment());
			site.backups.enabled = true;
			const told = () => scenario.n8n.executions.flat().filter(({ id }) => id === site.id).length;
			for (let round = 1; round <= 4; round++) {
				for (const isGood of [true, false]) {
					makeSnapshot(scenario.moment(), site, isGood);
					await scenario.timeline.advance(1_000);
				}
				await rounds(scenario, 110, 0);
				expect(told()).toBe(round - 1);
				await rounds(scenario, 15, 0);
				expect(told()).toBe(round);
			}
		};
		const verdict = await story(world, { events: [OVERDUE], filter: {}, options }, live, mode);
		expect(found(verdict)).toEqual(exactly);
	},
);

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
					await rounds(scenario, 8, 0);
					await scenario.settle();
				}
			},
			setting,
		);
		expect(found(verdict)).toEqual(exactly);
	});

	it('hundreds of backups end between two polls', async () => {
		const verdict = await story(
			world,
			{ ...chosen, events: EVENTS },
			async (scenario) => {
				scenario.changes(700, 0, 0, true);
				await scenario.timeline.advance(1_000);
				await scenario.settle();
				const ended: string[] = [];
				for (const site of sitesOf(scenario.moment())) {
					const happenings = sync(scenario.moment(), site);
					scenario.happen(happenings);
					const due = happenings.filter(({ isOptional }) => !isOptional);
					if (site.backups.enabled) ended.push(...due.map(({ key }) => key));
					await scenario.timeline.advance(10);
				}
				await scenario.timeline.advance(60_000);
				await scenario.poll();
				// The next syncs hide these, so that one poll has to tell of all.
				const told = new Set(scenario.n8n.executions.flat().map(world.keyOf));
				expect(ended.filter((key) => !told.has(key))).toEqual([]);
				scenario.service.latency = 5_000;
				await rounds(scenario, 5, 10);
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
				await rounds(scenario, 3, 8);
				// Few of the lists can be read in the time for a poll.
				scenario.service.fastest = 11_000;
				const sites = sitesOf(scenario.moment());
				const [site] = sites.filter(({ uptime }) => uptime.status === 'up');
				turn(site!, 2);
				// Others go on to have news.
				await rounds(scenario, 40, 3);
				const told = scenario.n8n.executions.flat();
				expect(told.some(({ id, event }) => id === site!.id && event === 'down')).toBe(true);
			},
			setting,
		);
		expect(found(verdict)).toEqual(exactly);
	});
});

import type { IDataObject } from 'n8n-workflow';
import { exactly, found, histories, story } from '../../../support/serviceModel/history';
import type { Choice, Happening, Moment, World } from '../../../support/serviceModel/scenario';
import { commonStories, rounds } from '../../../support/serviceModel/stories';
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

const BACKUPS = ['backupFinished', 'backupFailed'];
const OVERDUE = 'backupOverdue';
const ADDED = 'siteAdded';
const EVENTS = [...BACKUPS, OVERDUE, ADDED, ...STATES.flatMap(({ bad, good }) => [bad, good])];
const HOUR = 3_600_000;
const UNDER_WAY = ['in_progress', 'waiting'];

/** A sync that takes longer need not be told. */
const LONGEST_SYNC = 5 * HOUR;

/** The hours may have been fewer when it was told. */
const LEAST_OVERDUE = 2 * HOUR;

/** How far off the hours may be: clocks differ. */
const MARGIN = 0.5 * HOUR;

interface Site extends IDataObject {
	id: string;
	created_at: string;
	updated_at: string;
	connection: { status: string };
	security: { enabled: boolean; scanner: { status: string } };
	uptime: { enabled: boolean; status: string };
	backups: { enabled: boolean };
	sync: { last_sync_at: string | null; last_sync_status: string | null; in_progress: boolean };
	tags: Array<{ id: string; name: string }>;
	client: { id: string } | null;
}

/** What a site is watched for, beside what the service shows of it. */
interface Watch {
	/** Changes to the bad and to the good state since all was quiet, or ever where they may still be told. */
	turns: Record<string, number>;
	/** Whether it was bad when all was quiet. */
	was: Record<string, boolean>;
	/** Since when nothing has changed what makes a backup count. */
	steadySince: number;
	/** When it has last come into the scope or left it, or its backups were switched. */
	movedAt: number;
	/** Whether it has come into the scope or left it since all was quiet. */
	hasMoved: boolean;
	isKnown: boolean;
	/** The times of all its syncs. */
	syncs: Set<string>;
}

/** What is known of the sites of a history. */
const watches = new WeakMap<Site, Watch>();

const watchOf = (site: Site): Watch => {
	const known = watches.get(site);
	if (known) return known;
	const made = {
		turns: {},
		was: {},
		steadySince: 0,
		movedAt: 0,
		hasMoved: false,
		isKnown: false,
		syncs: new Set<string>(),
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
		backups: { enabled: chance.is(0.8) },
		sync: { last_sync_at: null, last_sync_status: null, in_progress: false },
		tags: chance.is(0.5) ? [{ id: 't1', name: 'Tag' }] : [],
		client: chance.is(0.5) ? { id: 'c1' } : null,
	};
	sitesOf(moment).push(site);
	return site;
}

/** A sync ends, or one that goes on is shown with the time of its beginning and ends in its place. */
function sync(moment: Moment, site: Site): Happening[] {
	const { chance } = moment;
	const { sync: last } = site;
	if (!UNDER_WAY.includes(String(last.last_sync_status))) {
		const at = moment.stamp(last.last_sync_at);
		// One time, one sync, also where the clock was set back.
		const { syncs } = watchOf(site);
		if (syncs.has(at)) return [];
		syncs.add(at);
		last.last_sync_at = at;
		watchOf(site).steadySince = moment.now;
	}
	const isEnd = last.in_progress || chance.is(0.7);
	last.in_progress = !isEnd;
	last.last_sync_status = isEnd
		? chance.pick(['succeeded', 'succeeded', 'failed'])
		: chance.pick(UNDER_WAY);
	if (!isEnd) return [];
	const event = last.last_sync_status === 'succeeded' ? 'backupFinished' : 'backupFailed';
	const begun = Date.parse(String(last.last_sync_at));
	return [
		{
			// Nor one that has begun elsewhere.
			isOptional: moment.now - begun > LONGEST_SYNC || watchOf(site).movedAt > begun,
			key: backupKey(site, event),
			event,
			facts: { tags: site.tags, client: site.client, enabled: site.backups.enabled },
		},
	];
}

function turn(site: Site, index: number): void {
	const { bad, good, of, values } = STATES[index]!;
	const wasBad = valueOf(site, of) === values[0];
	const value = values[wasBad ? 1 : 0];
	if (of === 'connection') site.connection.status = value;
	else if (of === 'malware') site.security.scanner.status = value;
	else site.uptime.status = value;
	const { turns } = watchOf(site);
	const event = wasBad ? good : bad;
	turns[event] = (turns[event] ?? 0) + 1;
}

/** Gives a site the tag or client, or takes it; or switches its backups off or on. */
function move(site: Site, what: string, now: number): void {
	if (what === 'tag') site.tags = site.tags.length > 0 ? [] : [{ id: 't1', name: 'Tag' }];
	else if (what === 'client') site.client = site.client ? null : { id: 'c1' };
	else site.backups.enabled = !site.backups.enabled;
	const watch = watchOf(site);
	watch.steadySince = now;
	watch.movedAt = now;
	watch.hasMoved ||= what !== 'backups';
	blurredSites.add(site);
}

/** Sites of which something may count or not, since it has changed what counts. */
const blurredSites = new Set<Site>();

export const world: World = {
	node: 'siteTrigger',
	choose: (chance) => ({
		events: chance.some(EVENTS),
		filter: chance.pick<IDataObject>([{}, {}, { tagId: 't1' }, { clientId: 'c1' }]),
		options: { overdueHours: chance.pick([LEAST_OVERDUE / HOUR, 6]) },
	}),
	parameters: ({ events, filter: { tagId, clientId }, options }) => ({
		output: 'raw',
		events,
		overdueHours: options.overdueHours as number,
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
			const site = create(moment);
			if (left > 2) sync(moment, site);
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
		if (what === 'turn') turn(site, chance.below(STATES.length));
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
				const isSure = watch.isKnown && inScope && !watch.hasMoved && (hasBoth || !hasRestarted);
				for (const event of begins ? [] : [bad, good]) {
					const must =
						isSure &&
						events.includes(event) &&
						isBad !== watch.was[of] &&
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
				watch.was[of] = isBad;
			}
			watch.hasMoved = false;
			if (begins) {
				// What was told before does not count any more.
				toldOverdue.delete(site);
				continue;
			}
			expected += judgeOverdue(moment, site, inScope, { told, lost, wrong });
			watch.turns = {};
			watch.isKnown = true;
		}
		return { lost, wrong, expected };
	},
};

/** Overdue syncs that have been told, by site. */
const toldOverdue = new WeakMap<Site, Set<string>>();

function judgeOverdue(
	moment: Moment,
	site: Site,
	inScope: boolean,
	{ told, lost, wrong }: { told: IDataObject[]; lost: string[]; wrong: string[] },
): number {
	const known = toldOverdue.get(site) ?? new Set<string>();
	toldOverdue.set(site, known);
	const limit = Number(moment.choice.options.overdueHours) * HOUR;
	for (const item of told) {
		if (item.id !== site.id || item.event !== OVERDUE) continue;
		const at = String((item.sync as IDataObject).last_sync_at);
		if (known.has(at)) wrong.push(`${site.id} overdue twice since ${at}`);
		if (moment.now - Date.parse(at) < LEAST_OVERDUE - MARGIN)
			wrong.push(`${site.id} overdue at once`);
		known.add(at);
	}
	const { last_sync_at: last, in_progress: isUnderWay } = site.sync;
	const { steadySince } = watchOf(site);
	const due = Date.parse(String(last)) + limit;
	const isDue =
		moment.choice.events.includes(OVERDUE) &&
		inScope &&
		!isUnderWay &&
		site.backups.enabled &&
		steadySince > 0 &&
		Math.max(steadySince, moment.begun) < due - MARGIN &&
		moment.now > due + MARGIN;
	if (isDue && !known.has(String(last))) lost.push(`${site.id} overdue since ${String(last)}`);
	return isDue ? 1 : 0;
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
	options: { overdueHours: 36 },
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
					if (site.backups.enabled) ended.push(...happenings.map(({ key }) => key));
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

import type { IDataObject } from 'n8n-workflow';
import { histories } from '../../../support/serviceModel/history';
import type { Happening, Moment, World } from '../../../support/serviceModel/scenario';
import type { Site, Snapshot } from '../../../support/serviceModel/sites';
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
import { changeTask, createTask, ENDS, PAUSED, tasksOf } from '../../../support/serviceModel/tasks';

/** The backup trigger over any history: ends of syncs, restores and migrations once, sites that are overdue once a lapse. */

const BACKUPS = ['backupFinished', 'backupFailed', 'otherStatus'];
const OVERDUE = 'backupOverdue';
/** The events of tasks by type: where they succeed, and where not. */
const TASKS = {
	restore: ['restoreFinished', 'restoreFailed'],
	migrate: ['migrationFinished', 'migrationFailed'],
} as const;
const EVENTS = [...BACKUPS, OVERDUE, ...Object.values(TASKS).flat()];
const HOUR = 3_600_000;
const UNDER_WAY = ['in_progress', 'waiting'];

/** A word that nobody knows, of a sync that goes on after it. */
const ODD = 'odd';

/** A sync that takes longer need not be told. */
const LONGEST_SYNC = 5 * HOUR;

/** The hours may have been fewer when it was told. */
const LEAST_OVERDUE = 2 * HOUR;

/** How far off the hours may be: clocks differ. */
const MARGIN = 0.5 * HOUR;

/** In place of the time of the last good backup, where there is none. */
const NEVER = -Infinity;

/** What a site is watched for, beside what the service shows of it. */
interface Watch {
	/** When it has last come into the scope or left it, or its backups were switched. */
	movedAt: number;
	/** The times of all its syncs. */
	syncs: Set<string>;
	/** The syncs that it has shown since it was looked at. */
	past: Set<string>;
	/** Its snapshots in the order in which they were made: their own times, and when that was. */
	snapshots: Array<{ id: string; at: number; madeAt: number; isGood: boolean }>;
	/** Whether their times say that they were made in another order, or later. */
	isMisdated: boolean;
	/** The last good backups for which it was told to be overdue, or was when all began; that may have been told or not. */
	overdue: Set<number>;
	maybeOverdue: Set<number>;
}

const watchOf = notes<Site, Watch>(() => ({
	movedAt: 0,
	syncs: new Set(),
	past: new Set(),
	snapshots: [],
	isMisdated: false,
	overdue: new Set(),
	maybeOverdue: new Set(),
}));

const backupKey = ({ id, sync }: IDataObject, event: string) =>
	`${String(id)} ${event} ${String((sync as IDataObject).last_sync_at)}`;

function connect(moment: Moment): Site {
	const site = createSite(moment);
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

/** The id of a site that is gone by the time that anybody looks. */
const GONE = 'gone';

const siteIdOf = ({ input }: IDataObject) => ((input as IDataObject).sites as IDataObject[])[0]!.id;

function create(moment: Moment, status: string): IDataObject {
	const { chance } = moment;
	const id = chance.is(0.1) ? GONE : chance.pick(sitesOf(moment)).id;
	return createTask(moment, status, chance.pick([...Object.keys(TASKS), 'test_restore']), [id]);
}

function endsOf(moment: Moment, task: IDataObject): Happening[] {
	const status = String(task.status);
	const isPaused = status === PAUSED;
	const [finished, failed] = TASKS[task.type as keyof typeof TASKS] ?? [];
	const end = ENDS[status];
	if (!finished || !failed || (!end && !isPaused)) return [];
	const site = sitesOf(moment).find(({ id }) => id === siteIdOf(task));
	const facts = site ? { tags: site.tags, client: site.client } : {};
	const isOther = isPaused || end === 'otherStatus';
	const event = isOther ? 'otherStatus' : end === 'completed' ? finished : failed;
	return [{ key: taskKey(task, event), event, facts, isOptional: isPaused }];
}

const taskKey = ({ id, status }: IDataObject, event: string) =>
	[id, event, ...(event === 'otherStatus' ? [status] : [])].join(' ');

/** All that can have been told of a task. */
const taskKeys = (task: IDataObject) => [
	...Object.values(TASKS)
		.flat()
		.map((event) => taskKey(task, event)),
	...['vanished', PAUSED].map((status) => taskKey({ ...task, status }, 'otherStatus')),
];

const changed = (moment: Moment, isNew: boolean) =>
	changeTask(
		moment,
		isNew,
		(status) => create(moment, status),
		(task) => endsOf(moment, task),
	);

const earlier = (time: string, hours: number) =>
	new Date(Date.parse(time) - hours * HOUR).toISOString().replace('.000Z', 'Z');

export const world: World = {
	node: 'backupTrigger',
	usual: {
		events: [...BACKUPS, ...Object.values(TASKS).flat()],
		filter: {},
		options: { overdueHours: 36, includesNever: true },
	},
	choose: (chance) => ({
		events: chance.some(EVENTS),
		filter: chooseScope(chance),
		options: {
			overdueHours: chance.pick([LEAST_OVERDUE / HOUR, 6]),
			includesNever: chance.is(0.7),
		},
	}),
	parameters: ({ events, filter, options }) => ({
		output: 'raw',
		events,
		overdueHours: options.overdueHours as number,
		options: { includeSitesWithoutBackups: options.includesNever as boolean },
		checkEveryMinutes: 1,
		...scopeParameters(filter),
	}),
	// What is not known of its site does not keep an event back.
	matches: (choice, { facts }) =>
		!facts?.tags ||
		(isIn(choice, facts as Pick<Site, 'tags' | 'client'>) && facts.enabled !== false),
	begin: (moment) => {
		takeMoved();
		for (let left = 8; left > 0; left--) {
			// Some have been there for so long that they are overdue.
			const hours = moment.chance.pick([0, 0, 3, 8]);
			const then = { ...moment, stamp: () => earlier(moment.stamp(), hours) };
			const site = connect(then);
			if (left > 2) sync(then, site);
		}
		// They were connected, and never synced.
		for (let left = moment.setting.without; left > 0; left--) connect(moment);
		for (const status of [...Object.keys(ENDS), 'running', 'initializing']) create(moment, status);
		return [];
	},
	change: (moment, isNew) => {
		const { chance } = moment;
		const what = chance.pick(['site', 'sync', 'sync', 'sync', 'task', 'task', 'task', 'move']);
		if (isNew || what === 'task') return changed(moment, isNew);
		if (what === 'site' && chance.is(0.4)) connect(moment);
		const site = chance.pick(sitesOf(moment));
		site.updated_at = moment.stamp(site.updated_at);
		if (what === 'sync') return sync(moment, site);
		if (what === 'move') {
			moveSite(site, chance.pick(['tag', 'client', 'backups']));
			watchOf(site).movedAt = moment.now;
		}
		return [];
	},
	blurred: (moment) => {
		const keys = takeMoved().flatMap((site) => [
			...BACKUPS.map((event) => backupKey(site, event)),
			...tasksOf(moment)
				.filter((task) => siteIdOf(task) === site.id)
				.flatMap(taskKeys),
		]);
		return [...keys, ...overwritten(moment)];
	},
	keyOf: (item) => {
		const event = String(item.event);
		return item.input ? taskKey(item, event) : backupKey(item, event);
	},
	faultOf: (item) => {
		if (!item.input) return undefined;
		const shown = (item.site as IDataObject | null)?.id ?? GONE;
		return shown === siteIdOf(item) ? undefined : `${String(item.id)} of ${String(shown)}`;
	},
	isState: ({ event }) => event === OVERDUE,
	judge: (moment, told, begins) => {
		const faults: string[] = [];
		const { events } = moment.choice;
		let expected = 0;
		const isNew = begins && beginsOverdue(moment);
		for (const site of sitesOf(moment)) {
			const watch = watchOf(site);
			if (begins) {
				beginOverdue(moment, site, isNew);
				continue;
			}
			const items = told.filter(({ id, event }) => id === site.id && event === OVERDUE);
			faults.push(...items.flatMap((item) => overdueFaults(moment, site, item)));
			const last = lastGood(site);
			const mustBe =
				events.includes(OVERDUE) &&
				isOverdue(moment, site, MARGIN) &&
				!watch.isMisdated &&
				!watch.maybeOverdue.has(last);
			const isLost = mustBe && !watch.overdue.has(last);
			if (isLost) faults.push(`lost: ${site.id} overdue since ${isoSince(site, last)}`);
			if (isLost || (mustBe && items.length > 0)) expected += 1;
		}
		return { faults, expected };
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
const chosenOverdue = notes<Moment['chance'], { account?: unknown; by?: string }>(() => ({}));

/** Whether it is sure that nothing is remembered of sites that were overdue. */
function beginsOverdue({ account, chance, choice }: Moment): boolean {
	const { events, filter, options } = choice;
	const last = chosenOverdue(chance);
	const before = { ...last };
	const by = events.includes(OVERDUE) ? JSON.stringify([filter, options]) : '';
	Object.assign(last, { account, by });
	return before.account !== account || before.by !== by || by === '';
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

function overdueFaults({ choice, now }: Moment, site: Site, item: IDataObject): string[] {
	const { overdue, snapshots, isMisdated } = watchOf(site);
	const backups = item.backups as Site['backups'];
	const newest = snapshots.find(({ id }) => id === backups.latest_snapshot?.id);
	const { last_backup_at: at, hours_since: age } = item;
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
const overwritten = (moment: Moment): string[] =>
	sitesOf(moment).flatMap((site) => {
		const watch = watchOf(site);
		const at = site.sync.last_sync_at;
		const hidden = [...watch.past].filter((each) => each !== at);
		watch.past = new Set(at ? [at] : []);
		return hidden.flatMap((last) =>
			BACKUPS.map((event) => backupKey({ id: site.id, sync: { last_sync_at: last } }, event)),
		);
	});

histories(world);

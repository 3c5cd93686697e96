import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { LATE_MS } from '../../../nodes/shared/polling/cursor';
import { clock } from '../../../nodes/shared/transport/clock';
import { ModelSites, ModelSiteTrigger, type Site } from '../../support/modelSites';

/**
 * Random histories of a fleet against the Site Trigger as it is, with only the requests answered by a model: what
 * comes out of a poll are the differences between what the polls have seen, and nothing of it twice.
 */

let model: ModelSites;

jest.mock('../../../nodes/shared/transport/request', () => ({
	read: async (
		_context: unknown,
		options: { url: string; qs?: IDataObject },
		accept: (answer: object) => unknown,
	) => accept(await model.request(options)),
	serviceTime: async () => model.seconds(),
}));

const OVERDUE_HOURS = 2;
const HOUR_MS = 3_600_000;
const TAG = '7';

const events = [
	...['backupFailed', 'backupFinished', 'backupOverdue', 'disconnected', 'down'],
	...['malwareCleared', 'malwareFound', 'reconnected', 'up'],
];

/** The scopes, each with what it means for a site. */
const scopes: Record<string, { parameters: IDataObject; has: (site: Site) => boolean }> = {
	all: { parameters: { events: [...events, 'siteAdded'] }, has: () => true },
	tag: {
		parameters: {
			events: [...events, 'siteAdded'],
			scope: 'tag',
			tagId: { mode: 'id', value: TAG },
		},
		has: ({ tags }) => (tags as IDataObject[]).some(({ id }) => id === TAG),
	},
	client: {
		parameters: {
			events: [...events, 'siteAdded'],
			scope: 'client',
			clientId: { mode: 'id', value: 'c' },
		},
		has: ({ client }) => (client as IDataObject | null)?.id === 'c',
	},
	one: { parameters: { events, scope: 'sites', siteIds: ['1'] }, has: ({ id }) => id === '1' },
	some: {
		parameters: { events, scope: 'sites', siteIds: ['0', '1'] },
		has: ({ id }) => ['0', '1'].includes(id),
	},
};

type Change =
	| { kind: 'add'; late: number }
	| { kind: 'remove' | 'scope' | 'backups' | 'fade'; pick: number }
	| { kind: 'flip'; pick: number; what: 'connection' | 'malware' | 'uptime' }
	| { kind: 'watch'; pick: number; what: 'malware' | 'uptime' }
	| { kind: 'sync'; pick: number; status: string; late: number };

type Step =
	| Change
	| { kind: 'together'; changes: Change[] }
	| { kind: 'time'; ms: number }
	| { kind: 'poll' | 'failing poll' | 'crash' | 'restart' };

/** Counted from the newest; few sites, so that the same one is met again and again. */
const pick = fc.nat(2);
const late = fc.oneof(
	{ weight: 4, arbitrary: fc.constant(0) },
	{ weight: 1, arbitrary: fc.integer({ min: 0, max: LATE_MS }) },
);
const of = <T>(value: T) => fc.constant(value);

const flipOf = (which: fc.Arbitrary<number>): fc.Arbitrary<Change> =>
	fc.record({
		kind: of('flip' as const),
		pick: which,
		what: fc.constantFrom('connection', 'malware', 'uptime'),
	});
const syncOf = (which: fc.Arbitrary<number>): fc.Arbitrary<Change> =>
	fc.record({
		kind: of('sync' as const),
		pick: which,
		status: fc.constantFrom('succeeded', 'succeeded', 'failed', 'in_progress'),
		late,
	});
const flip = flipOf(pick);
const sync = syncOf(pick);
const add: fc.Arbitrary<Change> = fc.record({ kind: of('add' as const), late });
const remove: fc.Arbitrary<Change> = fc.record({ kind: of('remove' as const), pick });
const scoping: fc.Arbitrary<Change> = fc.record({ kind: of('scope' as const), pick });
const switching: fc.Arbitrary<Change> = fc.oneof(
	fc.record({ kind: fc.constantFrom('backups' as const, 'fade' as const), pick }),
	fc.record({
		kind: of('watch' as const),
		pick,
		what: fc.constantFrom('malware' as const, 'uptime' as const),
	}),
);
const timeOf = (...ms: number[]): fc.Arbitrary<Step> =>
	fc.record({ kind: of('time' as const), ms: fc.constantFrom(...ms) });
const shortTime = timeOf(250, 1_000, 20_000, 100_000);
const anyTime = timeOf(250, 1_000, 20_000, 100_000, 600_000, 3 * HOUR_MS, 30 * HOUR_MS);
const polling: fc.Arbitrary<Step> = fc.record({
	kind: fc.constantFrom(...(['poll', 'poll', 'poll', 'failing poll', 'crash', 'restart'] as const)),
});

const iso = () => new Date(model.now).toISOString();
const flipped: Record<string, string[]> = {
	connection: ['connected', 'disconnected'],
	malware: ['clean', 'hacked'],
	uptime: ['up', 'down'],
};
const next = (what: string, status: string) => {
	const all = flipped[what]!;
	return all[(all.indexOf(status) + 1) % all.length]!;
};

function newSite(): Site {
	return {
		id: String(model.count()),
		created_at: iso(),
		tags: [],
		client: null,
		connection: { status: 'connected' },
		security: { enabled: true, scanner: { status: 'clean' } },
		uptime: { enabled: true, status: 'up' },
		backups: { enabled: true },
		sync: { last_sync_at: null, last_sync_status: null },
	};
}

// Loosely typed: a site in these tests is plain JSON.
/* eslint-disable @typescript-eslint/no-explicit-any */
function apply(change: Change): void {
	if (change.kind === 'add') return model.write(newSite(), change.late);
	const sites = model.latest();
	const site = structuredClone(sites.reverse()[change.pick % Math.max(1, sites.length)]) as any;
	if (!site) return;
	switch (change.kind) {
		case 'remove':
			return model.remove(site.id);
		case 'scope':
			site.tags = site.tags.length > 0 ? [] : [{ id: TAG, name: 'Watched' }];
			site.client = site.client ? null : { id: 'c' };
			break;
		case 'fade':
			// The monitor does not know.
			site.uptime.status = 'unknown';
			break;
		case 'backups':
			site.backups.enabled = !site.backups.enabled;
			break;
		case 'watch': {
			const part = change.what === 'malware' ? site.security : site.uptime;
			part.enabled = !part.enabled;
			break;
		}
		case 'flip': {
			const part = change.what === 'malware' ? site.security.scanner : site[change.what];
			part.status = next(change.what, part.status);
			break;
		}
		case 'sync':
			// Some are shown as under way first, and end without a new time.
			if (site.sync.last_sync_status === 'in_progress') site.sync.last_sync_status = change.status;
			else site.sync = { last_sync_at: iso(), last_sync_status: change.status };
			return model.write(site, change.late);
	}
	model.write(site);
}

type Standing = 'in' | 'over' | 'unknown';

/** Each state with its events, and how a site stands to it. */
const standings: Array<{
	entered: string;
	left?: string;
	of: (site: any, has: boolean) => Standing;
}> = [
	{
		entered: 'disconnected',
		left: 'reconnected',
		of: ({ connection }, has) => standing(has, connection.status === 'disconnected', true),
	},
	{
		entered: 'malwareFound',
		left: 'malwareCleared',
		of: ({ security }, has) =>
			standing(has, security.scanner.status === 'hacked', security.enabled),
	},
	{
		entered: 'down',
		left: 'up',
		of: ({ uptime }, has) =>
			standing(has, uptime.status === 'down', uptime.enabled && uptime.status === 'up'),
	},
	{
		entered: 'backupOverdue',
		of: ({ sync: { last_sync_at: at }, backups }, has) => {
			const isOld = at !== null && Date.parse(at) <= model.seconds() - OVERDUE_HOURS * HOUR_MS;
			if (isOld) return has && backups.enabled ? 'in' : 'unknown';
			return at === null ? 'unknown' : 'over';
		},
	},
];
/* eslint-enable @typescript-eslint/no-explicit-any */

const standing = (has: boolean, isBad: boolean, isWatched: boolean): Standing => {
	if (!has) return 'unknown';
	if (isBad) return 'in';
	return isWatched ? 'over' : 'unknown';
};

/** What the successful polls have seen so far, and so what the next one has to tell. */
class Expectation {
	private begun?: number;

	private before = new Map<string, Standing>();

	private beforeThat = new Map<string, Standing>();

	/** Keys of occurrences that polls have followed since the service shows them, and those that are done. */
	private followed = new Map<string, boolean>();

	private readonly told = new Set<string>();

	constructor(
		private readonly has: (site: Site) => boolean,
		private readonly adds: boolean,
	) {}

	check(items: IDataObject[]): void {
		const now = items.map(({ event, id }) => `${String(event)} ${String(id)}`).sort();
		const timed = ['backupFailed', 'backupFinished', 'siteAdded'];
		const isTimed = (text: string) => timed.includes(text.split(' ')[0]!);
		const first = this.begun === undefined;
		this.begun ??= model.now;
		const states = this.stateEvents();
		expect(now.filter((text) => !isTimed(text))).toEqual(first ? [] : states);
		this.checkTimed(now.filter(isTimed), first);
	}

	private stateEvents(): string[] {
		const found: string[] = [];
		const after = new Map<string, Standing>();
		for (const site of model.shown()) {
			for (const { entered, left, of: standingOf } of standings) {
				const key = `${entered} ${site.id}`;
				const is = standingOf(site, this.has(site));
				const was = this.before.get(key) ?? 'unknown';
				// A site that is nowhere to be seen in one poll may just have been missed by it.
				const isMissed = was === 'unknown' && this.beforeThat.get(key) === 'in';
				after.set(key, is);
				if (is === 'in' && was !== 'in' && !isMissed) found.push(key);
				if (is === 'over' && left && (was === 'in' || isMissed)) found.push(`${left} ${site.id}`);
			}
		}
		this.beforeThat = this.before;
		this.before = after;
		return found.sort();
	}

	private checkTimed(now: string[], first: boolean): void {
		const must: string[] = [];
		const may = new Set<string>();
		const followed = new Map<string, boolean>();
		const look = (key: string, text: string, since: number, openMs: number, is: Standing) => {
			// Not shown before, or looked at in each poll since.
			const isFollowed = this.followed.get(key) ?? !first;
			if (is === 'in' && !this.told.has(key)) {
				if (isFollowed && !first) must.push(text);
				may.add(text);
				if (first || now.includes(text)) this.told.add(key);
			}
			const stays = is !== 'unknown' && model.seconds() - since <= openMs;
			followed.set(key, (isFollowed || first) && stays);
		};
		for (const site of model.shown()) {
			const has = this.has(site);
			const { last_sync_at: at, last_sync_status: status } = site.sync as IDataObject;
			if (at !== null) {
				const ended = status !== 'in_progress' && (site.backups as IDataObject).enabled;
				const event = status === 'succeeded' ? 'backupFinished' : 'backupFailed';
				const is = !has ? 'unknown' : ended ? 'in' : status === 'in_progress' ? 'over' : 'unknown';
				const since = Date.parse(String(at));
				look(`${site.id}:${String(at)}`, `${event} ${site.id}`, since, 6 * HOUR_MS, is);
			}
			const created = Date.parse(String(site.created_at));
			const isNew = created >= this.begun! - 1_000;
			if (this.adds && !first && isNew) {
				const isSure = created >= this.begun! && !this.addedBefore.has(site.id);
				const key = isSure ? site.id : `${site.id}?`;
				if (!isSure) this.followed.set(key, false);
				look(key, `siteAdded ${site.id}`, created, 24 * HOUR_MS, has ? 'in' : 'over');
			}
			if (first) this.addedBefore.add(site.id);
		}
		this.followed = followed;
		expect(now).toEqual(expect.arrayContaining(must));
		expect(now.filter((text) => !may.has(text))).toEqual([]);
		expect(new Set(now).size).toBe(now.length);
	}

	private readonly addedBefore = new Set<string>();
}

async function run(trigger: ModelSiteTrigger, step: Step, seen: (items: IDataObject[]) => void) {
	switch (step.kind) {
		case 'time':
			model.now += step.ms;
			return;
		case 'poll':
			seen(await trigger.poll());
			return;
		case 'failing poll':
			model.failAfter = 2;
			await trigger.poll().then(seen, () => {});
			model.failAfter = Infinity;
			return;
		case 'crash':
			return await trigger.pollAndCrash();
		case 'restart':
			return trigger.restart();
		case 'together':
			return step.changes.forEach(apply);
		default:
			apply(step);
	}
}

const scopeName = fc.constantFrom(...Object.keys(scopes));
/** Several changes of one site at once. */
const together: fc.Arbitrary<Step> = fc
	.tuple(
		pick,
		fc.array(fc.oneof(flip, flip, scoping, switching, sync), { minLength: 2, maxLength: 4 }),
	)
	.map(([site, changes]) => ({
		kind: 'together',
		changes: changes.map((change) => ({ ...change, pick: site })),
	}));

const added: Change = { kind: 'add', late: 0 };
const synced: Change = { kind: 'sync', pick: 0, status: 'succeeded', late: 0 };
const scoped: Change = { kind: 'scope', pick: 0 };
const lapse: Step = { kind: 'time', ms: 3 * HOUR_MS };
const poll: Step = { kind: 'poll' };

/** What chance seldom gives: two lapses with one poll between them, and a lapse during which a site is elsewhere. */
const RARE: Array<[string, Change[], Step[]]> = [
	['all', [added, synced], [lapse, poll, synced, poll, lapse, poll]],
	['tag', [added, synced, scoped], [lapse, poll, scoped, poll, scoped, poll]],
	['tag', [added], [added, lapse, poll, scoped, poll]],
];

it('each poll tells the differences between what it sees and what the polls before have seen', async () => {
	await fc.assert(
		fc.asyncProperty(
			scopeName,
			fc.array(fc.oneof(add, add, flip, sync, scoping), { minLength: 2, maxLength: 10 }),
			fc.array(
				fc.oneof(
					{
						weight: 4,
						arbitrary: fc.oneof<Array<fc.Arbitrary<Step>>>(flip, sync, scoping, switching),
					},
					{ weight: 2, arbitrary: together },
					{ weight: 1, arbitrary: fc.oneof<Array<fc.Arbitrary<Step>>>(add, add, remove) },
					{ weight: 4, arbitrary: anyTime },
					{ weight: 5, arbitrary: polling },
				),
				{ maxLength: 80 },
			),
			async (scope, before, during) => {
				model = new ModelSites();
				const { parameters, has } = scopes[scope]!;
				const expectation = new Expectation(
					has,
					(parameters.events as string[]).includes('siteAdded'),
				);
				const trigger = new ModelSiteTrigger({ ...parameters, overdueHours: OVERDUE_HOURS });
				for (const change of before) {
					apply(change);
					model.now += 20_000;
				}
				const seen = (items: IDataObject[]) => expectation.check(items);
				await run(trigger, { kind: 'poll' }, seen);
				for (const step of during) await run(trigger, step, seen);
				await run(trigger, { kind: 'poll' }, seen);
			},
		),
		{ numRuns: 2_000, examples: RARE },
	);
}, 60_000);

/** Of all sites, so that the pages of the list move. */
const anyFlip = flipOf(fc.nat(20));
const anySync = syncOf(fc.nat(20));

/** Everything that is shown in the end must have been told, whatever moved while it was read; no sync is too long. */
it('what changes while a poll reads is told once, then or later', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(fc.oneof(add, anyFlip, anySync), { maxLength: 30 }),
			fc.array(
				fc.oneof(
					{ weight: 5, arbitrary: fc.oneof(anyFlip, anyFlip, anySync, anySync, add, remove) },
					{ weight: 2, arbitrary: shortTime },
					{ weight: 3, arbitrary: polling },
				),
				{ maxLength: 40 },
			),
			fc.array(fc.oneof(anyFlip, anyFlip, anySync, add), { maxLength: 12 }),
			fc.option(fc.integer({ min: 1, max: 12 }), { nil: Infinity }),
			async (before, during, meanwhile, budget) => {
				model = new ModelSites();
				let ticks = 0;
				clock.now = () => ticks;
				const trigger = new ModelSiteTrigger(scopes.all!.parameters);
				for (const change of before) apply(change);
				model.now += LATE_MS;
				const items: IDataObject[] = [];
				const seen = (more: IDataObject[]) => void items.push(...more);
				await run(trigger, { kind: 'poll' }, seen);
				const known = new Map(model.shown().map((site) => [site.id, site]));
				model.meanwhile = meanwhile.map((change) => () => {
					ticks += 1;
					apply(change);
				});
				trigger.budgetMs = budget;
				for (const step of during) await run(trigger, step, seen);
				model.meanwhile = [];
				trigger.budgetMs = Infinity;
				await run(trigger, { kind: 'poll' }, seen);
				model.now += LATE_MS + 1_000;
				await run(trigger, { kind: 'poll' }, seen);

				for (const site of model.shown()) {
					const own = items.filter(({ id }) => id === site.id);
					for (const { entered, left, of: standingOf } of standings.slice(0, 3)) {
						const was = known.has(site.id) && standingOf(known.get(site.id), true) === 'in';
						const is = standingOf(site, true) === 'in';
						const told = own
							.map(({ event }) => event)
							.filter((event) => event === entered || event === left);
						const turns = told.map((_, turn) => (was === (turn % 2 === 1) ? entered : left));
						expect(told).toEqual(turns);
						expect(told.length % 2 === 1).toBe(was !== is);
					}
					const added = own.filter(({ event }) => event === 'siteAdded');
					expect(added).toHaveLength(known.has(site.id) ? 0 : 1);
					const ends = own.filter(({ event }) => String(event).match(/backupF/));
					const times = ends.map(({ sync: told }) => (told as IDataObject).last_sync_at);
					expect(new Set(times).size).toBe(times.length);
					const { last_sync_at: at, last_sync_status: status } = site.sync as IDataObject;
					const knownSync = known.get(site.id)?.sync as IDataObject | undefined;
					const isKnown =
						knownSync?.last_sync_at === at && knownSync?.last_sync_status !== 'in_progress';
					if (at !== null && status !== 'in_progress' && !isKnown) expect(times).toContain(at);
				}
			},
		),
		{ numRuns: 1_000 },
	);
}, 60_000);

import type { Service } from '../../sandbox/service';
import { changesOf } from '../../sandbox/service/domain/content/changes';
import { setVersion, versionsAt } from '../../sandbox/service/domain/content/components';
import { harmOf, setFlaw } from '../../sandbox/service/domain/content/flaws';
import type { Flaw } from '../../sandbox/service/domain/content/rows';
import { visitorsOf } from '../../sandbox/service/domain/content/visitors';
import type { SiteRow } from '../../sandbox/service/domain/sites/rows';
import { Random } from '../../sandbox/service/engine/random';

/**
 * Worlds in which an update goes wrong, one for each site: what a site has, what will be guilty, and how the update has
 * to end. Known are only the facts of the world, nothing of how the workflow looks for the culprit.
 */

/** To which version each plugin and theme is updated. */
const LATEST = {
	'contact-forms': '5.9.8',
	'page-cache': '3.2.1',
	'image-slider': '2.1.0',
	'site-maps': '2.4.1',
	'booking-calendar': '4.0.0',
	'seo-suite': '2.1.0',
	'hello-words': '2.2.0',
	'image-slider-1.9.4': '2.1.0',
	'licensed-forms': '4.3.1',
	magazine: '1.4.2',
	portfolio: '2.9.0',
};
type Slug = keyof typeof LATEST;

const PLUGINS: Slug[] = ['contact-forms', 'page-cache', 'image-slider', 'site-maps'];

/** What the settings of the example name as changing the database. */
export const MIGRATING: Slug = 'booking-calendar';

/** Those of which one is guilty in a kind of its own. */
const SPECIAL: Partial<Record<Kind, Slug[]>> = {
	theme: ['magazine', 'portfolio'],
	odd: ['seo-suite', 'image-slider-1.9.4'],
	single: ['hello-words'],
};
/** Besides the usual plugins, a site has a few of these. */
const EXTRAS: Slug[] = [...Object.values(SPECIAL).flat(), 'licensed-forms'];

const olderThan = (latest: string) =>
	['1.0.0', '1.9.4', '2.0.1'].filter((version) => version < latest);

/** How an update breaks a page, unless a kind says otherwise. */
export const AT_ONCE = { effect: 'error', after_minutes: 0, migrates: false } as const;

/** What is so on a site, and how the update ends, as the world knows it. */
export const KINDS = {
	none: ['no update is guilty', 'updated'],
	error: ['one is guilty, at once', 'taken back'],
	empty: ['one is guilty, by an empty page', 'taken back'],
	theme: ['a theme is guilty', 'taken back'],
	odd: ['one is guilty whose main file has another name than its folder', 'taken back'],
	single: ['one is guilty that is a single file', 'taken back'],
	late: ['one is guilty, after half an hour', 'taken back'],
	bystander: ['one is guilty, another one changes the database without harm', 'taken back'],
	knownBystander: ['one is guilty, a listed one changes the database without harm', 'taken back'],
	two: ['two are guilty', 'taken back'],
	migrates: ['one is guilty and changes the database', 'asked'],
	knownMigrates: ['a listed one is guilty and changes the database', 'asked'],
	core: ['the core is guilty', 'asked'],
	stuck: ['one is guilty, and no restore succeeds', 'asked'],
	before: ['the page was broken before', 'left out'],
	host: ['the host goes down during the update', 'untouched'],
} as const;
export type Kind = keyof typeof KINDS;

export type Case = ReturnType<typeof prepare>;

/** Gives a site plugins and themes in old versions. @returns the versions of all that will be updated */
function installOld(service: Service, site: SiteRow, names: Slug[], random: Random) {
	const { world } = service;
	// What else the site has must not be updated by chance.
	const there = versionsAt(world, site, world.now);
	for (const slug of (Object.keys(LATEST) as Slug[]).filter((each) => !names.includes(each))) {
		if (there.has(slug)) setVersion(world, site, slug, LATEST[slug]);
	}
	// All of these are installed by hand, so that each is updated.
	const versions = new Map(names.map((slug) => [slug, random.pick(olderThan(LATEST[slug]))]));
	for (const [slug, version] of versions) setVersion(world, site, slug, version);
	return versions;
}

/** Gives a site its plugins and themes, and their faults. */
export function prepare(service: Service, site: SiteRow, kind: Kind, random: Random) {
	const { world } = service;
	const own = kind === 'knownMigrates' || kind === 'knownBystander';
	const others = random.sample(PLUGINS, random.integer(2, 3));
	const special = SPECIAL[kind] && random.pick(SPECIAL[kind]);
	const innocent = random.sample(
		EXTRAS.filter((slug) => slug !== special),
		random.integer(0, special ? 1 : 2),
	);
	const names = [
		...(own ? [MIGRATING] : []),
		...others,
		...(special ? [special] : []),
		...innocent,
	];
	/** Of all that is updated, before it is. */
	const versions = installOld(service, site, names, random);

	const [first, second] = random.sample(others, 2) as [Slug, Slug];
	const flaw = (plugin: string, more: Partial<Flaw> = {}) =>
		setFlaw(world, site, { plugin, ...AT_ONCE, ...more });
	const guilty: Slug[] = [];
	const isGuilty = (plugin: Slug, more?: Partial<Flaw>) => {
		flaw(plugin, more);
		guilty.push(plugin);
	};
	if (kind === 'error' || kind === 'stuck') isGuilty(first);
	if (special) isGuilty(special);
	if (kind === 'empty') isGuilty(first, { effect: 'empty' });
	if (kind === 'late') isGuilty(first, { after_minutes: 30 });
	if (kind === 'two') [first, second].forEach((plugin) => isGuilty(plugin));
	if (kind === 'migrates') isGuilty(first, { migrates: true });
	if (kind === 'knownMigrates') isGuilty(MIGRATING, { migrates: true });
	if (kind === 'bystander' || kind === 'knownBystander') {
		isGuilty(first);
		flaw(kind === 'bystander' ? second : MIGRATING, { effect: 'none', migrates: true });
	}
	if (kind === 'core') flaw('core');

	const [, expected] = KINDS[kind];
	/** What was there before. */
	const { lost, restores } = stateOf(service, site);
	return { site, kind, guilty, versions, approves: random.chance(0.5), expected, lost, restores };
}

export function stateOf({ world }: Service, site: SiteRow) {
	const { restores } = changesOf(world, site.id);
	return {
		lost: visitorsOf(world, site).orders.lost,
		restores: restores.length,
		withDatabase: restores.filter(({ database }) => database).length,
		versions: versionsAt(world, site, world.now),
	};
}

/** What is wrong about how it ended; nothing where all is as it has to be. */
export function wrongs(service: Service, each: Case, isAsked: boolean): string[] {
	const { site, kind, guilty, approves, expected } = each;
	const { lost, restores, withDatabase, versions } = stateOf(service, site);
	const found: string[] = [];
	const wrong = (condition: boolean, text: string) => void (condition && found.push(text));

	const allowed = isAsked && approves;
	wrong(isAsked !== (expected === 'asked'), isAsked ? 'a person was asked' : 'nobody was asked');
	wrong(lost > each.lost && !allowed, `${lost - each.lost} orders were lost without an approval`);
	wrong(withDatabase > 0 && !allowed, 'the database was restored without an approval');
	if (kind === 'core') wrong(lost > each.lost, 'orders were lost although the core was guilty');
	if (['updated', 'left out', 'untouched'].includes(expected)) {
		wrong(restores !== each.restores, 'something was restored');
	}
	if (expected === 'taken back' || allowed) {
		const harm = harmOf(service.world, site);
		wrong(harm !== undefined, `its pages still show an ${harm}`);
	}
	// A full restore brings all back.
	if (expected === 'asked' && approves && kind !== 'core') return found;
	for (const [name, before] of each.versions) {
		const isBack = expected === 'left out' || (expected === 'taken back' && guilty.includes(name));
		const wanted = isBack ? before : LATEST[name];
		wrong(versions.get(name) !== wanted, `${name} is ${versions.get(name)}, not ${wanted}`);
	}
	return found;
}

import type { Service } from '../../sandbox/service';
import { changesOf } from '../../sandbox/service/domain/content/changes';
import { harmOf, setFlaw } from '../../sandbox/service/domain/content/flaws';
import { pluginsAt, setPlugin } from '../../sandbox/service/domain/content/plugins';
import type { Flaw } from '../../sandbox/service/domain/content/rows';
import { visitorsOf } from '../../sandbox/service/domain/content/visitors';
import type { SiteRow } from '../../sandbox/service/domain/sites/rows';
import { Random } from '../../sandbox/service/engine/random';

/**
 * Worlds in which an update goes wrong, one for each site: what a site has, what will be guilty, and how the update has
 * to end. Known are only the facts of the world, nothing of how the workflow looks for the culprit.
 */

/** To which version each plugin is updated. */
const LATEST = {
	'contact-forms': '5.9.8',
	'page-cache': '3.2.1',
	'image-slider': '2.1.0',
	'site-maps': '2.4.1',
	'booking-calendar': '4.0.0',
};
type Plugin = keyof typeof LATEST;
const PLUGINS = Object.keys(LATEST) as Plugin[];

/** What the settings of the example name as changing the database. */
export const MIGRATING: Plugin = 'booking-calendar';

const OLDER = ['1.0.0', '1.9.4', '2.0.1'];

export const KINDS = {
	none: 'no update is guilty',
	error: 'one is guilty, at once',
	empty: 'one is guilty, by an empty page',
	late: 'one is guilty, after half an hour',
	bystander: 'one is guilty, and another one changes the database without harm',
	knownBystander: 'one is guilty, and a listed one changes the database without harm',
	two: 'two are guilty',
	migrates: 'one is guilty and changes the database',
	knownMigrates: 'a listed one is guilty and changes the database',
	core: 'the core is guilty',
	stuck: 'one is guilty, and no restore succeeds',
	before: 'the page was broken before',
	host: 'the host goes down during the update',
} as const;
export type Kind = keyof typeof KINDS;

/** How it ended, as the world knows it. */
export type Outcome = 'updated' | 'taken back' | 'asked' | 'left out' | 'untouched';

export interface Case {
	site: SiteRow;
	kind: Kind;
	guilty: Plugin[];
	versions: Map<Plugin, string>;
	/** What the person answers who is asked. */
	approves: boolean;
	expected: Outcome;
	/** What was there before. */
	lost: number;
	restores: number;
}

/** Gives a site its plugins and their faults. */
export function prepare(service: Service, site: SiteRow, kind: Kind, random: Random): Case {
	const { world } = service;
	// All are installed by hand, so that each is updated.
	const own = kind === 'knownMigrates' || kind === 'knownBystander';
	const others = random.sample(
		PLUGINS.filter((name) => name !== MIGRATING),
		random.integer(2, 3),
	);
	const names: Plugin[] = own ? [MIGRATING, ...others] : others;
	const versions = new Map(names.map((name) => [name, random.pick(OLDER)]));
	for (const [name, version] of versions) setPlugin(world, site, name, version);

	const [first, second] = random.sample(others, 2) as [Plugin, Plugin];
	const flaw = (plugin: string, more: Partial<Flaw> = {}) =>
		setFlaw(world, site, { plugin, effect: 'error', after_minutes: 0, migrates: false, ...more });
	const guilty: Plugin[] = [];
	const isGuilty = (plugin: Plugin, more?: Partial<Flaw>) => {
		flaw(plugin, more);
		guilty.push(plugin);
	};
	if (kind === 'error' || kind === 'stuck') isGuilty(first);
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

	const expected: Outcome =
		kind === 'none'
			? 'updated'
			: kind === 'before'
				? 'left out'
				: kind === 'host'
					? 'untouched'
					: ['migrates', 'knownMigrates', 'core', 'stuck'].includes(kind)
						? 'asked'
						: 'taken back';
	const { lost, restores } = stateOf(service, site);
	return { site, kind, guilty, versions, approves: random.chance(0.5), expected, lost, restores };
}

/** What has happened to a site so far. */
export function stateOf({ world }: Service, site: SiteRow) {
	const { restores } = changesOf(world, site.id);
	return {
		lost: visitorsOf(world, site).orders.lost,
		restores: restores.length,
		withDatabase: restores.filter(({ database }) => database).length,
		versions: pluginsAt(world, site, world.now),
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

import { day } from '../../engine/clock';
import { hashOf, Random } from '../../engine/random';
import type { World } from '../../engine/world';
import type { SiteRow } from '../sites/rows';

export const companies = [
	'Harbour Digital',
	'Ridge Studio',
	'Paper Plane Media',
	'Old Town Web',
	'Lumen Works',
];

export function dates(world: World, random: Random): { created_at: string; updated_at: string } {
	const createdAt = world.now - random.integer(60 * day, 700 * day);
	const updatedAt = createdAt + random.integer(0, 60 * day);
	return { created_at: world.timestamp(createdAt), updated_at: world.timestamp(updatedAt) };
}

export const daysAgo = (world: World, days: number) => world.timestamp(world.now - days * day);

export const recipientOf = (site: SiteRow) => `owner@${new URL(site.url).hostname}`;

export const adjectives =
	'Amber,Bold,Bright,Calm,Clear,Copper,Crisp,Eager,Early,Gentle,Golden,Grand,Green,Happy,Hidden,Honest,Ivory,Kind,Lively,Lucky,Mellow,Misty,Modern,Noble,Northern,Olive,Prime,Quiet,Rapid,Rustic,Silver,Simple,Solar,Sunny,Tidy,Urban,Velvet,Vivid,Warm,Wild'.split(
		',',
	);
export const nouns =
	'Bakery,Books,Brewery,Cafe,Clinic,Coaching,Cycles,Dental,Design,Events,Farm,Films,Fitness,Florist,Foundation,Gallery,Garden,Hotel,Interiors,Journal,Kitchen,Law,Legal,Market,Media,Museum,Music,Outdoors,Paper,Photo,Pottery,School,Shop,Studio,Tours,Travel,Vets,Wines,Workshop,Yoga'.split(
		',',
	);

/** A time within the last `rangeMs` before the history of tasks, as the records have it. */
export function pastTime(world: World, rangeMs: number): string {
	return world.timestamp(world.now - world.random.integer(day, rangeMs));
}

export function slug(text: string): string {
	return text.toLowerCase().replaceAll(' ', '-');
}

/** Fills something for every site; each site draws apart from the rest of the fleet. */
export function forEachSite(
	world: World,
	what: string,
	fill: (site: SiteRow, random: Random) => void,
): void {
	for (const site of world.store.sites.all()) fill(site, new Random(hashOf(site.id, what)));
}

/** Draws for what surrounds the sites of the account, apart from the rest of the fleet. */
export const drawsFor = (world: World, what: string) =>
	new Random(hashOf(world.random.state, what));

import { minute } from '../../engine/clock';
import type { World } from '../../engine/world';
import type { SiteRow } from '../sites/rows';
import { changeContent, changesOf } from './changes';
import { versionsAt } from './components';
import { isKept, restoresOf, restoresOfTable } from './kept';
import type { Flaw } from './rows';

/** Updates that harm the pages of a site: at once or later, by their files or by what they do to the database. */

/** Where plugins keep which version of the database they need. */
const VERSIONS = 'wp_options';

/** Flaws of the core go by this name. */
export const CORE = 'core';

/** The next update of the plugin, theme or core brings it; one that it had is forgotten. */
export function setFlaw(world: World, site: SiteRow, flaw: Flaw): void {
	const content = changeContent(world, site.id);
	const others = content.flaws?.filter(({ plugin }) => plugin !== flaw.plugin) ?? [];
	content.flaws = [...others, flaw];
}

/** An update has brought the plugin, theme or core to a version. */
export function bringFlaw(world: World, site: SiteRow, plugin: string, version: string): void {
	const { flaws = [] } = changesOf(world, site.id);
	if (!flaws.some((flaw) => flaw.plugin === plugin && !flaw.came)) return;
	const at = world.timestamp();
	changeContent(world, site.id).flaws = flaws.map((flaw) =>
		flaw.plugin === plugin && !flaw.came ? { ...flaw, came: { at, version } } : flaw,
	);
}

/** What visitors get by an update: an error, an empty page, or nothing that is wrong. */
export function harmOf(world: World, site: SiteRow): 'error' | 'empty' | undefined {
	const { flaws = [], restores } = changesOf(world, site.id);
	if (!flaws.some(({ came }) => came)) return undefined;
	const versions = versionsAt(world, site, world.now);
	const core = restoresOf(restores, './wp-includes/version.php');
	const isUpdated = ({ plugin, came }: Flaw) =>
		plugin === CORE
			? isKept(core, Date.parse(came!.at), world.now)
			: versions.get(plugin) === came!.version;
	const database = restoresOfTable(restores, VERSIONS);
	const harms = flaws.map((flaw) => {
		const { effect, after_minutes: after, migrates, came } = flaw;
		if (!came) return undefined;
		const since = Date.parse(came.at);
		if (!isUpdated(flaw)) {
			return migrates && isKept(database, since, world.now) ? 'error' : undefined;
		}
		return effect !== 'none' && world.now >= since + after * minute ? effect : undefined;
	});
	return harms.find((harm) => harm === 'error') ?? harms.find(Boolean);
}

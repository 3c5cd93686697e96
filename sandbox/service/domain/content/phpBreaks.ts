import type { World } from '../../engine/world';
import type { SiteRow } from '../sites/rows';
import { changeContent, changesOf } from './changes';
import { filesAt } from './files';
import type { PhpBreak } from './rows';

/** Plugins and themes that fail on newer PHP, and what visitors of a page see of it. */

/** From a version of PHP on, a component of a site fails, there and on its copies. */
export function breakOnPhp(world: World, site: SiteRow, broken: PhpBreak): PhpBreak {
	const content = changeContent(world, site.id);
	content.php_breaks = [...(content.php_breaks ?? []), broken];
	return broken;
}

const rank = (version: string) => {
	const [major = 0, minor = 0] = version.split('.').map(Number);
	return major * 1000 + minor;
};

/**
 * The component that breaks a page with a version of PHP; undefined where the page works.
 * @param path such as `/shop`, empty for the home page
 */
export function phpBreakOf(world: World, site: SiteRow, version: string, path: string) {
	const { php_breaks: all = [] } = changesOf(world, site.id);
	if (all.length === 0) return undefined;
	const there = foldersOf(world, site);
	return all.find(
		({ component, from, pages, with: other }) =>
			rank(version) >= rank(from) &&
			(!pages || pages.includes(path)) &&
			[component, ...(other ? [other] : [])].every((folder) => there.includes(folder)),
	);
}

/** What PHP writes into a page where it shows errors. */
export const fatalErrorOf = ({ component }: PhpBreak) => {
	const file = `/srv/site/public/wp-content/${component}/includes/main.php`;
	const notice = '/srv/site/public/wp-content/plugins/other-notices/notices.php';
	return `<br />
<b>Deprecated</b>:  Optional parameter before required parameter in <b>${notice}</b> on line <b>7</b><br />
<br />
<b>Fatal error</b>:  Uncaught Error: Call to undefined function each() in ${file}:41
Stack trace:
#0 /srv/site/public/wp-settings.php(473): include_once()
#1 {main}
  thrown in <b>${file}</b> on line <b>41</b><br />
`;
};

/** Of the sites that example 14 rehearses by default, one is blocked by PHP 8.4. */
export function seedPhpBreaks(world: World): void {
	const canary = world.store.tags.peek().find(({ name }) => name === 'Canary');
	const last = world.store.sites
		.peek()
		.filter(({ internal }) => internal.tag_ids.includes(canary?.id ?? ''))
		.at(-1);
	const [component] = last ? foldersOf(world, last) : [];
	if (last && component) breakOnPhp(world, last, { component, from: '8.4' });
}

/** The folders of the plugins and themes of a site, below wp-content. */
export const foldersOf = (world: World, site: SiteRow): string[] => {
	const all = filesAt(world, site, world.now).map(({ path }) => FOLDER.exec(path)?.[1] ?? []);
	return [...new Set(all.flat())];
};

const FOLDER = /^\.\/wp-content\/((?:plugins|themes)\/[^/]+)\//;

import { hashOf } from '../../engine/random';
import type { SiteRow } from '../sites/rows';
import { type FileSpec, installedAt, themeNames } from './names';

/**
 * Layouts as they are met in life, on some sites each: main files with another name than their folder, two in one
 * folder, single files, must-use plugins, one with the slug of a plugin, copies in folders with a version, child themes, empty versions, and
 * headers that are hard to read.
 */

export type ComponentKind = 'plugin' | 'must-use' | 'theme';

interface Odd {
	kind: ComponentKind;
	/** With a slash at the end, or the path of a single file. */
	path: string;
	name: string;
	version: string | null;
	/** The main file, and what it begins with. */
	file: string;
	head: string;
	/** Besides the main file, by name; none of them is a main file. */
	others?: Record<string, string>;
}

const LICENSE = Array.from(
	{ length: 40 },
	(_, line) => ` * ${line + 1}. This program is free software, and comes without any warranty.`,
).join('\n');

const ODD: Odd[] = [
	{
		kind: 'plugin',
		path: './wp-content/plugins/seo-suite/',
		name: 'SEO Suite',
		version: '2.0-beta.2',
		file: 'wp-seo.php',
		head: '<?php\n/**\n * Plugin Name:       SEO Suite\n * Description:       Titles\n * Version:           2.0-beta.2\n */\n',
		others: {
			'admin.php': '<?php\n// Menus of the plugin\n',
			'class-loader.php': '<?php\n/**\n * Loads classes.\n *\n * Version: 0.1\n */\n',
		},
	},
	{
		kind: 'plugin',
		path: './wp-content/plugins/hello-words.php',
		name: 'Hello Words',
		version: '1.7.2',
		file: 'hello-words.php',
		head: '<?php\r\n/*\r\nPlugin Name: Hello Words\r\nVersion: 1.7.2\r\n*/\r\n',
	},
	{
		kind: 'plugin',
		path: './wp-content/plugins/image-slider-1.9.4/',
		name: 'Image Slider',
		version: '1.9.4',
		file: 'image-slider.php',
		head: '<?php\n/**\n * Plugin Name: Image Slider\n * Version: 1.9.4\n */\n',
	},
	{
		kind: 'plugin',
		path: './wp-content/plugins/gallery-light/',
		name: 'Gallery Light',
		version: null,
		file: 'gallery-light.php',
		head: "<?php\n/**\n * Plugin Name: Gallery Light\n * @version 3.0\n */\ndefine('GALLERY', '3.0');\n",
	},
	{
		kind: 'plugin',
		path: './wp-content/plugins/licensed-forms/',
		name: 'Licensed Forms',
		version: '4.2.0',
		file: 'licensed-forms.php',
		head: `<?php\n/*\n${LICENSE}\n */\n\n/* Plugin Name: Licensed Forms\n   Version: 4.2.0 */\n\n// Version: 9.9 of the library\n`,
	},
	{
		kind: 'plugin',
		path: './wp-content/plugins/booking-kit/',
		name: 'Calendar Library',
		version: '1.2',
		file: 'calendar.php',
		head: '<?php\n/*\nPlugin Name: Calendar Library\nVersion: 1.2\n*/\n',
	},
	{
		kind: 'plugin',
		path: './wp-content/plugins/booking-kit/',
		name: 'Booking Kit',
		version: '5.1.0',
		file: 'booking-kit.php',
		head: '<?php\n/*\nPlugin Name: Booking Kit\nVersion: 5.1.0\n*/\n',
	},
	{
		kind: 'must-use',
		path: './wp-content/mu-plugins/site-tweaks.php',
		name: 'Site Tweaks',
		version: '1.10',
		file: 'site-tweaks.php',
		head: '<?php /* Plugin Name: Site Tweaks */\n# Version: 1.10\n',
	},
	{
		kind: 'must-use',
		path: './wp-content/mu-plugins/loader.php',
		name: 'Loader',
		version: '2023.11.4',
		file: 'loader.php',
		head: '<?php\n/**\n * Plugin Name: Loader\n * Version: 2023.11.4\n */\n',
	},
	{
		kind: 'must-use',
		path: './wp-content/mu-plugins/object-store/',
		name: 'Object Store',
		version: 'v3.1',
		file: 'object-store.php',
		head: '<?php\n# Plugin Name: Object Store\n# Version: v3.1\n',
	},
	{
		kind: 'must-use',
		path: './wp-content/mu-plugins/hello-words.php',
		name: 'Hello Words Loader',
		version: '1.0',
		file: 'hello-words.php',
		head: '<?php\n/*\nPlugin Name: Hello Words Loader\nVersion: 1.0\n*/\n',
	},
	{
		kind: 'must-use',
		path: './wp-content/mu-plugins/cron-helper.php',
		name: 'Cron Helper',
		version: null,
		file: 'cron-helper.php',
		head: '<?php\n/*\nPlugin Name: Cron Helper\nVersion:\n*/\n',
	},
];

/** A folder without a plugin in it. */
const SHELL = './wp-content/plugins/leftovers/index.php';

const isFolder = (path: string) => path.endsWith('/');
const mainFileOf = ({ path, file }: Odd) => (isFolder(path) ? `${path}${file}` : path);
/** The name of its folder or, without the ending, of its single file. */
const slugOf = ({ path }: Odd) => path.replace(/^.*\/(.+?)(\/|\.php)$/, '$1');
const isOn = (site: SiteRow, path: string) => hashOf(site.id, path) % 10 < 3;
const childOf = (theme: string) => `./wp-content/themes/${theme}-child/style.css`;

const heads = new Map(
	ODD.flatMap((odd) => [
		[mainFileOf(odd), odd.head] as const,
		...Object.entries(odd.others ?? {}).map(
			([name, head]) => [`${odd.path}${name}`, head] as const,
		),
	]),
);
const byMainFile = new Map(ODD.map((odd) => [mainFileOf(odd), odd]));
const children = new Map(themeNames.map((theme) => [childOf(theme), theme]));

const spec = (path: string, least: number): FileSpec => ({
	path,
	size: least + 200 + (hashOf(path) % 20_000),
	since: installedAt,
});
const specs = new Map(
	[...heads].map(([path, head]) => [path, spec(path, Buffer.byteLength(head))]),
);
const childSpecs = new Map([...children.keys()].map((path) => [path, spec(path, 200)]));
const shellSpec = spec(SHELL, 50);

/** The main file first. */
const filesOf = (odd: Odd): FileSpec[] =>
	[mainFileOf(odd), ...Object.keys(odd.others ?? {}).map((name) => `${odd.path}${name}`)].map(
		(path) => specs.get(path)!,
	);

/** The files of those that can come to another version, by their slugs, the last of two: the CMS updates no must-use plugins. */
export const oddPluginFiles = new Map(
	ODD.filter(({ kind }) => kind === 'plugin').map((odd) => [slugOf(odd), filesOf(odd)]),
);

/** What of this a site has. @param themes those that it has */
export function oddFiles(site: SiteRow, themes: readonly string[]): FileSpec[] {
	const files = ODD.filter(({ path }) => isOn(site, path)).flatMap(filesOf);
	const child = themes.find((theme) => isOn(site, childOf(theme)));
	if (child !== undefined) files.push(childSpecs.get(childOf(child))!);
	if (isOn(site, SHELL)) files.push(shellSpec);
	return files;
}

/** A name as people read it: page-cache is Page Cache. */
export const titled = (name: string) =>
	name.replace(
		/(^|-)([a-z])/g,
		(_, dash: string, letter: string) => `${dash && ' '}${letter.toUpperCase()}`,
	);

const styleOf = /\/themes\/([^/]+)\/style\.css$/;
const themeVersions = ['1.4.0', '2.8.1', '3.0', '10.2.1'];

/** The theme that a file is the main file of, as a site has it. @param changed the version that it came to, if it did */
function themeIn(siteId: string, path: string, changed?: string) {
	const folder = styleOf.exec(path)?.[1];
	if (folder === undefined) return undefined;
	const parent = children.get(path);
	const hash = hashOf(siteId, path, 'version');
	// Many child themes never got a version.
	const first = parent && hash % 2 ? null : themeVersions[hash % themeVersions.length]!;
	return { folder, name: titled(folder), parent, version: changed ?? first };
}

/** What a main file begins with; nothing where it is none of these. @param changed the version that it came to, if it did */
export function oddHead(siteId: string, path: string, changed?: string): string {
	const head = heads.get(path);
	if (head !== undefined) {
		const first = byMainFile.get(path)?.version;
		// Where the version occurs first is the header.
		return first && changed ? head.replace(first, changed) : head;
	}
	const theme = themeIn(siteId, path, changed);
	if (!theme) return '';
	const lines = [`Theme Name: ${theme.name}`];
	if (theme.parent) lines.push(`Template: ${theme.parent}`);
	if (theme.version !== null) lines.push(`Version: ${theme.version}`);
	return `/*\n${lines.join('\n')}\n*/\n`;
}

/** A plugin, must-use plugin or theme of a site. */
export interface Component {
	kind: ComponentKind;
	file: string;
	name: string;
	/** Null where its header has none. */
	version: string | null;
}

/** What a file is the main file of, if of anything of these. */
export function oddComponent(
	siteId: string,
	file: string,
	changed?: string,
): Component | undefined {
	const odd = byMainFile.get(file);
	if (odd) {
		// A header without a version never gets one.
		const version = odd.version && (changed ?? odd.version);
		return { kind: odd.kind, file, name: odd.name, version };
	}
	const theme = themeIn(siteId, file, changed);
	return theme && { kind: 'theme', file, name: theme.name, version: theme.version };
}

import { hashOf } from '../../engine/random';
import type { World } from '../../engine/world';
import type { SiteRow } from '../sites/rows';
import { changeContent, changesOf } from './changes';
import { filesAt } from './files';
import { pluginNames } from './names';
import { type Component, oddComponent, oddHead, titled } from './odd';

/** Sites lag behind differently; of each plugin there are the same versions. */
const versions = ['1.9.4', '1.10.0', '1.10.2', '2.0.1'];

const mainFile = /\/plugins\/([^/]+)\/\1\.php$/;

const mainFileOf = (name: string) => `./wp-content/plugins/${name}/${name}.php`;

export const themeFileOf = (name: string) => `./wp-content/themes/${name}/style.css`;

/** The version of a plugin that a site began with. */
const firstVersion = (siteId: string, name: string) =>
	versions[hashOf(siteId, name) % versions.length]!;

/** What the main file of a plugin or theme begins with, as such files do; nothing for any other file. */
export function pluginHeader(siteId: string, path: string, version?: string): string {
	const name = mainFile.exec(path)?.[1];
	const odd = oddHead(siteId, path);
	if (name === undefined || odd !== '') return odd;
	return `<?php\n/**\n * Plugin Name: ${titled(name)}\n * Version: ${version ?? firstVersion(siteId, name)}\n */\n\n`;
}

/** The version that a plugin came to at a time (milliseconds); undefined where it has that from the beginning. */
export function versionSince(world: World, siteId: string, path: string, at: number) {
	const name = mainFile.exec(path)?.[1];
	return changesOf(world, siteId).plugins?.find(
		(change) => change.name === name && Date.parse(change.at) === at,
	)?.version;
}

/** The versions of the plugins that a site has at a time (milliseconds), by their names. */
export function pluginsAt(world: World, site: SiteRow, at: number): Map<string, string> {
	const files = new Map(filesAt(world, site, at).map((file) => [file.path, file]));
	return new Map(
		pluginNames.flatMap((name) => {
			const file = files.get(mainFileOf(name));
			if (!file) return [];
			const changed = versionSince(world, site.id, file.path, file.modifiedAt);
			return [[name, changed ?? firstVersion(site.id, name)]];
		}),
	);
}

/** All plugins and themes that a site has at a time (milliseconds), with what their headers say. */
export function componentsAt(world: World, site: SiteRow, at: number): Component[] {
	const usual = [...pluginsAt(world, site, at)].map(([name, version]): Component => ({
		kind: 'plugin',
		file: mainFileOf(name),
		name: titled(name),
		version,
	}));
	const odd = filesAt(world, site, at).flatMap(({ path }) => oddComponent(site.id, path) ?? []);
	return [...usual, ...odd];
}

/** Whether a site has a theme now. */
export const hasTheme = (world: World, site: SiteRow, name: string): boolean =>
	filesAt(world, site, world.now).some(({ path }) => path === themeFileOf(name));

/** From now on a site has a plugin in this version. */
export function setPlugin(world: World, site: SiteRow, name: string, version: string): void {
	const content = changeContent(world, site.id);
	const at = world.timestamp();
	const others = (content.plugins ?? []).filter((each) => each.name !== name || each.at !== at);
	content.plugins = [...others, { name, version, at }];
}

/** The plugins that came to another version, and in which one each is now. */
export function changedPlugins(world: World, site: SiteRow): Map<string, string> {
	const names = new Set(changesOf(world, site.id).plugins?.map(({ name }) => name));
	if (names.size === 0) return new Map();
	return new Map([...pluginsAt(world, site, world.now)].filter(([name]) => names.has(name)));
}
